/* Opening games: text, program, engine. */
#include "match/open.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "encode/services.h"
#include "gpu/sampler.h"
#include "ground/ground.h"
#include "match/shipped.h"
#include "propnet/lanes.h"
#include "prover/prover.h"
#include "toss/toss.h"

static const alea_place no_place = {NULL, 0, 0};

static bool read_all(FILE *file, alea_text *text) {
  char buffer[1 << 16];
  for (size_t count; text->length <= ALEA_OPEN_BYTES && !text->failed &&
                     (count = fread(buffer, 1, sizeof buffer, file)) > 0;) {
    alea_text_add(text, buffer, count);
  }
  return !ferror(file);
}

alea_status alea_open_file(const char *path, alea_text *text, alea_diag *diag) {
  bool standard = strcmp(path, "-") == 0 || strcmp(path, "-.toss") == 0;
  FILE *file = standard ? stdin : fopen(path, "rb");
  bool good = file != NULL && read_all(file, text);
  int error = errno;
  if (file != NULL && !standard) fclose(file);
  alea_place place = {path, 0, 0};
  if (!good) {
    alea_diag_error(diag, place, "cannot-read", "cannot be read: %s", strerror(error));
    return ALEA_SYSTEM;
  }
  if (text->failed) {
    alea_diag_error(diag, place, "memory", "is larger than the memory limit");
    return ALEA_LIMIT;
  }
  if (text->length > ALEA_OPEN_BYTES) {
    alea_diag_error(diag, place, "too-long", "has more than %d MiB", ALEA_OPEN_BYTES >> 20);
    return ALEA_LIMIT;
  }
  return ALEA_OK;
}

/* A path has a slash or an extension; everything else is a name. */
static bool looks_like_path(const char *name) {
  return strcmp(name, "-") == 0 || strchr(name, '/') != NULL || strchr(name, '.') != NULL;
}

static alea_status unknown_game(const char *name, alea_diag *diag) {
  const char *nearest = alea_shipped_nearest(name);
  if (nearest != NULL) {
    alea_diag_error(diag, no_place, "unknown-game",
                    "no game called '%s' ships with the program; did you mean '%s'?", name,
                    nearest);
  } else {
    alea_diag_error(diag, no_place, "unknown-game",
                    "no game called '%s' ships with the program ('alea games' lists them), "
                    "and there is no such file",
                    name);
  }
  return ALEA_USAGE;
}

alea_status alea_open_text(alea_opened *opened, const char *name, size_t memory, alea_diag *diag) {
  *opened = (alea_opened){.label = name};
  alea_mem_init(&opened->mem, memory);
  alea_text_init(&opened->source, &opened->mem);
  const alea_shipped_file *shipped = looks_like_path(name) ? NULL : alea_shipped_find(name);
  if (shipped != NULL) {
    alea_text_add(&opened->source, (const char *)shipped->bytes, shipped->length);
    return opened->source.failed ? ALEA_LIMIT : ALEA_OK;
  }
  if (!looks_like_path(name)) {
    FILE *file = fopen(name, "rb");
    if (file == NULL) return unknown_game(name, diag);
    fclose(file);
  }
  return alea_open_file(name, &opened->source, diag);
}

static alea_status build_game(alea_game **game, const alea_ground *ground, alea_net_aim aim,
                              const alea_deadline *deadline, alea_mem *mem, alea_diag *diag) {
  alea_net_options options = {.deadline = deadline, .aim = aim};
  alea_net *net = NULL;
  alea_status status = alea_net_new(&net, ground, &options, mem, diag);
  return status == ALEA_OK ? alea_net_game_new(game, net, mem) : status;
}

/* For larger games a second network for lanes costs more time than it saves. */
enum { MOST_LITERALS_TWICE = 1500000 };

/* The network for lanes, which use that of cursors where there is no time for another. */
static alea_status build_lanes_game(alea_opened *opened, const alea_ground *ground,
                                    const alea_deadline *deadline) {
  alea_status status =
      build_game(&opened->lanes_game, ground, ALEA_NET_FEW_GATES, deadline, &opened->mem, NULL);
  return status == ALEA_LIMIT && opened->mem.over ? ALEA_OK : status;
}

