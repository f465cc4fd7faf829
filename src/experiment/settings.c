/* The settings of a table's players. */
#include "experiment/settings.h"

#include <string.h>

/* Options that decide what a comparison means; a player has some of them. */
static const char *const decisive[] = {"prop",     "rho",   "theta", "pulls", "sym",   "sym-share",
                                       "playouts", "batch", "cache", "c",     "belief"};
enum { DECISIVE = sizeof decisive / sizeof *decisive, MOST_TEXTS = 64 };

typedef struct player_texts {
  const char *data[MOST_TEXTS]; /* as given to `alea match` */
  size_t count;
} player_texts;

/* ---- the options of a player string ---- */

static size_t class_length(const char *text) { return strcspn(text, ":"); }

static bool same_class(const char *a, const char *b) {
  return class_length(a) == class_length(b) && strncmp(a, b, class_length(a)) == 0;
}

static const alea_player_class *class_of(const char *text) {
  size_t count;
  const alea_player_class *const *classes = alea_player_classes(&count);
  for (size_t i = 0; i < count; i++)
    if (same_class(classes[i]->name, text)) return classes[i];
  return NULL;
}

static const char *default_of(const alea_player_class *class, const char *option) {
  char name[ALEA_OPTION_NAME];
  for (size_t i = 0; class != NULL && i < class->option_count; i++)
    if (strcmp(alea_option_name(&class->options[i], name), option) == 0)
      return class->options[i].fallback;
  return NULL;
}

/* The value of an option in a player string, as a pointer and a length, or its
 * default.  NULL: the player has no such option. */
static const char *value_of(const char *text, const char *option, size_t *length) {
  size_t wanted = strlen(option);
  const char *at = text + class_length(text);
  while (*at != '\0') {
    at++; /* the colon or a comma */
    if (strncmp(at, option, wanted) == 0 && at[wanted] == '=') {
      *length = strcspn(at + wanted + 1, ",");
      return at + wanted + 1;
    }
    at += strcspn(at, ",");
  }
  const char *fallback = default_of(class_of(text), option);
  *length = fallback != NULL ? strlen(fallback) : 0;
  return fallback;
}

/* ---- one kind of player ---- */

static void put_option(const player_texts *list, size_t index, const char *option, alea_text *out) {
  size_t length, other;
  const char *value = value_of(list->data[index], option, &length);
  if (value == NULL) return;
  bool varied = false;
  for (size_t i = index + 1; i < list->count; i++) {
    if (!same_class(list->data[i], list->data[index])) continue;
    const char *second = value_of(list->data[i], option, &other);
    varied = varied || other != length || strncmp(value, second, length) != 0;
  }
  if (varied) alea_text_format(out, ", %s as in the columns", option);
  if (!varied) alea_text_format(out, ", %s %.*s", option, (int)length, value);
}

static void put_kind(const player_texts *list, size_t index, alea_doc *doc) {
  const char *text = list->data[index];
  for (size_t i = 0; i < index; i++)
    if (same_class(list->data[i], text)) return;
  alea_text out;
  alea_text_init(&out, doc->mem);
  for (size_t i = 0; i < DECISIVE; i++) put_option(list, index, decisive[i], &out);
  alea_doc_text(doc, "- `%.*s`%s%s", (int)class_length(text), text, out.length > 0 ? ":" : "",
                out.length > 0 ? alea_text_string(&out) + 1 : "");
  if (out.failed) doc->failed = true;
  alea_text_clear(&out);
}

/* ---- the table ---- */

static void add_player(const alea_tournament_plan *plan, const char *name, player_texts *list) {
  for (size_t i = 0; name != NULL && i < plan->players.count; i++) {
    const alea_tournament_plan_player *player = &plan->players.data[i];
    if (strcmp(player->name, name) != 0) continue;
    for (size_t k = 0; k < list->count; k++)
      if (strcmp(list->data[k], player->text) == 0) return;
    if (list->count < MOST_TEXTS) list->data[list->count++] = player->text;
  }
}

static bool has_game(const alea_yaml *rows, const char *game) {
  for (const alea_yaml *row = rows->first; row != NULL; row = row->next)
    if (strcmp(alea_yaml_text(row, "game", ""), game) == 0) return true;
  return false;
}

/* Engines of the table's games, each once. */
static void put_engines(const alea_yaml *rows, const alea_results *results, alea_text *out) {
  for (size_t i = 0; results != NULL && i < results->pairings.count; i++) {
    const alea_result *r = &results->pairings.data[i];
    if (r->engines[0] == '\0' || !has_game(rows, r->game)) continue;
    if (strstr(alea_text_string(out), r->engines) != NULL) continue;
    alea_text_format(out, "%s%s", out->length > 0 ? ", " : "", r->engines);
  }
}

static void put_engine_and_clock(const alea_yaml *rows, const alea_results *results,
                                 const alea_tournament_plan *plan, alea_doc *doc) {
  alea_text engines, clocks;
  alea_text_init(&engines, doc->mem);
  alea_text_init(&clocks, doc->mem);
  put_engines(rows, results, &engines);
  for (size_t i = 0; i < plan->budgets.count; i++)
    alea_text_format(&clocks, "%s`%s`", i == 0 ? "" : ", ", plan->budgets.data[i].label);
  alea_doc_text(doc, "Engine: %s. Budget of a move: %s.",
                engines.length > 0 ? alea_text_string(&engines) : "none yet",
                alea_text_string(&clocks));
  if (engines.failed || clocks.failed) doc->failed = true;
  alea_text_clear(&engines);
  alea_text_clear(&clocks);
}

void alea_settings_put(const alea_yaml *group, const alea_yaml *rows, const alea_results *results,
                       const alea_tournament_plan *plan, alea_doc *doc) {
  player_texts list = {.count = 0};
  if (plan == NULL) return;
  for (const alea_yaml *at = alea_yaml_get(group, "columns")->first; at != NULL; at = at->next) {
    add_player(plan, alea_yaml_text(at, "first", NULL), &list);
    add_player(plan, alea_yaml_text(at, "second", NULL), &list);
  }
  put_engine_and_clock(rows, results, plan, doc);
  for (size_t i = 0; i < list.count; i++) put_kind(&list, i, doc);
}
