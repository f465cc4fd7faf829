#ifndef ALEA_GDL_HRF_H
#define ALEA_GDL_HRF_H

/* HRF, the infix way to write GDL, read into the same S-expressions as KIF:
 *
 *   role(white)                        (role white)
 *   legal(W,mark(X,Y)) :-              (<= (legal ?W (mark ?X ?Y))
 *     true(cell(X,Y,b)) &                  (true (cell ?X ?Y b))
 *     ~busy(W)                             (not (busy ?W)))
 *   terminal :- line(x) | ~open        (<= terminal (or (line x) (not open)))
 *
 * The dialect: a clause is an atom, or an atom, `:-` and a body; it ends where
 * the next begins, or with a period.  `~` binds tighter than `&`, `&` tighter
 * than `|`; parentheses group; a comma between literals is an `&`.  A name
 * that begins with an upper-case letter or `_` is a variable (`_` alone a new
 * one each time).  `%` and `;` start comments.  A name and the `(` of its
 * arguments have no space between them; `f()` is the KIF list `(f)`.
 *
 * Names compare without case as everywhere in GDL, so the variables Ab and AB
 * are one. */

#include "gdl/sexpr.h"

/* Whether the text is HRF: its first parenthesis directly follows a name, or
 * `:-` precedes any parenthesis. */
bool alea_hrf_detect(const char *text, size_t length);

/* Like alea_sexprs_read. */
alea_status alea_hrf_read(alea_sexprs *list, const char *text, size_t length, const char *file,
                          const alea_sexpr_limits *limits, alea_symbols *symbols, alea_diag *diag);

/* Reads the text as HRF or KIF, as alea_hrf_detect decides. */
alea_status alea_gdl_read(alea_sexprs *list, const char *text, size_t length, const char *file,
                          const alea_sexpr_limits *limits, alea_symbols *symbols, alea_diag *diag);

#endif
