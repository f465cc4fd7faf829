/* Evaluation games: making them, and playing them on a move. */
#include "toss/evaluation.h"

#include <stdio.h>
#include <string.h>

#include "toss/value.h"

#define NONE ALEA_TOSS_NONE
enum { STEADY_PLAYS = 16 };

typedef alea_toss_evaluation evaluation_t;

/* ---- making them ---- */

static alea_status compile_named(evaluation_t *e, const char *kind, size_t verdict, uint32_t player,
                                 uint32_t *node, uint32_t *code) {
  char name[64];
  snprintf(name, sizeof name, "eval_%s_%zu_%u", kind, verdict, player);
  uint32_t id = alea_toss_names_find(&e->file->names, name, strlen(name));
  uint32_t relation = id != UINT32_MAX ? alea_toss_find_relation(e->file, id) : NONE;
  if (relation == NONE) return ALEA_SYSTEM;
  *node = e->file->relations.data[relation].body;
  if (strcmp(kind, "term") == 0) *node = e->file->kids.data[e->file->nodes.data[*node].first];
  return alea_toss_compile(&e->rules->logic, *node, NULL, 0, code);
}

static alea_status compile_formulas(evaluation_t *e) {
  alea_status status = ALEA_OK;
  for (size_t i = 0; i < e->verdicts.count && status == ALEA_OK; i++) {
    alea_toss_verdict *v = &e->verdicts.data[i];
    uint32_t term;
    if (v->kind != ALEA_TOSS_OUTCOMES && v->kind != ALEA_TOSS_TERMS) continue;
    status = compile_named(e, "formula", i, 0, &v->node, &v->code);
    for (uint32_t p = 0; v->kind == ALEA_TOSS_TERMS && p < e->game->player_count; p++) {
      if (status == ALEA_OK) status = compile_named(e, "term", i, p, &term, &v->terms[p]);
    }
  }
  return status;
}

static alea_status build(evaluation_t *e, const char *text, alea_diag *diag) {
  alea_status status = alea_toss_evaluation_read(e, text, diag);
  if (status != ALEA_OK) return status;
  e->file->given_start = true;
  status = alea_toss_rules_new(&e->rules, e->file, 0, false, e->mem, diag);
  if (status == ALEA_OK) status = alea_toss_doubled_init(&e->doubled, e->game, e->file, e->mem);
  if (status == ALEA_OK) status = alea_toss_doubled_constant(&e->doubled, e->rules->start);
  return status == ALEA_OK ? compile_formulas(e) : status;
}

alea_status alea_toss_evaluation_new(evaluation_t **evaluation, const alea_game *game,
                                     const char *text, alea_mem *mem, alea_diag *diag) {
  *evaluation = NULL;
  if (strcmp(game->class->engine, "toss") != 0) return ALEA_USAGE;
  evaluation_t *e = alea_mem_zalloc(mem, sizeof *e);
  if (e == NULL) return alea_mem_lack(mem);
  e->mem = mem;
  e->game = alea_toss_of(game);
  alea_status status = build(e, text, diag);
  if (status != ALEA_OK) {
    alea_toss_evaluation_free(e);
    return status;
  }
  *evaluation = e;
  return ALEA_OK;
}

void alea_toss_evaluation_free(evaluation_t *e) {
  if (e == NULL) return;
  for (size_t i = 0; i < e->games.count; i++) {
    alea_toss_doubled_clear(&e->games.data[i].doubled);
    alea_game_free(e->games.data[i].game);
  }
  alea_vec_clear(e->mem, &e->games);
  alea_toss_doubled_clear(&e->doubled);
  alea_vec_clear(e->mem, &e->verdicts);
  alea_toss_rules_free(e->rules);
  alea_toss_free(e->file);
  alea_mem_free(e->mem, e, sizeof *e);
}

bool alea_toss_evaluation_is_list(const evaluation_t *e) {
  for (size_t i = 0; i < e->verdicts.count; i++) {
    if (e->verdicts.data[i].kind != ALEA_TOSS_OUTCOMES) return false;
  }
  return true;
}

/* ---- the stage ---- */

