/* Reversible domains: bitsets with size and bounds, saved once per level. */
#include <assert.h>

#include "csp/core.h"

/* Saves what the next change will overwrite.  Domains of one word are saved
 * completely, once per level; of larger ones each changed word is saved. */
static void save(csp_engine *engine, csp_domain *domain) {
  if (domain->stamp == engine->serial) return;
  domain->stamp = engine->serial;
  csp_save(engine, &domain->size);
  csp_save(engine, &domain->min);
  if (domain->word_count == 1) csp_save(engine, &domain->word);
}

static void wake(csp_engine *engine, const csp_domain *domain, const csp_watch *watches,
                 uint32_t count) {
  uint32_t size = domain->size;
  for (uint32_t i = 0; i < count && watches[i].limit >= size; i++) {
    uint64_t part = watches[i].part;
    if (part != 0 && (domain->word & part) != 0 && (domain->word & ~part) != 0) continue;
    csp_prop *prop = &engine->props[watches[i].prop];
    prop->dirty |= UINT64_C(1) << (watches[i].position & 63);
    if (!prop->queued && prop->active) csp_schedule(engine, prop);
  }
}

static uint32_t first_index(const csp_domain *domain, uint32_t word) {
  while (domain->words[word] == 0) word++;
  return word * 64 + (uint32_t)__builtin_ctzll(domain->words[word]);
}

static uint32_t last_index(const csp_domain *domain, uint32_t word) {
  while (domain->words[word] == 0) word--;
  return word * 64 + 63 - (uint32_t)__builtin_clzll(domain->words[word]);
}

/* Updates bounds and wakes watches after the words have changed and 'removed'
 * values are gone. */
static bool changed(csp_engine *engine, csp_domain *domain, uint32_t removed) {
  domain->size -= removed;
  if (domain->size == 0) {
    engine->pruned_empty = true;
    return false;
  }
  bool bounds = false;
  if (!csp_has(domain, domain->min)) {
    domain->min = first_index(domain, domain->min >> 6);
    bounds = true;
  }
  if (!csp_has(domain, domain->max)) {
    domain->max = last_index(domain, domain->max >> 6);
    bounds = true;
  }
  uint32_t full = domain->full_count;
  wake(engine, domain, domain->watches, full);
  if (bounds && full < domain->watch_count)
    wake(engine, domain, domain->watches + full, domain->watch_count - full);
  return true;
}

bool csp_keep_word(csp_engine *engine, alea_csp_var var, uint32_t word, uint64_t mask) {
  csp_domain *domain = &engine->domains[var];
  uint64_t gone = domain->words[word] & ~mask;
  if (gone == 0) return true;
  save(engine, domain);
  if (domain->word_count > 1) csp_save(engine, &domain->words[word]);
  domain->words[word] &= mask;
  return changed(engine, domain, (uint32_t)__builtin_popcountll(gone));
}

bool csp_keep(csp_engine *engine, alea_csp_var var, const uint64_t *mask) {
  csp_domain *domain = &engine->domains[var];
  if (domain->word_count == 1) return csp_keep_word(engine, var, 0, mask[0]);
  uint32_t removed = 0;
  for (uint32_t w = domain->min >> 6; w <= domain->max >> 6; w++) {
    uint64_t gone = domain->words[w] & ~mask[w];
    if (gone == 0) continue;
    save(engine, domain);
    csp_save(engine, &domain->words[w]);
    domain->words[w] &= mask[w];
    removed += (uint32_t)__builtin_popcountll(gone);
  }
  return removed == 0 || changed(engine, domain, removed);
}

static bool wipe(csp_engine *engine) {
  engine->pruned_empty = true;
  return false;
}

/* Keeps the indexes lo..hi of an interval. */
static bool keep_interval(csp_engine *engine, csp_domain *domain, uint32_t lo, uint32_t hi) {
  if (lo < domain->min) lo = domain->min;
  if (hi > domain->max) hi = domain->max;
  if (lo > hi) return wipe(engine);
  if (lo == domain->min && hi == domain->max) return true;
  save(engine, domain);
  domain->min = lo;
  domain->max = hi;
  domain->size = hi - lo + 1;
  wake(engine, domain, domain->watches, domain->full_count);
  if (domain->full_count < domain->watch_count)
    wake(engine, domain, domain->watches + domain->full_count,
         domain->watch_count - domain->full_count);
  return true;
}

