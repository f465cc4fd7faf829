#ifndef ALEA_MATCH_SHIPPED_H
#define ALEA_MATCH_SHIPPED_H

/* The games that ship inside the program.
 *
 * The files of games/ are compiled in (cmake/Embed.cmake).  Each opens with
 * comment lines `;; key: value`, which are its metadata:
 *
 *   ;; title: Tic-tac-toe
 *   ;; players: 2
 *   ;; tags: board, alternating
 *   ;; description: Three in a row on a board of nine cells.
 *
 * A line `;;   text` after a key continues its value.  `also: othello, ...` are
 * other names by which the game is found. */

#include "base/shipped_file.h"
#include "base/text.h"

/* The generated table. */
extern const alea_shipped_file alea_shipped_files[];
extern const size_t alea_shipped_file_count;

/* The files of experiments/, in the same way. */
extern const alea_shipped_file alea_shipped_experiments[];
extern const size_t alea_shipped_experiment_count;

/* Finds a game by its name or another of its names; NULL if no such game
 * ships. */
const alea_shipped_file *alea_shipped_find(const char *name);
/* The shipped name nearest to a mistyped one; NULL if none is near.  Other
 * names are not offered. */
const char *alea_shipped_nearest(const char *name);

#endif
