#ifndef ALEA_MINIMAX_EVAL_FILE_H
#define ALEA_MINIMAX_EVAL_FILE_H

/* Evaluations as files.
 *
 * A file of linear evaluations is text: a first line, the fingerprint of the rules,
 * and for each role that plays its numbers and one line for each fluent that counts, and for
 * patterns (minimax/eval_patterns.h): of role 0, of 5 fluents, of which 3 hold:
 *
 *   alea-evaluation 2
 *   rules 0f1e2d3c4b5a6978
 *   role 0 plays 2000 games 100 base 310 loud 85
 *   fluent 17 -120 (cell 1 2 white)
 *   pattern 0 5 3 250
 *
 * The short form is of version 3.  Scores have no names, and those of fluents from 16 on, say, are
 * on one line.  Where two share out 100, what is written for role 0 is for both, and the
 * opposite for the other:
 *
 *   alea-evaluation 3
 *   rules 0f1e2d3c4b5a6978
 *   fluents 130
 *   both 0 plays 2000 games 100 base 310 loud 85
 *   scores 16 0 -120 35
 *
 * A network (minimax/eval_network.h) is written behind the scores, in both forms: what it says
 * where all its units are off and how much a step may change it, images of fluents from 0 on where
 * roles can be exchanged, what units begin with and what they are worth, and by fluent what it adds
 * to each of them:
 *
 *   network 32 rest 0 drift 240
 *   images 0 64 65 66
 *   bias 12 -3 ...
 *   worth 410 -96 ...
 *   weights 17 5 -20 ...
 *
 * Files of the first version, which has no patterns, are read too.  A file is for one game:
 * fingerprints, roles and the names of fluents have to agree. */

#include "minimax/linear_eval.h"

/* The text of a file with an evaluation.  What is wrong with it goes to 'message'
 * (may be NULL). */
alea_status alea_eval_file_text(const char *path, alea_text *text, alea_mem *mem,
                                alea_text *message);

/* A number for the rules as they are played: names of roles, moves and fluents, how some plays go,
 * and what is won there. */
alea_status alea_eval_fingerprint(const alea_game *game, alea_mem *mem, uint64_t *number);

/* Appends what every file begins with, and then the evaluation of a role. */
void alea_eval_file_begin(alea_text *out, uint64_t fingerprint);
void alea_eval_file_add(alea_text *out, const alea_linear_eval *eval);
/* The same in the short form; with 'both' it is for two roles. */
void alea_eval_file_begin_short(alea_text *out, uint64_t fingerprint, const alea_game *game);
void alea_eval_file_add_short(alea_text *out, const alea_linear_eval *eval, bool both);

/* What the game of a file in the short form is known by; zeroes for another text. */
typedef struct alea_eval_file_key {
  uint64_t rules; /* fingerprint */
  uint32_t fluents;
} alea_eval_file_key;
alea_eval_file_key alea_eval_file_key_of(const char *text);

/* Reads the evaluation of eval->role, which was initialised, from a text, which messages call
 * 'name', or from a file; 'message' may be NULL. */
alea_status alea_eval_file_read_text(alea_linear_eval *eval, const char *name, const char *text,
                                     alea_text *message);
alea_status alea_eval_file_read(alea_linear_eval *eval, const char *path, alea_text *message);

#endif
