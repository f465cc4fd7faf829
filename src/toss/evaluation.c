/* Evaluation games: reading them, and playing them on a move. */
#include "toss/evaluation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE ALEA_TOSS_NONE

typedef alea_toss_evaluation evaluation_t;

/* ---- the doubled signature, as the text of a file ---- */

static bool is_offered(const alea_toss_rules *rules, size_t relation) {
  return rules->stored[relation] != 0;
}

static void put_signature(const alea_toss_game *g, alea_text *out) {
  const alea_toss_file *f = g->file;
  alea_text_put(out, "PLAYERS nobody LOC 0 { } START [");
  for (uint32_t i = 0; i < g->rules->capacity; i++) {
    alea_text_format(out, i == 0 ? "e%u" : ", e%u", i);
  }
  alea_text_put(out, " | ");
  for (size_t i = 0; i < f->relations.count; i++) {
    const alea_toss_relation *r = &f->relations.data[i];
    const char *name = alea_toss_text(f, r->name);
    if (!is_offered(g->rules, i)) continue;
    alea_text_format(out, "%s:%u {}; ", name, r->arity);
    if (g->rules->changing[i]) alea_text_format(out, "%s_old:%u {}; ", name, r->arity);
  }
  alea_text_put(out, " | ");
  for (size_t i = 0; i < f->functions.count; i++) {
    const char *name = alea_toss_text(f, f->functions.data[i].name);
    alea_text_format(out, i == 0 ? "%s {}; %s_old {}" : "; %s {}; %s_old {}", name, name);
  }
  alea_text_put(out, "]\n");
}

/* ---- reading ---- */

typedef struct evaluation_reader {
  evaluation_t *e;
  alea_diag *diag;
  alea_text file; /* the generated file */
  alea_status status;
} evaluation_reader;

static void fail(evaluation_reader *r, uint32_t line, const char *why) {
  if (r->status != ALEA_OK) return;
  alea_diag_error(r->diag, ((alea_place){NULL, line, 1}), "bad-evaluation", "%s", why);
  r->status = ALEA_INPUT;
}

/* `(1, 0) 0.75; (0, 1) 0.25` up to the end of the line. */
static void read_outcomes(evaluation_reader *r, alea_toss_verdict *v, const char *text,
                          uint32_t line) {
  double total = 0;
  while (r->status == ALEA_OK && *text != '\0' && *text != '\n') {
    text += strspn(text, " \t;\r");
    if (*text != '(' || v->outcome_count == ALEA_TOSS_MOST_OUTCOMES) break;
    alea_toss_outcome *o = &v->outcomes[v->outcome_count++];
    char *end;
    text++;
    for (uint32_t i = 0; i < r->e->game->player_count; i++) {
      o->payoffs[i] = strtod(text, &end);
      text = end + strspn(end, " ,");
    }
    if (*text != ')') break;
    o->probability = strtod(text + 1, &end);
    total += o->probability;
    text = end;
  }
  if (!(total > 0.999 && total < 1.001)) fail(r, line, "probabilities do not add up to 1");
}

/* Reads `value term; term`, one term for each player, up to the end of the
 * line; each becomes one side of an equation, which the reader of files can
 * read. */
static void read_terms(evaluation_reader *r, alea_toss_verdict *v, const char *text,
                       uint32_t line) {
  uint32_t players = r->e->game->player_count;
  v->has_terms = true;
  for (uint32_t i = 0; i < players && r->status == ALEA_OK; i++) {
    size_t length = strcspn(text, ";\n");
    const char *comment = strstr(text, "//");
    if (comment != NULL && comment < text + length) length = (size_t)(comment - text);
    if (strspn(text, " \t\r") >= length) fail(r, line, "expected a term for each player");
    alea_text_format(&r->file, "REL eval_term_%zu_%u() = (", r->e->verdicts.count, i);
    alea_text_add(&r->file, text, length);
    alea_text_put(&r->file, ") = 0\n");
    text += length;
    text += *text == ';';
  }
}

