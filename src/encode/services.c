/* Services of a game, each part made once. */
#include "encode/services.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "game/game.h"
#include "propnet/propnet.h"

struct alea_services {
  struct alea_program *program; /* borrowed */
  const alea_game *game;        /* borrowed */
  alea_mem mem;
  pthread_mutex_t lock; /* held while a part is made */
  alea_ground *ground[2];
  alea_symmetry *symmetry;
  bool symmetry_plain;                /* the symmetries are numbered as in ground[symmetry_plain] */
  alea_semantic_symmetry semantic[2]; /* without and with exchange of roles */
  bool semantic_made[2];
  alea_game_symmetry *game_symmetry[ALEA_SYMMETRY_KINDS];
  alea_stage_symmetry *stage_symmetry;
  alea_template *template[2]; /* by encoder */
  double tried[2];            /* seconds that were too few for it */
  alea_lanes *lanes;
  bool lanes_tried;
};

alea_status alea_services_new(alea_services **services, struct alea_program *program,
                              const alea_game *game, const alea_mem *mem) {
  alea_services *s = *services = calloc(1, sizeof *s);
  if (s == NULL) return ALEA_SYSTEM;
  if (pthread_mutex_init(&s->lock, NULL) != 0) {
    free(s);
    *services = NULL;
    return ALEA_SYSTEM;
  }
  s->program = program;
  s->game = game;
  alea_mem_init_with(&s->mem, mem->limit, mem);
  return ALEA_OK;
}

void alea_services_give_up_on(alea_services *s, const atomic_bool *stop) {
  if (s == NULL) return;
  pthread_mutex_lock(&s->lock);
  s->mem.given_up = stop;
  pthread_mutex_unlock(&s->lock);
}

void alea_services_free(alea_services *s) {
  if (s == NULL) return;
  for (int i = 0; i < ALEA_SYMMETRY_KINDS; i++) alea_game_symmetry_free(s->game_symmetry[i]);
  alea_stage_symmetry_free(s->stage_symmetry);
  for (int i = 0; i < 2; i++) alea_semantic_symmetry_clear(&s->semantic[i]);
  alea_symmetry_free(s->symmetry);
  for (int i = 0; i < 2; i++) alea_template_free(s->template[i]);
  for (int i = 0; i < 2; i++) alea_ground_free(s->ground[i]);
  alea_lanes_free(s->lanes);
  pthread_mutex_destroy(&s->lock);
  free(s);
}

/* Rules as written can have many more instances than split ones. */
enum { MOST_PLAIN_INSTANCES = 1000000 };

static alea_status make_ground(alea_services *s, bool plain, const alea_deadline *deadline) {
  if (s->ground[plain] != NULL) return ALEA_OK;
  alea_ground_options options = {
      .deadline = deadline, .max_instances = plain ? MOST_PLAIN_INSTANCES : 0, .plain = plain};
  return alea_ground_new(&s->ground[plain], s->program, &options, &s->mem, NULL);
}

alea_status alea_services_ground(alea_services *s, bool plain, const alea_deadline *deadline,
                                 const alea_ground **ground) {
  pthread_mutex_lock(&s->lock);
  alea_status status = make_ground(s, plain, deadline);
  *ground = s->ground[plain];
  pthread_mutex_unlock(&s->lock);
  return status;
}

static const double fuse_seconds = 30;

/* The deadline, or the fuse where there is none. */
static const alea_deadline *or_fuse(const alea_deadline *deadline, alea_deadline *fuse) {
  if (deadline != NULL) return deadline;
  *fuse = (alea_deadline){.thread_at = alea_clock_thread() + fuse_seconds};
  return fuse;
}

/* With the state given, rules are decided by a literal or two: tables beyond
 * this are slower to propagate than the rules they come from (bench/scsp.md). */
enum { STAGE_TABLE_ROWS = 8 };

static const double most_sac = 0.5; /* seconds */

static double seconds_left(const alea_deadline *deadline) {
  if (deadline != NULL && deadline->at > 0) return deadline->at - alea_clock_wall();
  if (deadline != NULL && deadline->thread_at > 0) return deadline->thread_at - alea_clock_thread();
  return HUGE_VAL;
}

