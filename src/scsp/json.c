/* Reading and writing stochastic networks as JSON. */
#include "scsp/json.h"

#include "csp/json.h"
#include "scsp/core.h"

typedef ALEA_VEC(double) number_list;

/* ---- reading ---- */

/* A list of numbers, or of lists of 'width' numbers each. */
static bool read_numbers(csp_json *r, const json_t *list, size_t width, number_list *out) {
  size_t i, k;
  json_t *row, *value;
  if (!json_is_array(list)) return csp_json_error(r, "a list of numbers is needed", NULL);
  json_array_foreach(list, i, row) {
    if (!json_is_array(row) || json_array_size(row) != width)
      return csp_json_error(r, "a row of numbers has the wrong length", NULL);
    json_array_foreach(row, k, value) {
      if (!json_is_number(value)) return csp_json_error(r, "a number is needed", NULL);
      if (!alea_vec_push(r->mem, out, json_number_value(value)))
        return csp_json_error(r, "out of memory", NULL);
    }
  }
  return true;
}

static bool is_distribution(const double *row, uint32_t size) {
  double total = 0;
  for (uint32_t i = 0; i < size; i++) {
    if (!(row[i] >= 0)) return false;
    total += row[i];
  }
  return total > 1 - 1e-9 && total < 1 + 1e-9;
}

static bool read_chance(csp_json *r, const json_t *item, alea_scsp *scsp) {
  const char *name = json_string_value(json_object_get(item, "variable"));
  const json_t *parents = json_object_get(item, "parents"), *over = json_object_get(item, "over");
  alea_csp_var var = name != NULL ? alea_csp_find(r->csp, name) : ALEA_CSP_NONE;
  if (var == ALEA_CSP_NONE) return csp_json_error(r, "unknown variable", name != NULL ? name : "");
  csp_json_vars scope = {0};
  number_list rows = {0};
  uint32_t size = alea_csp_size(r->csp, var);
  if (over != NULL) {
    bool fits = csp_json_scope(r, over, &scope) && scope.count == size &&
                alea_scsp_channel(scsp, var, scope.data) == ALEA_OK;
    alea_vec_clear(r->mem, &scope);
    return fits || csp_json_error(r, "one earlier flag per value is needed", name);
  }
  bool good = (parents == NULL || csp_json_scope(r, parents, &scope)) &&
              read_numbers(r, json_object_get(item, "probabilities"), size, &rows);
  double wanted = 1;
  for (size_t i = 0; i < scope.count; i++) wanted *= alea_csp_size(r->csp, scope.data[i]);
  if (good && (double)(rows.count / size) != wanted)
    good = csp_json_error(r, "one row of probabilities per combination of parents is needed", NULL);
  for (size_t i = 0; good && i < rows.count; i += size)
    if (!is_distribution(&rows.data[i], size))
      good = csp_json_error(r, "the probabilities do not add up to 1", NULL);
  if (good && alea_scsp_chance(scsp, var, scope.data, (uint32_t)scope.count, rows.data) != ALEA_OK)
    good =
        csp_json_error(r, "parents must come before the variable, which must be listed once", NULL);
  alea_vec_clear(r->mem, &scope);
  alea_vec_clear(r->mem, &rows);
  return good;
}

static bool read_soft(csp_json *r, const json_t *item, alea_scsp *scsp, alea_process *process) {
  csp_json_vars scope = {0};
  csp_json_ints tuples = {0};
  number_list payments = {0};
  bool good = csp_json_only(r, item, "scope tuples payments") &&
              csp_json_scope(r, json_object_get(item, "scope"), &scope);
  if (good && scope.count == 0) good = csp_json_error(r, "an empty scope", NULL);
  good = good && csp_json_rows(r, json_object_get(item, "tuples"), scope.count, &tuples) &&
         read_numbers(r, json_object_get(item, "payments"), scsp->players, &payments);
  if (good && tuples.count / scope.count != payments.count / scsp->players)
    good = csp_json_error(r, "as many payments as tuples are needed", NULL);
  for (size_t i = 0; good && process != NULL && i < scope.count; i++)
    if (scope.data[i] >= process->states) good = csp_json_error(r, "not a state variable", NULL);
  if (good && process != NULL)
    alea_process_final(process, scope.data, (uint32_t)scope.count, tuples.data, payments.data,
                       tuples.count / scope.count);
  else if (good)
    alea_scsp_soft(scsp, scope.data, (uint32_t)scope.count, tuples.data, payments.data,
                   tuples.count / scope.count);
  alea_vec_clear(r->mem, &scope);
  alea_vec_clear(r->mem, &tuples);
  alea_vec_clear(r->mem, &payments);
  return good;
}

