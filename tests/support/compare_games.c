/* Compares two engines on one game. */
#include "support/compare_games.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/vec.h"

typedef struct side {
  const alea_game *game;
  alea_cursor *cursor;
  ALEA_VEC(char *) texts; /* sorted, of the current list */
} side;

typedef struct duel {
  alea_mem mem;
  side left, right;
  comparison *result;
  unsigned play, step;
} duel;

typedef void print_id(const alea_game *game, uint32_t role, uint32_t id, alea_text *out);

static void print_fluent(const alea_game *game, uint32_t role, uint32_t id, alea_text *out) {
  (void)role;
  alea_game_fluent_text(game, id, false, out);
}
static void print_move(const alea_game *game, uint32_t role, uint32_t id, alea_text *out) {
  alea_game_move_text(game, role, id, false, out);
}
static void print_percept(const alea_game *game, uint32_t role, uint32_t id, alea_text *out) {
  (void)role;
  alea_game_percept_text(game, id, false, out);
}

static int by_bytes(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static void drop_texts(side *s) {
  for (size_t i = 0; i < s->texts.count; i++) free(s->texts.data[i]);
  s->texts.count = 0;
}

static void take_texts(duel *d, side *s, alea_list list, uint32_t role, print_id *print) {
  drop_texts(s);
  for (uint32_t i = 0; i < list.count; i++) {
    alea_text text;
    alea_text_init(&text, &d->mem);
    print(s->game, role, list.ids[i], &text);
    if (!alea_vec_push(&d->mem, &s->texts, strdup(alea_text_string(&text)))) abort();
    alea_text_clear(&text);
  }
  if (s->texts.count > 1) qsort(s->texts.data, s->texts.count, sizeof(char *), by_bytes);
}

static bool complain(duel *d, const char *what, const char *detail) {
  snprintf(d->result->message, sizeof d->result->message, "play %u step %u: %s %s", d->play,
           d->step, what, detail);
  return false;
}

static bool same_texts(duel *d, const char *what) {
  size_t n = d->left.texts.count, m = d->right.texts.count;
  for (size_t i = 0; i < n || i < m; i++) {
    int order = i >= n ? 1 : i >= m ? -1 : strcmp(d->left.texts.data[i], d->right.texts.data[i]);
    if (order < 0) return complain(d, what, d->left.texts.data[i]);
    if (order > 0) return complain(d, what, d->right.texts.data[i]);
  }
  return true;
}

static bool same_lists(duel *d, const char *what, uint32_t role,
                       alea_status (*get)(alea_cursor *, uint32_t, alea_list *), print_id *print) {
  alea_list list;
  if (get(d->left.cursor, role, &list) != ALEA_OK) return complain(d, what, "oracle failed");
  take_texts(d, &d->left, list, role, print);
  if (get(d->right.cursor, role, &list) != ALEA_OK) return complain(d, what, "engine failed");
  take_texts(d, &d->right, list, role, print);
  return same_texts(d, what);
}

static alea_status get_fluents(alea_cursor *cursor, uint32_t role, alea_list *list) {
  (void)role;
  return alea_cursor_fluents(cursor, list);
}

static bool same_ends(duel *d, bool *terminal) {
  bool other;
  if (alea_cursor_terminal(d->left.cursor, terminal) != ALEA_OK ||
      alea_cursor_terminal(d->right.cursor, &other) != ALEA_OK || *terminal != other)
    return complain(d, "terminal", "");
  for (uint32_t r = 0; r < d->left.game->role_count; r++) {
    int a, b;
    if (alea_cursor_goal(d->left.cursor, r, &a) != ALEA_OK ||
        alea_cursor_goal(d->right.cursor, r, &b) != ALEA_OK || a != b)
      return complain(d, "goal of", d->left.game->role_text[r]);
  }
  return true;
}

static bool same_positions(duel *d, bool *terminal) {
  d->result->positions++;
  if (!same_lists(d, "fluent", 0, get_fluents, print_fluent) || !same_ends(d, terminal))
    return false;
  for (uint32_t r = 0; r < d->left.game->role_count; r++) {
    if (!same_lists(d, "percept", r, alea_cursor_percepts, print_percept)) return false;
    if (!*terminal && !same_lists(d, "legal move", r, alea_cursor_legal, print_move)) return false;
  }
  return true;
}

/* The words of a position bring the cursor back to it. */
static bool survives_reload(duel *d) {
  size_t count;
  const uint64_t *words = alea_cursor_state(d->right.cursor, &count);
  uint64_t hash = alea_cursor_hash(d->right.cursor);
  uint64_t *copy = malloc(count * sizeof *copy + 1);
  memcpy(copy, words, count * sizeof *copy);
  bool ok = alea_cursor_reset(d->right.cursor) == ALEA_OK &&
            alea_cursor_load(d->right.cursor, copy, count) == ALEA_OK &&
            alea_cursor_hash(d->right.cursor) == hash;
  size_t again;
  words = alea_cursor_state(d->right.cursor, &again);
  ok = ok && again == count && memcmp(words, copy, count * sizeof *copy) == 0;
  free(copy);
  return ok || complain(d, "reload", "");
}

/* Chooses a joint move; false if some role has none. */
static bool choose(duel *d, alea_rng *rng, alea_move *left, alea_move *right) {
  for (uint32_t r = 0; r < d->left.game->role_count; r++) {
    alea_list list;
    if (alea_cursor_legal(d->left.cursor, r, &list) != ALEA_OK || list.count == 0) return false;
    left[r] = list.ids[alea_rng_below(rng, list.count)];
    alea_text text;
    alea_text_init(&text, &d->mem);
    alea_game_move_text(d->left.game, r, left[r], true, &text);
    right[r] = alea_game_move_find(d->right.game, r, alea_text_string(&text));
    alea_text_clear(&text);
  }
  return true;
}

static bool play_once(duel *d, alea_rng *rng, unsigned steps, const alea_deadline *deadline) {
  alea_move left[64], right[64];
  bool terminal;
  if (alea_cursor_reset(d->left.cursor) != ALEA_OK || alea_cursor_reset(d->right.cursor) != ALEA_OK)
    return complain(d, "reset", "failed");
  for (d->step = 0;; d->step++) {
    if (!same_positions(d, &terminal)) return false;
    if (terminal || d->step == steps || alea_deadline_passed(deadline)) return true;
    if (alea_rng_below(rng, 8) == 0 && !survives_reload(d)) return false;
    if (!choose(d, rng, left, right)) return true;
    if (alea_cursor_play(d->left.cursor, left) != ALEA_OK ||
        alea_cursor_play(d->right.cursor, right) != ALEA_OK)
      return complain(d, "play", "failed");
  }
}

bool compare_games(const alea_game *oracle, const alea_game *engine, uint64_t seed, unsigned plays,
                   unsigned steps, double seconds, comparison *result) {
  *result = (comparison){0};
  duel d = {.left.game = oracle, .right.game = engine, .result = result};
  alea_mem_init(&d.mem, 0);
  alea_deadline deadline = alea_deadline_in(seconds);
  alea_rng rng;
  alea_rng_seed(&rng, seed);
  bool ok = alea_cursor_new(oracle, &d.mem, &d.left.cursor) == ALEA_OK &&
            alea_cursor_new(engine, &d.mem, &d.right.cursor) == ALEA_OK;
  /* one position at least */
  for (d.play = 0; ok && d.play < plays && (d.play == 0 || !alea_deadline_passed(&deadline));
       d.play++)
    ok = play_once(&d, &rng, steps, &deadline);
  drop_texts(&d.left);
  drop_texts(&d.right);
  alea_vec_clear(&d.mem, &d.left.texts);
  alea_vec_clear(&d.mem, &d.right.texts);
  alea_cursor_free(d.left.cursor);
  alea_cursor_free(d.right.cursor);
  if (ok && d.mem.used != 0) ok = complain(&d, "leak", "");
  return ok;
}