static alea_status make_template(alea_services *s, alea_encoder encoder,
                                 const alea_deadline *deadline) {
  bool plain = encoder == ALEA_ENCODER_PAPER;
  double left = seconds_left(deadline);
  alea_deadline fuse;
  if (s->template[encoder] != NULL) return ALEA_OK;
  if (left <= 1.1 * s->tried[encoder]) return ALEA_LIMIT; /* as little as last time */
  alea_status status = make_ground(s, plain, deadline);
  if (status == ALEA_LIMIT) s->tried[encoder] = left;
  if (status != ALEA_OK) return status;
  alea_template_options options = {.encoder = encoder,
                                   .table_rows = STAGE_TABLE_ROWS,
                                   .sac_seconds = fmin(most_sac, left / 20),
                                   .counted = deadline == NULL,
                                   .game = s->game,
                                   .deadline = or_fuse(deadline, &fuse),
                                   .flat = true};
  status = alea_template_new(&s->template[encoder], s -> ground[plain], s -> program, &options,
                             &s -> mem);
  if (status == ALEA_LIMIT) s->tried[encoder] = left;
  return status;
}

alea_status alea_services_template(alea_services *s, alea_encoder encoder,
                                   const alea_deadline *deadline, const alea_template **made) {
  pthread_mutex_lock(&s->lock);
  alea_status status = make_template(s, encoder, deadline);
  *made = s->template[encoder];
  pthread_mutex_unlock(&s->lock);
  return status;
}

static alea_status make_symmetry(alea_services *s, const alea_deadline *deadline) {
  if (s->symmetry != NULL) return ALEA_OK;
  alea_symmetry_options options = {.deadline = deadline};
  alea_status status = alea_symmetry_of_rules(&s->symmetry, s->ground, &s->symmetry_plain,
                                              s->program, &options, &s->mem);
  if (status == ALEA_OK) return status;
  alea_symmetry_free(s->symmetry); /* more time may find more */
  s->symmetry = NULL;
  return status;
}

alea_status alea_services_symmetry(alea_services *s, const alea_deadline *deadline,
                                   const alea_symmetry **symmetry, const alea_ground **ground) {
  alea_deadline fuse;
  pthread_mutex_lock(&s->lock);
  alea_status status = make_symmetry(s, or_fuse(deadline, &fuse));
  *symmetry = s->symmetry;
  *ground = s->ground[s->symmetry_plain];
  pthread_mutex_unlock(&s->lock);
  return status;
}

static const uint64_t SEED = 1; /* of the random play that refutes candidates */

static alea_status find_semantic(alea_services *s, bool exchange, const alea_deadline *deadline) {
  const alea_ground *ground = s->ground[s->symmetry_plain];
  /* images need not be reachable, so the net may take nothing for granted */
  alea_net_options every_rule = {.plain = true, .any_move = true, .deadline = deadline};
  alea_semantic_options options = {.deadline = deadline, .seed = SEED, .exchange = exchange};
  alea_net *net;
  alea_status status = alea_net_new(&net, ground, &every_rule, &s->mem, NULL);
  if (status != ALEA_OK) return status;
  status = alea_semantic_symmetry_init(&s->semantic[exchange], s->program, ground, net, s->symmetry,
                                       &options, &s->mem);
  alea_net_free(net);
  return status;
}

static alea_status make_semantic(alea_services *s, bool exchange, const alea_deadline *deadline) {
  if (s->semantic_made[exchange]) return ALEA_OK;
  alea_status status = make_symmetry(s, deadline);
  if (status == ALEA_OK && alea_deadline_passed(deadline)) status = ALEA_LIMIT;
  if (status != ALEA_OK) return status;
  status = find_semantic(s, exchange, deadline);
  s->semantic_made[exchange] = status == ALEA_OK;
  if (status != ALEA_OK) alea_semantic_symmetry_clear(&s->semantic[exchange]);
  return status;
}

alea_status alea_services_semantic(alea_services *s, bool exchange, const alea_deadline *deadline,
                                   const alea_semantic_symmetry **semantic) {
  alea_deadline fuse;
  pthread_mutex_lock(&s->lock);
  alea_status status = make_semantic(s, exchange, or_fuse(deadline, &fuse));
  *semantic = status == ALEA_OK ? &s->semantic[exchange] : NULL;
  pthread_mutex_unlock(&s->lock);
  return status;
}

