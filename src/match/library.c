/* The public interface (include/alea/alea.h) over an opened game. */
#include "alea/alea.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "match/open.h"

#define NOT_CHOSEN ALEA_NO_MOVE

typedef ALEA_VEC(const char *) strings;

struct alea_table {
  alea_opened opened;
  alea_mem mem; /* of the cursor, the samplers and the texts */
  alea_cursor *cursor;
  alea_rng rng;
  uint64_t seed;
  alea_arena texts; /* of the current position */
  strings fluents;
  strings *moves; /* per role, sorted */
  bool listed;    /* the texts above belong to the current position */
  alea_move *chosen;
};

const char *alea_version(void) { return ALEA_VERSION; }

static void explain(const alea_diag *diag, alea_status status, char *why, size_t size) {
  if (why == NULL || size == 0) return;
  snprintf(why, size, "%s", alea_status_text(status));
  for (size_t i = 0; i < diag->entries.count; i++) {
    const alea_diag_entry *e = &diag->entries.data[i];
    if (e->severity != ALEA_ERROR) continue;
    if (e->place.line > 0) {
      snprintf(why, size, "%s:%u:%u: %s", e->place.file, e->place.line, e->place.column,
               e->message);
    } else {
      snprintf(why, size, "%s", e->message);
    }
    return;
  }
}

static alea_status prepare(alea_table *t) {
  const alea_game *game = t->opened.game;
  alea_arena_init(&t->texts, &t->mem);
  t->moves = alea_mem_calloc(&t->mem, game->role_count, sizeof *t->moves);
  t->chosen = alea_mem_calloc(&t->mem, game->role_count, sizeof *t->chosen);
  if (t->moves == NULL || t->chosen == NULL) return ALEA_SYSTEM;
  for (uint32_t r = 0; r < game->role_count; r++) t->chosen[r] = NOT_CHOSEN;
  return alea_cursor_new(game, &t->mem, &t->cursor);
}

int alea_table_open(alea_table **table, const char *game, const alea_table_options *options,
                    char *why, size_t size) {
  static const alea_table_options defaults = {0};
  if (options == NULL) options = &defaults;
  *table = NULL;
  const char *word = options->engine != NULL ? options->engine : "auto";
  int engine = alea_choice_find(ALEA_CHOICE_WORDS(ALEA_ENGINES), word);
  if (engine == ALEA_NO_CHOICE) {
    if (why != NULL) snprintf(why, size, "there is no engine '%s'", word);
    return ALEA_USAGE;
  }
  alea_table *t = calloc(1, sizeof *t);
  if (t == NULL) return ALEA_SYSTEM;
  alea_mem_init(&t->mem, 0);
  t->seed = options->seed;
  alea_rng_seed(&t->rng, options->seed);
  alea_open_options open = {.engine = engine,
                            .ground_seconds = options->seconds > 0 ? options->seconds : 60,
                            .memory = options->memory > 0 ? options->memory : (size_t)4 << 30};
  alea_diag diag;
  alea_diag_init(&diag, &t->mem);
  alea_status status = alea_open(&t->opened, game, &open, &diag);
  if (status == ALEA_OK) status = prepare(t);
  if (status != ALEA_OK) explain(&diag, status, why, size);
  alea_diag_clear(&diag);
  if (status == ALEA_OK) {
    *table = t;
  } else {
    alea_table_close(t);
  }
  return alea_status_exit(status);
}

/* ---- texts of the position ---- */

static void forget(alea_table *t) {
  for (uint32_t r = 0; t->moves != NULL && r < t->opened.game->role_count; r++)
    t->moves[r].count = 0;
  t->fluents.count = 0;
  alea_arena_clear(&t->texts);
  t->listed = false;
}