/* Cursors and lanes are fastest on different networks of the same game. */
static alea_status build_net(alea_opened *opened, const alea_ground *ground, alea_engine engine,
                             const alea_deadline *deadline, alea_diag *diag) {
  double start = alea_clock_wall();
  bool lanes_only = engine == ALEA_ENGINE_LANES;
  bool both = engine == ALEA_ENGINE_AUTO || engine == ALEA_ENGINE_GPU;
  alea_status status =
      build_game(&opened->game, ground, lanes_only ? ALEA_NET_FEW_GATES : ALEA_NET_FEW_CHANGES,
                 deadline, &opened->mem, diag);
  if (status == ALEA_OK && both && ground->lits.count < MOST_LITERALS_TWICE)
    status = build_lanes_game(opened, ground, deadline);
  if (status == ALEA_OK) {
    opened->net = alea_net_of_game(opened->game);
  } else { /* half of it is no engine: without a net, a game would own the program */
    alea_game_free(opened->game);
    opened->game = NULL;
  }
  opened->build_seconds = alea_clock_wall() - start;
  return status;
}

/* The end that was set for the work is taken away, and named if it came too early. */
static alea_status explain_end(alea_opened *opened, alea_status status, size_t errors,
                               alea_diag *diag) {
  if (status == ALEA_LIMIT && opened->mem.over && diag != NULL && diag->errors == errors)
    alea_diag_error(diag, ((alea_place){opened->label, 0, 0}), "time-limit",
                    "making the network takes longer than the time limit allows; "
                    "--ground-seconds raises it");
  alea_mem_set_end(&opened->mem, NULL);
  return status;
}

static alea_status open_net(alea_opened *opened, const alea_open_options *options,
                            const atomic_bool *stop, alea_diag *diag) {
  alea_deadline deadline = alea_deadline_in(options->ground_seconds);
  /* Optimising the network can stop at any time; the steps after it need the
   * rest. */
  alea_deadline polish = alea_deadline_in(0.65 * options->ground_seconds);
  deadline.stop = polish.stop = stop;
  alea_ground_options ground_options = {.deadline = &deadline};
  alea_ground *ground = NULL;
  double start = alea_clock_wall();
  size_t errors = diag != NULL ? diag->errors : 0;
  alea_mem_set_end(&opened->mem, &deadline);
  alea_status status =
      alea_ground_new(&ground, opened->program, &ground_options, &opened->mem, diag);
  opened->ground_seconds = alea_clock_wall() - start;
  if (status == ALEA_OK) {
    opened->ground_atoms = ground->atom_count;
    opened->ground_rules = ground->rules.count;
    opened->ground_literals = ground->lits.count;
    status = build_net(opened, ground, (alea_engine)options->engine, &polish, diag);
  }
  alea_ground_free(ground);
  return explain_end(opened, status, errors, diag);
}

/* Turns the errors added to 'diag' since 'first' into warnings: another engine
 * takes over. */
static void soften(alea_diag *diag, size_t first) {
  for (size_t i = first; diag != NULL && i < diag->entries.count; i++) {
    if (diag->entries.data[i].severity != ALEA_ERROR) continue;
    diag->entries.data[i].severity = ALEA_WARNING;
    diag->errors--;
    diag->warnings++;
  }
}

/* The prover takes ownership of the program, even on failure. */
static alea_status open_prover(alea_opened *opened, alea_diag *diag) {
  double start = alea_clock_wall();
  alea_program *program = opened->program;
  opened->program = NULL;
  alea_status status = alea_prover_game_new(&opened->game, program, NULL, &opened->mem, diag);
  if (status == ALEA_OK) opened->program = program;
  opened->build_seconds = alea_clock_wall() - start;
  return status;
}

static alea_status open_engine(alea_opened *opened, const alea_open_options *options,
                               const atomic_bool *stop, alea_diag *diag) {
  if (options->engine == ALEA_ENGINE_PROVER) return open_prover(opened, diag);
  size_t first = diag != NULL ? diag->entries.count : 0;
  alea_status status = open_net(opened, options, stop, diag);
  if (status != ALEA_LIMIT || options->engine != ALEA_ENGINE_AUTO) return status;
  soften(diag, first);
  alea_game_free(opened->game);
  opened->game = NULL;
  alea_diag_warn(diag, ((alea_place){opened->label, 0, 0}), "fallback",
                 "too large for a network within the limits; the prover plays, slowly");
  return open_prover(opened, diag);
}