/* The stage and its group without nogoods, from one of the ground programs. */
static alea_status make_stage_of(alea_services *s, bool plain, const alea_deadline *deadline) {
  alea_status status = make_ground(s, plain, deadline);
  if (status == ALEA_OK)
    status =
        alea_stage_symmetry_new(&s->stage_symmetry, s->game, s->ground[plain], deadline, &s->mem);
  if (status != ALEA_OK) return status;
  alea_game_symmetry **group = &s->game_symmetry[ALEA_SYMMETRY_STAGE];
  status = alea_stage_symmetry_group(s->stage_symmetry, NULL, NULL, 0, deadline, &s->mem, group);
  if (status == ALEA_OK) return ALEA_OK;
  alea_game_symmetry_free(*group);
  alea_stage_symmetry_free(s->stage_symmetry);
  *group = NULL;
  s->stage_symmetry = NULL;
  return status;
}

/* Rules as written show more, and may be too many (symmetry.h). */
static alea_status make_stage_symmetry(alea_services *s, const alea_deadline *deadline) {
  if (s->stage_symmetry != NULL) return ALEA_OK;
  alea_deadline half = alea_deadline_half(deadline);
  alea_status status = make_stage_of(s, true, &half);
  return status == ALEA_LIMIT ? make_stage_of(s, false, deadline) : status;
}

alea_status alea_services_stage_symmetry(alea_services *s, const alea_deadline *deadline,
                                         const alea_stage_symmetry **stage) {
  alea_deadline fuse;
  pthread_mutex_lock(&s->lock);
  alea_status status = make_stage_symmetry(s, or_fuse(deadline, &fuse));
  *stage = s->stage_symmetry;
  pthread_mutex_unlock(&s->lock);
  return status;
}

static alea_status make_game_symmetry(alea_services *s, alea_symmetry_kind kind,
                                      const alea_deadline *deadline) {
  if (s->game_symmetry[kind] != NULL) return ALEA_OK;
  if (kind == ALEA_SYMMETRY_STAGE) return make_stage_symmetry(s, deadline);
  alea_status status = make_symmetry(s, deadline);
  const alea_symmetry *symmetry = s->symmetry;
  if (status == ALEA_OK && kind == ALEA_SYMMETRY_GAME) {
    status = make_semantic(s, false, deadline);
    symmetry = s->semantic[false].symmetry;
  }
  if (status != ALEA_OK) return status;
  return alea_game_symmetry_new(&s->game_symmetry[kind], s->game, s->ground[s->symmetry_plain],
                                symmetry, &s->mem);
}

alea_status alea_services_game_symmetry(alea_services *s, alea_symmetry_kind kind,
                                        const alea_deadline *deadline,
                                        const alea_game_symmetry **game_symmetry) {
  alea_deadline fuse;
  deadline = or_fuse(deadline, &fuse);
  pthread_mutex_lock(&s->lock);
  alea_status status = make_game_symmetry(s, kind, deadline);
  alea_symmetry_kind given = kind;
  if (status == ALEA_LIMIT && kind == ALEA_SYMMETRY_GAME && s->symmetry != NULL) {
    given = ALEA_SYMMETRY_SHOWN;
    alea_status less = make_game_symmetry(s, given, deadline);
    if (less != ALEA_OK) status = less;
  }
  *game_symmetry = s->game_symmetry[given];
  pthread_mutex_unlock(&s->lock);
  return status;
}

static alea_status make_lanes(alea_services *s) {
  const alea_net *net = alea_net_of_game(s->game);
  if (s->lanes != NULL) return ALEA_OK;
  if (net == NULL) return ALEA_UNSUPPORTED;
  if (s->lanes_tried) return ALEA_LIMIT;
  alea_status status = alea_lanes_new(&s->lanes, net, ALEA_LANES_WIDE, &s->mem);
  s->lanes_tried =
      status == ALEA_LIMIT && !alea_mem_late(&s->mem); /* a stop says nothing of later */
  return status;
}

alea_status alea_services_lanes(alea_services *s, const alea_lanes **lanes) {
  pthread_mutex_lock(&s->lock);
  alea_status status = make_lanes(s);
  *lanes = s->lanes;
  pthread_mutex_unlock(&s->lock);
  return status;
}
