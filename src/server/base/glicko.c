/* Glicko-2, step by step as Glickman's paper has it. See glicko.h. */
#include "glicko.h"

#include <math.h>

static const double scale = 173.7178;

const struct glicko glicko_newcomer = {1500, 350, 0.06};

static double weight(double phi) {
  const double pi = 3.14159265358979323846;
  return 1 / sqrt(1 + 3 * phi * phi / (pi * pi));
}

/* A function whose root is the logarithm of the new variance of the strength. */
struct curve {
  double delta2, phi2, v, start, tau2;
};

static double height(const struct curve *c, double x) {
  const double e = exp(x), sum = c->phi2 + c->v + e;
  return e * (c->delta2 - sum) / (2 * sum * sum) - (x - c->start) / c->tau2;
}

/* The Illinois way of regula falsi; the paper's own choice. */
static double new_volatility(const struct curve *c) {
  double a = c->start, b;
  if (c->delta2 > c->phi2 + c->v) {
    b = log(c->delta2 - c->phi2 - c->v);
  } else {
    double k = 1;
    const double tau = sqrt(c->tau2);
    while (height(c, a - k * tau) < 0)
      k++;
    b = a - k * tau;
  }
  double fa = height(c, a), fb = height(c, b);
  for (int i = 0; i < 100 && fabs(b - a) > 1e-6; i++) {
    const double next = a + (a - b) * fa / (fb - fa), f = height(c, next);
    if (f * fb <= 0) {
      a = b;
      fa = fb;
    } else {
      fa /= 2;
    }
    b = next;
    fb = f;
  }
  return exp(a / 2);
}

struct glicko glicko_after(const struct glicko *player,
                           const struct glicko_meeting *meetings, size_t count,
                           double tau) {
  const double mu = (player->rating - 1500) / scale;
  const double phi = player->deviation / scale;
  double information = 0, surprise = 0;
  for (size_t i = 0; i < count; i++) {
    const struct glicko *o = &meetings[i].opponent;
    const double g = weight(o->deviation / scale);
    const double e = 1 / (1 + exp(-g * (mu - (o->rating - 1500) / scale)));
    information += meetings[i].weight * g * g * e * (1 - e);
    surprise += meetings[i].weight * g * (meetings[i].score - e);
  }
  const double v = 1 / information, delta = v * surprise;
  const struct curve c = {delta * delta, phi * phi, v,
                          log(player->volatility * player->volatility),
                          tau * tau};
  const double sigma = new_volatility(&c);
  const double before2 = phi * phi + sigma * sigma;
  const double after2 = 1 / (1 / before2 + information);
  return (struct glicko){1500 + scale * (mu + after2 * surprise),
                         scale * sqrt(after2), sigma};
}

struct glicko glicko_idle(const struct glicko *player, double periods) {
  struct glicko p = *player;
  const double phi = p.deviation / scale;
  p.deviation = scale * sqrt(phi * phi + p.volatility * p.volatility * periods);
  if (p.deviation > glicko_newcomer.deviation)
    p.deviation = glicko_newcomer.deviation;
  return p;
}