static uint32_t location_of(const evaluation_t *e, unsigned long number) {
  const alea_toss_file *f = e->game->file;
  for (uint32_t i = 0; i < f->locations.count; i++) {
    if (f->locations.data[i].number == number) return i;
  }
  return NONE;
}

static void read_line(evaluation_reader *r, const char *text, uint32_t line) {
  const char *arrow = strstr(text, "=>"), *stop = text + strcspn(text, "\n");
  char *formula;
  alea_toss_verdict v = {.location = location_of(r->e, strtoul(text + 5, &formula, 10))};
  if (arrow == NULL || arrow > stop || formula == text + 5 || v.location == NONE) {
    fail(r, line, "expected 'EVAL location formula => outcomes'");
    return;
  }
  const char *outcomes = arrow + 2 + strspn(arrow + 2, " \t");
  if (strncmp(outcomes, "value ", 6) == 0) {
    read_terms(r, &v, outcomes + 6, line);
  } else {
    read_outcomes(r, &v, outcomes, line);
  }
  alea_text_format(&r->file, "REL eval_formula_%zu() = ", r->e->verdicts.count);
  alea_text_add(&r->file, formula, (size_t)(arrow - formula));
  alea_text_char(&r->file, '\n');
  if (!alea_vec_push(r->e->mem, &r->e->verdicts, v)) r->status = alea_mem_lack(r->e->mem);
}

static void read_text(evaluation_reader *r, const char *text) {
  for (uint32_t line = 1; text != NULL && *text != '\0' && r->status == ALEA_OK; line++) {
    if (strncmp(text, "EVAL ", 5) == 0) read_line(r, text, line);
    text += strcspn(text, "\n");
    text += *text == '\n';
  }
}

static uint32_t find_relation(const evaluation_t *e, const char *name) {
  uint32_t id = alea_toss_names_find(&e->file->names, name, strlen(name));
  return id != UINT32_MAX ? alea_toss_find_relation(e->file, id) : NONE;
}

static uint32_t find_function(const evaluation_t *e, const char *name, const char *suffix) {
  char text[256];
  int length = snprintf(text, sizeof text, "%s%s", name, suffix);
  if (length < 0 || (size_t)length >= sizeof text) return NONE;
  uint32_t id = alea_toss_names_find(&e->file->names, text, (size_t)length);
  return id != UINT32_MAX ? alea_toss_find_function(e->file, id) : NONE;
}

static alea_status map_relations(evaluation_t *e) {
  const alea_toss_file *f = e->game->file;
  size_t count = f->relations.count;
  e->now = alea_mem_calloc(e->mem, count, sizeof *e->now);
  e->old = alea_mem_calloc(e->mem, count, sizeof *e->old);
  e->function_now = alea_mem_calloc(e->mem, f->functions.count, sizeof *e->function_now);
  e->function_old = alea_mem_calloc(e->mem, f->functions.count, sizeof *e->function_old);
  if (e->now == NULL || e->old == NULL || e->function_now == NULL || e->function_old == NULL) {
    return alea_mem_lack(e->mem);
  }
  for (size_t i = 0; i < f->functions.count; i++) {
    const char *name = alea_toss_text(f, f->functions.data[i].name);
    e->function_now[i] = find_function(e, name, "");
    e->function_old[i] = find_function(e, name, "_old");
  }
  for (size_t i = 0; i < count; i++) {
    char old[256];
    const char *name = alea_toss_text(f, f->relations.data[i].name);
    snprintf(old, sizeof old, "%s_old", name);
    bool offered = is_offered(e->game->rules, i);
    e->now[i] = offered ? find_relation(e, name) : NONE;
    e->old[i] = offered && e->game->rules->changing[i] ? find_relation(e, old) : NONE;
  }
  return ALEA_OK;
}