/* ---- structure rewriting games ---- */

static bool is_toss_file(const char *file) {
  size_t length = strlen(file);
  return length > 5 && strcmp(file + length - 5, ".toss") == 0;
}

bool alea_open_is_toss(const char *name) {
  const alea_shipped_file *shipped = looks_like_path(name) ? NULL : alea_shipped_find(name);
  return is_toss_file(shipped != NULL ? shipped->file : name);
}

/* A finite discrete game becomes a network; other games are interpreted. */
static alea_status open_toss_net(alea_opened *opened, const alea_toss_file *file,
                                 const alea_open_options *options, alea_diag *diag) {
  alea_deadline deadline = alea_deadline_in(options->ground_seconds);
  alea_ground *ground = NULL;
  double start = alea_clock_wall();
  size_t errors = diag != NULL ? diag->errors : 0;
  alea_mem_set_end(&opened->mem, &deadline);
  alea_status status = alea_toss_ground(&ground, file, &opened->mem, diag);
  opened->ground_seconds = alea_clock_wall() - start;
  if (status == ALEA_OK) {
    opened->ground_atoms = ground->atom_count;
    opened->ground_rules = ground->rules.count;
    opened->ground_literals = ground->lits.count;
    status = build_net(opened, ground, (alea_engine)options->engine, &deadline, diag);
  }
  alea_ground_free(ground);
  return explain_end(opened, status, errors, diag);
}

static alea_status open_toss(alea_opened *opened, const alea_open_options *options,
                             alea_diag *diag) {
  alea_toss_file *file = NULL;
  double start = alea_clock_wall();
  alea_status status = alea_toss_read(&file, alea_text_string(&opened->source),
                                      opened->source.length, opened->label, &opened->mem, diag);
  opened->read_seconds = alea_clock_wall() - start;
  if (status != ALEA_OK) return status;
  opened->rewriting = alea_text_string(&opened->source);
  bool interpret = options->engine == ALEA_ENGINE_PROVER;
  bool choose = options->engine == ALEA_ENGINE_AUTO;
  if (!interpret) status = open_toss_net(opened, file, options, choose ? NULL : diag);
  if (!interpret && (!choose || status == ALEA_OK || status == ALEA_SYSTEM)) {
    alea_toss_free(file);
    return status;
  }
  alea_game_free(opened->game);
  opened->game = NULL;
  return alea_toss_game_new(&opened->game, file, NULL, &opened->mem, diag);
}

static alea_status open_gdl(alea_opened *opened, const alea_open_options *options,
                            const atomic_bool *stop, alea_diag *diag) {
  alea_program_options program_options = {.strict = options->strict};
  double start = alea_clock_wall();
  alea_status status =
      alea_program_new(&opened->program, alea_text_string(&opened->source), opened->source.length,
                       opened->label, &program_options, &opened->mem, diag);
  opened->read_seconds = alea_clock_wall() - start;
  if (status == ALEA_OK) status = open_engine(opened, options, stop, diag);
  if (status == ALEA_OK && opened->net != NULL)
    status = alea_services_new(&opened->services, opened->program, opened->game, &opened->mem);
  return status;
}

static const alea_game *game_for_lanes(const alea_opened *opened) {
  return opened->lanes_game != NULL ? opened->lanes_game : opened->game;
}

/* Tries the GPU once.  What is compiled beside play, for players to come, is waited for where this
 * sampler is freed. */
static void open_gpu(alea_opened *opened, const alea_open_options *options, alea_diag *diag) {
  char why[ALEA_GPU_WHY];
  if (options->engine != ALEA_ENGINE_GPU || opened->net == NULL) return;
  if (alea_gpu_sampler_new(&opened->gpu, game_for_lanes(opened), 1, &opened->mem, NULL, why) !=
      ALEA_OK)
    alea_diag_warn(diag, ((alea_place){opened->label, 0, 0}), "no-gpu", "%s; lanes play", why);
}

