/* Compact-table: positive tables, also short ones, as reversible sparse
 * bitsets (Demeulenaere et al., CP 2016; stars as in Verhaeghe, Lecoutre and
 * Schaus, AAAI 2017).
 *
 * words[index[0..limit]] are the words of the current table that are not
 * zero; a bit is a row whose entries are all still in their domains. */
#include "csp/constraints.h"

typedef struct column {
  uint32_t size;            /* values of the variable */
  const uint64_t *supports; /* size rows of 'words' words: rows that allow the value */
  const uint64_t *strict;   /* the same without stars: rows that a removal deletes */
  uint32_t *residues;       /* a word in which the value was last supported */
  uint64_t last;            /* domain at the last run, for one-word domains; trailed */
} ct_column;

typedef struct compact {
  uint32_t words;
  uint64_t live; /* number of non-zero words; trailed */
  uint64_t *current;
  uint64_t *stamps; /* level at which a word was saved */
  uint32_t *index;
  uint64_t *mask; /* scratch */
  ct_column columns[];
} compact;

static bool column_start(csp_engine *engine, const csp_table *table, compact *state, uint32_t c,
                         const csp_domain *domain) {
  ct_column *column = &state->columns[c];
  size_t cells = (size_t)domain->var->size * state->words;
  uint64_t *supports = alea_arena_alloc(&engine->arena, cells * sizeof *supports);
  uint64_t *strict = supports;
  if (table->has_star) strict = alea_arena_alloc(&engine->arena, cells * sizeof *strict);
  uint32_t *residues = alea_arena_alloc(&engine->arena, domain->var->size * sizeof *residues);
  if (supports == NULL || strict == NULL || residues == NULL) return false;
  memset(supports, 0, cells * sizeof *supports);
  memset(strict, 0, cells * sizeof *strict);
  memset(residues, 0, domain->var->size * sizeof *residues);
  for (size_t i = 0; i < table->count; i++) {
    uint32_t entry = table->rows[i * table->arity + c];
    uint64_t bit = UINT64_C(1) << (i & 63);
    if (entry != CSP_ANY) {
      supports[(size_t)entry * state->words + (i >> 6)] |= bit;
      strict[(size_t)entry * state->words + (i >> 6)] |= bit;
      residues[entry] = (uint32_t)(i >> 6);
    } else {
      for (uint32_t v = 0; v < domain->var->size; v++)
        supports[(size_t)v * state->words + (i >> 6)] |= bit;
    }
  }
  column->size = domain->var->size;
  column->supports = supports;
  column->strict = strict;
  column->residues = residues;
  column->last = domain->words[0];
  return true;
}

static bool compact_start(csp_engine *engine, csp_prop *prop) {
  const csp_table *table = prop->constraint->data;
  size_t words = (table->count + 63) / 64;
  if (words > UINT32_MAX) return false;
  compact *state =
      alea_arena_alloc(&engine->arena, sizeof *state + prop->arity * sizeof *state->columns);
  uint64_t *bits = alea_arena_alloc(&engine->arena, 3 * (words + 1) * sizeof *bits);
  uint32_t *index = alea_arena_alloc(&engine->arena, (words + 1) * sizeof *index);
  if (state == NULL || bits == NULL || index == NULL) return false;
  *state = (compact){.words = (uint32_t)words, .live = words, .index = index};
  state->current = bits;
  state->stamps = bits + words + 1;
  state->mask = bits + 2 * (words + 1);
  memset(bits, 0, 3 * (words + 1) * sizeof *bits);
  for (size_t i = 0; i < table->count; i++) bits[i >> 6] |= UINT64_C(1) << (i & 63);
  for (size_t w = 0; w < words; w++) index[w] = (uint32_t)w;
  for (uint32_t c = 0; c < prop->arity; c++)
    if (!column_start(engine, table, state, c, csp_dom(engine, prop->scope[c]))) return false;
  prop->state = state;
  return csp_watch_scope(engine, prop, false);
}

/* Replaces the current table by its intersection with the mask (or, with
 * 'removed', with the complement of the mask); words that become zero leave the
 * live part. */
