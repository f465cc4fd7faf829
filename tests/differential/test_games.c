/* Every shipped game keeps what GDL promises, over random playouts:
 *
 *   - every role has a legal move before the end;
 *   - at the end exactly one goal value holds for every role;
 *   - no play is longer than tests/golden/games/longest.tsv says;
 *   - percepts are as the tags declare: `hidden` games tell players something,
 *     `shared` ones tell all players the same, `private` ones do not;
 *   - grounding is quick and small.
 *
 * Environment: ALEA_FULL=1 plays each 1,000 times; ALEA_GAME_ONLY=text takes
 * only games whose name contains it.  (differential/test_engines compares the
 * network with the prover on these games.) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cmocka_all.h"
#include "game/listing.h"
#include "gdl/header_comment.h"
#include "match/open.h"
#include "match/shipped.h"
#include "support/least.h"

enum { PLAYS = 30, PLAYS_FULL = 1000, MOST_ROLES = 16, NEVER_ENDS = 200000 };

typedef struct subject {
  alea_opened opened;
  alea_cursor *cursor;
  alea_mem mem;
  const char *name;
  uint8_t *value; /* per node of the network, for the goals */
  uint32_t longest;
  bool hidden, shared, private; /* tags */
  bool told, told_differently;  /* what was seen */
} subject;

static bool is_full(void) {
  const char *full = getenv("ALEA_FULL");
  return full != NULL && strcmp(full, "0") != 0;
}

/* ---- goals ---- */

static bool lit_value(const subject *s, alea_lit lit) {
  return (s->value[lit >> 1] != 0) != ((lit & 1) != 0);
}

static bool gate_value(const subject *s, const alea_net_gate *gate) {
  const alea_lit *inputs = s->opened.net->inputs.data + gate->first_input;
  bool is_and = gate->kind == ALEA_GATE_AND;
  for (uint32_t i = 0; i < gate->input_count; i++)
    if (lit_value(s, inputs[i]) != is_and) return !is_and;
  return is_and;
}

/* One pass over the gates of nodes first .. last-1; true when one rose. */
static bool pass(subject *s, uint32_t first, uint32_t last) {
  bool rose = false;
  for (uint32_t node = first; node < last; node++) {
    bool value = gate_value(s, &s->opened.net->gates[node - s->opened.net->first_gate]);
    if (value && !s->value[node]) rose = true;
    s->value[node] = value;
  }
  return rose;
}

/* All gates that goals need, by definition and not by the engine: the engine
 * reports one goal even where several hold. */
static void evaluate(subject *s) {
  const alea_net *net = s->opened.net;
  memset(s->value, 0, net->first_gate + net->gate_count);
  s->value[0] = 1;
  alea_list fluents;
  assert_int_equal(alea_cursor_fluents(s->cursor, &fluents), ALEA_OK);
  for (uint32_t i = 0; i < fluents.count; i++) s->value[1 + fluents.ids[i]] = 1;
  uint32_t node = net->first_gate, end = net->phase_end[ALEA_PHASE_GOAL];
  for (size_t c = 0; c < net->cycles.count && node < end; c++) {
    alea_net_cycle cycle = net->cycles.data[c];
    if (cycle.first >= end) break;
    pass(s, node, cycle.first);
    while (pass(s, cycle.first, cycle.last + 1)) continue;
    node = cycle.last + 1;
  }
  pass(s, node, end);
}

static void one_goal_each(subject *s) {
  unsigned found[MOST_ROLES] = {0};
  evaluate(s);
  const alea_net *net = s->opened.net;
  for (size_t i = 0; i < net->goals.count; i++)
    if (lit_value(s, net->goals.data[i].lit)) found[net->goals.data[i].role]++;
  for (uint32_t r = 0; r < net->role_count; r++)
    if (found[r] != 1)
      fail_msg("%s: %u goal values for %s at the end", s->name, found[r], net->role_text[r]);
}

/* ---- percepts ---- */

static void compare_percepts(subject *s) {
  const alea_game *game = s->opened.game;
  alea_list list;
  uint32_t *first = NULL, count = 0;
  for (uint32_t r = 0; r < game->role_count; r++) {
    if ((int)r == game->random_role) continue;
    assert_int_equal(alea_cursor_percepts(s->cursor, r, &list), ALEA_OK);
    if (list.count > 0) s->told = true;
    if (first == NULL) {
      count = list.count;
      first = malloc((count + 1) * sizeof *first);
      assert_non_null(first);
      if (count > 0) memcpy(first, list.ids, count * sizeof *first);
      continue;
    }
    bool same = list.count == count;
    for (uint32_t i = 0; same && i < count; i++) {
      bool found = false;
      for (uint32_t k = 0; k < count; k++) found = found || list.ids[k] == first[i];
      same = found;
    }
    if (!same) s->told_differently = true;
  }
  free(first);
}

/* ---- plays ---- */

