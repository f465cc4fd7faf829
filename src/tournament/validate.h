#ifndef ALEA_TOURNAMENT_VALIDATE_H
#define ALEA_TOURNAMENT_VALIDATE_H

/* A database of results is bytes from outside: whoever opens one checks it
 * first, so that the queries after it meet no value that they cannot hold. */

#include "base/diag.h"

struct sqlite3;

/* Checks that all tables and columns are there and that every value has the
 * type and range that a store writes.  ALEA_INPUT: 'diag' names the first
 * column that is damaged, or why the file cannot be read. */
alea_status alea_result_store_validate(struct sqlite3 *db, const char *path, alea_diag *diag);

#endif
