/* The process of a graph of beliefs. */
#include "encode/belief_process.h"

#include <stdio.h>
#include <string.h>

#include "encode/belief.h"

bool alea_belief_needed(const alea_game *game) { return game->has_sees && game->random_role >= 0; }

typedef struct belief_writer {
  const encode_belief_graph *g;
  alea_scsp *scsp;
  alea_csp *csp;
  alea_csp_var belief, terminal, played, odds, sees, next;
  alea_csp_var *does;           /* per deciding role */
  uint32_t widest;              /* outcomes of a situation */
  encode_sequences chances;     /* distinct probabilities of outcomes */
  alea_u32s chance_of;          /* per situation: the number of its own */
  ALEA_VEC(int32_t) rows;       /* scratch */
  ALEA_VEC(double) numbers;     /* scratch */
  ALEA_VEC(alea_csp_var) scope; /* scratch */
  bool failed;
} belief_writer;

static void put(belief_writer *w, size_t value) {
  if (!alea_vec_push(w->g->mem, &w->rows, (int32_t)value)) w->failed = true;
}

static void put_number(belief_writer *w, double number) {
  if (!alea_vec_push(w->g->mem, &w->numbers, number)) w->failed = true;
}

static void post(belief_writer *w, const alea_csp_var *scope, uint32_t arity) {
  if (!w->failed) alea_csp_table(w->csp, scope, arity, w->rows.data, w->rows.count / arity, false);
  w->rows.count = 0;
}

static size_t outcomes_end(const encode_belief_graph *g, size_t situation) {
  return situation + 1 < g->situations.count ? g->situations.data[situation + 1].first_outcome
                                             : g->outcomes.count;
}

static uint32_t move_of(const encode_belief_graph *g, size_t situation, size_t role) {
  return g->moves.data[g->situations.data[situation].first_move + role];
}

/* ---- variables ---- */

/* Many situations have the same probabilities, which are then written once. */
static void number_chances(belief_writer *w) {
  const encode_belief_graph *g = w->g;
  ALEA_VEC(uint64_t) bits = {0};
  for (size_t s = 0; s < g->situations.count && !w->failed; s++) {
    bits.count = 0;
    for (size_t k = g->situations.data[s].first_outcome; k < outcomes_end(g, s); k++) {
      uint64_t word;
      memcpy(&word, &g->outcomes.data[k].probability, sizeof word);
      if (!alea_vec_push(g->mem, &bits, word)) w->failed = true;
    }
    if (bits.count > w->widest) w->widest = (uint32_t)bits.count;
    uint32_t number = encode_sequences_add(&w->chances, bits.data, bits.count, g->mem);
    if (number == ALEA_HASH_NONE || !alea_vec_push(g->mem, &w->chance_of, number)) w->failed = true;
  }
  alea_vec_clear(g->mem, &bits);
}

/* The moves that a role makes somewhere, and 0. */
static alea_csp_var add_action(belief_writer *w, size_t number) {
  const encode_belief_graph *g = w->g;
  char name[64];
  uint32_t role = g->roles.data[number], most = 0;
  for (size_t s = 0; s < g->situations.count; s++)
    if (move_of(g, s, number) > most) most = move_of(g, s, number);
  bool *made = alea_mem_calloc(g->mem, (size_t)most + 1, sizeof *made);
  alea_csp_var var = ALEA_CSP_NONE;
  if (made != NULL) {
    made[0] = true;
    for (size_t s = 0; s < g->situations.count; s++) made[move_of(g, s, number)] = true;
    for (uint32_t m = 0; m <= most; m++)
      if (made[m]) put(w, m);
    snprintf(name, sizeof name, "does_%.40s", g->game->role_text[role]);
    if (!w->failed) var = alea_csp_values(w->csp, name, w->rows.data, (uint32_t)w->rows.count);
    w->rows.count = 0;
  }
  alea_mem_free(g->mem, made, ((size_t)most + 1) * sizeof *made);
  if (var == ALEA_CSP_NONE) w->failed = true;
  return var;
}

