/* Random rewriting games that the checker accepts: the network plays as the
 * interpreter does, and what is printed of them plays the same.
 *
 * Environment: ALEA_FULL=1 makes 3,000 of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "cmocka_all.h"
#include "propnet/propnet.h"
#include "support/compare_games.h"
#include "toss/toss.h"

enum { MOST_LOCATIONS = 3, RULES = 4 };

typedef struct writer {
  alea_rng rng;
  alea_text text;
} writer;

static unsigned pick(writer *w, unsigned n) { return alea_rng_below(&w->rng, n); }

/* ---- making ---- */

/* Terms of a sum's kind; decimals that no double is, quotients, powers, roots. */
static void term(writer *w, int depth) {
  static const char *const numbers[] = {"0.1", "0.2", "0.3", "1", "2", "1/3", "-0.7", "0.25"};
  switch (pick(w, depth > 0 ? 7 : 2)) {
    case 0: alea_text_put(&w->text, numbers[pick(w, 8)]); return;
    case 1:
      alea_text_format(&w->text, "Sum (z | %c(z) : %s)", "PQ"[pick(w, 2)], numbers[pick(w, 8)]);
      return;
    case 2: alea_text_put(&w->text, "Root(2, Sum (z | P(z) : 1))"); return;
    case 3:
      alea_text_format(&w->text, "(");
      term(w, depth - 1);
      alea_text_format(&w->text, ")^%u", 1 + pick(w, 2));
      return;
    case 4: alea_text_format(&w->text, "Prod (z | Q(z) : %s)", numbers[pick(w, 8)]); return;
    default:
      term(w, depth - 1);
      alea_text_put(&w->text, pick(w, 2) == 0 ? " + " : " * ");
      term(w, depth - 1);
  }
}

static void formula(writer *w, const char *vars, int depth) {
  unsigned n = (unsigned)strlen(vars);
  char inner[8];
  switch (pick(w, depth > 0 ? 8 : 3)) {
    case 0: alea_text_format(&w->text, "%c(%c)", "PQ"[pick(w, 2)], vars[pick(w, n)]); return;
    case 1:
      alea_text_format(&w->text, "%c(%c, %c)", "ED"[pick(w, 2)], vars[pick(w, n)],
                       vars[pick(w, n)]);
      return;
    case 2:
      alea_text_char(&w->text, '(');
      term(w, 1);
      alea_text_put(&w->text, pick(w, 2) == 0 ? " < " : " = ");
      term(w, 1);
      break;
    case 3:
      alea_text_put(&w->text, "not (");
      formula(w, vars, depth - 1);
      break;
    case 4:
    case 5:
      snprintf(inner, sizeof inner, "%sy", vars);
      alea_text_format(&w->text, "%s y (", pick(w, 2) == 0 ? "ex" : "all");
      formula(w, n < 4 ? inner : vars, depth - 1);
      break;
    default:
      alea_text_char(&w->text, '(');
      formula(w, vars, depth - 1);
      alea_text_put(&w->text, pick(w, 2) == 0 ? " and " : " or ");
      formula(w, vars, depth - 1);
  }
  alea_text_char(&w->text, ')');
}

static void rule(writer *w, unsigned number) {
  static const char *const shapes[] = {
      "[a | | ] -> [a | P(a) | ] emb P",
      "[a | P(a) | ] -> [a | Q(a) | ] emb P, Q",
      "[a, b | P(a); E(a, b) | ] -> [a, b | P(b) | ] emb P",
      "[a, b | _opt_Q(a); E(a, b) | ] -> [a, b | Q(b); E(a, b) | ] emb Q",
      "[a, b | | ] -> [a, b | E(b, a) | ]",
  };
  unsigned shape = pick(w, 5);
  alea_text_format(&w->text, "RULE M%u: %s", number, shapes[shape]);
  if (pick(w, 2) == 0) {
    alea_text_put(&w->text, " pre ");
    formula(w, shape < 2 ? "a" : "ab", 2);
  }
  if (pick(w, 4) == 0) {
    alea_text_put(&w->text, " post ");
    formula(w, shape < 2 ? "a" : "ab", 1);
  }
  alea_text_char(&w->text, '\n');
}

/* One or two players move; with two, edges decide some tuples, and labels that
 * agree the others. */
