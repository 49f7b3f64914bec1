/* Names and sentences of the error list. */
#include "salotto/error.h"
#include "salotto/text.h"

#include <assert.h>
#include <string.h>

static const struct {
  const char *name, *text;
} errors[SAL_ERROR_COUNT] = {
#define SAL_X(id, name, text) {name, text},
    SAL_ERRORS(SAL_X)
#undef SAL_X
};

const char *sal_error_name(int code) {
  assert(code < 0 && code >= -SAL_ERROR_COUNT);
  return errors[-1 - code].name;
}

const char *sal_error_text(int code) {
  assert(code < 0 && code >= -SAL_ERROR_COUNT);
  return errors[-1 - code].text;
}

int sal_refuse(struct sal_refusal *why, int code, const char *rule,
               const char *message) {
  if (!why)
    return code;
  if (!message)
    message = sal_error_text(code);
  why->code = code;
  why->rule = rule;
  char copy[SAL_MESSAGE_MAX];
  struct sal_text t;
  sal_text_init(&t, copy, sizeof copy);
  sal_text_clip(&t, message, sizeof copy - 1);
  memcpy(why->message, copy, t.len + 1);
  return code;
}
