/* Runs an engine on the conformance cases. */
#include "support/conformance_run.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "game/playout.h"

typedef struct checker {
  const char *id; /* of the case */
  alea_mem mem;
  alea_game *game;
  alea_cursor *cursor;
  bool failed;
} checker;

static void complain(checker *k, const char *what) {
  fprintf(stderr, "conformance %s: %s\n", k->id, what);
  k->failed = true;
}

static void must(checker *k, alea_status status) {
  if (status != ALEA_OK) complain(k, alea_status_text(status));
}

static uint32_t role_number(const checker *k, const char *name) {
  uint32_t r = 0;
  while (r + 1 < k->game->role_count && strcmp(k->game->role_text[r], name) != 0) r++;
  return r;
}

/* ---- lists ---- */

static bool same_text(checker *k, uint32_t role, bool move, uint32_t id, const char *text) {
  alea_text out;
  alea_text_init(&out, &k->mem);
  if (move) {
    alea_game_move_text(k->game, role, id, false, &out);
  } else {
    alea_game_fluent_text(k->game, id, false, &out);
  }
  bool same = strcmp(alea_text_string(&out), text) == 0;
  alea_text_clear(&out);
  return same;
}

/* All of 'texts' are in the list, and, if 'exact', nothing else. */
static void check_list(checker *k, uint32_t role, bool move, const json_t *texts, bool exact) {
  alea_list list = {0};
  must(k, move ? alea_cursor_legal(k->cursor, role, &list) : alea_cursor_fluents(k->cursor, &list));
  size_t i;
  const json_t *text;
  json_array_foreach(texts, i, text) {
    bool found = false;
    for (uint32_t n = 0; n < list.count && !found; n++)
      found = same_text(k, role, move, list.ids[n], json_string_value(text));
    if (!found) complain(k, json_string_value(text));
  }
  if (exact && json_array_size(texts) != list.count) complain(k, "surplus elements");
}

static uint32_t count_legal(checker *k, uint32_t role) {
  alea_list list = {0};
  must(k, alea_cursor_legal(k->cursor, role, &list));
  return list.count;
}

/* ---- expectations ---- */

static void check_terminal(checker *k, const json_t *expected) {
  bool terminal = false;
  if (expected == NULL) return;
  must(k, alea_cursor_terminal(k->cursor, &terminal));
  if (terminal != json_is_true(expected)) complain(k, "terminal");
}

static void check_goal(checker *k, uint32_t role, json_int_t expected) {
  int goal = -1;
  must(k, alea_cursor_goal(k->cursor, role, &goal));
  if (goal != expected) complain(k, "goal");
}

static void check_moves(checker *k, json_t *expect) {
  const char *role;
  json_t *value;
  json_object_foreach(json_object_get(expect, "legal_count"), role, value) {
    if (count_legal(k, role_number(k, role)) != json_integer_value(value))
      complain(k, "number of legal moves");
  }
  json_object_foreach(json_object_get(expect, "legal_exact"), role, value)
      check_list(k, role_number(k, role), true, value, true);
  json_object_foreach(json_object_get(expect, "legal_contains"), role, value)
      check_list(k, role_number(k, role), true, value, false);
  json_int_t joint = 1;
  for (uint32_t r = 0; r < k->game->role_count; r++) joint *= count_legal(k, r);
  const json_t *joint_count = json_object_get(expect, "joint_move_count");
  if (joint_count != NULL && joint != json_integer_value(joint_count))
    complain(k, "number of joint moves");
}

static void play(checker *k, json_t *move) {
  alea_move joint[16] = {0};
  const char *role;
  json_t *text;
  json_object_foreach(move, role, text) {
    uint32_t r = role_number(k, role);
    joint[r] = alea_game_move_find(k->game, r, json_string_value(text));
    if (joint[r] == ALEA_NO_MOVE) complain(k, json_string_value(text));
  }
  if (!k->failed) must(k, alea_cursor_play(k->cursor, joint));
}

static void run_steps(checker *k, const json_t *steps) {
  size_t i;
  json_t *step, *goal;
  const char *role;
  json_array_foreach(steps, i, step) {
    json_t *expect = json_object_get(step, "expect");
    check_terminal(k, json_object_get(expect, "terminal"));
    check_moves(k, expect);
    json_object_foreach(json_object_get(expect, "goals"), role, goal)
        check_goal(k, role_number(k, role), json_integer_value(goal));
    if (json_object_get(step, "move") != NULL) play(k, json_object_get(step, "move"));
  }
}

static void check_perft(checker *k, const json_t *expected) {
  uint64_t counts[8] = {0};
  uint32_t depth = json_array_size(expected) < 4 ? (uint32_t)json_array_size(expected) : 4;
  must(k, alea_perft(k->cursor, depth, NULL, counts, &k->mem));
  for (uint32_t d = 0; d < depth; d++)
    if (counts[d] != (uint64_t)json_integer_value(json_array_get(expected, d)))
      complain(k, "perft");
}

static void run_derived(checker *k, const json_t *record) {
  check_list(k, 0, false, json_object_get(record, "initial_fluents"), true);
  check_terminal(k, json_object_get(record, "initial_terminal"));
  const json_t *legal = json_object_get(record, "initial_legal");
  for (uint32_t r = 0; r < json_array_size(legal); r++)
    check_list(k, r, true, json_array_get(legal, r), true);
  check_perft(k, json_object_get(record, "perft"));
}

/* ---- cases ---- */

static void run_case(const char *folder, make_game *make, const json_t *record,
                     conformance_result *result) {
  const char *kind = json_string_value(json_object_get(record, "kind"));
  bool machine = strcmp(kind, "statemachine") == 0;
  if ((!machine && strcmp(kind, "derived") != 0) || json_object_get(record, "unreliable")) {
    result->skipped++;
    return;
  }
  checker k = {.id = json_string_value(json_object_get(record, "id"))};
  char path[1024];
  alea_mem_init(&k.mem, 0);
  snprintf(path, sizeof path, "%s/conformance/kif/%s", folder,
           json_string_value(json_object_get(record, "rules")));
  must(&k, load_game(path, make, &k.mem, &k.game));
  if (!k.failed) must(&k, alea_cursor_new(k.game, &k.mem, &k.cursor));
  if (!k.failed && machine) run_steps(&k, json_object_get(record, "steps"));
  if (!k.failed && !machine) run_derived(&k, record);
  alea_cursor_free(k.cursor);
  alea_game_free(k.game);
  if (k.mem.used != 0) complain(&k, "leak");
  if (k.failed) {
    result->failed++;
  } else {
    result->passed++;
  }
}

bool conformance_run(const char *folder, make_game *make, conformance_result *result) {
  *result = (conformance_result){0};
  char path[1024];
  snprintf(path, sizeof path, "%s/conformance/cases.json", folder);
  json_t *file = json_load_file(path, 0, NULL);
  if (file == NULL) return false;
  size_t i;
  const json_t *record;
  json_array_foreach(json_object_get(file, "cases"), i, record)
      run_case(folder, make, record, result);
  json_decref(file);
  return true;
}
