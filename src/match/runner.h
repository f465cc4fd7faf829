#ifndef ALEA_MATCH_RUNNER_H
#define ALEA_MATCH_RUNNER_H

/* Matches: the game manager for players in this process and remote ones.
 *
 * The manager keeps the true position.  A player gets its own move and its
 * percepts if the game has `sees`, otherwise the joint move, and nothing more.
 * A move that is illegal, late or missing is replaced by a random legal one
 * drawn beforehand, and recorded as ggp-base does: `IL <move>`, `IL null`,
 * `TO`, and `CE` for a player that failed.  Remote players
 * (match/remote_player.h) are asked all at once, before the players of this
 * process think one after another.  Nobody is disqualified.
 *
 * With a budget of simulations and a seed the record is the same, byte for
 * byte, on every run; its times are then 0. */

#include "base/arena.h"
#include "base/diag.h"
#include "match/remote_player.h"
#include "play/player.h"

typedef struct alea_match_options {
  const char *const *players; /* strings, in role order, none for chance */
  size_t player_count;
  const char *const *names; /* of the same players, for the record; NULL: the strings */
  const char *match_id;     /* a GDL name; NULL: made from the game, the seed and the time */
  const char *game_url;     /* of the game's metadata, for the record; NULL: made from its name */
  const char *event;        /* the name of the tournament; NULL: none */
  uint32_t rotate;          /* role i is played by player (i + rotate) mod players */
  uint64_t sims;            /* per move; 0 = no such limit */
  double preview; /* seconds for which remote players see the rules before START; 0: none */
  double start;   /* seconds before the first move */
  double time;    /* seconds per move; 0 = no such limit */
  double grace;   /* seconds a move may be late */
  alea_clock_kind clock;
  uint64_t seed;
  uint32_t step_cap;                 /* steps after which a match is aborted */
  uint32_t forfeit_after;            /* moves missed in a row (TO, CE) by a remote player that end
                                      * the match; 0: it is played to its end */
  alea_engine engine;                /* for the players' samplers */
  const char *evaluation;            /* file, for players of rewriting games; may be NULL */
  alea_remote_player_opener *remote; /* NULL: all players are in this process */
  void *remote_context;
  const atomic_bool *stop; /* when raised, the match is aborted; may be NULL */
  /* Called before a player of this process is asked for a move, with the seconds after which
   * that would be late, and with 0 when it is back; only where moves have a clock.  May be NULL. */
  void (*ask)(void *context, double seconds);
  void *ask_context;
} alea_match_options;

/* What happened in a match.  The caller embeds it; texts live until it is
 * cleared. */
typedef struct alea_record {
  alea_arena arena;
  const char *game; /* borrowed: the label of the opened game */
  uint32_t roles;
  const char *const *role_names; /* borrowed from the game */
  int random_role;
  uint64_t seed;
  const char *match_id;         /* NULL: derived from the game and the seed */
  const char *game_url, *event; /* as in the options; borrowed */
  char token[33];       /* 32 letters and digits: random, or made from the seed if the match has no
                         * clock */
  bool scrambled;       /* remote players see other words than those of the game */
  bool *human;          /* per role */
  double preview_clock; /* -1: none */
  double start_clock, play_clock;
  uint64_t sims;
  int64_t start_time;            /* ms since 1970; 0 with simulations alone */
  const char **players;          /* per role; "random" for chance */
  const char **names;            /* of the same players, per role */
  bool *forfeited;               /* per role: the match ended because it missed too many moves */
  ALEA_VEC(const char *) states; /* "( (cell 1 1 b) ... )", one more than steps */
  ALEA_VEC(const char *) moves;  /* steps * roles */
  ALEA_VEC(const char *) errors; /* (steps + 1) * roles, the first row for the start */
  ALEA_VEC(int64_t) state_times; /* ms since 1970 */
  ALEA_VEC(double) move_seconds; /* steps * roles, by the clock of the match */
  int *goals;                    /* per role, when completed */
  alea_player_stats *stats;      /* per role */
  const char **notes;            /* per role: what a player of this process says of what it did in
                                    the start clock (alea_analysis.note), or NULL */
  uint32_t faults;               /* errors that are not "" */
  bool completed, aborted;
} alea_record;

void alea_record_init(alea_record *record, alea_mem *mem);
void alea_record_clear(alea_record *record);
/* Appends the record as one JSON object, with the keys of ggp-base plus
 * players, seed, goals and, where a player left one, notes. */
void alea_record_json(const alea_record *record, alea_text *out);

/* Called after every step, and once before the first with 'joint' NULL;
 * 'cursor' is at the new position.  Any status but ALEA_OK aborts the match. */
typedef alea_status alea_match_step(void *context, alea_cursor *cursor, const alea_move *joint,
                                    const alea_record *record);

/* Plays one match of an open game.  ALEA_USAGE: 'diag' says what is wrong
 * with the players.  ALEA_INPUT: some role had no legal move before the game was
 * over; 'diag' names role and step, and the record, aborted, has what was played. */
alea_status alea_match_run(alea_record *record, const alea_opened *opened,
                           const alea_match_options *options, alea_match_step *step, void *context,
                           alea_diag *diag);

/* The samplers of players in an open game: shared lanes if `auto` is asked for
 * and lanes pay, otherwise those of 'engine'. */
typedef struct alea_match_sampler {
  const alea_opened *opened;
  bool wide;                /* each player has lanes of its own, as 'engine' says */
  struct alea_lanes *lanes; /* owned; NULL: none */
} alea_match_sampler;
void alea_match_sampler_init(alea_match_sampler *sampler, const alea_opened *opened,
                             alea_engine engine, alea_mem *mem);
void alea_match_sampler_clear(alea_match_sampler *sampler);
alea_sampler_maker alea_match_make_sampler; /* its context is an alea_match_sampler */

#endif