/* A limit without a diagnostic can only be the memory limit. */
static alea_status explain_limit(alea_status status, const char *name, alea_diag *diag) {
  if (status == ALEA_LIMIT && diag != NULL && diag->errors == 0) {
    alea_diag_error(diag, ((alea_place){name, 0, 0}), "memory",
                    "needs more memory than --memory allows");
  }
  return status;
}

alea_status alea_open(alea_opened *opened, const char *name, const alea_open_options *options,
                      alea_diag *diag) {
  alea_status status = alea_open_text(opened, name, options->memory, diag);
  if (status != ALEA_OK) return status;
  double cpu_start = alea_clock_cpu();
  status = alea_open_is_toss(name) ? open_toss(opened, options, diag)
                                   : open_gdl(opened, options, NULL, diag);
  if (status == ALEA_OK) open_gpu(opened, options, diag);
  opened->cpu_seconds = alea_clock_cpu() - cpu_start;
  return explain_limit(status, name, diag);
}

alea_status alea_open_rules(alea_opened *opened, const char *label, const char *rules,
                            size_t length, const alea_open_options *options,
                            const atomic_bool *stop, alea_diag *diag) {
  *opened = (alea_opened){.label = label};
  alea_mem_init(&opened->mem, options->memory);
  alea_text_init(&opened->source, &opened->mem);
  alea_text_add(&opened->source, rules, length);
  alea_deadline cancel = {.stop = stop};
  opened->mem.given_up = stop;
  opened->mem.deadline = &cancel; /* reading and the prover's first questions end with it, too */
  alea_status status = ALEA_LIMIT;
  if (!opened->source.failed)
    status = is_toss_file(label) ? open_toss(opened, options, diag)
                                 : open_gdl(opened, options, stop, diag);
  if (status == ALEA_OK) open_gpu(opened, options, diag);
  opened->mem.deadline = NULL;
  return explain_limit(status, label, diag);
}

void alea_opened_clear(alea_opened *opened) {
  alea_services_free(opened->services);
  /* Without a net the game of the prover owns the program. */
  if (opened->game == NULL || opened->net != NULL) alea_program_free(opened->program);
  alea_sampler_free(opened->gpu);
  alea_game_free(opened->lanes_game);
  alea_game_free(opened->game);
  alea_text_clear(&opened->source);
  opened->game = opened->lanes_game = NULL;
  opened->program = NULL;
  opened->services = NULL;
  opened->net = NULL;
  opened->gpu = NULL;
}

const alea_net *alea_open_lanes_net(const alea_opened *opened) {
  return opened->net != NULL ? alea_net_of_game(game_for_lanes(opened)) : NULL;
}

/* CPU seconds that the choice between engines may take. */
static const double choice_seconds = 0.2;

alea_status alea_open_choose(bool *lanes, const alea_opened *opened, alea_engine wanted,
                             uint64_t seed, alea_open_choice *why, alea_mem *mem) {
  if (why != NULL) *why = (alea_open_choice){0};
  *lanes = wanted == ALEA_ENGINE_LANES || wanted == ALEA_ENGINE_GPU;
  if (wanted != ALEA_ENGINE_AUTO || opened->net == NULL) return ALEA_OK;
  alea_lanes_choice choice = {0};
  alea_sampler *sampler = NULL;
  alea_status status =
      alea_lanes_choose(&sampler, game_for_lanes(opened), seed, choice_seconds, &choice, mem);
  alea_sampler_free(sampler);
  *lanes = choice.chosen;
  if (why != NULL) *why = (alea_open_choice){choice.lanes, choice.plain};
  return status;
}

const char *alea_open_sampler_name(const alea_opened *opened, bool lanes) {
  return lanes && opened->gpu != NULL ? "gpu" : lanes ? "lanes" : opened->game->class->engine;
}

alea_status alea_open_sampler(alea_sampler **sampler, const alea_opened *opened, bool lanes,
                              uint64_t seed, alea_mem *mem) {
  char why[ALEA_GPU_WHY];
  if (lanes && opened->gpu != NULL &&
      alea_gpu_sampler_new(sampler, game_for_lanes(opened), seed, mem, NULL, why) == ALEA_OK)
    return ALEA_OK;
  if (lanes) return alea_lanes_sampler_new(sampler, game_for_lanes(opened), seed, mem);
  return alea_sampler_new_plain(sampler, opened->game, seed, mem);
}
