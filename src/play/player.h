#ifndef ALEA_PLAY_PLAYER_H
#define ALEA_PLAY_PLAYER_H

/* Players: what chooses moves.
 *
 * A player is made for one role of one game, from a name with options such as
 * `uct:c=1.2`.  It knows the rules (the game) and what its role is told, and
 * nothing else: it keeps its own cursors and is never shown the manager's.
 * The order of calls is
 *
 *   start, (select, ponder?, observe)*, stop, free
 *
 * A player belongs to one thread; another may raise budget.stop.  With a
 * budget of simulations it is deterministic: the same seed and the same calls
 * give the same moves.
 *
 * A new player is one file with an alea_player_class, and a row in
 * play/classes.h; programs add classes of their own (alea_player_add_class). */

#include "alea/player.h"
#include "base/options.h"
#include "base/vec.h"
#include "game/budget.h"
#include "game/player_setup.h"

typedef struct alea_player alea_player;

/* What a role is told after a step. */
typedef struct alea_observation {
  alea_move own;          /* what was really played for this role */
  const alea_move *joint; /* all moves in role order; NULL where the game has sees */
  alea_list percepts;     /* empty where the game has no sees */
} alea_observation;

/* What one role chooses at a stage: a variable whose values are its moves. */
typedef struct alea_stage_choice {
  uint32_t values, pruned; /* of these, those that the threshold excludes */
  float threshold;         /* the least reward, from 0 to 1, that is still looked for */
} alea_stage_choice;

/* The stage of the position, for players that solve the game stage by stage. */
typedef struct alea_stage_analysis {
  const char *engine;               /* what solves it (encode/stage.h) */
  uint64_t variables, constraints;  /* of the network of a stage; 0: there is none */
  uint32_t rounds;                  /* in which thresholds were raised, for this move */
  const alea_stage_choice *choices; /* per role */
  uint32_t chooser;                 /* whose moves are pruned ... */
  const alea_move *pruned;          /* ... and which */
  size_t pruned_count;
} alea_stage_analysis;

/* What the last select found; the choices and the stage are the player's and live
 * until its next call. */
typedef struct alea_analysis {
  const alea_choice *choices;
  const double *shares; /* by choice: the probabilities by which the move was drawn; NULL:
                           it was not drawn, or the player does not know them */
  size_t count;
  double value; /* of the position; -1 = no opinion */
  alea_proof proof;
  const alea_stage_analysis *stage; /* NULL: the player solves none */
  const char *note; /* what was done in another way than the options say at first sight, a
                       sentence; NULL: nothing */
} alea_analysis;

/* Counters since the start; a player fills those it has. */
/* clang-format off */
#define ALEA_PLAYER_STATS(row)                                                                     \
  row(sims, "simulations")                                                                         \
  row(nodes, "positions or information sets stored")                                               \
  row(transpositions, "positions reached a second way")                                            \
  row(exact, "simulations ended by an exact value")                                                \
  row(decisive, "positions looked at one move ahead")                                              \
  row(full, "positions not stored for lack of memory")                                             \
  row(reused, "positions kept from one move to the next")                                          \
  row(particles, "states in the belief after the last move")                                       \
  row(redrawn, "times the belief was drawn anew from the history")                                 \
  row(sweeps, "sweeps over the whole game")                                                        \
  row(solved, "stages solved")                                                                     \
  row(constrained, "of these, stages solved by constraint propagation")                            \
  row(arms, "arms of the stages solved")                                                           \
  row(pruned, "arms pruned")                                                                       \
  row(rounds, "rounds in which the thresholds were raised")                                        \
  row(cache_hits, "positions whose value was kept from before")                                    \
  row(symmetry_hits, "positions known as the image of another")                                    \
  row(images, "images of positions stored")                                                        \
  row(solving, "part of the effort spent on solving, in thousandths")                              \
  row(sampling, "part spent on sampling, in thousandths")                                          \
  row(mirroring, "part spent on symmetry, in thousandths")                                         \
  row(graphs, "times that symmetries were found with nogoods")                                     \
  row(nogoods, "nogoods of these, all times together")                                             \
  row(automorphisms, "symmetries then, the same")
/* clang-format on */

typedef struct alea_player_stats {
#define ALEA_STAT_FIELD(field, help) uint64_t field;
  ALEA_PLAYER_STATS(ALEA_STAT_FIELD)
#undef ALEA_STAT_FIELD
} alea_player_stats;