static bool read_parts(csp_json *r, const json_t *root, alea_scsp *scsp) {
  size_t i;
  json_t *item;
  if (!csp_json_header(r, root,
                       "format type players thresholds variables constraints chances soft state "
                       "final closing") ||
      !csp_json_variables(r, root) || !csp_json_constraints(r, root))
    return false;
  json_array_foreach(json_object_get(root, "chances"), i, item) {
    csp_json_at(r, "chances", i);
    if (!csp_json_only(r, item, "variable parents probabilities over")) return false;
    if (!read_chance(r, item, scsp)) return false;
  }
  json_array_foreach(json_object_get(root, "soft"), i, item) {
    csp_json_at(r, "soft", i);
    if (!read_soft(r, item, scsp, NULL)) return false;
  }
  json_array_foreach(json_object_get(root, "thresholds"), i, item) {
    csp_json_at(r, "thresholds", i);
    if (!json_is_number(item)) return csp_json_error(r, "a number is needed", NULL);
    if (i >= scsp->players) return csp_json_error(r, "more thresholds than players", NULL);
    alea_scsp_threshold(scsp, (uint32_t)i, json_number_value(item));
  }
  return true;
}

static alea_scsp *start(csp_json *r, alea_mem *mem, const json_t *root) {
  json_int_t players = 1;
  const json_t *given = json_object_get(root, "players");
  if (given != NULL) players = json_integer_value(given);
  csp_json_at(r, "players", SIZE_MAX);
  if (players < 1 || players > ALEA_SCSP_MAX_PLAYERS) {
    csp_json_error(r, "between 1 and 32 players are supported", NULL);
    return NULL;
  }
  alea_scsp *scsp = alea_scsp_new(mem, (uint32_t)players);
  if (scsp != NULL) r->csp = alea_scsp_network(scsp);
  return scsp;
}

static alea_status conclude(const csp_json *r, const alea_scsp *scsp) {
  if (r->mem->hit_limit) return ALEA_LIMIT;
  if (r->failed) return ALEA_INPUT;
  return scsp == NULL ? ALEA_SYSTEM : scsp->csp->state;
}

alea_scsp *alea_scsp_read_json(alea_mem *mem, const json_t *root, const char *file, alea_diag *diag,
                               alea_status *status) {
  csp_json r = {.mem = mem, .diag = diag, .file = file};
  alea_scsp *scsp = start(&r, mem, root);
  if (scsp != NULL) read_parts(&r, root, scsp);
  *status = conclude(&r, scsp);
  if (*status == ALEA_OK) return scsp;
  alea_scsp_free(scsp);
  return NULL;
}

static bool read_state(csp_json *r, const json_t *list, csp_json_vars *nexts,
                       csp_json_ints *starts) {
  size_t i;
  json_t *item;
  csp_json_at(r, "state", SIZE_MAX);
  if (!json_is_array(list)) return csp_json_error(r, "a list is needed", NULL);
  json_array_foreach(list, i, item) {
    const char *name = json_string_value(json_object_get(item, "variable"));
    const char *next = json_string_value(json_object_get(item, "next"));
    int64_t value;
    csp_json_at(r, "state", i);
    if (!csp_json_only(r, item, "variable next start")) return false;
    if (name == NULL || next == NULL) return csp_json_error(r, "variable or next is missing", NULL);
    if (alea_csp_find(r->csp, name) != i)
      return csp_json_error(r, "the state must be the first variables, in order:", name);
    alea_csp_var var = alea_csp_find(r->csp, next);
    if (var == ALEA_CSP_NONE) return csp_json_error(r, "unknown variable", next);
    if (!csp_json_int(r, json_object_get(item, "start"), "start", &value)) return false;
    if (!alea_vec_push(r->mem, nexts, var) || !alea_vec_push(r->mem, starts, (int32_t)value))
      return csp_json_error(r, "out of memory", NULL);
  }
  return true;
}

alea_process *alea_process_read_json(alea_mem *mem, const json_t *root, const char *file,
                                     alea_diag *diag, alea_status *status) {
  csp_json r = {.mem = mem, .diag = diag, .file = file};
  alea_scsp *scsp = start(&r, mem, root);
  csp_json_vars nexts = {0};
  csp_json_ints starts = {0};
  alea_process *process = NULL;
  if (scsp != NULL && read_parts(&r, root, scsp) &&
      read_state(&r, json_object_get(root, "state"), &nexts, &starts)) {
    process = alea_process_new(scsp, (uint32_t)nexts.count, nexts.data, starts.data);
    if (process == NULL)
      scsp = NULL; /* freed with it */
    else if (alea_scsp_state(scsp) != ALEA_OK)
      csp_json_error(&r, "a next variable or a start value does not fit its domain", NULL);
  }
  size_t i;
  json_t *item;
  json_array_foreach(json_object_get(root, "final"), i, item) {
    csp_json_at(&r, "final", i);
    if (process == NULL || r.failed || !read_soft(&r, item, scsp, process)) break;
  }
  const json_t *closing = json_object_get(root, "closing");
  if (process != NULL && closing != NULL) {
    json_int_t count = json_integer_value(closing);
    csp_json_at(&r, "closing", SIZE_MAX);
    if (count < 0 || (uint64_t)count > alea_csp_var_count(r.csp))
      csp_json_error(&r, "not a number of variables", NULL);
    else
      alea_process_closing(process, (uint32_t)count);
  }
  alea_vec_clear(mem, &nexts);
  alea_vec_clear(mem, &starts);
  *status = conclude(&r, scsp);
  if (*status == ALEA_OK && process != NULL) return process;
  if (process != NULL)
    alea_process_free(process);
  else
    alea_scsp_free(scsp);
  return NULL;
}