static void play_once(subject *s, alea_rng *rng) {
  const alea_game *game = s->opened.game;
  alea_cursor_reset(s->cursor);
  for (uint32_t step = 0;; step++) {
    bool terminal;
    assert_int_equal(alea_cursor_terminal(s->cursor, &terminal), ALEA_OK);
    if (terminal) break;
    if (step >= s->longest) fail_msg("%s: a play of more than %u steps", s->name, s->longest);
    alea_move joint[MOST_ROLES];
    for (uint32_t r = 0; r < game->role_count; r++) {
      alea_list legal;
      assert_int_equal(alea_cursor_legal(s->cursor, r, &legal), ALEA_OK);
      if (legal.count == 0)
        fail_msg("%s: step %u: %s has no legal move", s->name, step, game->role_text[r]);
      joint[r] = legal.ids[alea_rng_below(rng, legal.count)];
    }
    assert_int_equal(alea_cursor_play(s->cursor, joint), ALEA_OK);
    if (game->has_sees) compare_percepts(s);
  }
  one_goal_each(s);
}

/* ---- what is declared ---- */

static bool has_tag(const char *tags, const char *tag) {
  size_t length = strlen(tag);
  for (const char *at = tags; (at = strstr(at, tag)) != NULL; at += length)
    if ((at == tags || at[-1] == ' ') && (at[length] == ',' || at[length] == '\0')) return true;
  return false;
}

static void read_tags(subject *s, const alea_shipped_file *file) {
  alea_text tags;
  alea_text_init(&tags, &s->mem);
  assert_true(alea_header_comment((const char *)file->bytes, "tags", &tags));
  s->hidden = has_tag(alea_text_string(&tags), "hidden");
  s->shared = has_tag(alea_text_string(&tags), "shared");
  s->private = has_tag(alea_text_string(&tags), "private");
  alea_text_clear(&tags);
}

/* The bound of a game; every shipped game must have a line. */
static uint32_t find_longest(const char *name) {
  FILE *file = fopen(ALEA_SOURCE_DIR "/tests/golden/games/longest.tsv", "r");
  assert_non_null(file);
  char line[256], game[128];
  unsigned bound = 0;
  bool found = false;
  while (!found && fgets(line, sizeof line, file) != NULL) {
    if (sscanf(line, "%127s %u", game, &bound) == 2)
      found = strcmp(game, name) == 0;
    else if (sscanf(line, "%127s -", game) == 1)
      found = strcmp(game, name) == 0, bound = NEVER_ENDS;
  }
  fclose(file);
  if (!found) fail_msg("%s has no line in longest.tsv", name);
  return bound;
}

static void declared(const subject *s) {
  if (s->hidden != s->opened.game->has_sees || s->hidden != s->told)
    fail_msg("%s: tag hidden is %d, percepts were %sseen", s->name, s->hidden,
             s->told ? "" : "not ");
  if (s->shared && s->told_differently) fail_msg("%s: players are told different things", s->name);
  if (s->private != s->told_differently)
    fail_msg("%s: tag private is %d, but players are told %s", s->name, s->private,
             s->told_differently ? "different things" : "the same");
}

static void examine(const alea_shipped_file *file, uint32_t plays) {
  subject s = {.name = file->name};
  alea_open_options options = {.engine = ALEA_ENGINE_NET, .memory = (size_t)1 << 30};
  assert_int_equal(alea_open(&s.opened, file->name, &options, NULL), ALEA_OK);
  alea_mem_init(&s.mem, 0);
  assert_int_equal(alea_cursor_new(s.opened.game, &s.mem, &s.cursor), ALEA_OK);
  assert_true(s.opened.game->role_count <= MOST_ROLES);
  s.value = calloc(s.opened.net->first_gate + s.opened.net->gate_count, 1);
  assert_non_null(s.value);
  s.longest = find_longest(file->name);
  read_tags(&s, file);
  alea_rng rng;
  alea_rng_seed(&rng, 5);
  alea_deadline enough = alea_deadline_in(is_full() ? 3600 : 0.4);
  for (uint32_t i = 0; i < plays && (i < 5 || !alea_deadline_passed(&enough)); i++)
    play_once(&s, &rng);
  declared(&s);
  free(s.value);
  alea_cursor_free(s.cursor);
  assert_int_equal(s.mem.used, 0);
  alea_opened_clear(&s.opened);
}

static void every_game_conforms(void **state) {
  (void)state;
  const char *only = getenv("ALEA_GAME_ONLY");
  unsigned games = 0;
  for (size_t i = 0; i < alea_shipped_file_count; i++) {
    const alea_shipped_file *file = &alea_shipped_files[i];
    if (strstr(file->file, ".kif") == NULL) continue;
    if (only != NULL && strstr(file->name, only) == NULL) continue;
    examine(file, is_full() ? PLAYS_FULL : PLAYS);
    games++;
  }
  print_message("%u games\n", games);
  expect_at_least(60, games, "games", "ALEA_GAME_ONLY");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_game_conforms)};
  return cmocka_run_group_tests_name("games", tests, NULL, NULL);
}
