#ifndef ALEA_CSP_CORE_H
#define ALEA_CSP_CORE_H

/* Internals of the constraint library: network, engine, propagators.
 *
 * Values are handled by index: value i of a variable is the i-th smallest of
 * its initial domain, so every domain is a bitset from 0.  An engine holds the
 * current domains on a trail; a level of the trail is one choice.
 *
 * Invariants of an engine between two propagations:
 *   - size, min and max of a domain describe its words;
 *   - a constraint is in a queue if and only if its 'queued' is set;
 *   - what a propagator keeps across levels is either trailed or a hint that
 *     stays correct when levels are undone (a residue). */

#include <string.h>

#include "base/arena.h"
#include "base/hash_map.h"
#include "base/rng.h"
#include "base/vec.h"
#include "csp/csp.h"

typedef struct csp_engine csp_engine;
typedef struct csp_prop csp_prop;

/* ---- network ---- */

typedef struct csp_variable {
  const char *name;
  int32_t base;          /* smallest value */
  uint32_t size;         /* number of values */
  const int32_t *values; /* sorted; NULL when they are base, base+1, ... */
  bool hidden;
  bool mentioned; /* by a constraint or the objective, even one that folds away */
  bool symbolic;  /* its values are symbols (symbols.c) */
  bool unused;    /* no part of the problem: neither searched nor counted */
  bool interval;  /* only its bounds are kept: a value between them is not removed */
} csp_variable;

typedef struct csp_constraint csp_constraint;

/* The engine's view of one kind of constraint. */
typedef struct csp_type {
  const char *name;
  uint8_t priority; /* 0 runs first */
  /* One run of the propagator reaches its fixpoint, unless a variable occurs
   * twice in its scope. */
  bool idempotent;
  /* Whether the constraint holds for these values, given in scope order. */
  bool (*check)(const alea_csp *csp, const csp_constraint *constraint, const int32_t *values);
  /* Allocates propagation state and adds watches; false if out of memory. */
  bool (*start)(csp_engine *engine, csp_prop *prop);
  /* Removes inconsistent values; false if the constraint cannot hold.
   * prop->dirty has bit (position mod 64) set for each changed variable. */
  bool (*propagate)(csp_engine *engine, csp_prop *prop);
} csp_type;

struct csp_constraint {
  const csp_type *type;
  uint32_t arity;
  bool repeats; /* a variable occurs twice in the scope */
  const alea_csp_var *scope;
  const void *data; /* depends on the type: see constraints.h */
};

struct alea_csp {
  alea_mem *mem;
  alea_arena arena;
  alea_status state;
  ALEA_VEC(csp_variable) vars;
  ALEA_VEC(csp_constraint) constraints;
  alea_csp_var objective;
  bool maximise;
  bool false_;         /* an empty constraint was posted: no solution */
  alea_hash_map names; /* of variables; of equal names the first */
  ALEA_VEC(const char *) symbols;
  alea_hash_map symbol_ids;  /* their places by name */
  ALEA_VEC(uint32_t) places; /* scratch for posting rules; all 0 otherwise */
};

/* Adds a constraint with data already in the arena. */
alea_status csp_post(alea_csp *csp, const csp_type *type, const alea_csp_var *scope, uint32_t arity,
                     const void *data);
/* Memory with the lifetime of the network; on failure NULL, and the network
 * remembers it. */
void *csp_alloc(alea_csp *csp, size_t count, size_t size);
void *csp_copy(alea_csp *csp, const void *from, size_t count, size_t size);
alea_status csp_fail(alea_csp *csp, alea_status status);

static inline int32_t csp_value(const csp_variable *var, uint32_t index) {
  return var->values != NULL ? var->values[index] : (int32_t)((int64_t)var->base + index);
}
uint32_t csp_index(const csp_variable *var, int32_t value); /* ALEA_CSP_NONE if absent */

/* ---- symbols (symbols.c) ---- */

/* Symbol number i is the value CSP_SYMBOL_BASE + i; readers refuse numbers from
 * there on in a network that has symbols, so the two never meet. */
enum { CSP_SYMBOL_BASE = 1 << 30 };

