/* Fuzzing the record loader: whatever loads can be saved and loaded again. */
#include "salotto/salotto.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct sal_refusal why;
  struct sal_audit audit;
  sal_table *t = sal_table_load((const char *)data, size, &audit, &why);
  if (!t)
    return 0;
  char *record = sal_table_record(t, true);
  sal_table *copy = sal_table_load(record, strlen(record), &audit, &why);
  if (!copy)
    abort();
  free(record);
  sal_table_free(copy);
  sal_table_free(t);
  return 0;
}