static int by_bytes(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool keep(alea_table *t, strings *list, alea_text *text) {
  const char *copy = alea_arena_strdup(&t->texts, alea_text_string(text), text->length);
  bool ok = !text->failed && copy != NULL && alea_vec_push(&t->mem, list, copy);
  alea_text_truncate(text, 0);
  return ok;
}

static bool list_fluents(alea_table *t, alea_text *text) {
  alea_list list;
  bool ok = alea_cursor_fluents(t->cursor, &list) == ALEA_OK;
  for (uint32_t i = 0; ok && i < list.count; i++) {
    alea_game_fluent_text(t->opened.game, list.ids[i], true, text);
    ok = keep(t, &t->fluents, text);
  }
  if (t->fluents.count > 1)
    qsort(t->fluents.data, t->fluents.count, sizeof *t->fluents.data, by_bytes);
  return ok;
}

static bool list_moves(alea_table *t, uint32_t role, alea_text *text) {
  alea_list list;
  bool ok = alea_cursor_legal(t->cursor, role, &list) == ALEA_OK;
  strings *moves = &t->moves[role];
  for (uint32_t i = 0; ok && i < list.count; i++) {
    alea_game_move_text(t->opened.game, role, list.ids[i], true, text);
    ok = keep(t, moves, text);
  }
  if (moves->count > 1) qsort(moves->data, moves->count, sizeof *moves->data, by_bytes);
  return ok;
}

static bool list_texts(alea_table *t) {
  if (t->listed) return true;
  alea_text text;
  alea_text_init(&text, &t->mem);
  bool over = alea_table_is_over(t) != 0, ok = list_fluents(t, &text);
  for (uint32_t r = 0; ok && !over && r < t->opened.game->role_count; r++)
    ok = list_moves(t, r, &text);
  alea_text_clear(&text);
  t->listed = ok;
  if (!ok) forget(t);
  return ok;
}

void alea_table_close(alea_table *t) {
  if (t == NULL) return;
  if (t->opened.game != NULL) {
    uint32_t roles = t->opened.game->role_count;
    forget(t);
    for (uint32_t r = 0; t->moves != NULL && r < roles; r++) alea_vec_clear(&t->mem, &t->moves[r]);
    alea_mem_free(&t->mem, t->moves, roles * sizeof *t->moves);
    alea_mem_free(&t->mem, t->chosen, roles * sizeof *t->chosen);
  }
  alea_vec_clear(&t->mem, &t->fluents);
  alea_cursor_free(t->cursor);
  alea_opened_clear(&t->opened);
  free(t);
}

/* ---- queries ---- */

unsigned alea_table_roles(const alea_table *t) { return t->opened.game->role_count; }

const char *alea_table_role(const alea_table *t, unsigned role) {
  return role < t->opened.game->role_count ? t->opened.game->role_spelling[role] : NULL;
}

size_t alea_table_fluents(alea_table *t) { return list_texts(t) ? t->fluents.count : 0; }

const char *alea_table_fluent(alea_table *t, size_t index) {
  return index < alea_table_fluents(t) ? t->fluents.data[index] : NULL;
}

int alea_table_is_over(alea_table *t) {
  bool over = true;
  return alea_cursor_terminal(t->cursor, &over) != ALEA_OK || over;
}

int alea_table_goal(alea_table *t, unsigned role) {
  int goal = -1;
  if (role >= t->opened.game->role_count) return -1;
  return alea_cursor_goal(t->cursor, role, &goal) == ALEA_OK ? goal : -1;
}

size_t alea_table_moves(alea_table *t, unsigned role) {
  return role < t->opened.game->role_count && list_texts(t) ? t->moves[role].count : 0;
}

const char *alea_table_move(alea_table *t, unsigned role, size_t index) {
  return index < alea_table_moves(t, role) ? t->moves[role].data[index] : NULL;
}

/* ---- playing ---- */

int alea_table_choose(alea_table *t, unsigned role, const char *move) {
  if (role >= t->opened.game->role_count || move == NULL) return ALEA_USAGE;
  alea_move found = alea_game_move_find(t->opened.game, role, move);
  alea_list list;
  alea_status status = alea_cursor_legal(t->cursor, role, &list);
  if (status != ALEA_OK) return alea_status_exit(status);
  for (uint32_t i = 0; i < list.count; i++) {
    if (list.ids[i] != found) continue;
    t->chosen[role] = found;
    return ALEA_OK;
  }
  return ALEA_INPUT;
}

static alea_status fill_in(alea_table *t) {
  for (uint32_t r = 0; r < t->opened.game->role_count; r++) {
    if (t->chosen[r] != NOT_CHOSEN) continue;
    alea_list list;
    alea_status status = alea_cursor_legal(t->cursor, r, &list);
    if (status != ALEA_OK) return status;
    if (list.count == 0) return ALEA_INPUT;
    t->chosen[r] = list.ids[alea_rng_below(&t->rng, list.count)];
  }
  return ALEA_OK;
}

static void take_back(alea_table *t) {
  for (uint32_t r = 0; r < t->opened.game->role_count; r++) t->chosen[r] = NOT_CHOSEN;
}

int alea_table_step(alea_table *t) {
  if (alea_table_is_over(t)) return ALEA_USAGE;
  alea_status status = fill_in(t);
  if (status == ALEA_OK) {
    forget(t);
    status = alea_cursor_play(t->cursor, t->chosen);
  }
  take_back(t);
  return alea_status_exit(status);
}

int alea_table_reset(alea_table *t) {
  forget(t);
  take_back(t);
  return alea_status_exit(alea_cursor_reset(t->cursor));
}

int alea_table_sample(alea_table *t, uint32_t count, double *means) {
  bool lanes;
  uint32_t roles = t->opened.game->role_count;
  alea_sampler *sampler = NULL;
  double *sums = alea_mem_calloc(&t->mem, 2 * (size_t)roles, sizeof *sums);
  if (sums == NULL) return ALEA_SYSTEM;
  alea_sample_result result = {.sum = sums, .sum_squares = sums + roles};
  alea_sample_request request = {.playouts = count};
  request.words = alea_cursor_state(t->cursor, &request.word_count);
  uint64_t seed = t->seed ^ alea_rng_next(&t->rng);
  alea_status status = alea_open_choose(&lanes, &t->opened, ALEA_ENGINE_AUTO, seed, NULL, &t->mem);
  if (status == ALEA_OK) status = alea_open_sampler(&sampler, &t->opened, lanes, seed, &t->mem);
  if (status == ALEA_OK) status = alea_sampler_run(sampler, &request, 1, NULL, &result);
  for (uint32_t r = 0; status == ALEA_OK && r < roles; r++)
    means[r] = result.playouts > 0 ? sums[r] / (double)result.playouts : 0;
  alea_sampler_free(sampler);
  alea_mem_free(&t->mem, sums, 2 * (size_t)roles * sizeof *sums);
  return alea_status_exit(status);
}
