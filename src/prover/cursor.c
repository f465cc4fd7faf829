/* The prover's cursor: a position, and a solver that knows about it.
 *
 * The solver speaks in terms of its own table, the outside in the numbers of
 * the game; a view per space of numbers remembers both ways, so that the
 * shared numbering is asked once for each fluent, move or percept. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "game/position.h"
#include "prover/game.h"
#include "prover/solver.h"

typedef struct cursor_view {
  alea_u32s id_of;   /* per term of the solver: its number, or ALEA_NO_ID */
  alea_u32s term_of; /* per number: the term, or ALEA_NO_TERM */
} cursor_view;

/* A legal move with its text, to sort by. */
typedef struct named_move {
  const char *text;
  alea_move move;
} named_move;
typedef ALEA_VEC(named_move) named_moves;

typedef struct role_data {
  alea_term term;
  alea_u32s legal;
  bool legal_known;
  alea_u32s percepts;
  ALEA_VEC(const char *) move_texts; /* per move, NULL when not yet needed */
} role_data;

typedef struct prover_cursor {
  alea_cursor cursor; /* first: a prover_cursor is an alea_cursor */
  const alea_prover *prover;
  alea_mem *mem;
  alea_solver *solver;
  bool lost; /* a position could not be entered: there is nothing to ask about */
  alea_arena texts;
  cursor_view *views; /* per space */
  role_data *roles;
  alea_u64s words;   /* the position: numbers of its fluents, ascending */
  alea_u32s fluents; /* the same as a list, made on demand */
  bool fluents_known;
  alea_u32s terms;           /* scratch: fluents as terms of the solver */
  alea_u64s next_words;      /* a position to go to */
  alea_u32s pairs;           /* scratch: the joint move */
  named_moves named, merged; /* scratch */
  alea_text text;            /* scratch */
} prover_cursor;

static prover_cursor *cursor_of(alea_cursor *cursor) { return (prover_cursor *)(void *)cursor; }

static uint32_t space_count(const prover_cursor *c) {
  return ALEA_SPACE_MOVES + c->prover->game.role_count;
}

static alea_status no_memory(const prover_cursor *c) { return alea_mem_lack(c->mem); }

static void cursor_free(alea_cursor *cursor) {
  prover_cursor *c = cursor_of(cursor);
  alea_mem *mem = c->mem;
  uint32_t roles = c->prover->game.role_count;
  for (uint32_t i = 0; c->views != NULL && i < space_count(c); i++) {
    alea_vec_clear(mem, &c->views[i].id_of);
    alea_vec_clear(mem, &c->views[i].term_of);
  }
  for (uint32_t i = 0; c->roles != NULL && i < roles; i++) {
    alea_vec_clear(mem, &c->roles[i].legal);
    alea_vec_clear(mem, &c->roles[i].percepts);
    alea_vec_clear(mem, &c->roles[i].move_texts);
  }
  alea_mem_free(mem, c->views, space_count(c) * sizeof *c->views);
  alea_mem_free(mem, c->roles, roles * sizeof *c->roles);
  alea_vec_clear(mem, &c->words);
  alea_vec_clear(mem, &c->fluents);
  alea_vec_clear(mem, &c->terms);
  alea_vec_clear(mem, &c->next_words);
  alea_vec_clear(mem, &c->pairs);
  alea_vec_clear(mem, &c->named);
  alea_vec_clear(mem, &c->merged);
  alea_text_clear(&c->text);
  alea_arena_clear(&c->texts);
  alea_solver_free(c->solver);
  alea_mem_free(mem, c, sizeof *c);
}

/* ---- numbers and terms ---- */

static bool pad(prover_cursor *c, alea_u32s *list, uint32_t index) {
  while (list->count <= index)
    if (!alea_vec_push(c->mem, list, UINT32_MAX)) return false;
  return true;
}

static bool link_both(prover_cursor *c, cursor_view *v, uint32_t id, alea_term term) {
  if (!pad(c, &v->id_of, term) || !pad(c, &v->term_of, id)) return false;
  v->id_of.data[term] = id;
  v->term_of.data[id] = term;
  return true;
}

