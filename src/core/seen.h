/* A build for tools/seen notes every message that is looked up to be shown. */
#ifndef SAL_CORE_SEEN_H
#define SAL_CORE_SEEN_H

#ifdef SALOTTO_SEEN
void sal_seen(const char *message);
#else
static inline void sal_seen(const char *message) { (void)message; }
#endif

#endif
