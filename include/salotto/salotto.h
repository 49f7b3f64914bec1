/* All of libsalotto's public headers.
 *
 * Threads: each header says who may call what at once.
 * Memory: and who frees what. */
#ifndef SALOTTO_SALOTTO_H
#define SALOTTO_SALOTTO_H

#include "salotto/api.h"
#include "salotto/ask.h"
#include "salotto/batch.h"
#include "salotto/bot.h"
#include "salotto/buffer.h"
#include "salotto/catalogue.h"
#include "salotto/cfr.h"
#include "salotto/court.h"
#include "salotto/error.h"
#include "salotto/fair.h"
#include "salotto/game.h"
#include "salotto/information.h"
#include "salotto/memory.h"
#include "salotto/problem.h"
#include "salotto/review.h"
#include "salotto/rng.h"
#include "salotto/solve.h"
#include "salotto/solve_favor.h"
#include "salotto/solve_traps.h"
#include "salotto/table.h"
#include "salotto/tensor.h"
#include "salotto/text.h"

#endif
