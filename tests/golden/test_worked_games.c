/* Plays written out by hand, with what must hold along the way.
 *
 * tests/golden/games/NAME.play is read line by line:
 *
 *   (mark 2 2)                 a joint move: the moves, in role order, of the
 *                              roles that have more than one; others are forced
 *   .                          a joint move in which nobody has a choice
 *   = true (cell 2 2 x)        holds here           = false FLUENT  does not
 *   = legal ROLE N             has N moves          = can ROLE MOVE is legal
 *   = cannot ROLE MOVE         is not legal here
 *   = sees ROLE PERCEPT        was told with this position
 *   = blind ROLE PERCEPT       was not told
 *   = on                       not the end          = end V...  goals, in role order
 *   ---                        from the start again
 *   ; comment */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "game/listing.h"
#include "match/open.h"
#include "match/shipped.h"
#include "support/least.h"

enum { MOST_ROLES = 16 };

typedef struct reader {
  alea_opened opened;
  alea_cursor *cursor;
  alea_listing list;
  alea_mem mem;
  char name[128];
  unsigned line;
} reader;

#define refuse(r, ...)                                 \
  do {                                                 \
    print_error("%s.play:%u: ", (r)->name, (r)->line); \
    print_error(__VA_ARGS__);                          \
    fail();                                            \
  } while (0)

static uint32_t role_named(const reader *r, const char *name) {
  for (uint32_t i = 0; i < r->opened.game->role_count; i++)
    if (strcmp(r->opened.game->role_text[i], name) == 0) return i;
  refuse(r, "no role %s\n", name);
  return 0;
}

/* The length of the first term of 'text': a word or a list in parentheses. */
static size_t term_length(const char *text) {
  if (*text != '(') return strcspn(text, " ");
  size_t depth = 0, i = 0;
  do {
    if (text[i] == '(') depth++;
    if (text[i] == ')') depth--;
  } while (text[i++] != '\0' && depth > 0);
  return i;
}

static bool listed(reader *r, const char *text) {
  for (size_t i = 0; i < r->list.items.count; i++)
    if (strcmp(r->list.items.data[i], text) == 0) return true;
  return false;
}

static void show_list(const reader *r) {
  for (size_t i = 0; i < r->list.items.count; i++) print_error("  %s\n", r->list.items.data[i]);
}

/* ---- moves ---- */

static void play_line(reader *r, const char *line) {
  const alea_game *game = r->opened.game;
  alea_move joint[MOST_ROLES];
  bool terminal;
  assert_int_equal(alea_cursor_terminal(r->cursor, &terminal), ALEA_OK);
  if (terminal) refuse(r, "the play is over\n");
  if (strcmp(line, ".") == 0) line = "";
  for (uint32_t role = 0; role < game->role_count; role++) {
    alea_list legal;
    assert_int_equal(alea_cursor_legal(r->cursor, role, &legal), ALEA_OK);
    if (legal.count == 0) refuse(r, "%s has no move\n", game->role_text[role]);
    joint[role] = legal.ids[0];
    if (legal.count == 1) continue;
    char text[256];
    size_t length = term_length(line);
    if (length == 0 || length >= sizeof text)
      refuse(r, "a move of %s is missing\n", game->role_text[role]);
    snprintf(text, sizeof text, "%.*s", (int)length, line);
    joint[role] = alea_game_move_find(game, role, text);
    assert_int_equal(alea_listing_legal(&r->list, r->cursor, role), ALEA_OK);
    if (joint[role] == ALEA_NO_MOVE || !listed(r, text)) {
      print_error("%s.play:%u: %s is not legal for %s; legal are\n", r->name, r->line, text,
                  game->role_text[role]);
      show_list(r);
      fail();
    }
    line += length;
    line += strspn(line, " ");
  }
  if (*line != '\0') refuse(r, "nobody can play %s\n", line);
  assert_int_equal(alea_cursor_play(r->cursor, joint), ALEA_OK);
}

/* ---- what must hold ---- */

static void check_goals(reader *r, char *values) {
  bool terminal;
  assert_int_equal(alea_cursor_terminal(r->cursor, &terminal), ALEA_OK);
  if (!terminal) refuse(r, "the play goes on\n");
  for (uint32_t role = 0; role < r->opened.game->role_count; role++) {
    int goal;
    char *end;
    long expected = strtol(values, &end, 10);
    if (end == values) refuse(r, "a goal is missing\n");
    values = end;
    assert_int_equal(alea_cursor_goal(r->cursor, role, &goal), ALEA_OK);
    if (goal != expected)
      refuse(r, "the goal of %s is %d\n", r->opened.game->role_text[role], goal);
  }
}

