#ifndef ALEA_TOSS_MAKER_H
#define ALEA_TOSS_MAKER_H

/* Internals of the compiler to ground programs.
 *
 * ground.c decides whether a game can be compiled and calls the parts in order;
 * ground_moves.c finds fluents and moves, ground_roots.c computes legality, the
 * end of the game and payoffs, ground_next.c the next position, and
 * ground_write.c turns the circuits into rules. */

#include "toss/evaluation.h"
#include "toss/symbolic.h"

typedef ALEA_VEC(alea_toss_lit) alea_toss_lits;

/* A label at a match: a move at some location.  With an evaluation a match has
 * several judged moves, of which at most one is legal. */
typedef struct alea_toss_instance {
  uint32_t location, role, label, move;
  uint32_t match;      /* first of the elements in 'elements' */
  alea_toss_lit legal; /* given the location */
  alea_toss_lit any;   /* the same for the match, whatever the verdict */
} alea_toss_instance;

typedef struct alea_toss_change {
  uint32_t fluent;
  bool adds;
  alea_toss_lit lit;
} alea_toss_change;

/* The part of an evaluation that compiling needs. */
typedef struct alea_toss_judge {
  const alea_toss_evaluation *evaluation; /* NULL: moves are not judged */
  alea_toss_logic logic;                  /* its formulas, walking constant relations only */
  uint8_t *walkable;
  uint32_t *source; /* per relation of the evaluation: of the game, NONE = constant */
  uint8_t *old;     /* per relation of the evaluation: before the move */
  uint32_t *codes;  /* per verdict */
  alea_toss_env env;
} alea_toss_judge;

typedef struct alea_toss_maker {
  alea_mem *mem;
  alea_diag *diag;
  const alea_toss_file *file;
  alea_toss_rules *rules;
  alea_toss_env env;
  alea_toss_circuit circuit;
  alea_toss_symbolic sym;
  alea_toss_judge judge;
  alea_toss_ids *ids; /* as in the interpreter: fluents, then moves by role */
  uint32_t players, roles;
  bool precise; /* payoffs that goals cannot express are refused */
  uint32_t *tokens;
  alea_toss_lits current;                           /* per fluent: its literal at this stage */
  alea_toss_lits moves[ALEA_TOSS_MOST_PLAYERS + 1]; /* per move: its literal */
  ALEA_VEC(alea_toss_instance) instances;
  ALEA_VEC(uint32_t) elements;
  ALEA_VEC(alea_toss_change) changes;
  /* The current label, */
  uint32_t location, role, label;
  const alea_toss_pattern *pattern; /* and its match, while `post` is evaluated */
  const uint32_t *match;
  alea_status status;
  alea_ground *ground;
  uint32_t *atoms; /* per node of the circuit: atom, its sign in 'flipped' */
  uint8_t *flipped;
} alea_toss_maker;

typedef struct alea_toss_goal {
  uint32_t role;
  int value;
  alea_toss_lit lit;
  uint32_t places; /* number of locations with exactly this literal */
} alea_toss_goal;

typedef struct alea_toss_roots {
  alea_toss_lits legal[ALEA_TOSS_MOST_PLAYERS + 1];
  alea_toss_lits next;
  alea_toss_lit terminal;
  ALEA_VEC(alea_toss_goal) goals;
} alea_toss_roots;

static inline void alea_toss_maker_fail(alea_toss_maker *m, alea_status status) {
  if (m->status == ALEA_OK) m->status = status;
}
static inline void alea_toss_maker_lack(alea_toss_maker *m) {
  alea_toss_maker_fail(m, alea_mem_lack(m->mem));
}
static inline void alea_toss_maker_push(alea_toss_maker *m, alea_toss_lits *list,
                                        alea_toss_lit lit) {
  if (!alea_vec_push(m->mem, list, lit)) alea_toss_maker_lack(m);
}
static inline const alea_toss_label *alea_toss_maker_label(const alea_toss_maker *m,
                                                           uint32_t location, uint32_t role,
                                                           uint32_t label) {
  return &m->file->locations.data[location].sides[role].labels.data[label];
}
static inline alea_toss_lit alea_toss_maker_place(const alea_toss_maker *m, uint32_t location) {
  return m->file->locations.count == 1 ? ALEA_TOSS_LIT_TRUE : m->current.data[location];
}
/* The number of players that have labels at a location. */
uint32_t alea_toss_maker_movers(const alea_toss_maker *m, uint32_t location);

/* ground_moves.c */
/* The fluent of a tuple; UINT32_MAX if it has none and 'make' is false. */
uint32_t alea_toss_maker_fluent(alea_toss_maker *m, uint32_t relation, const uint32_t *tuple,
                                bool make);
/* The move of a role with this key; a new one gets its literal. */
uint32_t alea_toss_maker_move(alea_toss_maker *m, uint32_t role, const uint32_t *key,
                              uint32_t length);
/* The image of a tuple of the right side. */
void alea_toss_maker_image(const alea_toss_pattern *p, const uint32_t *match,
                           const alea_toss_tuple *tuple, uint32_t *out);
/* Whether the right side draws a tuple. */
bool alea_toss_maker_draws(const alea_toss_pattern *p, const uint32_t *match, uint32_t relation,
                           const uint32_t *tuple);
/* The literal of a tuple: that of its fluent, false for one that never holds;
 * if m->match is set, after the rule of m->pattern was applied there. */
alea_toss_lit alea_toss_maker_atom(void *maker, uint32_t relation, const uint32_t *tuple);
void alea_toss_maker_find_fluents(alea_toss_maker *m);
void alea_toss_maker_find_moves(alea_toss_maker *m);

/* ground_judge.c */
alea_status alea_toss_judge_open(alea_toss_maker *m);
void alea_toss_judge_close(alea_toss_maker *m);
/* For each verdict and, last, none of them: when it is the one that holds after
 * the rule of m->pattern is applied at 'match'. */
void alea_toss_judge_move(alea_toss_maker *m, const uint32_t *match, alea_toss_lits *lits);

void alea_toss_maker_find_roots(alea_toss_maker *m, alea_toss_roots *r); /* ground_roots.c */
void alea_toss_maker_find_next(alea_toss_maker *m, alea_toss_roots *r);  /* ground_next.c */
/* ground_write.c; 'leaves' are the literals of the fluents. */
void alea_toss_maker_write(alea_toss_maker *m, const alea_toss_roots *r,
                           const alea_toss_lits *leaves);

#endif