static alea_status compile_formulas(evaluation_t *e) {
  for (size_t i = 0; i < e->verdicts.count; i++) {
    char name[64];
    snprintf(name, sizeof name, "eval_formula_%zu", i);
    alea_toss_verdict *v = &e->verdicts.data[i];
    v->node = e->file->relations.data[find_relation(e, name)].body;
    alea_status status = alea_toss_compile(&e->rules->logic, v->node, NULL, 0, &v->code);
    for (uint32_t p = 0; status == ALEA_OK && v->has_terms && p < e->game->player_count; p++) {
      snprintf(name, sizeof name, "eval_term_%zu_%u", i, p);
      uint32_t body = e->file->relations.data[find_relation(e, name)].body;
      uint32_t term = e->file->kids.data[e->file->nodes.data[body].first];
      status = alea_toss_compile(&e->rules->logic, term, NULL, 0, &v->terms[p]);
    }
    if (status != ALEA_OK) return status;
  }
  return ALEA_OK;
}

/* Fills in the relations that never change, once. */
static alea_status fill_constant(evaluation_t *e) {
  const alea_toss_structure *from = e->game->rules->start;
  for (uint32_t r = 0; r < from->relation_count; r++) {
    const alea_toss_table *t = &from->tables[r];
    if (e->now[r] == NONE || e->game->rules->changing[r]) continue;
    for (uint32_t slot = 0; slot < t->slot_count; slot++) {
      if (t->used[slot] &&
          !alea_toss_structure_add(e->rules->start, e->now[r], alea_toss_table_tuple(t, slot))) {
        return alea_mem_lack(e->mem);
      }
    }
  }
  return ALEA_OK;
}

static alea_status build(evaluation_t *e, const char *text, alea_diag *diag) {
  evaluation_reader r = {.e = e, .diag = diag};
  alea_text_init(&r.file, e->mem);
  read_text(&r, text);
  put_signature(e->game, &r.file);
  if (r.status == ALEA_OK && r.file.failed) r.status = alea_mem_lack(e->mem);
  if (r.status == ALEA_OK) {
    r.status = alea_toss_read(&e->file, alea_text_string(&r.file), r.file.length, "evaluation",
                              e->mem, diag);
  }
  alea_text_clear(&r.file);
  if (r.status == ALEA_OK)
    r.status = alea_toss_rules_new(&e->rules, e->file, 0, false, e->mem, diag);
  if (r.status == ALEA_OK) r.status = map_relations(e);
  /* Definitions over relations that seem constant here must not be
   * materialised. */
  for (size_t i = 0; r.status == ALEA_OK && i < e->file->relations.count; i++) {
    e->rules->stored[i] = e->rules->walkable[i] = e->file->relations.data[i].body == NONE;
  }
  if (r.status == ALEA_OK) r.status = fill_constant(e);
  return r.status == ALEA_OK ? compile_formulas(e) : r.status;
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
  size_t count = e->game->file->relations.count;
  alea_mem_free(e->mem, e->now, e->now != NULL ? count * sizeof *e->now : 0);
  alea_mem_free(e->mem, e->old, e->old != NULL ? count * sizeof *e->old : 0);
  size_t functions = e->game->file->functions.count;
  alea_mem_free(e->mem, e->function_now,
                e->function_now != NULL ? functions * sizeof *e->function_now : 0);
  alea_mem_free(e->mem, e->function_old,
                e->function_old != NULL ? functions * sizeof *e->function_old : 0);
  alea_vec_clear(e->mem, &e->verdicts);
  alea_toss_rules_free(e->rules);
  alea_toss_free(e->file);
  alea_mem_free(e->mem, e, sizeof *e);
}

/* ---- playing ---- */

alea_status alea_toss_stage_init(alea_toss_stage *stage, const evaluation_t *e, alea_mem *mem) {
  *stage = (alea_toss_stage){.mem = mem};
  stage->structure = alea_toss_rules_structure(e->rules, mem);
  if (stage->structure == NULL) return alea_mem_lack(mem);
  if (!alea_toss_structure_copy(stage->structure, e->rules->start)) return alea_mem_lack(mem);
  return alea_toss_env_init(&stage->env, &e->rules->logic, stage->structure, mem);
}

