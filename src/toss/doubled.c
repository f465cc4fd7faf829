/* The doubled signature: its text, and the structure of a move. */
#include "toss/doubled.h"

#include <string.h>

#define NONE ALEA_TOSS_NONE

typedef alea_toss_doubled doubled_t;

/* ---- the signature ---- */

void alea_toss_doubled_signature(const alea_toss_game *g, alea_text *out) {
  const alea_toss_file *f = g->file;
  alea_text_put(out, "START [");
  for (uint32_t i = 0; i < g->rules->capacity; i++) {
    alea_text_format(out, i == 0 ? "e%u" : ", e%u", i);
  }
  alea_text_put(out, " | ");
  for (size_t i = 0; i < f->relations.count; i++) {
    const alea_toss_relation *r = &f->relations.data[i];
    const char *name = alea_toss_text(f, r->name);
    if (!g->rules->stored[i]) continue;
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

/* The name of a relation or function with a suffix; NONE if the file has none. */
static uint32_t find_name(const alea_toss_file *file, const char *name, const char *suffix,
                          alea_text *scratch) {
  alea_text_truncate(scratch, 0);
  alea_text_put(scratch, name);
  alea_text_put(scratch, suffix);
  if (scratch->failed) return NONE;
  return alea_toss_names_find(&file->names, alea_text_string(scratch), scratch->length);
}

static void map_relations(doubled_t *d, const alea_toss_file *file, alea_text *scratch) {
  const alea_toss_file *f = d->game->file;
  for (size_t i = 0; i < d->relation_count; i++) {
    const char *name = alea_toss_text(f, f->relations.data[i].name);
    uint32_t now = find_name(file, name, "", scratch), old = find_name(file, name, "_old", scratch);
    bool stored = d->game->rules->stored[i], changing = d->game->rules->changing[i];
    d->now[i] = stored && now != NONE ? alea_toss_find_relation(file, now) : NONE;
    d->old[i] = stored && changing && old != NONE ? alea_toss_find_relation(file, old) : NONE;
  }
}

alea_status alea_toss_doubled_init(doubled_t *d, const alea_toss_game *game,
                                   const alea_toss_file *file, alea_mem *mem) {
  const alea_toss_file *f = game->file;
  *d = (doubled_t){.mem = mem, .game = game};
  d->relation_count = f->relations.count;
  d->function_count = f->functions.count;
  d->now = alea_mem_calloc(mem, d->relation_count, sizeof *d->now);
  d->old = alea_mem_calloc(mem, d->relation_count, sizeof *d->old);
  d->function_now = alea_mem_calloc(mem, d->function_count, sizeof *d->function_now);
  d->function_old = alea_mem_calloc(mem, d->function_count, sizeof *d->function_old);
  if (d->now == NULL || d->old == NULL || d->function_now == NULL || d->function_old == NULL) {
    return alea_mem_lack(mem);
  }
  alea_text scratch;
  alea_text_init(&scratch, mem);
  map_relations(d, file, &scratch);
  for (size_t i = 0; i < d->function_count; i++) {
    const char *name = alea_toss_text(f, f->functions.data[i].name);
    uint32_t now = find_name(file, name, "", &scratch);
    uint32_t old = find_name(file, name, "_old", &scratch);
    d->function_now[i] = now != NONE ? alea_toss_find_function(file, now) : NONE;
    d->function_old[i] = old != NONE ? alea_toss_find_function(file, old) : NONE;
  }
  alea_status status = scratch.failed ? alea_mem_lack(mem) : ALEA_OK;
  alea_text_clear(&scratch);
  return status;
}

void alea_toss_doubled_clear(doubled_t *d) {
  size_t relations = d->relation_count * sizeof *d->now,
         functions = d->function_count * sizeof *d->now;
  alea_mem_free(d->mem, d->now, d->now != NULL ? relations : 0);
  alea_mem_free(d->mem, d->old, d->old != NULL ? relations : 0);
  alea_mem_free(d->mem, d->function_now, d->function_now != NULL ? functions : 0);
  alea_mem_free(d->mem, d->function_old, d->function_old != NULL ? functions : 0);
  *d = (doubled_t){0};
}

/* ---- the structure of a move ---- */

static bool copy_tuples(alea_toss_structure *to, uint32_t relation, const alea_toss_structure *from,
                        uint32_t source) {
  const alea_toss_table *t = &from->tables[source];
  for (uint32_t slot = 0; slot < t->slot_count; slot++) {
    if (t->used[slot] && !alea_toss_structure_add(to, relation, alea_toss_table_tuple(t, slot))) {
      return false;
    }
  }
  return true;
}

alea_status alea_toss_doubled_constant(const doubled_t *d, alea_toss_structure *to) {
  const alea_toss_structure *from = d->game->rules->start;
  for (uint32_t r = 0; r < from->relation_count; r++) {
    if (d->now[r] == NONE || d->game->rules->changing[r]) continue;
    if (!copy_tuples(to, d->now[r], from, r)) return alea_mem_lack(to->mem);
  }
  return ALEA_OK;
}

/* The elements after a move by their correspondents: lists with the heads
 * 'first'. */
typedef struct descendants {
  uint32_t *first, *next;
} descendants;

/* Adds every tuple whose correspondents are 'tuple'. */
static bool add_old(alea_toss_structure *to, uint32_t relation, const uint32_t *tuple,
                    uint32_t arity, const descendants *d) {
  uint32_t now[ALEA_TOSS_MOST_ARITY];
  for (uint32_t i = 0; i < arity; i++) {
    now[i] = d->first[tuple[i]];
    if (now[i] == NONE) return true;
  }
  for (;;) {
    if (!alea_toss_structure_add(to, relation, now)) return false;
    uint32_t at = 0;
    while (at < arity && (now[at] = d->next[now[at]]) == NONE) {
      now[at] = d->first[tuple[at]];
      at++;
    }
    if (at == arity) return true;
  }
}

static bool fill_old(alea_toss_structure *to, uint32_t relation, const alea_toss_structure *from,
                     uint32_t source, const descendants *d) {
  const alea_toss_table *t = &from->tables[source];
  for (uint32_t slot = 0; slot < t->slot_count; slot++) {
    if (t->used[slot] && !add_old(to, relation, alea_toss_table_tuple(t, slot), t->arity, d)) {
      return false;
    }
  }
  return true;
}

static uint32_t origin_of(const alea_toss_transition *m, uint32_t element) {
  if (m->origins != NULL) return m->origins[element];
  return m->before->alive[element] ? element : NONE;
}

static void link_descendants(const alea_toss_transition *m, const descendants *d) {
  for (uint32_t i = 0; i < m->after->capacity; i++) d->first[i] = NONE;
  for (uint32_t i = m->after->capacity; i-- > 0;) {
    uint32_t origin = m->after->alive[i] ? origin_of(m, i) : NONE;
    d->next[i] = NONE;
    if (origin == NONE) continue;
    d->next[i] = d->first[origin];
    d->first[origin] = i;
  }
}

static void fill_labels(const doubled_t *d, const alea_toss_transition *m,
                        alea_toss_structure *to) {
  uint32_t count = m->after->capacity;
  for (uint32_t f = 0; f < m->after->function_count; f++) {
    if (d->function_now[f] == NONE || d->function_old[f] == NONE) continue;
    alea_interval *now = to->values + (size_t)d->function_now[f] * to->capacity;
    alea_interval *old = to->values + (size_t)d->function_old[f] * to->capacity;
    for (uint32_t i = 0; i < count; i++) {
      uint32_t origin = m->after->alive[i] ? origin_of(m, i) : NONE;
      now[i] = m->after->values[(size_t)f * count + i];
      old[i] = origin != NONE ? m->before->values[(size_t)f * count + origin] : alea_interval_of(0);
    }
  }
}

static bool fill(const doubled_t *d, const alea_toss_transition *m, alea_toss_structure *to,
                 const descendants *lists) {
  link_descendants(m, lists);
  for (uint32_t r = 0; r < m->after->relation_count; r++) {
    if (d->old[r] == NONE) continue;
    alea_toss_structure_empty(to, d->now[r]);
    alea_toss_structure_empty(to, d->old[r]);
    if (!copy_tuples(to, d->now[r], m->after, r)) return false;
    if (!fill_old(to, d->old[r], m->before, r, lists)) return false;
  }
  fill_labels(d, m, to);
  memset(to->alive, 0, to->capacity);
  memcpy(to->alive, m->after->alive, m->after->capacity);
  to->alive_count = m->after->alive_count;
  return true;
}

alea_status alea_toss_doubled_fill(const doubled_t *d, const alea_toss_transition *move,
                                   alea_toss_structure *to) {
  size_t size = 2 * (size_t)move->after->capacity * sizeof(uint32_t);
  uint32_t *words = alea_mem_alloc(to->mem, size);
  if (words == NULL) return alea_mem_lack(to->mem);
  descendants lists = {words, words + move->after->capacity};
  bool good = fill(d, move, to, &lists);
  alea_mem_free(to->mem, words, size);
  return good ? ALEA_OK : alea_mem_lack(to->mem);
}
