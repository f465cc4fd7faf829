/* Malformed constraint files and rewriting games: every first message stands
 * where the mistake is and says what is wrong.  The cases are one table,
 * tests/unit/places.txt. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "csp/json.h"
#include "csp/xcsp3/xcsp3.h"
#include "scsp/json.h"
#include "support/load.h"
#include "toss/evaluation.h"
#include "toss/toss.h"

typedef struct place_case {
  char kind[16], words[160];
  unsigned line, column;
  const char *text;
  size_t length;
} place_case;

/* ---- reading, each kind as the program does ---- */

static void read_xcsp3(const place_case *c, alea_mem *mem, alea_diag *diag) {
  alea_xcsp3 instance;
  if (alea_xcsp3_read(&instance, mem, c->text, c->length, "x", diag) == ALEA_OK)
    alea_xcsp3_clear(&instance, mem);
}

static void read_network(const json_t *root, const char *type, alea_mem *mem, alea_diag *diag) {
  alea_status status;
  if (strcmp(type, "strategic") == 0) {
    alea_strategic_free(alea_strategic_read_json(mem, root, "x", diag, &status));
  } else if (strcmp(type, "scsp") == 0) {
    alea_scsp_free(alea_scsp_read_json(mem, root, "x", diag, &status));
  } else {
    alea_csp_free(alea_csp_read_json(mem, root, "x", diag, &status));
  }
}

static void read_json(const place_case *c, alea_mem *mem, alea_diag *diag) {
  csp_json r = {.mem = mem, .diag = diag, .file = "x"};
  bool limit;
  json_t *root = csp_json_parse(&r, c->text, c->length, &limit);
  if (root == NULL) return;
  const char *type = json_string_value(json_object_get(root, "type"));
  read_network(root, type != NULL ? type : "csp", mem, diag);
  json_decref(root);
  csp_json_locate(diag, c->text, c->length);
}

static alea_game *read_toss(const char *text, size_t length, alea_mem *mem, alea_diag *diag) {
  alea_toss_file *file;
  alea_game *game = NULL;
  if (alea_toss_read(&file, text, length, "x", mem, diag) == ALEA_OK)
    (void)alea_toss_game_new(&game, file, NULL, mem, diag);
  return game;
}

/* Evaluations are of this game. */
static void read_eval(const place_case *c, alea_mem *mem, alea_diag *diag) {
  static const char text[] =
      "PLAYERS p RULE M: [a | | ] -> [a | P(a) | ] emb P "
      "LOC 0 { PLAYER p { MOVES [M -> 0] } } START [a, b | P:1 {} | ]";
  alea_game *game = read_toss(text, sizeof text - 1, mem, NULL);
  assert_non_null(game);
  char *copy = strndup(c->text, c->length);
  alea_toss_evaluation *evaluation;
  alea_status status = alea_toss_evaluation_new(&evaluation, game, copy, mem, diag);
  assert_int_not_equal(status, ALEA_OK);
  alea_toss_evaluation_free(evaluation);
  free(copy);
  alea_game_free(game);
}

static void read_case(const place_case *c, alea_mem *mem, alea_diag *diag) {
  if (strcmp(c->kind, "xcsp3") == 0) {
    read_xcsp3(c, mem, diag);
  } else if (strcmp(c->kind, "json") == 0) {
    read_json(c, mem, diag);
  } else if (strcmp(c->kind, "eval") == 0) {
    read_eval(c, mem, diag);
  } else {
    assert_string_equal(c->kind, "toss");
    alea_game_free(read_toss(c->text, c->length, mem, diag));
  }
}

/* ---- comparing ---- */

static bool has_words(const char *message, char *words) {
  for (char *part = strtok(words, "|"); part != NULL; part = strtok(NULL, "|"))
    if (strstr(message, part) == NULL) return false;
  return true;
}

/* Returns whether the case is as expected. */
static bool check(place_case *c) {
  alea_mem mem;
  alea_diag diag;
  alea_mem_init(&mem, 0);
  alea_diag_init(&diag, &mem);
  read_case(c, &mem, &diag);
  bool good = diag.entries.count != 0;
  if (good) {
    const alea_diag_entry *entry = &diag.entries.data[0];
    char words[sizeof c->words];
    snprintf(words, sizeof words, "%s", c->words);
    good = entry->place.line == c->line && entry->place.column == c->column &&
           has_words(entry->message, words);
    if (!good)
      print_error("%s: expected %u:%u %s, found %u:%u %s\n%.*s\n", c->kind, c->line, c->column,
                  c->words, entry->place.line, entry->place.column, entry->message, (int)c->length,
                  c->text);
  } else {
    print_error("%s: not refused\n%.*s\n", c->kind, (int)c->length, c->text);
  }
  alea_diag_clear(&diag);
  assert_int_equal(mem.used, 0);
  return good;
}

static void every_place(void **state) {
  (void)state;
  size_t length;
  char *table = load_file(&length, "%s/tests/unit/places.txt", ALEA_SOURCE_DIR);
  assert_non_null(table);
  size_t constraints = 0, rewriting = 0, wrong = 0;
  char *at = strstr(table, "\n== ");
  while (at != NULL) {
    place_case c = {.text = strchr(at + 1, '\n')};
    assert_non_null(c.text);
    char *end = strstr(++c.text, "\n== ");
    c.length = (end != NULL ? (size_t)(end - c.text) : strlen(c.text));
    assert_int_equal(sscanf(at + 4, "%15s %u:%u %159[^\n]", c.kind, &c.line, &c.column, c.words),
                     4);
    bool network = strcmp(c.kind, "xcsp3") == 0 || strcmp(c.kind, "json") == 0;
    constraints += network;
    rewriting += !network;
    wrong += !check(&c);
    at = end;
  }
  free(table);
  assert_true(constraints >= 30 && rewriting >= 30);
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_place)};
  return cmocka_run_group_tests_name("places", tests, NULL, NULL);
}
