/* The prover as a game: construction, names, numbers. */
#include "prover/game.h"

#include "prover/prover.h"
#include "prover/statics.h"

#define DEFAULT_INFERENCES ((uint64_t)1 << 40)

/* Everything in an alea_game is constant but for the shared numbering. */
static const alea_prover *prover_of(const alea_game *game) {
  return (const alea_prover *)(const void *)game;
}

static void free_prover(alea_prover *v) {
  alea_mem *mem = v->mem;
  size_t roles = v->game.role_count;
  alea_vec_clear(mem, &v->initial);
  alea_mem_free(mem, v->role_text, roles * sizeof *v->role_text);
  alea_mem_free(mem, v->role_spelling, roles * sizeof *v->role_spelling);
  alea_ids_free(v->ids, mem);
  alea_rules_free(v->rules);
  alea_program_free(v->program);
  alea_mem_free(mem, v, sizeof *v);
}

static void game_free(alea_game *game) { free_prover((alea_prover *)(void *)game); }

static alea_status cursor_new(const alea_game *game, alea_mem *mem, alea_cursor **cursor) {
  alea_status status = alea_prover_cursor_new(prover_of(game), mem, cursor);
  if (status != ALEA_OK) return status;
  status = alea_cursor_reset(*cursor);
  if (status == ALEA_OK) return ALEA_OK;
  alea_cursor_free(*cursor);
  *cursor = NULL;
  return status;
}

static uint32_t move_count(const alea_game *game, uint32_t role) {
  return alea_ids_count(prover_of(game)->ids, ALEA_SPACE_MOVES + role);
}

static void move_text(const alea_game *game, uint32_t role, alea_move move, bool spelling,
                      alea_text *out) {
  alea_ids_print(prover_of(game)->ids, ALEA_SPACE_MOVES + role, move, spelling, out);
}

static alea_move move_find(const alea_game *game, uint32_t role, const char *text) {
  return alea_ids_parse(prover_of(game)->ids, ALEA_SPACE_MOVES + role, text);
}

static void fluent_text(const alea_game *game, uint32_t fluent, bool spelling, alea_text *out) {
  alea_ids_print(prover_of(game)->ids, ALEA_SPACE_FLUENTS, fluent, spelling, out);
}

static alea_term move_term(const alea_game *game, uint32_t role, alea_move move,
                           alea_terms *terms) {
  return alea_ids_term(prover_of(game)->ids, ALEA_SPACE_MOVES + role, move, terms);
}

static alea_term fluent_term(const alea_game *game, uint32_t fluent, alea_terms *terms) {
  return alea_ids_term(prover_of(game)->ids, ALEA_SPACE_FLUENTS, fluent, terms);
}

static void percept_text(const alea_game *game, uint32_t percept, bool spelling, alea_text *out) {
  alea_ids_print(prover_of(game)->ids, ALEA_SPACE_PERCEPTS, percept, spelling, out);
}

static uint32_t percept_find(const alea_game *game, const char *text) {
  return alea_ids_parse(prover_of(game)->ids, ALEA_SPACE_PERCEPTS, text);
}

static const alea_game_class prover_class = {
    .engine = "prover",
    .free = game_free,
    .cursor_new = cursor_new,
    .move_count = move_count,
    .move_text = move_text,
    .move_term = move_term,
    .move_find = move_find,
    .fluent_text = fluent_text,
    .fluent_term = fluent_term,
    .percept_text = percept_text,
    .percept_find = percept_find,
};

static bool name_roles(alea_prover *v) {
  uint32_t count = v->game.role_count;
  v->role_text = alea_mem_calloc(v->mem, count, sizeof *v->role_text);
  v->role_spelling = alea_mem_calloc(v->mem, count, sizeof *v->role_spelling);
  if (v->role_text == NULL || v->role_spelling == NULL) return false;
  for (uint32_t i = 0; i < count; i++) {
    v->role_text[i] = alea_symbols_text(v->program->symbols, v->program->roles.data[i]);
    v->role_spelling[i] = alea_symbols_spelling(v->program->symbols, v->program->roles.data[i]);
  }
  v->game.role_text = v->role_text;
  v->game.role_spelling = v->role_spelling;
  return true;
}

static void find_predicates(alea_prover *v) {
  v->pred_init = alea_rules_find(v->rules, ALEA_SYM_INIT, 1);
  v->pred_legal = alea_rules_find(v->rules, ALEA_SYM_LEGAL, 2);
  v->pred_next = alea_rules_find(v->rules, ALEA_SYM_NEXT, 1);
  v->pred_terminal = alea_rules_find(v->rules, ALEA_SYM_TERMINAL, 0);
  v->pred_goal = alea_rules_find(v->rules, ALEA_SYM_GOAL, 2);
  v->pred_sees = alea_rules_find(v->rules, ALEA_SYM_SEES, 2);
}

static alea_status find_initial(alea_prover *v, alea_diag *diag) {
  alea_cursor *cursor = NULL;
  alea_status status = alea_prover_cursor_new(v, v->mem, &cursor);
  if (status == ALEA_OK) status = alea_prover_cursor_init(cursor, v->mem, &v->initial);
  alea_cursor_free(cursor);
  if (status == ALEA_OK) return ALEA_OK;
  alea_place place = alea_rules_place(v->program, 0, 0, diag);
  if (status == ALEA_INPUT)
    alea_diag_error(diag, place, "not-stratified", "`init` depends on its own negation");
  if (status == ALEA_LIMIT)
    alea_diag_error(diag, place, "prover-limit",
                    "the initial position needs too many inferences, too large terms or too much "
                    "memory");
  return status;
}

static alea_status build(alea_prover *v, alea_diag *diag) {
  alea_status status = alea_rules_new(&v->rules, v->program, v->mem, diag);
  if (status != ALEA_OK) return status;
  if (!name_roles(v)) return alea_mem_lack(v->mem);
  status = alea_rules_evaluate_statics(v->rules, v->program);
  if (status != ALEA_OK) return status;
  status = alea_ids_new(&v->ids, v->program->symbols, ALEA_SPACE_MOVES + v->game.role_count,
                        v->mem->limit, v->mem);
  if (status != ALEA_OK) return status;
  find_predicates(v);
  return find_initial(v, diag);
}

alea_status alea_prover_game_new(alea_game **game, alea_program *program,
                                 const alea_prover_options *options, alea_mem *mem,
                                 alea_diag *diag) {
  *game = NULL;
  alea_prover *v = alea_mem_zalloc(mem, sizeof *v);
  if (v == NULL) {
    alea_program_free(program);
    return alea_mem_lack(mem);
  }
  v->mem = mem;
  v->program = program;
  v->max_inferences = options != NULL ? options->max_inferences : 0;
  if (v->max_inferences == 0) v->max_inferences = DEFAULT_INFERENCES;
  v->game.class = &prover_class;
  v->game.role_count = (uint32_t)program->roles.count;
  v->game.random_role = program->random_role;
  v->game.has_sees = program->has_sees;
  alea_status status = build(v, diag);
  if (status != ALEA_OK) {
    free_prover(v);
    return status;
  }
  *game = &v->game;
  return ALEA_OK;
}
