/* Several threads at one job; see together.h. */
#include "together.h"

#include <pthread.h>

void work_together(void *(*work)(void *job), void *job, int threads) {
  pthread_t thread[MOST_THREADS];
  int started = 0;
  while (started < threads - 1 && started < MOST_THREADS &&
         pthread_create(&thread[started], NULL, work, job) == 0)
    started++;
  work(job);
  while (started > 0)
    pthread_join(thread[--started], NULL);
}