bool csp_remove(csp_engine *engine, alea_csp_var var, uint32_t index) {
  csp_domain *domain = &engine->domains[var];
  if (domain->words == NULL) {
    if (index == domain->min && index == domain->max) return wipe(engine);
    return keep_interval(engine, domain, index == domain->min ? index + 1 : domain->min,
                         index == domain->max ? index - 1 : domain->max);
  }
  return csp_keep_word(engine, var, index >> 6, ~(UINT64_C(1) << (index & 63)));
}

/* Keeps the indexes lo..hi. */
static bool keep_range(csp_engine *engine, alea_csp_var var, uint32_t lo, uint32_t hi) {
  csp_domain *domain = &engine->domains[var];
  if (domain->words == NULL) return keep_interval(engine, domain, lo, hi);
  uint32_t removed = 0;
  for (uint32_t w = domain->min >> 6; w <= domain->max >> 6; w++) {
    uint64_t mask = 0;
    if (lo < 64 * (w + 1) && hi >= 64 * w) {
      mask = ~UINT64_C(0);
      if (lo > 64 * w) mask &= ~UINT64_C(0) << (lo & 63);
      if (hi < 64 * w + 63) mask &= ~UINT64_C(0) >> (63 - (hi & 63));
    }
    uint64_t gone = domain->words[w] & ~mask;
    if (gone == 0) continue;
    save(engine, domain);
    if (domain->word_count > 1) csp_save(engine, &domain->words[w]);
    domain->words[w] &= mask;
    removed += (uint32_t)__builtin_popcountll(gone);
  }
  return removed == 0 || changed(engine, domain, removed);
}

bool csp_assign(csp_engine *engine, alea_csp_var var, uint32_t index) {
  csp_domain *domain = &engine->domains[var];
  if (domain->word_count == 1) return csp_keep_word(engine, var, 0, UINT64_C(1) << index);
  return keep_range(engine, var, index, index);
}

bool csp_assign_value(csp_engine *engine, alea_csp_var var, int64_t value) {
  if (!csp_has_value(csp_dom(engine, var), value)) return wipe(engine);
  return csp_assign(engine, var, csp_index(csp_dom(engine, var)->var, (int32_t)value));
}

bool csp_remove_value(csp_engine *engine, alea_csp_var var, int64_t value) {
  const csp_domain *domain = csp_dom(engine, var);
  if (!csp_has_value(domain, value)) return true;
  return csp_remove(engine, var, csp_index(domain->var, (int32_t)value));
}

/* The first index whose value is at least 'value'; size if there is none. */
static uint32_t lower_index(const csp_variable *var, int64_t value) {
  if (value <= var->base) return 0;
  if (var->values == NULL) {
    int64_t index = value - var->base;
    return index < var->size ? (uint32_t)index : var->size;
  }
  uint32_t lo = 0, hi = var->size;
  while (lo < hi) {
    uint32_t middle = lo + (hi - lo) / 2;
    if (var->values[middle] < value)
      lo = middle + 1;
    else
      hi = middle;
  }
  return lo;
}

bool csp_at_least(csp_engine *engine, alea_csp_var var, int64_t value) {
  const csp_domain *domain = csp_dom(engine, var);
  if (csp_min(domain) >= value) return true;
  if (csp_max(domain) < value) return wipe(engine);
  return keep_range(engine, var, lower_index(domain->var, value), domain->max);
}

bool csp_at_most(csp_engine *engine, alea_csp_var var, int64_t value) {
  const csp_domain *domain = csp_dom(engine, var);
  if (csp_max(domain) <= value) return true;
  if (csp_min(domain) > value) return wipe(engine);
  return keep_range(engine, var, domain->min, lower_index(domain->var, value + 1) - 1);
}

uint32_t csp_next(const csp_domain *domain, uint32_t index) {
  if (index > domain->max) return UINT32_MAX;
  if (domain->words == NULL) return index < domain->min ? domain->min : index;
  uint32_t w = index >> 6;
  uint64_t rest = domain->words[w] & (~UINT64_C(0) << (index & 63));
  while (rest == 0) {
    if (++w >= domain->word_count) return UINT32_MAX;
    rest = domain->words[w];
  }
  return w * 64 + (uint32_t)__builtin_ctzll(rest);
}