/* The value of a symbol; ALEA_CSP_STAR if there is none of this name. */
int32_t csp_symbol_find(const alea_csp *csp, const char *name, size_t length);
/* The same, which adds it; ALEA_CSP_STAR if out of memory. */
int32_t csp_symbol_add(alea_csp *csp, const char *name, size_t length);
static inline bool csp_is_symbol(const alea_csp *csp, int64_t value) {
  return csp->symbols.count != 0 && value >= CSP_SYMBOL_BASE;
}
/* The length of the symbol at the start of a text: letters, digits, '_' and '-',
 * no digit or '-' first; 0 if there is none. */
size_t csp_symbol_length(const char *text);

/* ---- engine ---- */

/* Wakes 'prop' when the variable changes and has at most 'limit' values left;
 * with 'bounds', only when its smallest or largest value changed; with a 'part'
 * (domains of one word only), only when no value inside it, or none outside it,
 * is left. */
typedef struct csp_watch {
  uint32_t prop;
  uint32_t limit;
  uint32_t position;
  uint32_t bounds;
  uint64_t part;
} csp_watch;

typedef struct csp_domain {
  uint64_t *words;           /* NULL: an interval */
  uint32_t size, word_count; /* trailed as eight bytes */
  uint32_t min, max;         /* indexes; trailed as eight bytes */
  uint64_t stamp;            /* level serial at which the domain was last saved */
  const csp_variable *var;
  uint32_t watch_count;
  uint32_t full_count;      /* the first full_count watches ignore 'bounds' */
  const csp_watch *watches; /* each part by decreasing limit */
  uint64_t word;            /* storage for domains of up to 64 values */
} csp_domain;

struct csp_prop {
  const csp_type *type;
  const csp_constraint *constraint;
  const alea_csp_var *scope;
  uint32_t arity;
  uint32_t id;
  uint64_t dirty;
  uint64_t active; /* trailed; an inactive constraint is not woken */
  bool queued;
  double weight;
  void *state;
};

/* The former eight bytes at an address; copied, so that any type may be
 * saved. */
typedef struct csp_saved {
  void *where;
  uint64_t old;
} csp_saved;

typedef struct csp_ring {
  uint32_t *items;
  uint32_t head, count;
} csp_ring;

enum { CSP_PRIORITIES = 4 };

struct csp_engine {
  const alea_csp *csp;
  alea_mem *mem;
  alea_arena arena;
  csp_domain *domains;
  uint32_t var_count;
  csp_prop *props;
  uint32_t prop_count, prop_capacity;
  ALEA_VEC(csp_saved) trail;
  ALEA_VEC(size_t) marks; /* trail length at the start of each level */
  uint64_t serial;        /* of the current level; never reused */
  csp_ring rings[CSP_PRIORITIES];
  uint32_t ring_mask;
  uint32_t running; /* propagator now running, or ALEA_CSP_NONE */
  uint32_t failed;  /* constraint that failed last, or ALEA_CSP_NONE */
  bool no_memory;
  uint64_t propagations;
  uint64_t effort; /* propagations by what they cost: about the domains looked at */
  bool self_check;
  uint64_t self_check_errors;
  bool pruned_empty;                    /* a domain was wiped out: set until undone */
  ALEA_VEC(struct csp_pending) pending; /* watches collected before the layout */
};

typedef struct csp_pending {
  alea_csp_var var;
  csp_watch watch;
} csp_pending;

/* Makes the engine and starts all propagators; NULL if out of memory.  Up to
 * 'extra' constraints (nogoods) can be added later. */
csp_engine *csp_engine_new(const alea_csp *csp, uint32_t extra);
/* The same with its own memory, so that threads can share a network. */
csp_engine *csp_engine_new_in(const alea_csp *csp, uint32_t extra, alea_mem *mem);
void csp_engine_free(csp_engine *engine);
/* Adds a propagator at the root level; csp_engine_layout must follow. */
csp_prop *csp_engine_add(csp_engine *engine, const csp_constraint *constraint);
bool csp_engine_layout(csp_engine *engine);

void csp_push(csp_engine *engine); /* opens a level */
void csp_pop(csp_engine *engine);  /* undoes it */
static inline size_t csp_level(const csp_engine *engine) { return engine->marks.count; }
void csp_pop_to(csp_engine *engine, size_t level);

void csp_schedule(csp_engine *engine, csp_prop *prop);
void csp_schedule_all(csp_engine *engine);
/* Runs the queue to its fixpoint; false when a constraint fails. */
bool csp_propagate(csp_engine *engine);
/* The same after running the listed propagators once, in this order: if the
 * constraints of definitions are listed after their inputs, each finds its
 * inputs ready. */
