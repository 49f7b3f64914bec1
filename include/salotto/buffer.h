/* Text that grows, and arrays that grow by one element at a time. The solvers'
 * trees grow by steps of their own.
 *
 * Main invariant: what a buffer holds is followed by a NUL, unless it holds
 * nothing yet; after a failure it is as it was before, and says so in `failed`.
 *
 * Threads: one at a time on a buffer; different buffers at once.
 * Memory: whoever has the buffer frees it; what sal_buffer_take or the like
 * hands out is the caller's to free. */
#ifndef SALOTTO_BUFFER_H
#define SALOTTO_BUFFER_H

#include "salotto/text.h"

SAL_BEGIN

/* All zeros is an empty one. */
struct sal_buffer {
  char *at;
  size_t len;
  size_t size; /* of the memory, NUL included */
  bool failed; /* something did not fit since it was last cleared */
};

/* Whether so many more bytes can be added without asking for memory; asks for
 * it if not. */
SAL_API bool sal_buffer_reserve(struct sal_buffer *b, size_t more);
SAL_API bool sal_buffer_add(struct sal_buffer *b, const char *text, size_t n);
/* The same for a text that ends with NUL. */
SAL_API void sal_buffer_text(struct sal_buffer *b, const char *text);
/* Empty again; the memory stays. */
SAL_API void sal_buffer_clear(struct sal_buffer *b);
SAL_API void sal_buffer_free(struct sal_buffer *b);
/* What it holds, for the caller to free; NULL if something did not fit. The
 * buffer is empty then, and has no memory. */
SAL_API char *sal_buffer_take(struct sal_buffer *b);

/* What `write` writes, instead of what was there; it may be called again with
 * more room, and writes the same then. False: it would need more than `most`
 * bytes, or memory is short. */
typedef void sal_write(struct sal_json *j, const void *what);
SAL_API bool sal_buffer_compose(struct sal_buffer *b, sal_write *write,
                                const void *what, size_t most);

/* Makes room for one more element in an array with room for `cap`; false: no
 * memory, and the array is as it was. */
SAL_API bool sal_array_grow(void **array, size_t count, size_t *cap,
                            size_t element);

SAL_END

#endif
