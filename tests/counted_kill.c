/* Only in builds that count what is run (./test coverage): SIGUSR2 kills as
 * SIGKILL does, but the counters are written first. So what a program did before
 * a test killed it is counted too; and what it did before its terminal went, or
 * before it was told to end, if it has no answer of its own to that. */
#include <signal.h>
#include <stddef.h>

void __gcov_dump(void);

static void write_and_die(int number) {
  __gcov_dump();
  signal(number, SIG_DFL);
  raise(number == SIGUSR2 ? SIGKILL : number);
}

__attribute__((constructor)) static void listen_for_it(void) {
  static const int ends[] = {SIGUSR2, SIGHUP, SIGTERM};
  const struct sigaction end = {.sa_handler = write_and_die,
                                .sa_flags = SA_NODEFER};
  struct sigaction former;
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    if (sigaction(ends[i], NULL, &former) == 0 && former.sa_handler == SIG_DFL)
      sigaction(ends[i], &end, NULL);
}
