/* Reading strategic networks in JSON. */
#include <stdio.h>

#include "csp/json.h"
#include "csp/ranking.h"

static bool read_quantifiers(csp_json *r, const json_t *root, alea_strategic *s) {
  const json_t *list = json_object_get(root, "quantifiers");
  size_t i;
  json_t *item;
  csp_json_at(r, "quantifiers", SIZE_MAX);
  if (!json_is_array(list)) return csp_json_error(r, "a list is needed", NULL);
  json_array_foreach(list, i, item) {
    const char *kind = json_string_value(json_array_get(item, 0));
    alea_csp_var var;
    csp_json_at(r, "quantifiers", i);
    if (kind == NULL || (strcmp(kind, "exists") != 0 && strcmp(kind, "forall") != 0))
      return csp_json_error(r, "a quantifier is [\"exists\" or \"forall\", variable]", NULL);
    if (!csp_json_var(r, json_array_get(item, 1), &var)) return false;
    if (alea_strategic_quantify(s, var, kind[0] == 'f') != ALEA_OK)
      return csp_json_error(r, "the variable is quantified twice", NULL);
  }
  return true;
}

/* Hints are taken only where they follow from the constraints: a wrong one would
 * turn the answer.  'why' is what speaks against it, or NULL. */
static bool vouch(csp_json *r, const char *why) {
  char text[160];
  if (why == NULL) return true;
  snprintf(text, sizeof text, "it does not follow from the constraints (%s); leave it out", why);
  return csp_json_error(r, text, NULL);
}

static bool read_class(csp_json *r, const json_t *item, alea_strategic *s, const ranking_game *game,
                       const char *why) {
  csp_json_ints classes = {0}, since = {0};
  alea_csp_var var;
  bool good = csp_json_var(r, json_object_get(item, "variable"), &var) &&
              csp_json_rows(r, json_object_get(item, "classes"), 0, &classes) &&
              csp_json_rows(r, json_object_get(item, "since"), 0, &since);
  const uint32_t *class = (const uint32_t *)classes.data, *from = (const uint32_t *)since.data;
  uint32_t count = (uint32_t)classes.count;
  if (good && (count != alea_csp_size(r->csp, var) || since.count != count))
    good = csp_json_error(r, "one class per value is needed", NULL);
  if (good && game != NULL) why = ranking_refuses_class(game, var, class, from, count);
  good = good && vouch(r, why);
  if (good) alea_strategic_class(s, var, class, from);
  alea_vec_clear(r->mem, &classes);
  alea_vec_clear(r->mem, &since);
  return good;
}

static bool read_outcome(csp_json *r, const json_t *item, alea_strategic *s,
                         const ranking_game *game, const char *why) {
  int64_t win, loss;
  csp_json_vars vars = {0};
  csp_json_at(r, "outcome", SIZE_MAX);
  bool good = csp_json_scope(r, json_object_get(item, "variables"), &vars) &&
              csp_json_int(r, json_object_get(item, "win"), "win", &win) &&
              csp_json_int(r, json_object_get(item, "loss"), "loss", &loss);
  uint32_t count = (uint32_t)vars.count;
  if (good && game != NULL) why = ranking_refuses_outcome(game, vars.data, count, win, loss);
  good = good && vouch(r, why);
  if (good) alea_strategic_outcome(s, vars.data, count, (int32_t)win, (int32_t)loss);
  alea_vec_clear(r->mem, &vars);
  return good;
}

static bool read_hints(csp_json *r, const json_t *root, alea_strategic *s) {
  const json_t *classes = json_object_get(root, "classes"), *outcome;
  const char *why = NULL;
  size_t i;
  json_t *item;
  alea_arena arena;
  if ((outcome = json_object_get(root, "outcome")) == NULL && classes == NULL) return true;
  if (alea_csp_state(r->csp) != ALEA_OK) return false;
  alea_arena_init(&arena, r->mem);
  const ranking_game *game = ranking_find(s, &arena, &why);
  bool good = game != NULL || why != NULL;
  if (!good) csp_fail(r->csp, alea_mem_lack(r->mem));
  csp_json_at(r, "classes", SIZE_MAX);
  if (good && classes != NULL && !json_is_array(classes))
    good = csp_json_error(r, "a list is needed", NULL);
  json_array_foreach(classes, i, item) {
    csp_json_at(r, "classes", i);
    good = good && read_class(r, item, s, game, why);
  }
  if (good && outcome != NULL) good = read_outcome(r, outcome, s, game, why);
  alea_arena_clear(&arena);
  return good;
}

/* One of 'words', or the first of them; '*out' is its place. */
static bool read_word(csp_json *r, const json_t *root, const char *key, const char *words,
                      int *out) {
  const json_t *item = json_object_get(root, key);
  *out = 0;
  if (item == NULL) return true;
  csp_json_at(r, key, SIZE_MAX);
  *out = json_is_string(item) ? alea_choice_find(words, json_string_value(item)) : ALEA_NO_CHOICE;
  return *out != ALEA_NO_CHOICE || csp_json_error(r, "not one of", words);
}

static bool read_settings(csp_json *r, const json_t *root, alea_strategic *s) {
  int check, existential;
  s->classical = json_is_true(json_object_get(root, "classical"));
  if (!read_word(r, root, "check", ALEA_CHOICE_WORDS(ALEA_STRATEGIC_CHECKS), &check) ||
      !read_word(r, root, "existential", ALEA_CHOICE_WORDS(ALEA_STRATEGIC_EXISTENTIALS),
                 &existential))
    return false;
  s->check = (alea_strategic_check)check;
  s->existential = (alea_strategic_existential)existential;
  return true;
}

alea_strategic *alea_strategic_read_json(alea_mem *mem, const json_t *root, const char *file,
                                         alea_diag *diag, alea_status *status) {
  alea_strategic *s = alea_strategic_new(mem);
  *status = ALEA_SYSTEM;
  if (s == NULL) return NULL;
  csp_json r = {.csp = alea_strategic_network(s), .mem = mem, .diag = diag, .file = file};
  (void)(csp_json_header(&r, root,
                         "format type variables constraints quantifiers classes outcome classical "
                         "check existential") &&
         read_settings(&r, root, s) && csp_json_variables(&r, root) &&
         csp_json_constraints(&r, root) && read_quantifiers(&r, root, s) &&
         read_hints(&r, root, s));
  *status = csp_json_status(&r);
  if (*status == ALEA_OK) return s;
  alea_strategic_free(s);
  return NULL;
}
