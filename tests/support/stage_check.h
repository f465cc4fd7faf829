#ifndef ALEA_TESTS_STAGE_CHECK_H
#define ALEA_TESTS_STAGE_CHECK_H

/* Compares a game with its constraint network: the template of an encoder, a
 * stage on it, and a cursor of the game. */

#include "encode/stage_table.h"
#include "gdl/program.h"
#include "ground/ground.h"

typedef struct stage_subject {
  alea_mem mem;
  alea_diag diag;
  alea_program *program;
  alea_ground *ground; /* plain if the encoder is `paper` */
  alea_game *game;     /* engine net */
  alea_template *t;
  alea_stage *stage; /* engine `table` on the template */
  alea_stage *net;   /* engine `net` on the game */
  alea_cursor *cursor;
  uint64_t states, transitions; /* compared so far */
  bool cut;                     /* the last comparison ended because its time was over */
  char why[256];                /* what differed */
} stage_subject;

typedef struct stage_limits {
  double open_seconds;  /* CPU time for opening; 0 = no limit */
  double seconds;       /* CPU time for each comparison; 0 = no limit */
  size_t literals;      /* of the ground rules; 0 = no limit */
  uint32_t depth;       /* plies of a graph */
  uint64_t states;      /* to compare */
  uint64_t transitions; /* the same; 0 = no limit */
  double prove_seconds; /* see encode/template.h */
} stage_limits;

/* Opens a rulesheet; the status tells why not, ALEA_LIMIT that it is too
 * large. */
alea_status stage_open(stage_subject *s, const char *path, alea_encoder encoder,
                       const alea_stage_options *options, bool checked, const stage_limits *limits);
void stage_close(stage_subject *s); /* also if opening failed; asserts that nothing leaks */

/* Compares the labelled graphs (K1) from the initial state on: states with
 * terminal, goals and moves, arcs by joint move, chance included, as far as the
 * limits allow.  False if they differ: 'why' says how. */
bool stage_compare_graphs(stage_subject *s, const stage_limits *limits);

/* Compares terminal, goals, moves, arms and successors on states of random
 * plays, with both engines. */
bool stage_compare_plays(stage_subject *s, uint64_t seed, const stage_limits *limits);

/* The same along one play of joint moves (role_count numbers each), including
 * its last position, where the cursor stays. */
bool stage_compare_line(stage_subject *s, const alea_move *joints, uint32_t plies);

#endif
