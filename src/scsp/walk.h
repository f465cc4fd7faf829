#ifndef ALEA_SCSP_WALK_H
#define ALEA_SCSP_WALK_H

/* The walk over a planned network: expectation at chance variables, best (or
 * worst) value at decisions, without recursion.
 *
 * A value may depend on the yet unknown value V of the state the walk began
 * in (a process can stay where it is): it is c + p*V. */

#include "scsp/core.h"

/* Work, in memory reads, between two looks at the clock: well under a
 * millisecond. */
enum { SCSP_LOOK = 1 << 17 };

typedef struct scsp_value {
  double c, p;
  bool feasible;
} scsp_value;

typedef struct scsp_frame {
  uint64_t *allowed;  /* the walk's */
  uint32_t next;      /* the value to be tried next */
  uint32_t raised;    /* scsp_raised */
  uint32_t choice;    /* decision: the value that is best so far */
  scsp_value best;    /* decision: best so far; chance: sum so far */
  double probability; /* of the value being tried */
  double due;
  uint32_t parent; /* the variable whose value is being tried above this one */
} scsp_frame;

/* What is known after the variables before 'place', as far as they matter. */
typedef struct scsp_known {
  size_t first; /* the key, in key_words */
  uint32_t place;
  bool feasible;
  uint64_t hash;
  double c;
} scsp_known;

typedef struct scsp_walk {
  const scsp_plan *plan;
  const alea_scsp_options *options;
  uint32_t end; /* variables from here on are left out; all are in at first */
  uint32_t *indexes;
  scsp_frame *frames;
  uint64_t *sets; /* of all frames */
  size_t set_words;
  uint64_t *key; /* scratch: the key at hand */
  uint32_t key_width;
  bool caches;
  ALEA_VEC(scsp_known) known;
  ALEA_VEC(uint64_t) key_words;
  alea_hash_map known_map; /* by place and key */
  /* Per variable, and behind the last: no more is paid from it on.  NULL: not known. */
  const double *most;
  uint32_t kept;           /* of a walk that was given up: see scsp_walk_kept */
  double guess;            /* V when decisions are compared */
  bool mixed;              /* a decision had an alternative with p != 0 */
  alea_scsp_limit stopped; /* why the walk was given up */
  uint64_t nodes, hits;
  int64_t until_look; /* work until the clock is looked at */
  /* The value after the last variable; NULL: what the plan pays there. */
  scsp_value (*leaf)(void *data, const uint32_t *indexes);
  void *data;
} scsp_walk;

/* The value from 'from' on that is in the set, or the size of the domain. */
static inline uint32_t scsp_next_in(const uint64_t *set, uint32_t words, uint32_t from) {
  for (uint32_t w = from >> 6; w < words; w++) {
    uint64_t rest = set[w];
    if (w == from >> 6) rest &= ~UINT64_C(0) << (from & 63);
    if (rest != 0) return w * 64 + (uint32_t)__builtin_ctzll(rest);
  }
  return words * 64;
}

/* Whether a decision for 'a' is to be preferred. */
static inline bool scsp_walk_better(const scsp_walk *walk, scsp_value a, scsp_value b) {
  double x = a.c + a.p * walk->guess, y = b.c + b.p * walk->guess;
  return walk->options->aim == ALEA_SCSP_MAX ? x > y : x < y;
}

bool scsp_walk_init(scsp_walk *walk, const scsp_plan *plan, const alea_scsp_options *options,
                    bool cached);
void scsp_walk_clear(scsp_walk *walk);
/* The value with the variables before 'from' assigned in walk->indexes; of a walk that was
 * given up, that of the best policy that is wholly known, infeasible where there is none. */
scsp_value scsp_walk_run(scsp_walk *walk, uint32_t from);
/* A walk over the whole network is over: what came of it. */
void scsp_walk_conclude(const scsp_walk *walk, scsp_value value, alea_scsp_result *result);

/* ---- what is known on the way (bounds.c) ---- */

/* Fills most[0 ... plan->count]: no more is paid from a variable on. */
void scsp_most_paid(const scsp_plan *plan, double *most);
/* Values of variable 'at' are being tried: what the best policy pays of which all is
 * known.  A chance variable some of whose values were not looked at makes what is above
 * it unknown, but for the decisions that were tried there before.  '*kept' is the variable
 * whose best choice so far it has, with the values now assigned before it; UINT32_MAX
 * without such a policy. */
scsp_value scsp_walk_kept(const scsp_walk *walk, uint32_t at, uint32_t *kept);
alea_scsp_progress scsp_walk_progress(scsp_walk *walk, uint32_t at);

#endif