static void location(writer *w, unsigned number, unsigned count) {
  unsigned movers = 1 + pick(w, 3), common = pick(w, count); /* bits */
  alea_text_format(&w->text, "LOC %u {", number);
  for (unsigned p = 0; p < 2; p++) {
    alea_text_format(&w->text, " PLAYER %c { PAYOFF ", "pq"[p]);
    term(w, 1);
    for (unsigned k = 0; (movers >> p & 1) && k < 2; k++) {
      alea_text_format(&w->text, "%s[M%u as k%u -> ", k == 0 ? " MOVES " : "; ", pick(w, RULES), k);
      if (movers != 3 && pick(w, 3) == 0) {
        alea_text_format(&w->text, "%u : 1/3, %u : 2/3]", pick(w, count), pick(w, count));
      } else {
        alea_text_format(&w->text, "%u]", movers == 3 ? common : pick(w, count));
      }
    }
    alea_text_put(&w->text, " }");
  }
  if (movers == 3 && pick(w, 2) == 0)
    alea_text_format(&w->text, " EDGE [k%u, k%u] -> %u", pick(w, 2), pick(w, 2), pick(w, count));
  alea_text_put(&w->text, " }\n");
}

static void make_game(writer *w) {
  unsigned locations = 1 + pick(w, MOST_LOCATIONS);
  alea_text_put(&w->text,
                "PLAYERS p, q\nRANGE -3 -- 3\nREL D(x, y) = ex z (E(x, z) and E(z, y))\n");
  for (unsigned i = 0; i < RULES; i++) rule(w, i);
  for (unsigned i = 0; i < locations; i++) location(w, i, locations);
  alea_text_put(&w->text, "START [a, b, c | P:1 {}; Q:1 {}; E(a, b); E(b, c)");
  if (pick(w, 2) == 0) alea_text_put(&w->text, "; P(a); Q(c)");
  alea_text_put(&w->text, " | ]\n");
}

/* ---- comparing ---- */

static alea_toss_file *read_game(const char *text, size_t length, alea_mem *mem) {
  alea_toss_file *file;
  alea_diag diag;
  alea_diag_init(&diag, mem);
  if (alea_toss_read(&file, text, length, "x", mem, &diag) != ALEA_OK)
    fail_msg("%u:%u %s\n%s", diag.entries.data[0].place.line, diag.entries.data[0].place.column,
             diag.entries.data[0].message, text);
  alea_diag_clear(&diag);
  return file;
}

static alea_game *interpreted(const char *text, size_t length, alea_mem *mem) {
  alea_game *game;
  assert_int_equal(alea_toss_game_new(&game, read_game(text, length, mem), NULL, mem, NULL),
                   ALEA_OK);
  return game;
}

static alea_game *compiled(const char *text, size_t length, alea_mem *mem) {
  alea_toss_file *file = read_game(text, length, mem);
  alea_ground *ground;
  alea_net *net;
  alea_game *game = NULL;
  alea_status status = alea_toss_ground(&ground, file, mem, NULL);
  if (status != ALEA_OK) assert_int_equal(status, ALEA_UNSUPPORTED);
  if (status == ALEA_OK) {
    assert_int_equal(alea_net_new(&net, ground, NULL, mem, NULL), ALEA_OK);
    assert_int_equal(alea_net_game_new(&game, net, mem), ALEA_OK);
    alea_ground_free(ground);
  }
  alea_toss_free(file);
  return game;
}

static void compare(const alea_game *a, const alea_game *b, uint64_t seed, const char *text) {
  comparison result;
  if (!compare_games(a, b, seed, 3, 12, 0, &result))
    fail_msg("seed %llu: %s\n%s", (unsigned long long)seed, result.message, text);
}

/* Returns whether the game could be compiled. */
static bool compare_one(uint64_t seed) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  writer w;
  alea_rng_seed_stream(&w.rng, seed, 5);
  alea_text_init(&w.text, &mem);
  make_game(&w);
  alea_game *oracle = interpreted(w.text.data, w.text.length, &mem);
  alea_game *net = compiled(w.text.data, w.text.length, &mem);
  if (net != NULL) compare(oracle, net, seed, w.text.data);
  alea_toss_file *file = read_game(w.text.data, w.text.length, &mem);
  alea_text printed;
  alea_text_init(&printed, &mem);
  alea_toss_print(file, &printed);
  alea_game *again = interpreted(printed.data, printed.length, &mem);
  compare(oracle, again, seed, printed.data);
  bool could = net != NULL;
  alea_game_free(again);
  alea_game_free(net);
  alea_game_free(oracle);
  alea_toss_free(file);
  alea_text_clear(&printed);
  alea_text_clear(&w.text);
  assert_int_equal(mem.used, 0);
  return could;
}

static void random_games(void **state) {
  (void)state;
  const char *full = getenv("ALEA_FULL");
  uint64_t games = full != NULL && *full == '1' ? 3000 : 600, could = 0;
  for (uint64_t seed = 1; seed <= games; seed++) could += compare_one(seed);
  assert_true(could > games / 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_games)};
  return cmocka_run_group_tests_name("random rewriting games", tests, NULL, NULL);
}
