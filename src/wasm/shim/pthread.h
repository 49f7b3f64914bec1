/* Threads where there are none: WebAssembly here runs one. What the engine
 * locks needs no lock, and starting a thread fails as it may anywhere. */
#ifndef SAL_WASM_PTHREAD_H
#define SAL_WASM_PTHREAD_H

typedef int pthread_mutex_t;
typedef int pthread_t;
#define PTHREAD_MUTEX_INITIALIZER 0

static inline int pthread_mutex_lock(pthread_mutex_t *m) {
  (void)m;
  return 0;
}

static inline int pthread_mutex_unlock(pthread_mutex_t *m) {
  (void)m;
  return 0;
}

static inline int pthread_create(pthread_t *thread, const void *attributes,
                                 void *(*start)(void *), void *argument) {
  (void)thread;
  (void)attributes;
  (void)start;
  (void)argument;
  return 6; /* EAGAIN */
}

static inline int pthread_join(pthread_t thread, void **result) {
  (void)thread;
  (void)result;
  return 0;
}

#endif
