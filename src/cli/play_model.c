/* alea play --model: a strategic network is played against its proof. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/solve_strategy.h"
#include "models/strategic.h"

enum { LINE_SIZE = 256 };

typedef struct model_table {
  alea_text out;
  alea_strategic *strategic;
  alea_strategic_walk *walk;
  bool person_exists; /* the person has the existential side, which loses */
  bool quit;
} model_table;

static const char *name_at(const model_table *t, uint32_t at) {
  bool universal;
  return alea_csp_name(alea_strategic_network(t->strategic),
                       alea_strategic_var(t->strategic, at, &universal));
}

static bool is_person(const model_table *t, uint32_t at) {
  bool universal;
  alea_strategic_var(t->strategic, at, &universal);
  return universal != t->person_exists;
}

static void put_values(model_table *t) {
  uint32_t count = alea_strategic_walk_count(t->walk);
  for (uint32_t i = 0; i < count; i++)
    alea_text_format(&t->out, "%s%s=%d%s", i > 0 ? " " : "", name_at(t, i),
                     alea_strategic_walk_values(t->walk)[i], is_person(t, i) ? "*" : "");
  if (count > 0) alea_text_char(&t->out, '\n');
}

/* Back to the person's last choice. */
static void take_back(model_table *t) {
  uint32_t count = alea_strategic_walk_count(t->walk), at = count;
  while (at > 0 && !is_person(t, at - 1)) at--;
  if (at == 0) {
    alea_text_put(&t->out, "there is nothing to take back\n");
    return;
  }
  for (; count >= at; count--) alea_strategic_walk_pop(t->walk);
}

static void put_choices(model_table *t, const int32_t *choices, uint32_t count) {
  alea_text_format(&t->out, "%s is one of", name_at(t, alea_strategic_walk_count(t->walk)));
  for (uint32_t i = 0; i < count; i++) alea_text_format(&t->out, " %d", choices[i]);
  alea_text_put(&t->out, "; or undo, quit\n");
}

/* What the person types: a value, or a command. */
static void obey(model_table *t, char *line, const int32_t *choices, uint32_t count) {
  char *end;
  while (isspace((unsigned char)*line)) line++;
  line[strcspn(line, "\r\n")] = '\0';
  if (strcmp(line, "quit") == 0) {
    t->quit = true;
  } else if (strcmp(line, "undo") == 0) {
    take_back(t);
  } else {
    long value = strtol(line, &end, 10);
    while (isspace((unsigned char)*end)) end++;
    for (uint32_t i = 0; i < count && end != line && *end == '\0'; i++) {
      if (choices[i] != value) continue;
      alea_strategic_walk_push(t->walk, choices[i]);
      return;
    }
    put_choices(t, choices, count);
  }
}

static alea_status ask(model_table *t, const int32_t *choices, uint32_t count) {
  char line[LINE_SIZE];
  put_values(t);
  alea_text_format(&t->out, "%s? ", name_at(t, alea_strategic_walk_count(t->walk)));
  alea_status status = alea_cli_write(&t->out);
  if (status != ALEA_OK) return status;
  if (fgets(line, sizeof line, stdin) == NULL) {
    t->quit = true;
  } else {
    obey(t, line, choices, count);
  }
  return ALEA_OK;
}

static alea_status play(model_table *t) {
  alea_status status = alea_strategic_walk_answer(t->walk, &t->person_exists);
  if (status != ALEA_OK) return status;
  t->person_exists = !t->person_exists;
  alea_text_format(&t->out, "You have the %s side, whose values are marked *: it cannot win.\n",
                   t->person_exists ? "existential" : "universal");
  while (status == ALEA_OK && !t->quit) {
    uint32_t count, at = alea_strategic_walk_count(t->walk);
    const int32_t *choices = alea_strategic_walk_choices(t->walk, &count);
    int32_t value;
    if (count == 0) break;
    if (is_person(t, at)) {
      status = ask(t, choices, count);
      continue;
    }
    status = alea_strategic_walk_best(t->walk, &value);
    if (status == ALEA_OK) alea_strategic_walk_push(t->walk, value);
  }
  if (status != ALEA_OK || t->quit) return status;
  put_values(t);
  bool over = alea_strategic_walk_count(t->walk) == alea_strategic_count(t->strategic);
  alea_text_format(&t->out, "%s: you have lost.\n",
                   over ? "All values are chosen" : "Nothing can be chosen any more");
  return ALEA_OK;
}

int alea_cli_play_model(const char *name) {
  alea_mem mem;
  alea_mem_init(&mem, 0);
  model_table t = {.strategic = alea_model_strategic(&mem, name)};
  if (t.strategic == NULL)
    return alea_cli_fail(ALEA_USAGE, "unknown strategic model '%s' (see 'alea solve --help')",
                         name);
  alea_text_init(&t.out, &mem);
  alea_strategic_options options = {
      .one_way = true, .table = true, .order = true, .symmetry = true, .early = true, .bits = true};
  alea_status status = alea_strategic_walk_new(&t.walk, t.strategic, &options);
  if (status == ALEA_OK) status = play(&t);
  if (alea_cli_write(&t.out) != ALEA_OK) status = ALEA_SYSTEM;
  alea_strategic_walk_free(t.walk);
  alea_text_clear(&t.out);
  alea_strategic_free(t.strategic);
  return (int)status;
}
