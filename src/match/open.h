#ifndef ALEA_MATCH_OPEN_H
#define ALEA_MATCH_OPEN_H

/* Opens a game: from its name to an engine that plays it.
 *
 * A name is a path to a rulesheet, `-` for standard input, or a shipped game.
 * Engines: `prover` interprets the rules; `net` grounds them and plays the
 * propositional network; `lanes` is the network too, with its playouts bit by
 * bit in parallel; `gpu` is that with large batches of playouts on a graphics
 * processor (gpu/sampler.h), or `lanes` and a warning where there is none.  `auto`
 * is the network, or the prover if grounding reaches a limit. */

#include "base/clock.h"
#include "base/diag.h"
#include "base/options.h"
#include "game/game.h"
#include "game/sampler.h"
#include "gdl/program.h"
#include "propnet/propnet.h"

/* clang-format off */
#define ALEA_ENGINES(word)                                    \
  word(ALEA_ENGINE_AUTO, "auto") word(ALEA_ENGINE_PROVER, "prover") \
  word(ALEA_ENGINE_NET, "net") word(ALEA_ENGINE_LANES, "lanes") \
  word(ALEA_ENGINE_GPU, "gpu")
typedef enum alea_engine { ALEA_ENGINES(ALEA_CHOICE_CONSTANT) } alea_engine;

#define ALEA_OPEN_OPTIONS(row)                                                               \
  row(choice, engine, "auto", 0, 0, ALEA_CHOICE_WORDS(ALEA_ENGINES),                           \
      "what plays the rules; auto is the network, or the prover where grounding hits a limit") \
  row(real, ground_seconds, "60", 0, 1e6, "S",                                               \
      "time limit for grounding and building the network; 0 is none")                        \
  row(bytes, memory, "4G", 0, 0, "BYTES", "memory limit for the engine; 0 is none")          \
  row(flag, strict, "", 0, 0, "", "refuse rulesheets that are not valid GDL")
/* clang-format on */

typedef struct alea_open_options {
  ALEA_OPTION_FIELDS(ALEA_OPEN_OPTIONS)
} alea_open_options;

/* The same from any struct of values whose table contains ALEA_OPEN_OPTIONS. */
#define ALEA_OPEN_OPTIONS_OF(values)                                                 \
  ((alea_open_options){(values)->engine, (values)->ground_seconds, (values)->memory, \
                       (values)->strict})

/* An open game.  The caller embeds it and must not move it; it owns everything
 * it points to. */
typedef struct alea_opened {
  alea_mem mem;          /* of everything below, with the limit of the options */
  const char *label;     /* for messages and JSON: "tictactoe", "games/x.kif", "-" */
  alea_text source;      /* the rulesheet as read */
  const char *rewriting; /* the same if it is a rewriting game, else NULL */
  alea_program *program;
  alea_game *game;
  alea_game *lanes_game; /* the same game as a network for lanes; NULL: 'game' serves both */
  const alea_net *net;   /* NULL when the prover plays */
  alea_sampler *gpu;     /* not NULL: lanes are those of a GPU; what tried it out */
  struct alea_services *services; /* constraint services; NULL without a net or rules */

  /* Sizes of the stages; 0 if the stage did not run. */
  size_t ground_atoms, ground_rules, ground_literals;
  double read_seconds, ground_seconds, build_seconds;
  double cpu_seconds; /* all stages together, in CPU time of this process */
} alea_opened;

/* Opens 'name'.  In any case the caller must clear 'opened' afterwards.  'diag'
 * gets warnings, and the reason if the status is not ALEA_OK; it must be
 * cleared before 'opened'.  ALEA_USAGE: no such game; ALEA_SYSTEM: the file
 * cannot be read. */
alea_status alea_open(alea_opened *opened, const char *name, const alea_open_options *options,
                      alea_diag *diag);
void alea_opened_clear(alea_opened *opened);

/* The same for rules in memory, named 'label' (borrowed): a rewriting game if that
 * ends with `.toss`, otherwise GDL, where opening ends with ALEA_LIMIT soon after
 * 'stop' (may be NULL) is raised. */
alea_status alea_open_rules(alea_opened *opened, const char *label, const char *rules,
                            size_t length, const alea_open_options *options,
                            const atomic_bool *stop, alea_diag *diag);

/* The network that lanes of the game are made from; NULL when the prover plays. */
const alea_net *alea_open_lanes_net(const alea_opened *opened);

/* The first half of alea_open: only the text of the rulesheet. */
alea_status alea_open_text(alea_opened *opened, const char *name, size_t memory, alea_diag *diag);

/* Whether 'name' denotes a structure rewriting game. */
bool alea_open_is_toss(const char *name);

/* Files may have no end (/dev/zero): so many bytes are read at most. */
enum { ALEA_OPEN_BYTES = 256 << 20 };

/* Reads a whole file, or standard input for `-` (`-.toss`: which is a rewriting game),
 * into 'text'.  ALEA_LIMIT: it has more than ALEA_OPEN_BYTES, or than memory holds. */
alea_status alea_open_file(const char *path, alea_text *text, alea_diag *diag);

/* What alea_open_choose measured: states per CPU second, 0 = not measured. */
typedef struct alea_open_choice {
  double lanes, plain;
} alea_open_choice;

/* Chooses whether playouts of an open game use lanes or the game's own engine:
 * as 'wanted' says, unless that is `auto`; then both are measured and the faster
 * is taken.  'why' may be NULL; 'mem' is scratch. */
alea_status alea_open_choose(bool *lanes, const alea_opened *opened, alea_engine wanted,
                             uint64_t seed, alea_open_choice *why, alea_mem *mem);
/* The name of the engine that makes the playouts, for messages and JSON. */
const char *alea_open_sampler_name(const alea_opened *opened, bool lanes);
/* The sampler with or without lanes, for one thread; 'mem' belongs to that
 * thread.  Its class says which engine it is. */
alea_status alea_open_sampler(alea_sampler **sampler, const alea_opened *opened, bool lanes,
                              uint64_t seed, alea_mem *mem);

#endif
