#ifndef ALEA_PLAY_MAC_BELIEF_H
#define ALEA_PLAY_MAC_BELIEF_H

/* MAC-UCB where roles do not see the position ([SYM16 §2, §4], D52).
 *
 * A way down starts at a position that is drawn from the belief.  The stage of
 * each position on it is looked up in the store of solved stages, by the
 * position or up to symmetry; its solutions say which moves the roles have.
 * What is known of the moves belongs to information sets: a role picks by the
 * statistics of what it did and saw so far, so no role uses what it could not
 * know.  As in open games solving and sampling take turns: solving goes down to
 * a stage that is not solved, and sampling to the same place, and plays on at
 * random.  The stage of a drawn position itself is always solved.  A leaf is
 * worth the mean of the samples from that position, so far and from a cache file.
 *
 * Thresholds are those of the root's information set, and arms die whose upper
 * confidence bound is below them.  Exact values end a way down where the game is
 * over and nowhere else: what a stage is worth to one who sees it bounds nothing
 * for one who does not.
 *
 * Symmetric moves are one arm before the first move, and later at the root, where
 * symmetries leave all that the role did and saw as it is
 * (play/observed_symmetry.h).
 *
 * Where several choose at once, `select` says what the arms of all are judged
 * by: each role's reward, the own one (`joint-own`: the others help; `maximin`:
 * they hurt), or the least of all (`coop`). */

#include "play/infoset_table.h"
#include "play/mac.h"
#include "play/observed_symmetry.h"

/* A move at an information set. */
typedef struct alea_mac_option {
  alea_move move;
  uint32_t visits;
  uint32_t solved; /* stages solved below */
  uint32_t round;  /* of pruning, that last judged it */
  uint32_t like;   /* 1 + the earlier arm that is symmetric to it; 0: none */
  float sum;
  bool dead; /* pruned */
} alea_mac_option;

typedef struct alea_mac_set {
  alea_infoset_head head;
  alea_mac_option arms[]; /* ascending by move */
} alea_mac_set;

/* A choice on the way down. */
typedef struct alea_mac_pick_made {
  alea_mac_set *set;
  uint32_t arm, role;
  bool together; /* others chose too */
} alea_mac_pick_made;

/* One way down. */
typedef struct alea_mac_way {
  ALEA_VEC(alea_mac_pick_made) picks;
  alea_u32s nodes; /* the stages passed, and the leaf where it has a node */
  alea_u64s words; /* where the playout begins */
  uint32_t depth;  /* steps made */
  bool known;      /* its rewards are known without a playout, and in mac->rewards */
  bool solved;     /* a stage was solved at its end */
} alea_mac_way;

typedef struct alea_mac_belief {
  alea_mac *mac; /* stages, thresholds and effort; borrowed */
  alea_infoset_table sets;
  uint64_t *keys;                   /* per role, of this way */
  alea_mac_way *ways;               /* a batch of them */
  alea_u32s legal;                  /* of one role at one position */
  uint64_t root;                    /* key of the own information set */
  bool initial;                     /* nothing was played yet */
  alea_observed_symmetry *observed; /* of the own role; borrowed, NULL: not to be used */
  bool joined;                      /* symmetric arms of the root were joined in this move */
  float *root_sums;                 /* per arm of the root and role: rewards of this move's pulls */
  uint32_t *root_visits;
  uint32_t root_arms;   /* there is room for */
  uint32_t line_depth;  /* descent=line: steps of the line so far */
  uint32_t deepest;     /* way down since it grew */
  uint32_t rest, pause; /* pulls before solving is tried again, and how many that was */
  ALEA_VEC(alea_choice) choices;
} alea_mac_belief;

/* 'mac' must outlive it. */
alea_status alea_mac_belief_init(alea_mac_belief *belief, alea_mac *mac);
void alea_mac_belief_clear(alea_mac_belief *belief);
/* Searches from the belief's positions. */
alea_status alea_mac_belief_run(alea_mac_belief *search, const alea_belief *belief,
                                alea_time_manager *time_manager);
/* ALEA_NONE: nothing was found out. */
alea_status alea_mac_belief_best(alea_mac_belief *search, alea_move *move);
void alea_mac_belief_analyse(alea_mac_belief *search, alea_analysis *analysis);

/* ---- the way down (mac_belief_down.c) ---- */

/* From a position of the belief to where a playout is to begin, or where a stage
 * was solved. */
alea_status alea_mac_belief_descend(alea_mac_belief *search, const alea_belief *belief,
                                    alea_mac_work at, alea_mac_way *way);
/* The best arm of a set by its mean, UINT32_MAX where none was tried. */
uint32_t alea_mac_belief_best_of(const alea_mac_set *set);
/* The own information set of the root, or NULL. */
alea_mac_set *alea_mac_belief_root(const alea_mac_belief *search);

#endif