static void add_variables(belief_writer *w) {
  const encode_belief_graph *g = w->g;
  int32_t beliefs = (int32_t)g->beliefs.count;
  number_chances(w);
  w->belief = alea_csp_range(w->csp, "belief", 0, beliefs);
  w->terminal = alea_csp_range(w->csp, "terminal", 0, 1);
  for (size_t i = 0; i < g->roles.count && !w->failed; i++) w->does[i] = add_action(w, i);
  w->played = alea_csp_range(w->csp, "played", 0, (int32_t)g->situations.count);
  w->odds = alea_csp_range(w->csp, "odds", 0, (int32_t)w->chances.list.count);
  w->sees = alea_csp_range(w->csp, "sees", 0, (int32_t)w->widest);
  w->next = alea_csp_range(w->csp, "belief_next", 0, beliefs);
}

/* ---- constraints; belief number b is value b + 1, situation s value s + 1 ---- */

static bool is_end(const encode_belief_graph *g, size_t value) {
  return value == 0 || g->beliefs.data[value - 1].goals != 0;
}

static void add_terminal(belief_writer *w) {
  for (size_t b = 0; b <= w->g->beliefs.count; b++) {
    put(w, b);
    put(w, is_end(w->g, b));
  }
  post(w, (alea_csp_var[]){w->belief, w->terminal}, 2);
}

/* Legal moves of each role, and the number of each combination of them. */
static void add_moves(belief_writer *w) {
  const encode_belief_graph *g = w->g;
  for (size_t i = 0; i < g->roles.count; i++) {
    for (size_t b = 0; b <= g->beliefs.count; b++)
      if (is_end(g, b)) put(w, b), put(w, 0);
    for (size_t s = 0; s < g->situations.count; s++) {
      put(w, g->situations.data[s].belief + (size_t)1);
      put(w, move_of(g, s, i));
    }
    post(w, (alea_csp_var[]){w->belief, w->does[i]}, 2);
  }
  w->scope.count = 0;
  bool good = alea_vec_push(g->mem, &w->scope, w->belief);
  for (size_t i = 0; i < g->roles.count && good; i++)
    good = alea_vec_push(g->mem, &w->scope, w->does[i]);
  if (!good || !alea_vec_push(g->mem, &w->scope, w->played)) w->failed = true;
  for (size_t b = 0; b <= g->beliefs.count; b++) {
    if (!is_end(g, b)) continue;
    put(w, b);
    for (size_t i = 0; i <= g->roles.count; i++) put(w, 0);
  }
  for (size_t s = 0; s < g->situations.count; s++) {
    put(w, g->situations.data[s].belief + (size_t)1);
    for (size_t i = 0; i < g->roles.count; i++) put(w, move_of(g, s, i));
    put(w, s + 1);
  }
  post(w, w->scope.data, (uint32_t)g->roles.count + 2);
}

/* The probabilities of what is seen: a row for each that there are. */
static void add_chance(belief_writer *w) {
  put(w, 0), put(w, 0);
  for (size_t s = 0; s < w->g->situations.count; s++) {
    put(w, s + 1);
    put(w, w->failed ? 0 : w->chance_of.data[s] + (size_t)1);
  }
  post(w, (alea_csp_var[]){w->played, w->odds}, 2);
  for (uint32_t k = 0; k <= w->widest; k++) put_number(w, k == 0);
  for (size_t i = 0; i < w->chances.list.count; i++) {
    const encode_sequence *bits = &w->chances.list.data[i];
    put_number(w, 0);
    for (uint32_t k = 0; k < w->widest; k++) {
      double probability = 0;
      if (k < bits->count)
        memcpy(&probability, w->chances.words.data + bits->first + k, sizeof probability);
      put_number(w, probability);
    }
  }
  if (!w->failed) alea_scsp_chance(w->scsp, w->sees, &w->odds, 1, w->numbers.data);
  w->numbers.count = 0;
}