static alea_status open_cursors(alea_toss_stage *stage, const evaluation_t *e) {
  alea_status status = ALEA_OK;
  bool self = false;
  if (e->games.count != 0) {
    stage->cursors = alea_mem_calloc(stage->mem, e->games.count, sizeof(alea_cursor *));
    if (stage->cursors == NULL) return alea_mem_lack(stage->mem);
    stage->cursor_count = e->games.count;
  }
  for (size_t i = 0; i < e->games.count && status == ALEA_OK; i++) {
    status = alea_cursor_new(e->games.data[i].game, stage->mem, &stage->cursors[i]);
  }
  for (size_t i = 0; i < e->verdicts.count; i++) self |= e->verdicts.data[i].kind == ALEA_TOSS_SELF;
  return self && status == ALEA_OK ? alea_cursor_new(&e->game->game, stage->mem, &stage->self)
                                   : status;
}

alea_status alea_toss_stage_init(alea_toss_stage *stage, const evaluation_t *e, alea_mem *mem) {
  *stage = (alea_toss_stage){.mem = mem};
  stage->structure = alea_toss_rules_structure(e->rules, mem);
  if (stage->structure == NULL) return alea_mem_lack(mem);
  if (!alea_toss_structure_copy(stage->structure, e->rules->start)) return alea_mem_lack(mem);
  alea_status status = open_cursors(stage, e);
  if (status != ALEA_OK) return status;
  return alea_toss_env_init(&stage->env, &e->rules->logic, stage->structure, mem);
}

void alea_toss_stage_clear(alea_toss_stage *stage) {
  if (stage->env.logic != NULL) alea_toss_env_clear(&stage->env);
  alea_toss_structure_free(stage->structure);
  for (size_t i = 0; i < stage->cursor_count; i++) alea_cursor_free(stage->cursors[i]);
  alea_mem_free(stage->mem, stage->cursors, stage->cursor_count * sizeof(alea_cursor *));
  alea_cursor_free(stage->self);
  *stage = (alea_toss_stage){0};
}

alea_status alea_toss_stage_set(alea_toss_stage *stage, const evaluation_t *e,
                                const alea_toss_transition *move, uint32_t location) {
  stage->move = *move;
  stage->location = location;
  return alea_toss_doubled_fill(&e->doubled, move, stage->structure);
}

uint32_t alea_toss_evaluation_verdict(const evaluation_t *e, alea_toss_stage *stage,
                                      uint32_t location) {
  for (uint32_t i = 0; i < e->verdicts.count; i++) {
    const alea_toss_verdict *v = &e->verdicts.data[i];
    if (v->location != location) continue;
    if (v->node == NONE || alea_toss_holds(&stage->env, v->code)) return i;
  }
  return (uint32_t)e->verdicts.count;
}

/* ---- playing ---- */

/* The cursor at the start of the game of a verdict; NULL if out of memory. */
static alea_cursor *enter(const evaluation_t *e, alea_toss_stage *stage,
                          const alea_toss_verdict *v) {
  if (v->kind == ALEA_TOSS_SELF) {
    alea_toss_structure *s = alea_toss_cursor_begin(stage->self, stage->location);
    return s != NULL && alea_toss_structure_copy(s, stage->move.after) ? stage->self : NULL;
  }
  alea_cursor *cursor = stage->cursors[v->game];
  alea_toss_structure *s = alea_toss_cursor_begin(cursor, 0);
  if (s == NULL) return NULL;
  alea_status status = alea_toss_doubled_fill(&e->games.data[v->game].doubled, &stage->move, s);
  return status == ALEA_OK ? cursor : NULL;
}

static bool is_uniform(const evaluation_t *e, const alea_toss_verdict *v) {
  return v->kind == ALEA_TOSS_SELF || e->games.data[v->game].uniform;
}

static void play_outcomes(const evaluation_t *e, const alea_toss_verdict *v, alea_rng *rng,
                          double *payoffs) {
  double left = alea_rng_unit(rng);
  for (uint32_t i = 0; i < v->outcome_count; i++) {
    left -= v->outcomes[i].probability;
    if (left >= 0 && i + 1 < v->outcome_count) continue;
    memcpy(payoffs, v->outcomes[i].payoffs, e->game->player_count * sizeof *payoffs);
    return;
  }
}

