/* Options, suggestions and the JSON writer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/json.h"
#include "base/options.h"
#include "base/suggest.h"

/* clang-format off */
#define ENGINES(word) word(ENGINE_AUTO, "auto") word(ENGINE_BIT_NET, "bit-net") word(ENGINE_BIT, "bit")
#define OPTIONS(row)                                                       \
  row(flag, json, "", 0, 0, "", "print JSON")                              \
  row(integer, threads, "1", 1, 64, "N", "threads to use")                 \
  row(real, ground_seconds, "10", 0, 1e6, "S", "time to ground")           \
  row(bytes, memory, "2G", 0, 0, "BYTES", "memory limit")                  \
  row(text, moves, "", 0, 0, "FILE", "moves to play")                      \
  row(choice, engine, "auto", 0, 0, ALEA_CHOICE_WORDS(ENGINES), "engine to use") \
  row(choice, write, "", 0, 0, ALEA_CHOICE_WORDS(ENGINES), "no default")   \
  row(texts, player, "", 0, 0, "P", "a player, in role order")
/* clang-format on */

ALEA_OPTION_TABLE(OPTIONS)
enum { ENGINES(ALEA_CHOICE_CONSTANT) ENGINE_COUNT };
static const char *const engine_words[] = {ENGINES(ALEA_CHOICE_STRING)};
static const alea_command command = {
    "test", "GAME", "does nothing", NULL, "alea test x", rows, sizeof rows / sizeof *rows, 1, 1};

enum { MOST_WORDS = 16 };

/* Splits 'words' at spaces, in place, and parses them. */
static alea_status parse(values *v, alea_command_line *line, alea_text *message, char *words,
                         char **argv) {
  int argc = 0;
  for (char *word = strtok(words, " "); word != NULL; word = strtok(NULL, " ")) {
    argv[argc++] = word;
  }
  return alea_options_parse(&command, v, argc, argv, line, message);
}

static void options_are_read(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_text message;
  alea_text_init(&message, &mem);
  values v;
  alea_command_line line;
  char words[] =
      "test --json g.kif --ground-seconds=2.5 --memory 1.5K --player uct --player random --";
  char *argv[MOST_WORDS];
  assert_int_equal(parse(&v, &line, &message, words, argv), ALEA_OK);
  assert_true(v.json);
  assert_int_equal(v.threads, 1);
  assert_true(v.ground_seconds == 2.5);
  assert_int_equal(v.memory, 1536);
  assert_null(v.moves);
  assert_int_equal(v.engine, ENGINE_AUTO);
  assert_int_equal(v.write, ALEA_NO_CHOICE);
  assert_int_equal(v.player.count, 2);
  assert_string_equal(v.player.items[1], "random");
  assert_int_equal(line.operand_count, 1);
  assert_string_equal(argv[1], "g.kif");
  alea_text_clear(&message);
  assert_int_equal(mem.used, 0);
}

/* A flag is off by default, unless its row says that it is on. */
static void flags_have_defaults(void **state) {
  (void)state;
  typedef struct switches {
    bool plain, on, off;
  } switches;
  static const alea_option flags[] = {
      {.field = "plain",
       .kind = ALEA_OPTION_flag,
       .fallback = "",
       .offset = offsetof(switches, plain)},
      {.field = "on", .kind = ALEA_OPTION_flag, .fallback = "on", .offset = offsetof(switches, on)},
      {.field = "off",
       .kind = ALEA_OPTION_flag,
       .fallback = "off",
       .offset = offsetof(switches, off)}};
  switches v = {.plain = true, .off = true};
  alea_options_defaults(flags, sizeof flags / sizeof *flags, &v);
  assert_false(v.plain);
  assert_true(v.on);
  assert_false(v.off);
}

/* Constants, words and what the parser stores come from one list. */
static void choices_are_constants(void **state) {
  (void)state;
  assert_string_equal(ALEA_CHOICE_WORDS(ENGINES), "auto|bit-net|bit");
  assert_int_equal(sizeof engine_words / sizeof *engine_words, ENGINE_COUNT);
  static const char *const wrong[] = {"", "bi", "bit-", "auto|bit-net", "|", "BIT"};
  values v;
  alea_options_defaults(rows, command.option_count, &v);
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_text message;
  alea_text_init(&message, &mem);
  for (int i = 0; i < ENGINE_COUNT; i++) {
    assert_int_equal(alea_choice_find(ALEA_CHOICE_WORDS(ENGINES), engine_words[i]), i);
    assert_int_equal(
        alea_options_set(rows, command.option_count, &v, "engine", engine_words[i], &message),
        ALEA_OK);
    assert_int_equal(v.engine, i);
  }
  assert_int_equal(v.engine, ENGINE_BIT);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    assert_int_equal(alea_choice_find(ALEA_CHOICE_WORDS(ENGINES), wrong[i]), ALEA_NO_CHOICE);
    assert_int_equal(alea_options_set(rows, command.option_count, &v, "engine", wrong[i], &message),
                     ALEA_USAGE);
  }
  alea_text_clear(&message);
  assert_int_equal(mem.used, 0);
}

