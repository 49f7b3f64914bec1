/* Ctrl-C in a long computation: once, it ends with what it has; twice, the
 * program ends. */
#ifndef SAL_CLI_INTERRUPT_H
#define SAL_CLI_INTERRUPT_H

#include <stdatomic.h>
#include <stdbool.h>

/* As a shell says it of a program that SIGINT has ended. */
enum { INTERRUPTED = 130 };

/* Becomes true with the first SIGINT or SIGTERM after catch_interrupts. */
extern atomic_bool interrupted;

void catch_interrupts(void);

#endif