/* ---- writing ---- */

static json_t *write_numbers(const double *numbers, size_t rows, size_t width) {
  json_t *list = json_array();
  for (size_t i = 0; i < rows; i++) {
    json_t *row = json_array();
    for (size_t k = 0; k < width; k++)
      json_array_append_new(row, json_real(numbers[i * width + k]));
    json_array_append_new(list, row);
  }
  return list;
}

static json_t *write_soft(const alea_scsp *scsp, const scsp_soft *soft) {
  json_t *tuples = json_array();
  for (size_t t = 0; t < soft->count; t++) {
    json_t *row = json_array();
    for (uint32_t i = 0; i < soft->arity; i++) {
      int32_t value = soft->tuples[t * soft->arity + i];
      json_array_append_new(row, value == ALEA_CSP_STAR ? json_string("*") : json_integer(value));
    }
    json_array_append_new(tuples, row);
  }
  return json_pack("{s:o, s:o, s:o}", "scope", csp_json_names(scsp->csp, soft->scope, soft->arity),
                   "tuples", tuples, "payments",
                   write_numbers(soft->payments, soft->count, scsp->players));
}

static json_t *write_chance(const alea_scsp *scsp, const scsp_chance *chance) {
  size_t rows = 1;
  for (uint32_t i = 0; i < chance->parents && chance->rows != NULL; i++)
    rows *= scsp->csp->vars.data[chance->parent[i]].size;
  const csp_variable *var = &scsp->csp->vars.data[chance->var];
  if (chance->rows == NULL)
    return json_pack("{s:s, s:o}", "variable", var->name, "over",
                     csp_json_names(scsp->csp, chance->parent, chance->parents));
  return json_pack("{s:s, s:o, s:o}", "variable", var->name, "parents",
                   csp_json_names(scsp->csp, chance->parent, chance->parents), "probabilities",
                   write_numbers(chance->rows, rows, var->size));
}

json_t *alea_scsp_write_json(const alea_scsp *scsp) {
  json_t *chances = json_array(), *softs = json_array(), *thresholds = json_array();
  for (size_t i = 0; i < scsp->chances.count; i++)
    json_array_append_new(chances, write_chance(scsp, &scsp->chances.data[i]));
  for (size_t i = 0; i < scsp->softs.count; i++)
    json_array_append_new(softs, write_soft(scsp, &scsp->softs.data[i]));
  for (uint32_t p = 0; p < scsp->players; p++)
    json_array_append_new(thresholds, json_real(scsp->theta[p]));
  return json_pack("{s:s, s:s, s:i, s:o, s:o, s:o, s:o, s:o}", "format", "alea-csp", "type", "scsp",
                   "players", (int)scsp->players, "thresholds", thresholds, "variables",
                   csp_json_write_variables(scsp->csp), "constraints",
                   csp_json_write_constraints(scsp->csp), "chances", chances, "soft", softs);
}

json_t *alea_process_write_json(const alea_process *process) {
  const alea_csp *csp = process->scsp->csp;
  json_t *root = alea_scsp_write_json(process->scsp), *state = json_array(), *finals = json_array();
  for (uint32_t i = 0; i < process->states; i++)
    json_array_append_new(
        state, json_pack("{s:s, s:s, s:i}", "variable", csp->vars.data[i].name, "next",
                         csp->vars.data[process->nexts[i]].name, "start", (int)process->start[i]));
  for (size_t i = 0; i < process->finals.count; i++)
    json_array_append_new(finals, write_soft(process->scsp, &process->finals.data[i]));
  if (root == NULL || json_object_set_new(root, "type", json_string("process")) != 0 ||
      json_object_set_new(root, "state", state) != 0 ||
      json_object_set_new(root, "final", finals) != 0 ||
      (process->closing > 0 &&
       json_object_set_new(root, "closing", json_integer((json_int_t)process->closing)) != 0)) {
    json_decref(root);
    return NULL;
  }
  return root;
}
