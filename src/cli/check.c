/* alea check: parses and validates rulesheets. */
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "cli/check_plays.h"
#include "cli/cli.h"
#include "cli/output.h"
#include "gdl/check.h"
#include "gdl/hrf.h"
#include "gdl/report.h"
#include "match/open.h"
#include "toss/syntax.h"
#include "toss/toss.h"

/* clang-format off */
#define OPTIONS(row)                                                               \
  row(flag, json, "", 0, 0, "", "print one JSON object per rulesheet")             \
  row(flag, print, "", 0, 0, "", "print the sentences as read, one per line")      \
  row(flag, strict, "", 0, 0, "", "what a play shows to be wrong makes a rulesheet invalid, too") \
  row(flag, lenient, "", 0, 0, "", "may this be played? accept what has a sensible reading") \
  row(real, deep, "0.3", 0, 1e6, "S",                                              \
      "CPU seconds to search for plays that show what is wrong; 0: look at the rules alone") \
  row(text, play, "", 0, 0, "FILE", "write the joint moves of the plays to FILE, `---` between them") \
  row(flag, codes, "", 0, 0, "", "list the codes of all problems, with what they mean") \
  row(bytes, memory, "4G", 0, 0, "BYTES", "memory limit; 0 is none")
/* clang-format on */
ALEA_OPTION_TABLE(OPTIONS)

static const alea_command command = {
    .name = "check",
    .operands = "GAME...",
    .summary = "parses and validates rulesheets; reports every problem",
    .details =
        "A problem is printed as FILE:LINE:COLUMN: error|warning: text [code].\n"
        "Exit status 1: some rulesheet is not valid.  Such a rulesheet may still be played:\n"
        "other commands accept what has a sensible reading unless --strict is given.\n"
        "\n"
        "Then the game is searched, for --deep seconds at most, for plays that show what the\n"
        "rules do not: a role without a legal move, no end, no goal or two at an end.  The\n"
        "moves are printed, and `alea show GAME --moves FILE` shows the position.",
    .example = "alea check tictactoe chess",
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .least_operands = 0,
    .most_operands = -1,
};

static alea_status print_json(const char *name, bool valid, const alea_diag *diag,
                              const alea_check_plays *plays, alea_text *out) {
  alea_json json;
  alea_json_start(&json, out);
  alea_json_open(&json, '{');
  alea_json_put_string(&json, "file", name);
  alea_json_put_bool(&json, "valid", valid);
  alea_json_key(&json, "diagnostics");
  alea_json_open(&json, '[');
  for (size_t i = 0; i < diag->entries.count; i++) {
    const alea_diag_entry *entry = &diag->entries.data[i];
    alea_json_open(&json, '{');
    alea_json_put_count(&json, "line", entry->place.line);
    alea_json_put_count(&json, "column", entry->place.column);
    alea_json_put_string(&json, "severity", entry->severity == ALEA_ERROR ? "error" : "warning");
    alea_json_put_string(&json, "code", entry->code);
    alea_json_put_string(&json, "message", entry->message);
    alea_json_close(&json, '}');
  }
  alea_json_close(&json, ']');
  alea_check_plays_json(plays, &json, out->mem);
  alea_json_close(&json, '}');
  alea_text_char(out, '\n');
  return alea_cli_write(out);
}

/* A symbol table that starts with the keywords of GDL. */
static alea_symbols *new_symbols(alea_mem *mem) {
  alea_symbols *symbols = alea_symbols_new(mem);
  bool good = symbols != NULL;
#define ADD(name, word) \
  good = good && alea_symbols_add(symbols, word, strlen(word)) == ALEA_SYM_##name;
  ALEA_GDL_WORDS(ADD)
#undef ADD
  if (good) return symbols;
  alea_symbols_free(symbols);
  return NULL;
}

/* Prints the sentences in canonical form; the check reports problems. */
static alea_status print_sentences(alea_opened *opened, const char *name, alea_text *out) {
  alea_symbols *symbols = new_symbols(&opened->mem);
  if (symbols == NULL) return ALEA_SYSTEM;
  alea_sexprs list = {.mem = &opened->mem};
  alea_sexpr_limits limits = {.max_bytes = SIZE_MAX, .max_depth = 256};
  alea_status status = alea_gdl_read(&list, alea_text_string(&opened->source),
                                     opened->source.length, name, &limits, symbols, NULL);
  for (uint32_t i = 0; status == ALEA_OK && i < list.items.count; i = list.items.data[i].after) {
    alea_sexprs_print(&list, i, symbols, false, out);
    alea_text_char(out, '\n');
  }
  alea_sexprs_clear(&list);
  alea_symbols_free(symbols);
  return status == ALEA_OK ? alea_cli_write(out) : status;
}

/* Looks at the first position: what is undecided or too large there is told. */
static alea_status look_at_start(alea_opened *opened, alea_toss_file *file, alea_diag *diag) {
  alea_game *game = NULL;
  alea_cursor *cursor = NULL;
  bool end;
  alea_status status = alea_toss_game_new(&game, file, NULL, &opened->mem, diag);
  if (status == ALEA_OK) status = alea_cursor_new(game, &opened->mem, &cursor);
  if (status == ALEA_OK) status = alea_cursor_terminal(cursor, &end);
  for (uint32_t role = 0; status == ALEA_OK && role < game->role_count; role++) {
    int goal;
    status = alea_cursor_goal(cursor, role, &goal);
  }
  if (game != NULL) alea_game_notes(game, diag);
  alea_cursor_free(cursor);
  alea_game_free(game);
  return status;
}