/* The number of a term of the solver; ALEA_NO_ID without memory. */
static uint32_t id_of(prover_cursor *c, uint32_t space, alea_term term) {
  cursor_view *v = &c->views[space];
  if (term < v->id_of.count && v->id_of.data[term] != ALEA_NO_ID) return v->id_of.data[term];
  uint32_t id = alea_ids_add(c->prover->ids, space, alea_solver_terms(c->solver), term);
  if (id == ALEA_NO_ID || !link_both(c, v, id, term)) return ALEA_NO_ID;
  return id;
}

/* The solver's term of a number; ALEA_NO_TERM: see no_term. */
static alea_term term_of(prover_cursor *c, uint32_t space, uint32_t id) {
  cursor_view *v = &c->views[space];
  if (id < v->term_of.count && v->term_of.data[id] != ALEA_NO_TERM) return v->term_of.data[id];
  alea_term term = alea_ids_term(c->prover->ids, space, id, alea_solver_terms(c->solver));
  if (term == ALEA_NO_TERM || !link_both(c, v, id, term)) return ALEA_NO_TERM;
  return term;
}

/* Why term_of gave nothing: nobody gave that number, or there is no memory. */
static alea_status no_term(const prover_cursor *c, uint32_t space, uint32_t id) {
  return id < alea_ids_count(c->prover->ids, space) ? no_memory(c) : ALEA_USAGE;
}

/* ---- questions ---- */

/* The answers to 'pred' with 'role' as first argument if there are two; an
 * empty list (NULL) where the rules do not mention the predicate. */
static alea_status ask(prover_cursor *c, alea_pred pred, uint32_t role,
                       const alea_answer_table **table) {
  *table = NULL;
  if (c->lost) return no_memory(c);
  if (pred == ALEA_NO_PRED) return ALEA_OK;
  alea_term key[2] = {ALEA_NO_TERM, ALEA_NO_TERM};
  if (c->prover->rules->preds[pred].arity == 2) key[0] = c->roles[role].term;
  return alea_solver_ask(c->solver, pred, key, table);
}

/* There may be millions of answers: the deadline is looked at on the way. */
enum { ANSWERS_PER_LOOK = 256, MOVES_PER_BLOCK = 4096 };

static bool is_late(const prover_cursor *c, size_t i) {
  return i % ANSWERS_PER_LOOK == 0 && alea_mem_late(c->mem);
}

/* Numbers of the last arguments of all answers. */
static alea_status collect_ids(prover_cursor *c, const alea_answer_table *table, uint32_t space,
                               alea_u32s *ids) {
  ids->count = 0;
  for (uint32_t i = 0; table != NULL && i < table->count; i++) {
    if (is_late(c, i)) return ALEA_LIMIT;
    uint32_t id = id_of(c, space, alea_answer_table_row(table, i)[table->arity - 1]);
    if (id == ALEA_NO_ID || !alea_vec_push(c->mem, ids, id)) return no_memory(c);
  }
  return ALEA_OK;
}