static void intersect(csp_engine *engine, compact *state, bool removed) {
  uint64_t flip = removed ? ~UINT64_C(0) : 0;
  uint32_t live = (uint32_t)state->live;
  for (uint32_t i = live; i-- > 0;) {
    uint32_t w = state->index[i];
    uint64_t word = state->current[w] & (state->mask[w] ^ flip);
    if (word == state->current[w]) continue;
    if (state->stamps[w] != engine->serial) {
      state->stamps[w] = engine->serial;
      csp_save(engine, &state->current[w]);
    }
    state->current[w] = word;
    if (word != 0) continue;
    live--;
    state->index[i] = state->index[live];
    state->index[live] = w;
  }
  if (live == state->live) return;
  csp_save(engine, &state->live);
  state->live = live;
}

static void mask_add(compact *state, const uint64_t *supports) {
  for (uint32_t i = 0; i < (uint32_t)state->live; i++) {
    uint32_t w = state->index[i];
    state->mask[w] |= supports[w];
  }
}

static void mask_clear(compact *state) {
  for (uint32_t i = 0; i < (uint32_t)state->live; i++) state->mask[state->index[i]] = 0;
}

/* Updates the table for one changed variable, from the removed values if these
 * are fewer than the remaining ones. */
static void update(csp_engine *engine, compact *state, ct_column *column,
                   const csp_domain *domain) {
  mask_clear(state);
  uint64_t gone = column->last & ~domain->words[0];
  bool small = domain->word_count == 1;
  if (small) {
    csp_save(engine, &column->last);
    column->last = domain->words[0];
  }
  if (small && (uint32_t)__builtin_popcountll(gone) < domain->size) {
    for (; gone != 0; gone &= gone - 1)
      mask_add(state, &column->strict[(size_t)__builtin_ctzll(gone) * state->words]);
    intersect(engine, state, true);
    return;
  }
  for
    CSP_EACH(v, domain) mask_add(state, &column->supports[(size_t)v * state->words]);
  intersect(engine, state, false);
}

static bool supported(compact *state, ct_column *column, uint32_t v) {
  const uint64_t *supports = &column->supports[(size_t)v * state->words];
  uint32_t hint = column->residues[v];
  if (state->current[hint] & supports[hint]) return true;
  for (uint32_t i = 0; i < (uint32_t)state->live; i++) {
    uint32_t w = state->index[i];
    if ((state->current[w] & supports[w]) == 0) continue;
    column->residues[v] = w;
    return true;
  }
  return false;
}

static bool filter(csp_engine *engine, csp_prop *prop, compact *state, uint32_t c) {
  ct_column *column = &state->columns[c];
  const csp_domain *domain = csp_dom(engine, prop->scope[c]);
  if (domain->word_count == 1) {
    uint64_t keep = 0;
    for (uint64_t rest = domain->word; rest != 0; rest &= rest - 1) {
      uint32_t v = (uint32_t)__builtin_ctzll(rest);
      if (supported(state, column, v)) keep |= UINT64_C(1) << v;
    }
    if (keep == domain->word) return true;
    /* Unsupported values are in no row, so the table needs no update. */
    csp_save(engine, &column->last);
    column->last &= keep;
    return csp_keep_word(engine, prop->scope[c], 0, keep);
  }
  for
    CSP_EACH(v, domain)
  if (!supported(state, column, v) && !csp_remove(engine, prop->scope[c], v)) return false;
  return true;
}

static bool compact_propagate(csp_engine *engine, csp_prop *prop) {
  compact *state = prop->state;
  uint32_t changed = 0, which = 0;
  for (uint32_t c = 0; c < prop->arity; c++) {
    if (!(prop->dirty >> (c & 63) & 1)) continue;
    ct_column *column = &state->columns[c];
    const csp_domain *domain = csp_dom(engine, prop->scope[c]);
    if (domain->word_count == 1 && column->last == domain->word) continue;
    update(engine, state, column, domain);
    if (state->live == 0) return false;
    changed++;
    which = c;
  }
  if (state->live == 0) return false;
  bool first = prop->dirty == ~UINT64_C(0); /* then also removes values that no row ever held */
  for (uint32_t c = 0; c < prop->arity; c++) {
    if (csp_dom(engine, prop->scope[c])->size == 1 && !first) continue;
    if (changed == 1 && which == c && !first) continue;
    if (!filter(engine, prop, state, c)) return false;
  }
  return true;
}

const csp_type csp_compact_type = {"table",          2, true, csp_table_check, compact_start,
                                   compact_propagate};