/* A structure rewriting game is valid if it can be read and begun. */
static alea_status check_toss(alea_opened *opened, const char *name, bool print, alea_diag *diag) {
  alea_toss_file *file = NULL;
  alea_status status = alea_toss_read(&file, alea_text_string(&opened->source),
                                      opened->source.length, name, &opened->mem, diag);
  alea_text out;
  alea_text_init(&out, &opened->mem);
  if (file != NULL && print) {
    alea_toss_print(file, &out);
    alea_status written = alea_cli_write(&out);
    if (written != ALEA_OK) status = written;
  }
  alea_text_clear(&out);
  if (status == ALEA_OK) {
    status = look_at_start(opened, file, diag);
  } else {
    alea_toss_free(file);
  }
  return status == ALEA_INPUT ? ALEA_NO : status;
}

/* ALEA_OK: valid; ALEA_NO: invalid. */
static alea_status check(alea_opened *opened, const char *name, const values *v, alea_diag *diag) {
  alea_status status = alea_open_text(opened, name, v->memory, diag);
  if (status != ALEA_OK) return status;
  if (alea_open_is_toss(name)) return check_toss(opened, name, v->print, diag);
  return alea_check_text(alea_text_string(&opened->source), opened->source.length, name,
                         !v->lenient, &opened->mem, diag);
}

/* What plays show of a rulesheet whose text was looked at with 'status'. */
static alea_status check_plays(alea_check_plays *plays, alea_status status, alea_opened *opened,
                               const char *name, const values *v, alea_diag *diag) {
  if ((status != ALEA_OK && status != ALEA_NO) || v->deep == 0 || v->print) return status;
  if (alea_open_is_toss(name) && status == ALEA_NO) return status; /* it cannot be opened */
  size_t errors = diag->errors;
  alea_cli_progress *progress = alea_cli_progress_start("searching for plays", v->deep);
  alea_status found = alea_check_plays_find(plays, name, alea_text_string(&opened->source),
                                            opened->source.length, v->deep, v->memory);
  alea_cli_progress_stop(progress);
  if (found != ALEA_OK) return found;
  alea_check_plays_report(plays, v->strict ? ALEA_ERROR : ALEA_WARNING, diag);
  return diag->errors > errors ? ALEA_NO : status;
}

static alea_status print_result(const char *name, bool valid, const alea_diag *diag,
                                const alea_check_plays *plays, const values *v, alea_text *out) {
  if (v->json) return print_json(name, valid, diag, plays, out);
  if (v->print) return ALEA_OK;
  alea_check_plays_print(plays, out);
  alea_text_format(out, "%s: %s, %zu error%s, %zu warning%s\n", name, valid ? "valid" : "not valid",
                   diag->errors, diag->errors == 1 ? "" : "s", diag->warnings,
                   diag->warnings == 1 ? "" : "s");
  return alea_cli_write(out);
}

static alea_status check_one(const char *name, const values *v) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_diag diag;
  alea_diag_init(&diag, &mem);
  alea_text out;
  alea_text_init(&out, &mem);
  alea_opened opened;
  alea_check_plays plays = {0};
  alea_status status = check(&opened, name, v, &diag);
  status = check_plays(&plays, status, &opened, name, v, &diag);
  alea_status written = ALEA_OK;
  if (v->print && !alea_open_is_toss(name)) written = print_sentences(&opened, name, &out);
  bool answered = status == ALEA_OK || status == ALEA_NO;
  if (!v->json || !answered) alea_cli_print_codes(&diag);
  if (answered && (!v->print || v->json))
    written = print_result(name, status == ALEA_OK, &diag, &plays, v, &out);
  if (written == ALEA_OK && v->play != NULL) {
    alea_check_plays_moves(&plays, &out);
    written = alea_cli_write_file(v->play, &out);
  }
  alea_text_clear(&out);
  alea_diag_clear(&diag);
  alea_check_plays_clear(&plays);
  alea_opened_clear(&opened);
  return answered && written != ALEA_OK && written != ALEA_INPUT ? written : status;
}

static int list_codes(void) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_text out;
  alea_text_init(&out, &mem);
  for (int i = 0; i < ALEA_CODE_COUNT; i++) {
    alea_code code = (alea_code)i;
    alea_text_format(&out, "%-24s %-8s %s\n", alea_code_text(code),
                     alea_code_severity(code, true) == ALEA_ERROR ? "error" : "warning",
                     alea_code_meaning(code));
  }
  for (int i = 0; i < ALEA_WITNESS_KIND_COUNT; i++)
    alea_text_format(&out, "%-24s %-8s %s\n", alea_witness_code((alea_witness_kind)i), "play",
                     alea_witness_meaning((alea_witness_kind)i));
  alea_status status = alea_cli_write(&out);
  alea_text_clear(&out);
  return (int)status;
}

int alea_cli_check(int argc, char **argv) {
  values v;
  int operands, result = alea_cli_begin(&command, &v, argc, argv, &operands);
  if (result >= 0) return result;
  if (v.codes) return list_codes();
  if (operands == 0) return alea_cli_fail(ALEA_USAGE, "check needs a GAME; alea games lists some");
  if (v.play != NULL && operands > 1)
    return alea_cli_fail(ALEA_USAGE, "--play writes the plays of one GAME, not of %d", operands);
  alea_status worst = ALEA_OK;
  for (int i = 1; i <= operands; i++) {
    alea_status status = check_one(argv[i], &v);
    if (status > worst) worst = status;
  }
  return (int)worst;
}