static void evaluate_terms(const evaluation_t *e, alea_toss_stage *stage,
                           const alea_toss_verdict *v, double *payoffs) {
  for (uint32_t p = 0; p < e->game->player_count; p++) {
    double value = alea_interval_middle(alea_toss_evaluate(&stage->env, v->terms[p]));
    payoffs[p] = !(value > 0) ? 0 : value < 1 ? value : 1;
  }
}

/* One play of the game of a verdict. */
static alea_status play(const evaluation_t *e, alea_toss_stage *stage, const alea_toss_verdict *v,
                        alea_rng *rng, double *payoffs) {
  if (v->kind == ALEA_TOSS_OUTCOMES) {
    play_outcomes(e, v, rng, payoffs);
    return ALEA_OK;
  }
  alea_cursor *cursor = enter(e, stage, v);
  if (cursor == NULL) return alea_mem_lack(stage->mem);
  return alea_toss_value_play(cursor, is_uniform(e, v), rng, payoffs, stage->mem);
}

static void add(const evaluation_t *e, double share, const double *payoffs, double *values,
                double *squares) {
  for (uint32_t p = 0; p < e->game->player_count; p++) {
    values[p] += share * payoffs[p];
    squares[p] += share * payoffs[p] * payoffs[p];
  }
}

/* The value of the game of a verdict, without random numbers. */
static alea_status add_value(const evaluation_t *e, alea_toss_stage *stage,
                             const alea_toss_verdict *v, double *values, double *squares) {
  double payoffs[ALEA_TOSS_MOST_PLAYERS];
  if (v->kind == ALEA_TOSS_OUTCOMES) {
    for (uint32_t i = 0; i < v->outcome_count; i++) {
      add(e, v->outcomes[i].probability, v->outcomes[i].payoffs, values, squares);
    }
    return ALEA_OK;
  }
  alea_cursor *cursor = enter(e, stage, v);
  if (cursor == NULL) return alea_mem_lack(stage->mem);
  alea_status status = alea_toss_value_find(cursor, is_uniform(e, v), payoffs, stage->mem);
  if (status == ALEA_OK) add(e, 1, payoffs, values, squares);
  return status;
}

alea_status alea_toss_verdict_assess(const evaluation_t *e, alea_toss_stage *stage,
                                     uint32_t verdict, uint32_t plays, alea_rng *rng,
                                     double *payoffs, double *squares) {
  bool known = verdict < e->verdicts.count;
  const alea_toss_verdict *v = known ? &e->verdicts.data[verdict] : NULL;
  double one[ALEA_TOSS_MOST_PLAYERS];
  for (uint32_t p = 0; p < e->game->player_count; p++) {
    one[p] = 0.5;
    payoffs[p] = squares[p] = 0;
  }
  if (!known || v->kind == ALEA_TOSS_TERMS) {
    if (known) evaluate_terms(e, stage, v, one);
    add(e, 1, one, payoffs, squares);
    return known ? stage->env.status : ALEA_OK;
  }
  if (plays == 0) return add_value(e, stage, v, payoffs, squares);
  alea_status status = ALEA_OK;
  for (uint32_t i = 0; i < plays && status == ALEA_OK; i++) {
    status = play(e, stage, v, rng, one);
    if (status == ALEA_OK) add(e, 1.0 / plays, one, payoffs, squares);
  }
  return status;
}

alea_status alea_toss_verdict_steady(const evaluation_t *e, alea_toss_stage *stage,
                                     uint32_t verdict, double *payoffs) {
  double squares[ALEA_TOSS_MOST_PLAYERS];
  alea_rng rng;
  alea_rng_seed(&rng, 1);
  const alea_toss_verdict *v = verdict < e->verdicts.count ? &e->verdicts.data[verdict] : NULL;
  bool game = v != NULL && (v->kind == ALEA_TOSS_GAME || v->kind == ALEA_TOSS_SELF);
  uint32_t plays = game && is_uniform(e, v) ? STEADY_PLAYS : 0;
  return alea_toss_verdict_assess(e, stage, verdict, plays, &rng, payoffs, squares);
}
