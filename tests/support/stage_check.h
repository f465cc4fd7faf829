#ifndef ALEA_TESTS_STAGE_CHECK_H
#define ALEA_TESTS_STAGE_CHECK_H

/* A game beside its constraint network: the template of an encoder, a stage on
 * it, and a cursor of the game to compare with. */

#include "gdl/program.h"
#include "ground/ground.h"
#include "scsp/stage_table.h"

typedef struct stage_subject {
  alea_mem mem;
  alea_diag diag;
  alea_program *program;
  alea_ground *ground; /* plain where the encoder is `paper` */
  alea_game *game;     /* engine net */
  alea_template *t;
  alea_stage *stage;
  alea_cursor *cursor;
  uint64_t states, transitions; /* compared so far */
  char why[256];                /* what differed */
} stage_subject;

/* Opens a rulesheet within 'seconds'; the status says why not. */
alea_status stage_open(stage_subject *s, const char *path, alea_encoder encoder,
                       const alea_stage_options *options, bool checked, double seconds);
void stage_close(stage_subject *s); /* also what could not be opened; asserts that nothing leaks */

/* Compares the labelled graphs (SPEC 3.8) from the initial state on: states
 * with their end, goals and moves, arcs by joint move, chance included.  Stops
 * after 'depth' plies, 'states' states, or 'seconds'.  False when they differ. */
bool stage_compare_graphs(stage_subject *s, uint32_t depth, uint64_t states, double seconds);

/* Compares end, goals, moves and arms on states of random plays. */
bool stage_compare_plays(stage_subject *s, uint64_t states, uint64_t seed, double seconds);

#endif
