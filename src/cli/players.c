/* alea players: lists the players and their options. */
#include <string.h>

#include "base/json.h"
#include "base/suggest.h"
#include "cli/cli.h"
#include "cli/describe.h"
#include "play/player.h"

/* clang-format off */
#define OPTIONS(row) \
  row(flag, json, "", 0, 0, "", "print a JSON array")
/* clang-format on */
ALEA_OPTION_TABLE(OPTIONS)

static const alea_command command = {
    .name = "players",
    .operands = "[NAME]",
    .summary = "lists the players; one with its options",
    .details =
        "A player is written as a name with options: uct, uct:c=1.2, alea:look=0,reuse=off.\n"
        "JSON has the options of all.",
    .example = "alea players uct",
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .most_operands = 1,
};

static void put_json(alea_json *json, const alea_player_class *class) {
  alea_json_open(json, '{');
  alea_json_put_string(json, "name", class->name);
  alea_json_put_string(json, "summary", class->summary);
  alea_json_key(json, "options");
  alea_json_open(json, '[');
  for (size_t i = 0; i < class->option_count; i++) alea_cli_put_option(json, &class->options[i]);
  alea_json_close(json, ']');
  alea_json_close(json, '}');
}

/* With 'options', a line for each. */
static void put_text(alea_text *out, const alea_player_class *class, bool options) {
  char name[ALEA_OPTION_NAME];
  alea_text_format(out, "%-14s %s\n", class->name, class->summary);
  for (size_t i = 0; options && i < class->option_count; i++) {
    const alea_option *option = &class->options[i];
    alea_text_format(out, "    %-10s %-8s %s\n", alea_option_name(option, name),
                     alea_cli_default_word(option), option->help);
  }
}

static bool is_known(const alea_player_class *const *classes, size_t count, const char *name) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(classes[i]->name, name) == 0) return true;
  return false;
}

static int unknown(const alea_player_class *const *classes, size_t count, const char *name) {
  alea_suggestion suggestion;
  alea_suggest_start(&suggestion, name);
  for (size_t i = 0; i < count; i++) alea_suggest_offer(&suggestion, classes[i]->name);
  if (suggestion.nearest != NULL)
    return alea_cli_fail(ALEA_USAGE, "no player is called '%s'; did you mean '%s'?", name,
                         suggestion.nearest);
  return alea_cli_fail(ALEA_USAGE, "no player is called '%s' ('alea players' lists them)", name);
}

int alea_cli_players(int argc, char **argv) {
  values v;
  int operands, result = alea_cli_begin(&command, &v, argc, argv, &operands);
  if (result >= 0) return result;
  const char *wanted = operands > 0 ? argv[1] : NULL;
  size_t count;
  const alea_player_class *const *classes = alea_player_classes(&count);
  if (wanted != NULL && !is_known(classes, count, wanted)) return unknown(classes, count, wanted);
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_text out;
  alea_text_init(&out, &mem);
  alea_json json;
  alea_json_start(&json, &out);
  if (v.json) alea_json_open(&json, '[');
  for (size_t i = 0; i < count; i++) {
    if (wanted != NULL && strcmp(classes[i]->name, wanted) != 0) continue;
    if (v.json) {
      put_json(&json, classes[i]);
    } else {
      put_text(&out, classes[i], wanted != NULL);
    }
  }
  if (v.json) {
    alea_json_close(&json, ']');
    alea_text_char(&out, '\n');
  }
  alea_status status = alea_cli_write(&out);
  alea_text_clear(&out);
  return (int)status;
}
