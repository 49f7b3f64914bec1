/* Ctrl-C in a long computation: see the header. */
#include "interrupt.h"

#include <signal.h>
#include <stddef.h>

atomic_bool interrupted;

static void note_interrupt(int number) {
  (void)number;
  interrupted = true;
}

void catch_interrupts(void) {
  const struct sigaction once = {.sa_handler = note_interrupt,
                                 .sa_flags = (int)SA_RESETHAND};
  sigaction(SIGINT, &once, NULL);
  sigaction(SIGTERM, &once, NULL);
}