typedef struct alea_player_class {
  const char *name;
  const char *summary;
  const alea_option *options;
  size_t option_count;
  size_t values_size;
  size_t size;     /* of the player, whose first member is an alea_player */
  bool reads_text; /* it reads what follows its name in 'text' by itself */
  /* The file that its options name, NULL: none; '*written': it is written as well.  May be
   * NULL: they never name one.  Such a player needs a file system when it is made. */
  const char *(*file)(const alea_player *player, bool *written);

  /* Sets up a zeroed player of 'size' bytes; where it fails, 'clear' is
   * called all the same. */
  alea_status (*init)(alea_player *player);
  void (*clear)(alea_player *player);
  /* May be NULL: nothing is thought before the first move. */
  alea_status (*start)(alea_player *player, const alea_budget *budget);
  alea_status (*select)(alea_player *player, const alea_budget *budget, alea_move *move);
  alea_status (*observe)(alea_player *player, const alea_observation *observation);
  /* May be NULL: no opinion. */
  void (*analyse)(alea_player *player, alea_analysis *analysis);
  /* What is expected at the position of 'cursor', after the joint moves 'before'
   * from the present one: the open moves of 'joint' (ALEA_NO_MOVE) are filled in,
   * for chance too.  False: nothing is known there.  '*proved' stays true where
   * nobody can do better for himself, and that is proved.  May be asked while the
   * player thinks (alea_watch), and has no influence on play (play/main_line.h).
   * May be NULL: nothing is ever expected. */
  bool (*expect)(alea_player *player, alea_cursor *cursor, const alea_u32s *before,
                 alea_move *joint, bool *proved);
  /* May be NULL: never ponders. */
  alea_status (*ponder)(alea_player *player, alea_move own, const atomic_bool *stop);
} alea_player_class;

struct alea_player {
  const alea_player_class *class;
  alea_player_setup setup;
  alea_rng rng;
  alea_player_stats stats;
  alea_text *message; /* while it is set up: for a sentence on why it cannot be */
  const char *text;   /* the string it was made from, owned */
  char *spec;         /* the same, cut up: option values point into it */
  size_t spec_size;
  void *values;   /* of the class's option table */
  double seconds; /* expected, or of the last budget to select; 0: without a clock */
  uint64_t sims;  /* expected; 0: not counted */
};

/* Makes the player that 'text' names, which the caller owns.  Where 'message'
 * is not empty afterwards, its sentence says what is wrong with the text
 * (ALEA_USAGE) or with what it names. */
alea_status alea_player_new(alea_player **player, const char *text, const alea_player_setup *setup,
                            alea_text *message);
void alea_player_free(alea_player *player); /* NULL is a no-op. */
/* Only reads 'text': ALEA_OK, ALEA_USAGE with a sentence, or no memory. */
alea_status alea_player_check(const char *text, alea_mem *mem, alea_text *message);
/* The same, and appends to 'path' the file that the options name, if they do; '*written': the
 * player writes it as well. */
alea_status alea_player_check_file(const char *text, alea_mem *mem, alea_text *path, bool *written,
                                   alea_text *message);

/* The match begins.  The player may think within 'budget'. */
alea_status alea_player_start(alea_player *player, const alea_budget *budget);
/* Chooses a legal move within 'budget'.  ALEA_NONE: this role has no move, or
 * the player knows of none.  ALEA_LIMIT: the time was over before one was found,
 * or there is no memory. */
alea_status alea_player_select(alea_player *player, const alea_budget *budget, alea_move *move);
/* Moves will be asked for with so many seconds and simulations (0: no such limit), which
 * says in the start clock what it is to prepare for; until the first is, steps are looked
 * at no longer than that. */
void alea_player_expect(alea_player *player, double seconds, uint64_t sims);
/* A step was made. */
alea_status alea_player_observe(alea_player *player, const alea_observation *observation);
/* Fills in no opinion where the class has none. */
void alea_player_analyse(alea_player *player, alea_analysis *analysis);
/* Thinks about what may come, where the class does that, until 'stop' is
 * raised or there is nothing more to find out.  'own' is the move that the role
 * will make, ALEA_NO_MOVE where it is not known.  To be called before the role
 * observes what was played; a player that was not asked to ponder plays as if
 * there were no such thing. */
alea_status alea_player_ponder(alea_player *player, alea_move own, const atomic_bool *stop);

/* All classes, in the order in which they are listed: those of this folder, then
 * registered ones. */
const alea_player_class *const *alea_player_classes(size_t *count);
/* Adds a class, which must live until the program ends; from any thread.
 * ALEA_USAGE: its name is taken.  ALEA_LIMIT: ALEA_PLAYER_GUESTS were added. */
enum { ALEA_PLAYER_GUESTS = 64 };
alea_status alea_player_add_class(const alea_player_class *added);

#endif
