/* The shipped games against known facts: counts of move sequences, and for
 * chess the positions that every move generator is tested with. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "game/playout.h"
#include "gdl/header_comment.h"
#include "match/open.h"
#include "match/shipped.h"

enum { MOST_DEPTH = 6 };

typedef struct known {
  const char *game;
  const char *engine;
  uint64_t counts[MOST_DEPTH + 1]; /* ends with 0 */
} known;

/* Sources: tic-tac-toe and nim by hand; connect four, reversi, checkers and
 * chess are the published perft counts; breakthrough 22 = 8 straight + 14
 * aslant; amazons has 2176 first turns (a turn is two steps here). */
static const known table[] = {
    {"tictactoe", "net", {9, 72, 504, 3024, 15120, 54720}},
    {"tictactoe", "prover", {9, 72, 504, 3024}},
    {"connect-four", "net", {7, 49, 343, 2401, 16807, 117649}},
    {"connect-four", "prover", {7, 49, 343}},
    {"breakthrough", "net", {22, 484, 11132}},
    {"breakthrough", "prover", {22, 484}},
    {"reversi", "net", {4, 12, 56, 244, 1396, 8200}},
    {"reversi", "prover", {4, 12, 56}},
    {"hex", "net", {81, 6480}},
    {"hex", "prover", {81}},
    {"checkers", "net", {7, 49, 302, 1469, 7361, 36768}},
    {"checkers", "prover", {7, 49, 302}},
    {"chess", "net", {20, 400, 8902}},
    {"chess", "prover", {20}},
    {"amazons", "net", {80, 2176}},
    {"amazons", "prover", {80}},
    {"nim", "net", {16, 206}},
    {"nim", "prover", {16, 206}},
    {"matching-pennies", "net", {4, 8}},
    {"matching-pennies", "prover", {4, 8}},
    {"monty-hall", "net", {3, 9, 12, 24}},
    {"monty-hall", "prover", {3, 9, 12, 24}},
};

static void count(alea_game *game, const known *expected) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_cursor *cursor;
  assert_int_equal(alea_cursor_new(game, &mem, &cursor), ALEA_OK);
  uint32_t depth = 0;
  while (depth < MOST_DEPTH && expected->counts[depth] != 0) depth++;
  uint64_t counts[MOST_DEPTH];
  assert_int_equal(alea_perft(cursor, depth, NULL, counts, &mem), ALEA_OK);
  for (uint32_t i = 0; i < depth; i++) {
    if (counts[i] == expected->counts[i]) continue;
    print_error("%s, %s, depth %u\n", expected->game, expected->engine, i + 1);
    assert_int_equal(counts[i], expected->counts[i]);
  }
  alea_cursor_free(cursor);
  assert_int_equal(mem.used, 0);
}

static void counts_are_known(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    alea_open_options options = {
        .engine = alea_choice_find(ALEA_CHOICE_WORDS(ALEA_ENGINES), table[i].engine)};
    alea_opened opened;
    assert_int_equal(alea_open(&opened, table[i].game, &options, NULL), ALEA_OK);
    count(opened.game, &table[i]);
    alea_opened_clear(&opened);
    assert_int_equal(opened.mem.used, 0);
  }
}

static void every_game_is_valid_and_described(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  static const char *const keys[] = {"title",       "players", "tags",
                                     "description", "source",  "differs"};
  for (size_t i = 0; i < alea_shipped_file_count; i++) {
    const alea_shipped_file *file = &alea_shipped_files[i];
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
      alea_text value;
      alea_text_init(&value, &mem);
      if (!alea_header_comment((const char *)file->bytes, keys[k], &value)) {
        fail_msg("%s has no line ';; %s: ...'", file->file, keys[k]);
      }
      alea_text_clear(&value);
    }
    if (strstr(file->file, ".kif") == NULL) continue;
    alea_diag diag;
    alea_diag_init(&diag, &mem);
    alea_program *program = NULL;
    alea_program_options options = {.strict = true};
    alea_program_new(&program, (const char *)file->bytes, file->length, file->file, &options, &mem,
                     &diag);
    if (diag.entries.count > 0) {
      fail_msg("%s:%u: %s", file->file, diag.entries.data[0].place.line,
               diag.entries.data[0].message);
    }
    assert_non_null(program);
    alea_program_free(program);
    alea_diag_clear(&diag);
  }
  assert_int_equal(mem.used, 0);
}

/* ---- chess from other positions ---- */

/* Writes `init` facts for a position in Forsyth-Edwards notation. */
static void put_position(alea_text *out, const char *fen) {
  static const char letters[] = "prnbqk";
  static const char *const kinds[] = {"pawn", "rook", "knight", "bishop", "queen", "king"};
  int x = 0, y = 8;
  for (; *fen != ' '; fen++) {
    if (*fen == '/') {
      x = 0;
      y--;
    } else if (*fen >= '1' && *fen <= '8') {
      x += *fen - '0';
    } else {
      bool white = *fen < 'a';
      const char *letter = strchr(letters, white ? *fen - 'A' + 'a' : *fen);
      alea_text_format(out, "(init (cell %c %d %s %s))\n", 'a' + x++, y, white ? "white" : "black",
                       kinds[letter - letters]);
    }
  }
  for (; *fen != '\0'; fen++) {
    const char *side = *fen == 'K' || *fen == 'k' ? "short" : "long";
    if (*fen == ' ' || *fen == '-') continue;
    alea_text_format(out, "(init (may-castle %s %s))\n", *fen < 'a' ? "white" : "black", side);
  }
}

/* The shipped rules with another beginning, white to move. */
static void count_chess(const char *fen, const known *expected) {
  const char *rules = (const char *)alea_shipped_find("chess")->bytes;
  const char *start = strstr(rules, "(<= (init (cell"), *end = strstr(rules, "(init (control");
  assert_true(start != NULL && end != NULL && start < end);
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_text text;
  alea_text_init(&text, &mem);
  alea_text_add(&text, rules, (size_t)(start - rules));
  put_position(&text, fen);
  alea_text_put(&text, end);
  char path[] = "chess-position-XXXXXX.kif";
  snprintf(path, sizeof path, "chess-position-%06x.kif", (unsigned)strlen(fen));
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  assert_int_equal(fwrite(text.data, 1, text.length, file), text.length);
  fclose(file);
  alea_text_clear(&text);
  alea_open_options options = {.engine = ALEA_ENGINE_NET};
  alea_opened opened;
  assert_int_equal(alea_open(&opened, path, &options, NULL), ALEA_OK);
  remove(path);
  count(opened.game, expected);
  alea_opened_clear(&opened);
}

/* Castling, en passant with discovered checks, promotion, double check. */
static void chess_positions(void **state) {
  (void)state;
  count_chess("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R KQkq",
              &(known){"chess, position 2", "net", {48, 2039, 97862}});
  count_chess("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 -",
              &(known){"chess, position 3", "net", {14, 191, 2812, 43238}});
  count_chess("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 kq",
              &(known){"chess, position 4", "net", {6, 264, 9467}});
  count_chess("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R KQ",
              &(known){"chess, position 5", "net", {44, 1486, 62379}});
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts_are_known),
      cmocka_unit_test(every_game_is_valid_and_described),
      cmocka_unit_test(chess_positions),
  };
  return cmocka_run_group_tests_name("games", tests, NULL, NULL);
}