/* The belief that follows from what was done and seen. */
static void add_next(belief_writer *w) {
  const encode_belief_graph *g = w->g;
  put(w, 0), put(w, 0), put(w, 0);
  for (size_t s = 0; s < g->situations.count; s++) {
    size_t first = g->situations.data[s].first_outcome, count = outcomes_end(g, s) - first;
    for (size_t k = 0; k < count; k++) {
      put(w, s + 1), put(w, k + 1);
      put(w, g->outcomes.data[first + k].next + (size_t)1);
    }
  }
  post(w, (alea_csp_var[]){w->played, w->sees, w->next}, 3);
}

/* The goals are paid in the belief that is an end, once. */
static void add_payments(belief_writer *w) {
  const encode_belief_graph *g = w->g;
  for (size_t b = 1; b <= g->beliefs.count; b++) {
    uint32_t goals = g->beliefs.data[b - 1].goals;
    if (goals == 0) continue;
    put(w, b), put(w, 1);
    const uint64_t *values = g->goals.words.data + g->goals.list.data[goals - 1].first;
    for (uint32_t r = 0; r < g->game->role_count; r++)
      if ((int)r != g->game->random_role) put_number(w, (double)values[r] / 100);
  }
  if (!w->failed)
    alea_scsp_soft(w->scsp, (alea_csp_var[]){w->belief, w->terminal}, 2, w->rows.data,
                   w->numbers.data, w->rows.count / 2);
  w->rows.count = w->numbers.count = 0;
}

/* ---- the whole ---- */

static alea_process *write(belief_writer *w) {
  add_variables(w);
  if (!w->failed) {
    add_terminal(w);
    add_moves(w);
    add_chance(w);
    add_next(w);
    add_payments(w);
  }
  alea_scsp *scsp = w->scsp;
  w->scsp = NULL; /* the process's now, or freed with it */
  alea_process *process = alea_process_new(scsp, 1, &w->next, (int32_t[]){1});
  if (process != NULL) alea_process_closing(process, 2);
  return process;
}

static alea_status too_large(const alea_belief_options *options, alea_diag *diag) {
  alea_diag_error(diag, ((alea_place){options->label, 0, 0}), "too-large",
                  "the network of what can be known is too large (a smaller --horizon makes it "
                  "smaller)");
  return ALEA_LIMIT;
}

alea_status alea_belief_process(alea_process **made, const alea_game *game,
                                const alea_belief_options *options, alea_mem *mem,
                                alea_diag *diag) {
  encode_belief_graph graph;
  *made = NULL;
  alea_status status = encode_belief_graph_init(&graph, game, options, mem, diag);
  belief_writer w = {.g = &graph};
  if (status == ALEA_OK) {
    uint32_t players = game->role_count - 1;
    w.scsp = alea_scsp_new(mem, players > 0 ? players : 1);
    w.does = alea_mem_calloc(mem, game->role_count, sizeof *w.does);
    status = alea_mem_lack(mem);
    if (w.scsp != NULL && w.does != NULL) {
      w.csp = alea_scsp_network(w.scsp);
      *made = write(&w);
    }
    if (*made != NULL && !w.failed) status = alea_scsp_state(alea_process_network(*made));
    if (status == ALEA_LIMIT) too_large(options, diag);
  }
  if (status != ALEA_OK) {
    alea_process_free(*made);
    *made = NULL;
  }
  alea_mem_free(mem, w.does, game->role_count * sizeof *w.does);
  encode_sequences_clear(&w.chances, mem);
  alea_vec_clear(mem, &w.chance_of);
  alea_vec_clear(mem, &w.rows);
  alea_vec_clear(mem, &w.numbers);
  alea_vec_clear(mem, &w.scope);
  alea_scsp_free(w.scsp);
  encode_belief_graph_clear(&graph);
  return status;
}