bool csp_propagate_in_order(csp_engine *engine, const uint32_t *props, uint32_t count);
/* Only active constraints are woken and checked; switching is undone with the
 * level. */
void csp_activate(csp_engine *engine, csp_prop *prop, bool active);

bool csp_watch_add(csp_engine *engine, const csp_prop *prop, uint32_t position, uint32_t limit,
                   bool bounds);
/* The same with a 'part'. */
bool csp_watch_part(csp_engine *engine, const csp_prop *prop, uint32_t position, uint64_t part);
/* Watches every variable of the scope for any change (or for bounds). */
bool csp_watch_scope(csp_engine *engine, const csp_prop *prop, bool bounds);

/* Trails eight bytes before they are changed. */
static inline void csp_save(csp_engine *engine, void *where) {
  if (engine->trail.count == engine->trail.capacity &&
      !alea_vec_reserve(engine->mem, &engine->trail, 1)) {
    engine->no_memory = true;
    return;
  }
  csp_saved *saved = &engine->trail.data[engine->trail.count++];
  saved->where = where;
  memcpy(&saved->old, where, sizeof saved->old);
}

/* ---- domains: all return false when the domain becomes empty ----
 * Of an interval only a first or last value is removed; whoever removes another
 * must test the value again when it is the only one left.  csp_keep_word and
 * csp_keep are for other domains. */

bool csp_assign(csp_engine *engine, alea_csp_var var, uint32_t index);
bool csp_remove(csp_engine *engine, alea_csp_var var, uint32_t index);
bool csp_keep_word(csp_engine *engine, alea_csp_var var, uint32_t word, uint64_t mask);
bool csp_keep(csp_engine *engine, alea_csp_var var, const uint64_t *mask);
/* Bounds by value; 64-bit so that callers need not clamp. */
bool csp_at_least(csp_engine *engine, alea_csp_var var, int64_t value);
bool csp_at_most(csp_engine *engine, alea_csp_var var, int64_t value);
bool csp_assign_value(csp_engine *engine, alea_csp_var var, int64_t value);
bool csp_remove_value(csp_engine *engine, alea_csp_var var, int64_t value);

static inline const csp_domain *csp_dom(const csp_engine *engine, alea_csp_var var) {
  return &engine->domains[var];
}
static inline bool csp_has(const csp_domain *domain, uint32_t index) {
  if (domain->words == NULL) return index >= domain->min && index <= domain->max;
  return (domain->words[index >> 6] >> (index & 63)) & 1;
}
static inline bool csp_fixed(const csp_domain *domain) { return domain->size == 1; }
static inline int32_t csp_min(const csp_domain *domain) {
  return csp_value(domain->var, domain->min);
}
static inline int32_t csp_max(const csp_domain *domain) {
  return csp_value(domain->var, domain->max);
}
static inline bool csp_has_value(const csp_domain *domain, int64_t value) {
  if (value < INT32_MIN || value > INT32_MAX) return false;
  uint32_t index = csp_index(domain->var, (int32_t)value);
  return index != ALEA_CSP_NONE && csp_has(domain, index);
}
/* The next index from 'index' on, or UINT32_MAX. */
uint32_t csp_next(const csp_domain *domain, uint32_t index);
#define CSP_EACH(index, domain) \
  (uint32_t index = (domain)->min; index != UINT32_MAX; index = csp_next((domain), index + 1))

/* ---- self-check (check.c): brute force over one constraint ---- */

/* Taken before a propagation; afterwards counts values that were removed
 * although a tuple of the old domains supports them.  Small scopes only. */
typedef struct csp_snapshot {
  uint64_t *words;
  size_t count;
} csp_snapshot;
bool csp_snapshot_take(csp_engine *engine, const csp_prop *prop, csp_snapshot *snapshot);
void csp_snapshot_check(csp_engine *engine, const csp_prop *prop, csp_snapshot *snapshot,
                        bool held);

/* ---- singleton arc consistency (sac.c) ---- */
/* Ends early, and sound all the same, with the deadline or after 'probes' values
 * were tried (0: no such limit); '*complete' says that it did not. */
bool csp_sac(csp_engine *engine, const alea_deadline *deadline, uint64_t probes, uint64_t *removed,
             bool *complete);

#endif