void alea_toss_stage_clear(alea_toss_stage *stage) {
  alea_toss_env_clear(&stage->env);
  alea_toss_structure_free(stage->structure);
  stage->structure = NULL;
}

static bool refill(alea_toss_structure *to, uint32_t relation, const alea_toss_structure *from,
                   uint32_t source) {
  const alea_toss_table *t = &from->tables[source];
  alea_toss_structure_empty(to, relation);
  for (uint32_t slot = 0; slot < t->slot_count; slot++) {
    if (t->used[slot] && !alea_toss_structure_add(to, relation, alea_toss_table_tuple(t, slot))) {
      return false;
    }
  }
  return true;
}

/* An element corresponds to the one whose number it kept; a new element has no
 * old tuples. */
alea_status alea_toss_stage_set(alea_toss_stage *stage, const evaluation_t *e,
                                const alea_toss_structure *before,
                                const alea_toss_structure *after) {
  alea_toss_structure *s = stage->structure;
  bool good = true;
  for (uint32_t r = 0; r < after->relation_count && good; r++) {
    if (e->old[r] == NONE) continue;
    good = refill(s, e->now[r], after, r) && refill(s, e->old[r], before, r);
  }
  size_t row = after->capacity * sizeof *s->values;
  for (uint32_t f = 0; f < after->function_count; f++) {
    if (e->function_now[f] == NONE || e->function_old[f] == NONE) continue;
    size_t from = (size_t)f * after->capacity;
    memcpy(s->values + (size_t)e->function_now[f] * s->capacity, after->values + from, row);
    memcpy(s->values + (size_t)e->function_old[f] * s->capacity, before->values + from, row);
  }
  memcpy(s->alive, after->alive, after->capacity);
  s->alive_count = after->alive_count;
  return good ? ALEA_OK : alea_mem_lack(stage->mem);
}

uint32_t alea_toss_evaluation_verdict(const evaluation_t *e, alea_toss_stage *stage,
                                      uint32_t location) {
  for (uint32_t i = 0; i < e->verdicts.count; i++) {
    const alea_toss_verdict *v = &e->verdicts.data[i];
    if (v->location == location && alea_toss_holds(&stage->env, v->code)) return i;
  }
  return (uint32_t)e->verdicts.count;
}

void alea_toss_verdict_play(const evaluation_t *e, uint32_t verdict, alea_rng *rng,
                            double *payoffs) {
  const alea_toss_verdict *v = verdict < e->verdicts.count ? &e->verdicts.data[verdict] : NULL;
  double left = alea_rng_unit(rng);
  for (uint32_t p = 0; p < e->game->player_count; p++) payoffs[p] = 0.5;
  for (uint32_t i = 0; v != NULL && i < v->outcome_count; i++) {
    left -= v->outcomes[i].probability;
    if (left >= 0 && i + 1 < v->outcome_count) continue;
    memcpy(payoffs, v->outcomes[i].payoffs, e->game->player_count * sizeof *payoffs);
    return;
  }
}

void alea_toss_verdict_mean(const evaluation_t *e, uint32_t verdict, double *payoffs) {
  const alea_toss_verdict *v = verdict < e->verdicts.count ? &e->verdicts.data[verdict] : NULL;
  for (uint32_t p = 0; p < e->game->player_count; p++) payoffs[p] = v == NULL ? 0.5 : 0;
  for (uint32_t i = 0; v != NULL && i < v->outcome_count; i++) {
    for (uint32_t p = 0; p < e->game->player_count; p++) {
      payoffs[p] += v->outcomes[i].probability * v->outcomes[i].payoffs[p];
    }
  }
}

void alea_toss_verdict_value(const evaluation_t *e, alea_toss_stage *stage, uint32_t verdict,
                             double *payoffs) {
  for (uint32_t p = 0; p < e->game->player_count; p++) {
    uint32_t code = e->verdicts.data[verdict].terms[p];
    double value = alea_interval_middle(alea_toss_evaluate(&stage->env, code));
    payoffs[p] = !(value > 0) ? 0 : value < 1 ? value : 1;
  }
}
