/* Chances by numbers and their weights. See evaluate.h. */
#include "evaluate.h"

#include <math.h>

enum { NUMBERS_MAX = 32 };

void evaluate_by(const sal_state *s, int players, numbers_fn *numbers,
                 const double *weight, int count, double *out) {
  double sum = 0, most = -INFINITY, number[NUMBERS_MAX];
  for (int seat = 0; seat < players; seat++) {
    numbers(s, seat, number);
    out[seat] = 0;
    for (int i = 0; i < count; i++)
      out[seat] += weight[i] * number[i];
    most = fmax(most, out[seat]);
  }
  for (int seat = 0; seat < players; seat++)
    sum += out[seat] = exp(out[seat] - most);
  for (int seat = 0; seat < players; seat++)
    out[seat] /= sum;
}
