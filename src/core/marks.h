/* Marks a message for xgettext without translating it here: whoever shows it
 * asks its own `sal_words`. NN_ marks a singular and its plural.
 *
 * Every source of the project is compiled with this (meson.build); the public
 * headers define nothing without a prefix. */
#ifndef SAL_CORE_MARKS_H
#define SAL_CORE_MARKS_H

#define N_(text) text
#define NN_(one, many) one, many

#endif
