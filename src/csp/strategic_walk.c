/* Walks through a strategic network, one quantified variable after the other. */
#include "csp/strategic_walk.h"

#include "csp/ranking.h"

alea_status alea_strategic_walk_new(alea_strategic_walk **walk, const alea_strategic *strategic,
                                    const alea_strategic_options *options) {
  alea_mem *mem = strategic->mem;
  *walk = NULL;
  if (strategic->csp->state != ALEA_OK) return strategic->csp->state;
  alea_strategic_walk *w = alea_mem_zalloc(mem, sizeof *w);
  if (w == NULL) return alea_mem_lack(mem);
  w->options = *options;
  w->dead = ALEA_CSP_NONE;
  strategic_init(&w->play, strategic, &w->options, &w->result);
  uint32_t widest = 1;
  for (uint32_t j = 0; j < w->play.depth; j++) {
    uint32_t size = strategic->csp->vars.data[strategic->order.data[j].var].size;
    if (size > widest) widest = size;
  }
  w->values = alea_arena_alloc(&w->play.arena, (w->play.depth + 1) * sizeof *w->values);
  w->choices = alea_arena_alloc(&w->play.arena, widest * sizeof *w->choices);
  if (w->values == NULL || w->choices == NULL || !strategic_prepare(&w->play)) {
    alea_strategic_walk_free(w);
    return alea_mem_lack(mem);
  }
  if (!strategic_begin(&w->play)) w->dead = 0;
  *walk = w;
  return w->result.trouble != NULL ? ALEA_INPUT : ALEA_OK;
}

void alea_strategic_walk_free(alea_strategic_walk *walk) {
  if (walk == NULL) return;
  alea_mem *mem = walk->play.strategic->mem;
  strategic_clear(&walk->play);
  alea_mem_free(mem, walk, sizeof *walk);
}

const alea_strategic_result *alea_strategic_walk_result(const alea_strategic_walk *walk) {
  return &walk->result;
}

const char *alea_strategic_walk_save(alea_strategic_walk *walk) {
  return walk->play.ranking != NULL ? ranking_search_save(walk->play.ranking) : NULL;
}

uint32_t alea_strategic_walk_count(const alea_strategic_walk *walk) { return walk->at; }
const int32_t *alea_strategic_walk_values(const alea_strategic_walk *walk) { return walk->values; }

/* Whether the side that chooses may take values that are inconsistent. */
static bool may_fail(const alea_strategic_walk *w) {
  bool universal = w->play.strategic->order.data[w->at].universal;
  return w->options.classical || (!universal && w->play.any_exists);
}

const int32_t *alea_strategic_walk_choices(alea_strategic_walk *walk, uint32_t *count) {
  strategic_play *p = &walk->play;
  *count = 0;
  if (walk->at == p->depth) return walk->choices;
  const csp_domain *domain = csp_dom(p->engine, p->strategic->order.data[walk->at].var);
  bool dead = walk->dead != ALEA_CSP_NONE, any = may_fail(walk);
  if (dead && !any) return walk->choices;
  for
    CSP_EACH(v, domain) {
      bool held = any;
      if (!any) {
        csp_push(p->engine);
        held = strategic_assign(p, walk->at, v);
        csp_pop(p->engine);
      }
      if (held) walk->choices[(*count)++] = csp_value(domain->var, v);
    }
  return walk->choices;
}

/* A dead state leaves the engine as it is: nothing is consistent any more. */
void alea_strategic_walk_push(alea_strategic_walk *walk, int32_t value) {
  strategic_play *p = &walk->play;
  const csp_variable *var = &p->strategic->csp->vars.data[p->strategic->order.data[walk->at].var];
  uint32_t index = csp_index(var, value);
  if (walk->dead == ALEA_CSP_NONE) {
    csp_push(p->engine);
    if (!strategic_assign(p, walk->at, index)) {
      csp_pop(p->engine);
      walk->dead = walk->at + 1;
    }
  }
  walk->values[walk->at++] = value;
}

void alea_strategic_walk_pop(alea_strategic_walk *walk) {
  if (walk->dead == ALEA_CSP_NONE) {
    csp_pop(walk->play.engine);
  } else if (walk->dead == walk->at) {
    walk->dead = ALEA_CSP_NONE;
  }
  walk->at--;
}

alea_status alea_strategic_walk_answer(alea_strategic_walk *walk, bool *exists) {
  strategic_play *p = &walk->play;
  alea_strategic_result *r = &walk->result;
  double start = alea_clock_thread();
  if (walk->dead != ALEA_CSP_NONE) {
    *exists = strategic_inconsistent(p, walk->at);
  } else {
    size_t level = csp_level(p->engine);
    *exists = strategic_run(p, walk->at);
    csp_pop_to(p->engine, level);
  }
  strategic_account(p);
  r->seconds = alea_clock_thread() - start;
  r->status = *exists ? ALEA_OK : ALEA_NO;
  if (p->stopped) r->status = ALEA_LIMIT;
  if (p->no_memory || p->engine->no_memory) r->status = ALEA_SYSTEM;
  return r->status == ALEA_NO ? ALEA_OK : r->status;
}

/* A ranking game tells with the answer which value it is; 0 is none of them. */
static alea_status best_of_ranking(alea_strategic_walk *walk, int32_t *value) {
  bool exists, universal = walk->play.strategic->order.data[walk->at].universal;
  walk->result.first = 0;
  alea_status status = alea_strategic_walk_answer(walk, &exists);
  if (status != ALEA_OK) return status;
  *value = walk->result.first;
  return exists == universal ? ALEA_NO : ALEA_OK;
}

alea_status alea_strategic_walk_best(alea_strategic_walk *walk, int32_t *value) {
  uint32_t count;
  const int32_t *choices = alea_strategic_walk_choices(walk, &count);
  bool wanted = count > 0 && !walk->play.strategic->order.data[walk->at].universal;
  if (count > 0 && walk->play.ranking != NULL && walk->dead == ALEA_CSP_NONE) {
    alea_status status = best_of_ranking(walk, value);
    if (status != ALEA_OK || *value != 0) return status;
  }
  for (uint32_t i = 0; i < count; i++) {
    bool exists;
    alea_strategic_walk_push(walk, choices[i]);
    alea_status status = alea_strategic_walk_answer(walk, &exists);
    alea_strategic_walk_pop(walk);
    if (status != ALEA_OK) return status;
    if (exists != wanted) continue;
    *value = choices[i];
    return ALEA_OK;
  }
  return ALEA_NO;
}