static int compare_words(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* The fluents that are answers, as a sorted position in 'next_words'. */
static alea_status collect_words(prover_cursor *c, const alea_answer_table *table) {
  c->next_words.count = 0;
  for (uint32_t i = 0; table != NULL && i < table->count; i++) {
    if (is_late(c, i)) return ALEA_LIMIT;
    uint32_t id = id_of(c, ALEA_SPACE_FLUENTS, alea_answer_table_row(table, i)[0]);
    if (id == ALEA_NO_ID || !alea_vec_push(c->mem, &c->next_words, id)) return no_memory(c);
  }
  if (c->next_words.count > 0)
    qsort(c->next_words.data, c->next_words.count, sizeof(uint64_t), compare_words);
  return ALEA_OK;
}

/* ---- positions ---- */

/* Moves to the position in 'next_words'. */
static alea_status enter_position(prover_cursor *c) {
  const alea_u64s words = c->next_words;
  c->terms.count = 0;
  for (size_t i = 0; i < words.count; i++) {
    if (words.data[i] >= ALEA_NO_ID) return ALEA_USAGE;
    alea_term term = term_of(c, ALEA_SPACE_FLUENTS, (uint32_t)words.data[i]);
    if (term == ALEA_NO_TERM) return no_term(c, ALEA_SPACE_FLUENTS, (uint32_t)words.data[i]);
    if (!alea_vec_push(c->mem, &c->terms, term)) return no_memory(c);
  }
  alea_status status = alea_solver_set_state(c->solver, c->terms.data, (uint32_t)words.count);
  c->lost = status != ALEA_OK;
  if (status != ALEA_OK) return status;
  c->next_words = c->words;
  c->words = words;
  c->fluents_known = false;
  for (uint32_t r = 0; r < c->prover->game.role_count; r++) c->roles[r].legal_known = false;
  return ALEA_OK;
}

static void forget_percepts(prover_cursor *c) {
  for (uint32_t r = 0; r < c->prover->game.role_count; r++) c->roles[r].percepts.count = 0;
}

static alea_status cursor_load(alea_cursor *cursor, const uint64_t *words, size_t count) {
  prover_cursor *c = cursor_of(cursor);
  /* never the array that alea_cursor_state gave out */
  alea_status status = alea_position_copy(&c->next_words, words, count, c->mem);
  if (status == ALEA_OK) status = enter_position(c);
  if (status == ALEA_OK) forget_percepts(c);
  return status;
}

static alea_status cursor_reset(alea_cursor *cursor) {
  const alea_u64s *initial = &cursor_of(cursor)->prover->initial;
  return cursor_load(cursor, initial->data, initial->count);
}

static const uint64_t *cursor_state(alea_cursor *cursor, size_t *count) {
  static const uint64_t none[1] = {0}; /* NULL would mean the initial position to some */
  const alea_u64s *words = &cursor_of(cursor)->words;
  *count = words->count;
  return words->count > 0 ? words->data : none;
}

static uint64_t cursor_hash(alea_cursor *cursor) {
  const prover_cursor *c = cursor_of(cursor);
  uint64_t hash = c->words.count;
  for (size_t i = 0; i < c->words.count; i++) hash = alea_hash_join(hash, c->words.data[i]);
  return alea_hash_mix(hash);
}

static alea_status cursor_fluents(alea_cursor *cursor, alea_list *list) {
  prover_cursor *c = cursor_of(cursor);
  if (!c->fluents_known) {
    c->fluents.count = 0;
    for (size_t i = 0; i < c->words.count; i++)
      if (!alea_vec_push(c->mem, &c->fluents, (uint32_t)c->words.data[i])) return no_memory(c);
    c->fluents_known = true;
  }
  *list = (alea_list){c->fluents.data, (uint32_t)c->fluents.count};
  return ALEA_OK;
}

static alea_status cursor_terminal(alea_cursor *cursor, bool *terminal) {
  prover_cursor *c = cursor_of(cursor);
  const alea_answer_table *table;
  alea_status status = ask(c, c->prover->pred_terminal, 0, &table);
  *terminal = table != NULL && table->count > 0;
  return status;
}

/* 0..100, or -1 for a term that is no such number. */
static int goal_value(prover_cursor *c, alea_term term) {
  const alea_terms *terms = alea_solver_terms(c->solver);
  if (alea_terms_is_list(terms, term)) return -1;
  const char *text = alea_symbols_text(alea_terms_symbols(terms), alea_terms_name(terms, term));
  int value = 0;
  for (const char *t = text; *t != '\0'; t++) {
    if (*t < '0' || *t > '9' || value > 100) return -1;
    value = 10 * value + (*t - '0');
  }
  return value <= 100 ? value : -1;
}

static alea_status cursor_goal(alea_cursor *cursor, uint32_t role, int *goal) {
  prover_cursor *c = cursor_of(cursor);
  const alea_answer_table *table;
  *goal = -1;
  alea_status status = ask(c, c->prover->pred_goal, role, &table);
  if (status != ALEA_OK || table == NULL) return status;
  for (uint32_t i = 0; i < table->count; i++) {
    int value = goal_value(c, alea_answer_table_row(table, i)[1]);
    if (value > *goal) *goal = value;
  }
  return ALEA_OK;
}

/* ---- legal moves ---- */

static const char *move_text(prover_cursor *c, uint32_t role, alea_move move) {
  role_data *r = &c->roles[role];
  while (r->move_texts.count <= move)
    if (!alea_vec_push(c->mem, &r->move_texts, NULL)) return NULL;
  if (r->move_texts.data[move] == NULL) {
    alea_text_truncate(&c->text, 0);
    alea_terms_print(alea_solver_terms(c->solver), term_of(c, ALEA_SPACE_MOVES + role, move), false,
                     &c->text);
    if (c->text.failed) {
      alea_text_clear(&c->text);
      return NULL;
    }
    r->move_texts.data[move] = alea_arena_strdup(&c->texts, c->text.data, c->text.length);
  }
  return r->move_texts.data[move];
}

static int compare_moves(const void *a, const void *b) {
  return strcmp(((const named_move *)a)->text, ((const named_move *)b)->text);
}

/* Merges two sorted neighbours. */
static void merge_moves(const named_move *from, size_t left, size_t count, named_move *to) {
  size_t a = 0, b = left;
  for (size_t i = 0; i < count; i++) {
    bool first = b == count || (a < left && compare_moves(&from[a], &from[b]) <= 0);
    to[i] = first ? from[a++] : from[b++];
  }
}

/* Sorts c->named in blocks, so that even the sorting of millions can be
 * cancelled. */
static alea_status sort_named(prover_cursor *c) {
  size_t count = c->named.count;
  for (size_t i = 0; i < count; i += MOVES_PER_BLOCK) {
    size_t length = count - i < MOVES_PER_BLOCK ? count - i : MOVES_PER_BLOCK;
    if (alea_mem_late(c->mem)) return ALEA_LIMIT;
    qsort(c->named.data + i, length, sizeof *c->named.data, compare_moves);
  }
  for (size_t width = MOVES_PER_BLOCK; width < count; width *= 2) {
    c->merged.count = 0;
    if (!alea_vec_reserve(c->mem, &c->merged, count)) return no_memory(c);
    for (size_t i = 0; i < count; i += 2 * width) {
      size_t left = count - i < width ? count - i : width;
      size_t both = count - i < 2 * width ? count - i : 2 * width;
      if (alea_mem_late(c->mem)) return ALEA_LIMIT;
      merge_moves(c->named.data + i, left, both, c->merged.data + i);
    }
    named_moves sorted = c->merged;
    sorted.count = count;
    c->merged = c->named;
    c->named = sorted;
  }
  return ALEA_OK;
}

/* The order of discovery depends on what was asked before, and numbers on
 * other threads; the texts depend on neither. */
static alea_status sort_legal(prover_cursor *c, uint32_t role) {
  alea_u32s *legal = &c->roles[role].legal;
  c->named.count = 0;
  for (size_t i = 0; i < legal->count; i++) {
    if (is_late(c, i)) return ALEA_LIMIT;
    named_move n = {move_text(c, role, legal->data[i]), legal->data[i]};
    if (n.text == NULL || !alea_vec_push(c->mem, &c->named, n)) return no_memory(c);
  }
  alea_status status = sort_named(c);
  for (size_t i = 0; status == ALEA_OK && i < legal->count; i++)
    legal->data[i] = c->named.data[i].move;
  return status;
}

static alea_status cursor_legal(alea_cursor *cursor, uint32_t role, alea_list *list) {
  prover_cursor *c = cursor_of(cursor);
  role_data *r = &c->roles[role];
  *list = (alea_list){0};
  if (!r->legal_known) {
    const alea_answer_table *table;
    alea_status status = ask(c, c->prover->pred_legal, role, &table);
    if (status == ALEA_OK) status = collect_ids(c, table, ALEA_SPACE_MOVES + role, &r->legal);
    if (status == ALEA_OK) status = sort_legal(c, role);
    if (status != ALEA_OK) return status;
    r->legal_known = true;
  }
  *list = (alea_list){r->legal.data, (uint32_t)r->legal.count};
  return ALEA_OK;
}

/* ---- playing ---- */

static alea_status set_joint(prover_cursor *c, const alea_move *joint) {
  c->pairs.count = 0;
  for (uint32_t r = 0; r < c->prover->game.role_count; r++) {
    alea_term move = term_of(c, ALEA_SPACE_MOVES + r, joint[r]);
    if (move == ALEA_NO_TERM) return no_term(c, ALEA_SPACE_MOVES + r, joint[r]);
    if (!alea_vec_push(c->mem, &c->pairs, c->roles[r].term) ||
        !alea_vec_push(c->mem, &c->pairs, move))
      return no_memory(c);
  }
  return alea_solver_set_does(c->solver, c->pairs.data, c->prover->game.role_count);
}

static alea_status see(prover_cursor *c) {
  for (uint32_t r = 0; r < c->prover->game.role_count; r++) {
    const alea_answer_table *table;
    alea_status status = ask(c, c->prover->pred_sees, r, &table);
    if (status == ALEA_OK)
      status = collect_ids(c, table, ALEA_SPACE_PERCEPTS, &c->roles[r].percepts);
    if (status != ALEA_OK) return status;
  }
  return ALEA_OK;
}

static alea_status cursor_play(alea_cursor *cursor, const alea_move *joint) {
  prover_cursor *c = cursor_of(cursor);
  const alea_answer_table *table;
  alea_status status = set_joint(c, joint);
  if (status == ALEA_OK) status = ask(c, c->prover->pred_next, 0, &table);
  if (status == ALEA_OK) status = collect_words(c, table);
  if (status == ALEA_OK) status = see(c);
  if (status == ALEA_OK) return enter_position(c);
  /* Still where we were, and nobody has moved. */
  (void)alea_solver_set_does(c->solver, NULL, 0);
  return status;
}

static alea_status cursor_percepts(alea_cursor *cursor, uint32_t role, alea_list *list) {
  const role_data *r = &cursor_of(cursor)->roles[role];
  *list = (alea_list){r->percepts.data, (uint32_t)r->percepts.count};
  return ALEA_OK;
}

/* ---- construction ---- */

static const alea_cursor_class cursor_class = {
    .free = cursor_free,
    .reset = cursor_reset,
    .load = cursor_load,
    .state = cursor_state,
    .hash = cursor_hash,
    .fluents = cursor_fluents,
    .terminal = cursor_terminal,
    .goal = cursor_goal,
    .legal = cursor_legal,
    .play = cursor_play,
    .percepts = cursor_percepts,
};

alea_status alea_prover_cursor_new(const alea_prover *prover, alea_mem *mem, alea_cursor **cursor) {
  *cursor = NULL;
  prover_cursor *c = alea_mem_zalloc(mem, sizeof *c);
  if (c == NULL) return alea_mem_lack(mem);
  c->cursor = (alea_cursor){&cursor_class, &prover->game};
  c->prover = prover;
  c->mem = mem;
  alea_arena_init(&c->texts, mem);
  alea_text_init(&c->text, mem);
  c->views = alea_mem_calloc(mem, space_count(c), sizeof *c->views);
  c->roles = alea_mem_calloc(mem, prover->game.role_count, sizeof *c->roles);
  alea_status status = c->views != NULL && c->roles != NULL ? ALEA_OK : no_memory(c);
  if (status == ALEA_OK)
    status = alea_solver_new(&c->solver, prover->rules, prover->max_inferences, mem);
  if (status != ALEA_OK) {
    cursor_free(&c->cursor);
    return status;
  }
  for (uint32_t r = 0; r < prover->game.role_count; r++)
    c->roles[r].term =
        alea_terms_find_constant(alea_solver_terms(c->solver), prover->program->roles.data[r]);
  *cursor = &c->cursor;
  return ALEA_OK;
}

alea_status alea_prover_cursor_init(alea_cursor *cursor, alea_mem *mem, alea_u64s *words) {
  prover_cursor *c = cursor_of(cursor);
  const alea_answer_table *table;
  alea_status status = ask(c, c->prover->pred_init, 0, &table);
  if (status == ALEA_OK) status = collect_words(c, table);
  if (status != ALEA_OK) return status;
  for (size_t i = 0; i < c->next_words.count; i++)
    if (!alea_vec_push(mem, words, c->next_words.data[i])) return no_memory(c);
  return enter_position(c);
}
