#ifndef ALEA_MATCH_RUNNER_H
#define ALEA_MATCH_RUNNER_H

/* Matches: the game manager and its players, in this process or not.
 *
 * The manager keeps the true position.  A player gets its own move and its
 * percepts where the game has `sees`, else the joint move, and nothing more.
 * A move that is illegal, late or missing is replaced by a random legal one
 * drawn beforehand, and noted, as ggp-base does it: `IL <move>`, `IL null`,
 * `TO`, and `CE` for a player that failed.  Guests (match/remote_player.h) are asked
 * all at once, before our own players think one after the other.  Nobody is disqualified.
 *
 * With a budget of simulations and a seed the record is the same, byte for
 * byte, on every run: times in it are then 0. */

#include "base/arena.h"
#include "base/diag.h"
#include "match/remote_player.h"
#include "play/player.h"

typedef struct alea_match_options {
  const char *const *players; /* strings, in role order, none for chance */
  size_t player_count;
  uint32_t rotate; /* role i is played by player (i + rotate) mod players */
  uint64_t sims;   /* per move; 0 = no such limit */
  double start;    /* seconds before the first move */
  double time;     /* seconds per move; 0 = no such limit */
  double grace;    /* seconds a move may be late */
  alea_clock_kind clock;
  uint64_t seed;
  uint32_t step_cap;                 /* steps after which a match is aborted */
  alea_engine engine;                /* for the players' samplers */
  const char *evaluation;            /* file, for players of rewriting games; may be NULL */
  alea_remote_player_opener *remote; /* NULL: all players are our own */
  void *guest_context;
  const atomic_bool *stop; /* raised: the match is aborted; may be NULL */
} alea_match_options;

/* What happened.  The caller embeds it; texts live until it is cleared. */
typedef struct alea_record {
  alea_arena arena;
  const char *game; /* borrowed: the label of the opened game */
  uint32_t roles;
  const char *const *role_names; /* borrowed from the game */
  int random_role;
  uint64_t seed;
  const char *match_id; /* NULL: made of the game and the seed */
  bool scrambled;       /* the remotes' words are not those of the game */
  bool *human;          /* per role */
  double start_clock, play_clock;
  uint64_t sims;
  int64_t start_time;            /* ms since 1970, 0 with simulations alone */
  const char **players;          /* per role; "random" for chance */
  ALEA_VEC(const char *) states; /* "( (cell 1 1 b) ... )", one more than steps */
  ALEA_VEC(const char *) moves;  /* steps * roles */
  ALEA_VEC(const char *) errors; /* (steps + 1) * roles, the first row for the start */
  ALEA_VEC(int64_t) state_times; /* ms since 1970 */
  ALEA_VEC(double) move_seconds; /* steps * roles, on the match's clock */
  int *goals;                    /* per role, when completed */
  alea_player_stats *stats;      /* per role */
  uint32_t faults;               /* errors that are not "" */
  bool completed, aborted;
} alea_record;

void alea_record_init(alea_record *record, alea_mem *mem);
void alea_record_clear(alea_record *record);
/* Appends the record as one JSON object, keys as in ggp-base plus players,
 * seed and goals. */
void alea_record_json(const alea_record *record, alea_text *out);

/* Called after every step, and once before the first ('joint' NULL); 'cursor'
 * is at the new position.  A status other than ALEA_OK aborts the match. */
typedef alea_status alea_match_step(void *context, alea_cursor *cursor, const alea_move *joint,
                                    const alea_record *record);

/* Plays one match of an open game.  ALEA_USAGE: 'diag' says what is wrong
 * with the players. */
alea_status alea_match_run(alea_record *record, const alea_opened *opened,
                           const alea_match_options *options, alea_match_step *step, void *context,
                           alea_diag *diag);

/* The samplers that players of an open game get: lanes that all of them share
 * where `auto` is asked for and they pay, else what 'engine' says. */
typedef struct alea_match_sampler {
  const alea_opened *opened;
  bool wide;                       /* each player has lanes of its own, as 'engine' says */
  struct alea_lanes_narrow *lanes; /* owned; NULL: none */
} alea_match_sampler;
void alea_match_sampler_init(alea_match_sampler *sampler, const alea_opened *opened,
                             alea_engine engine, alea_mem *mem);
void alea_match_sampler_clear(alea_match_sampler *sampler);
alea_sampler_maker alea_match_make_sampler; /* its context is an alea_match_sampler */

#endif
