/* alea games: lists the games that ship. */
#include <string.h>
#include <strings.h>

#include "base/json.h"
#include "cli/cli.h"
#include "gdl/header_comment.h"
#include "gdl/program.h"
#include "match/shipped.h"
#include "toss/toss.h"

/* clang-format off */
#define OPTIONS(row)                                                             \
  row(text, tag, "", 0, 0, "TAG", "only games with this tag, such as board or puzzle") \
  row(flag, json, "", 0, 0, "", "print a JSON array")
/* clang-format on */
ALEA_OPTION_TABLE(OPTIONS)

static const alea_command command = {
    .name = "games",
    .operands = "[WORD]",
    .summary = "lists the games that ship with the program",
    .details =
        "WORD: only games with it in their name, title, description or tags, in any case.\n"
        "Exit status 1: there is none.",
    .example = "alea games chess",
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .most_operands = 1,
};

/* What the list shows of one game. */
typedef struct games_entry {
  alea_text title, description, tags, also;
  alea_text role_names; /* chance included; commas between */
  size_t roles;
  bool has_random, has_sees, toss;
} games_entry;

static void add_role(games_entry *e, const char *name) {
  alea_text_format(&e->role_names, "%s%s", e->role_names.length > 0 ? "," : "", name);
}

static void entry_init(games_entry *e, const alea_shipped_file *file, alea_mem *mem) {
  const char *text = (const char *)file->bytes;
  *e = (games_entry){.toss = strstr(file->file, ".toss") != NULL};
  alea_text_init(&e->title, mem);
  alea_text_init(&e->description, mem);
  alea_text_init(&e->tags, mem);
  alea_text_init(&e->also, mem);
  alea_text_init(&e->role_names, mem);
  if (!alea_header_comment(text, "title", &e->title)) alea_text_put(&e->title, file->name);
  alea_header_comment(text, "description", &e->description);
  alea_header_comment(text, "tags", &e->tags);
  alea_header_comment(text, "also", &e->also);
  alea_toss_file *rewriting = NULL;
  if (e->toss && alea_toss_read(&rewriting, text, file->length, file->file, mem, NULL) == ALEA_OK) {
    e->has_random = alea_toss_has_chance(rewriting);
    e->roles = rewriting->players.count + e->has_random;
    for (size_t i = 0; i < rewriting->players.count; i++)
      add_role(e, alea_toss_text(rewriting, rewriting->players.data[i]));
    if (e->has_random) add_role(e, "random");
  }
  alea_toss_free(rewriting);
  alea_program *program = NULL;
  if (!e->toss &&
      alea_program_new(&program, text, file->length, file->file, NULL, mem, NULL) == ALEA_OK) {
    e->roles = program->roles.count;
    e->has_random = program->random_role >= 0;
    e->has_sees = program->has_sees;
    for (size_t i = 0; i < e->roles; i++)
      add_role(e, alea_symbols_text(program->symbols, program->roles.data[i]));
  }
  alea_program_free(program);
}

static void entry_clear(games_entry *e) {
  alea_text_clear(&e->title);
  alea_text_clear(&e->description);
  alea_text_clear(&e->tags);
  alea_text_clear(&e->also);
  alea_text_clear(&e->role_names);
}

/* Writes an array of the words between commas. */
static void put_words(alea_json *json, const char *key, const char *words, alea_mem *mem) {
  alea_text word;
  alea_text_init(&word, mem);
  alea_json_key(json, key);
  alea_json_open(json, '[');
  for (const char *at = words; *at != '\0'; at += strspn(at, ", ")) {
    size_t length = strcspn(at, ",");
    alea_text_truncate(&word, 0);
    alea_text_add(&word, at, length);
    alea_json_string(json, alea_text_string(&word));
    at += length;
  }
  alea_json_close(json, ']');
  alea_text_clear(&word);
}

static void put_json(alea_json *json, const alea_shipped_file *file, const games_entry *e,
                     alea_mem *mem) {
  alea_json_open(json, '{');
  alea_json_put_string(json, "name", file->name);
  alea_json_put_string(json, "title", alea_text_string(&e->title));
  alea_json_put_count(json, "roles", e->roles);
  alea_json_put_bool(json, "has_random", e->has_random);
  alea_json_put_bool(json, "has_sees", e->has_sees);
  alea_json_put_string(json, "language", e->toss ? "toss" : "gdl");
  put_words(json, "tags", alea_text_string(&e->tags), mem);
  put_words(json, "also", alea_text_string(&e->also), mem);
  alea_json_put_string(json, "description", alea_text_string(&e->description));
  put_words(json, "role_names", alea_text_string(&e->role_names), mem);
  alea_json_close(json, '}');
}

static void put_row(alea_text *out, const alea_shipped_file *file, const games_entry *e) {
  size_t players = e->roles - (e->has_random ? 1 : 0);
  const char *also = alea_text_string(&e->also);
  alea_text_format(out, "%-26s %zu player%s  %-9s %s%s%s%s\n", file->name, players,
                   players == 1 ? " " : "s",
                   e->has_sees     ? "hidden"
                   : e->has_random ? "chance"
                                   : "open",
                   alea_text_string(&e->description), also[0] != '\0' ? " (Also: " : "", also,
                   also[0] != '\0' ? ".)" : "");
}

/* Whether 'text' has 'word' in it, in any case. */
static bool has_word(const char *text, const char *word) {
  size_t length = strlen(word);
  for (; *text != '\0'; text++)
    if (strncasecmp(text, word, length) == 0) return true;
  return length == 0;
}

/* Whether 'tag' is one of the words between commas. */
static bool has_tag(const char *tags, const char *tag) {
  for (const char *at = tags; *at != '\0'; at += strspn(at, ", ")) {
    size_t length = strcspn(at, ",");
    if (strlen(tag) == length && strncasecmp(at, tag, length) == 0) return true;
    at += length;
  }
  return false;
}

static bool is_wanted(const alea_shipped_file *file, const games_entry *e, const char *word,
                      const char *tag) {
  const char *tags = alea_text_string(&e->tags);
  if (tag != NULL && tag[0] != '\0' && !has_tag(tags, tag)) return false;
  return word == NULL || has_word(file->name, word) || has_word(tags, word) ||
         has_word(alea_text_string(&e->title), word) ||
         has_word(alea_text_string(&e->description), word);
}

int alea_cli_games(int argc, char **argv) {
  values v;
  int operands, result = alea_cli_begin(&command, &v, argc, argv, &operands);
  if (result >= 0) return result;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_text out;
  alea_text_init(&out, &mem);
  alea_json json;
  alea_json_start(&json, &out);
  if (v.json) alea_json_open(&json, '[');
  bool any = false;
  for (size_t i = 0; i < alea_shipped_file_count; i++) {
    const alea_shipped_file *file = &alea_shipped_files[i];
    games_entry e;
    entry_init(&e, file, &mem);
    bool wanted = is_wanted(file, &e, operands > 0 ? argv[1] : NULL, v.tag);
    any |= wanted;
    if (wanted && v.json) put_json(&json, file, &e, &mem);
    if (wanted && !v.json) put_row(&out, file, &e);
    entry_clear(&e);
  }
  if (v.json) {
    alea_json_close(&json, ']');
    alea_text_char(&out, '\n');
  }
  alea_status status = alea_cli_write(&out);
  alea_text_clear(&out);
  if (status == ALEA_OK && !any) status = ALEA_NO;
  if (status == ALEA_NO) return alea_cli_fail(status, "no game that ships is like that");
  return (int)status;
}