static void wrong_options_are_explained(void **state) {
  (void)state;
  static const struct {
    const char *words, *message;
  } cases[] = {
      {"test --thread 2", "unknown option '--thread'; did you mean --threads?"},
      {"test --engin=net x", "unknown option '--engin'; did you mean --engine?"},
      {"test --zzzzzzzz x", "unknown option '--zzzzzzzz'"},
      {"test --threads 0", "option '--threads': '0' is not a whole number from 1 to 64"},
      {"test --threads 1x", "option '--threads': '1x' is not a whole number from 1 to 64"},
      {"test --engine nut", "option '--engine': 'nut' is not one of auto|bit-net|bit"},
      {"test --json=1 x", "option '--json' takes no value"},
      {"test --memory 2Q", "option '--memory': '2Q' is not a size such as 512M or 2G"},
      {"test x y", "too many operands"},
      {"test x --moves", "option '--moves' needs a value: a text"},
      {"test --threads 2", "GAME is missing"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    alea_mem mem;
    alea_mem_init(&mem, 0);
    alea_text message;
    alea_text_init(&message, &mem);
    values v;
    alea_command_line line;
    char words[64], *argv[MOST_WORDS];
    strcpy(words, cases[i].words);
    assert_int_equal(parse(&v, &line, &message, words, argv), ALEA_USAGE);
    assert_string_equal(alea_text_string(&message), cases[i].message);
    alea_text_clear(&message);
    assert_int_equal(mem.used, 0);
  }
}

static void help_names_every_option(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_text help;
  alea_text_init(&help, &mem);
  alea_options_help(&command, &help);
  assert_non_null(strstr(help.data, "--ground-seconds S"));
  assert_non_null(strstr(help.data, "memory limit (default 2G)"));
  assert_non_null(strstr(help.data, "--engine auto|bit-net|bit"));
  assert_non_null(strstr(help.data, "example:\n  alea test x\n"));
  alea_text_clear(&help);
}

static void suggestions(void **state) {
  (void)state;
  assert_int_equal(alea_suggest_distance("perft", "Perft", 9), 0);
  assert_int_equal(alea_suggest_distance("preft", "perft", 9), 1);
  assert_int_equal(alea_suggest_distance("", "abc", 9), 3);
  assert_int_equal(alea_suggest_distance("kitten", "sitting", 9), 3);
  assert_int_equal(alea_suggest_distance("kitten", "sitting", 2), 2);
}

static void json_is_escaped(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_text text;
  alea_text_init(&text, &mem);
  alea_json json;
  alea_json_start(&json, &text);
  alea_json_open(&json, '{');
  alea_json_put_string(&json, "a\"\\\n", "\xc3\xa4 \xe4 \xed\xa0\x80");
  alea_json_key(&json, "list");
  alea_json_open(&json, '[');
  alea_json_integer(&json, -3);
  alea_json_real(&json, 0.25);
  alea_json_open(&json, '{');
  alea_json_close(&json, '}');
  alea_json_null(&json);
  alea_json_close(&json, ']');
  alea_json_put_bool(&json, "b", true);
  alea_json_close(&json, '}');
  assert_string_equal(alea_text_string(&text),
                      "{\"a\\\"\\\\\\u000a\":\"\xc3\xa4 \\ufffd \\ufffd\\ufffd\\ufffd\","
                      "\"list\":[-3,0.25,{},null],\"b\":true}");
  alea_text_clear(&text);
  assert_int_equal(mem.used, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(options_are_read),        cmocka_unit_test(flags_have_defaults),
      cmocka_unit_test(choices_are_constants),   cmocka_unit_test(wrong_options_are_explained),
      cmocka_unit_test(help_names_every_option), cmocka_unit_test(suggestions),
      cmocka_unit_test(json_is_escaped),
  };
  return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