static void check_role(reader *r, const char *what, const char *rest) {
  char name[64];
  size_t length = strcspn(rest, " ");
  snprintf(name, sizeof name, "%.*s", (int)length, rest);
  uint32_t role = role_named(r, name);
  const char *text = rest + length + strspn(rest + length, " ");
  bool percept = strcmp(what, "sees") == 0 || strcmp(what, "blind") == 0;
  assert_int_equal(percept ? alea_listing_percepts(&r->list, r->cursor, role)
                           : alea_listing_legal(&r->list, r->cursor, role),
                   ALEA_OK);
  bool ok;
  if (strcmp(what, "legal") == 0) {
    ok = (size_t)strtol(text, NULL, 10) == r->list.items.count;
  } else {
    bool wanted = strcmp(what, "can") == 0 || strcmp(what, "sees") == 0;
    ok = listed(r, text) == wanted;
  }
  if (ok) return;
  print_error("%s.play:%u: not so: %s %s; there are\n", r->name, r->line, what, rest);
  show_list(r);
  fail();
}

static void check_line(reader *r, char *line) {
  size_t length = strcspn(line, " ");
  char what[16];
  snprintf(what, sizeof what, "%.*s", (int)length, line);
  char *rest = line + length + strspn(line + length, " ");
  if (strcmp(what, "true") == 0 || strcmp(what, "false") == 0) {
    assert_int_equal(alea_listing_fluents(&r->list, r->cursor), ALEA_OK);
    if (listed(r, rest) != (what[0] == 't')) {
      print_error("%s.play:%u: not %s: %s; the position is\n", r->name, r->line, what, rest);
      show_list(r);
      fail();
    }
  } else if (strcmp(what, "on") == 0) {
    bool terminal;
    assert_int_equal(alea_cursor_terminal(r->cursor, &terminal), ALEA_OK);
    if (terminal) refuse(r, "the play is over\n");
  } else if (strcmp(what, "end") == 0) {
    check_goals(r, rest);
  } else {
    check_role(r, what, rest);
  }
}

static void run_file(const char *name) {
  reader r = {0};
  snprintf(r.name, sizeof r.name, "%s", name);
  char path[1024], line[1024];
  snprintf(path, sizeof path, ALEA_SOURCE_DIR "/tests/golden/games/%s.play", name);
  alea_open_options options = {.engine = ALEA_ENGINE_NET};
  assert_int_equal(alea_open(&r.opened, name, &options, NULL), ALEA_OK);
  alea_mem_init(&r.mem, 0);
  assert_int_equal(alea_cursor_new(r.opened.game, &r.mem, &r.cursor), ALEA_OK);
  alea_listing_init(&r.list, &r.mem);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  while (fgets(line, sizeof line, file) != NULL) {
    r.line++;
    size_t length = strcspn(line, ";\n");
    while (length > 0 && isspace((unsigned char)line[length - 1])) length--;
    line[length] = '\0';
    if (line[0] == '\0') continue;
    if (strcmp(line, "---") == 0)
      assert_int_equal(alea_cursor_reset(r.cursor), ALEA_OK);
    else if (line[0] == '=')
      check_line(&r, line + 2);
    else
      play_line(&r, line);
  }
  fclose(file);
  alea_listing_clear(&r.list);
  alea_cursor_free(r.cursor);
  assert_int_equal(r.mem.used, 0);
  alea_opened_clear(&r.opened);
}

static int is_play(const struct dirent *entry) {
  size_t length = strlen(entry->d_name);
  return length > 5 && strcmp(entry->d_name + length - 5, ".play") == 0;
}

static void plays_go_as_written(void **state) {
  (void)state;
  struct dirent **entries;
  int count = scandir(ALEA_SOURCE_DIR "/tests/golden/games", &entries, is_play, alphasort);
  expect_at_least(60, (unsigned long)(count < 0 ? 0 : count), "files", NULL);
  for (int i = 0; i < count; i++) {
    char name[128];
    snprintf(name, sizeof name, "%.*s", (int)strlen(entries[i]->d_name) - 5, entries[i]->d_name);
    free(entries[i]);
    run_file(name);
  }
  free(entries);
  print_message("%d files of plays\n", count);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(plays_go_as_written)};
  return cmocka_run_group_tests_name("worked_games", tests, NULL, NULL);
}
