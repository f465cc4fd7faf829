/* Routes about runs: searches, experiments, events elsewhere. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/json.h"
#include "match/shipped.h"
#include "page/address.h"
#include "page/api.h"
#include "page/events.h"
#include "tournament/yaml.h"

static const char no_run[] = "there is no such run; it may have been forgotten";

/* ---- runs ---- */

static void start(alea_page_api *api, const alea_page_run_wish *wish, alea_http_reply *reply) {
  char id[ALEA_PAGE_ID_BYTES], answer[80];
  switch (alea_page_runs_start(api->runs, wish, id)) {
    case ALEA_OK:
      snprintf(answer, sizeof answer, "{\"id\":\"%s\"}", id);
      alea_page_reply_json(reply, 201, answer);
      break;
    case ALEA_LIMIT:
      alea_page_refuse(reply, 503, "the server is busy with other runs; stop one first");
      break;
    default: alea_page_refuse(reply, 500, "no process could be started"); break;
  }
}

void alea_page_show_run(alea_page_api *api, const char *part, json_t *body,
                        alea_http_reply *reply) {
  (void)body;
  alea_page_reply_json(reply, 200, "");
  if (alea_page_runs_show(api->runs, part, &reply->body) != ALEA_OK)
    alea_page_refuse(reply, 404, no_run);
}

void alea_page_stop_run(alea_page_api *api, const char *part, json_t *body,
                        alea_http_reply *reply) {
  (void)body;
  if (alea_page_runs_stop(api->runs, part) == ALEA_OK) {
    alea_page_reply_json(reply, 200, "{}");
  } else {
    alea_page_refuse(reply, 404, no_run);
  }
}

static size_t stream(void *context, uint64_t *state, char *bytes, size_t size) {
  alea_page_api *api = context;
  return alea_page_runs_stream(api->runs, *state, bytes, size);
}

static void end_stream(void *context, uint64_t state) {
  (void)context;
  alea_page_runs_unfollow(state);
}

void alea_page_follow_run(alea_page_api *api, const char *part, json_t *body,
                          alea_http_reply *reply) {
  (void)body;
  alea_status status = alea_page_runs_follow(api->runs, part, &reply->stream_state);
  if (status != ALEA_OK) {
    alea_page_refuse(reply, status == ALEA_NONE ? 404 : 500, no_run);
    return;
  }
  reply->type = "text/event-stream";
  reply->stream = stream;
  reply->stream_end = end_stream;
}

/* ---- searches ---- */

enum { MOST_MODEL = 60 };
static const double search_seconds = 60, longest_search = 600, search_grace = 10;
static const double search_patience = 15; /* to print the best so far, on a busy machine */

/* What a model is: its solution is a policy, the values of its states, or a strategy. */
typedef enum model_kind { MODEL_STRATEGIC, MODEL_STOCHASTIC, MODEL_PROCESS } model_kind;

static model_kind kind_of(const char *model) {
  static const char *const stochastic[] = {"pennies", "p3", "split"};
  if (strncmp(model, "orchard", strlen("orchard")) == 0) return MODEL_PROCESS;
  for (size_t i = 0; i < sizeof stochastic / sizeof *stochastic; i++)
    if (strcmp(model, stochastic[i]) == 0) return MODEL_STOCHASTIC;
  return MODEL_STRATEGIC;
}

static bool is_model(const char *model) {
  size_t length = strspn(model, "abcdefghijklmnopqrstuvwxyz0123456789:-");
  return length > 0 && length <= MOST_MODEL && model[length] == '\0';
}

/* A number of the body within bounds, 'usual' where it has none; false, and refused, if it is
 * something else. */
static bool get_number(const json_t *body, const char *key, double least, double most, double usual,
                       double *number, alea_http_reply *reply) {
  const json_t *given = json_object_get(body, key);
  char why[120];
  *number = given != NULL && !json_is_null(given) ? json_number_value(given) : usual;
  bool good = given == NULL || json_is_null(given) ||
              (json_is_number(given) && *number >= least && *number <= most);
  snprintf(why, sizeof why, "\"%s\" must be a number from %g to %g", key, least, most);
  if (!good) alea_page_refuse(reply, 422, why);
  return good;
}

/* The words of a model; its kind says what is asked for.  The result is behind the last. */
static const char **add_model(const char **words, const char *model, const char *horizon) {
  *words++ = "--model", *words++ = model;
  model_kind kind = kind_of(model);
  if (kind == MODEL_STRATEGIC) {
    *words++ = "--strategy", *words++ = "--depth", *words++ = "8";
    *words++ = "--table", *words++ = "64M";
    return words;
  }
  *words++ = "--best";
  if (kind == MODEL_PROCESS && horizon[0] == '\0') {
    *words++ = "--states";
    return words;
  }
  *words++ = "--policy";
  if (kind == MODEL_PROCESS) *words++ = "--horizon", *words++ = horizon;
  return words;
}

/* `--method search`, where it is asked for; false, and refused, if something else is. */
static bool add_method(const json_t *body, const char **words, alea_http_reply *reply) {
  const json_t *method = json_object_get(body, "method");
  if (method == NULL || json_is_null(method)) return true;
  const char *name = json_string_value(method);
  if (name == NULL || strcmp(name, "search") != 0) {
    alea_page_refuse(reply, 422, "\"method\" can be \"search\", of a stochastic network");
    return false;
  }
  words[0] = "--method", words[1] = "search";
  return true;
}

/* Fills in the command line for a model or an instance; false: the reply says
 * what is wrong.  'number' has room for a horizon. */
static bool make_words(const json_t *body, const char **words, char number[24],
                       alea_page_run_wish *wish, alea_http_reply *reply) {
  const json_t *instance = json_object_get(body, "instance");
  const char *model = json_string_value(json_object_get(body, "model"));
  double horizon;
  if (!get_number(body, "horizon", 0, 1000, -1, &horizon, reply)) return false;
  snprintf(number, 24, horizon < 0 ? "" : "%d", (int)horizon);
  if (json_is_string(instance)) {
    wish->input = json_string_value(instance);
    wish->length = json_string_length(instance);
    wish->name = "instance";
    *words++ = "-";
    if (json_is_true(json_object_get(body, "best"))) *words++ = "--best";
    if (json_is_true(json_object_get(body, "policy"))) *words++ = "--policy";
    return add_method(body, words, reply);
  }
  if (model == NULL || !is_model(model)) {
    alea_page_refuse(reply, 400, "\"model\" or \"instance\" must say what is solved");
    return false;
  }
  wish->name = model;
  return add_method(body, add_model(words, model, number), reply);
}

void alea_page_solve(alea_page_api *api, const char *part, json_t *body, alea_http_reply *reply) {
  char number[24], seconds[24];
  double time;
  const char *words[ALEA_PAGE_RUN_WORDS] = {"solve", "--json",   "--live", "--time",
                                            seconds, "--memory", "1G"};
  alea_page_run_wish wish = {.kind = "solve", .words = words, .limits = api->limits, .input = ""};
  (void)part;
  if (!get_number(body, "seconds", 1, longest_search, search_seconds, &time, reply) ||
      !make_words(body, words + 7, number, &wish, reply))
    return;
  snprintf(seconds, sizeof seconds, "%g", time);
  wish.seconds = time + search_grace;
  wish.patience = search_patience;
  wish.limits.cpu = (unsigned)wish.seconds + 1;
  start(api, &wish, reply);
}

/* ---- experiments ---- */

/* An experiment that ships and measures something; NULL: there is none of that name. */
static const alea_shipped_file *find_experiment(const char *name) {
  for (size_t i = 0; i < alea_shipped_experiment_count; i++)
    if (strcmp(alea_shipped_experiments[i].name, name) == 0 && strcmp(name, "claims") != 0)
      return &alea_shipped_experiments[i];
  return NULL;
}

void alea_page_measure(alea_page_api *api, const char *part, json_t *body, alea_http_reply *reply) {
  char matches[24], seconds[24], values[100], id[ALEA_PAGE_ID_BYTES];
  double count, minutes;
  if (find_experiment(part) == NULL) {
    alea_page_refuse(reply, 404, "there is no such experiment; GET /api/experiments lists them");
    return;
  }
  if (!get_number(body, "matches", 1, 1000, 10, &count, reply) ||
      !get_number(body, "minutes", 0.05, 120, 10, &minutes, reply))
    return;
  if (alea_page_runs_find(api->runs, "experiment", part, id) &&
      alea_page_runs_is_running(api->runs, id)) {
    alea_page_refuse(reply, 409, "it is running");
    return;
  }
  alea_text folder;
  alea_text_init(&folder, reply->body.mem);
  alea_page_event_path(api->events, "experiments", "", &folder);
  (void)mkdir(alea_text_string(&folder), 0700); /* where it is there already, or cannot be made, the
                                                   process says so */
  snprintf(matches, sizeof matches, "%d", (int)count);
  snprintf(seconds, sizeof seconds, "%g", 60 * minutes);
  snprintf(values, sizeof values, "%.80s-small.values", part);
  const char *words[] = {"measure",  alea_text_string(&folder),
                         seconds,    "experiment",
                         part,       "--matches",
                         matches,    "--workers",
                         "1",        "--live",
                         "--values", values,
                         NULL};
  alea_page_run_wish wish = {.kind = "experiment",
                             .name = part,
                             .words = words,
                             .limits = api->limits,
                             .seconds = 60 * minutes + search_grace};
  wish.limits.mode = ALEA_SANDBOX_OFF; /* it writes a database, of matches between our players */
  wish.limits.cpu = (unsigned)wish.seconds + 1;
  start(api, &wish, reply);
  alea_text_clear(&folder);
}

static void put_experiment(alea_page_api *api, const alea_shipped_file *file, alea_json *json) {
  alea_mem mem;
  alea_diag diag;
  alea_yaml_file yaml;
  char id[ALEA_PAGE_ID_BYTES];
  alea_mem_init(&mem, 0);
  alea_diag_init(&diag, &mem);
  bool read = alea_yaml_read(&yaml, (const char *)file->bytes, file->length, file->file, &mem,
                             &diag) == ALEA_OK;
  alea_json_open(json, '{');
  alea_json_put_string(json, "name", file->name);
  alea_json_put_string(json, "title", read ? alea_yaml_text(yaml.root, "title", "") : "");
  alea_json_put_bool(json, "matches",
                     read && strcmp(alea_yaml_text(yaml.root, "kind", ""), "matches") == 0);
  alea_json_key(json, "run");
  if (alea_page_runs_find(api->runs, "experiment", file->name, id)) {
    alea_json_string(json, id);
  } else {
    alea_json_null(json);
  }
  alea_json_close(json, '}');
  alea_yaml_clear(&yaml);
  alea_diag_clear(&diag);
}

void alea_page_put_experiments(alea_page_api *api, alea_json *json) {
  alea_json_open(json, '[');
  for (size_t i = 0; i < alea_shipped_experiment_count; i++)
    if (find_experiment(alea_shipped_experiments[i].name) != NULL)
      put_experiment(api, &alea_shipped_experiments[i], json);
  alea_json_close(json, ']');
}

/* ---- events elsewhere ---- */

void alea_page_watch(alea_page_api *api, const char *part, json_t *body, alea_http_reply *reply) {
  const char *text = json_string_value(json_object_get(body, "address"));
  alea_page_address address;
  (void)part;
  if (text == NULL || !alea_page_address_read(&address, text)) {
    alea_page_refuse(reply, 422, "\"address\" must be as --watch-port prints it, http://HOST:PORT");
    return;
  }
  if (!alea_page_address_is_allowed(&address, api->allowed)) {
    alea_page_refuse(reply, 403, alea_page_not_allowed);
    return;
  }
  const char *words[] = {"watch", text, NULL};
  alea_page_run_wish wish = {.kind = "watch", .name = text, .words = words, .limits = api->limits};
  wish.limits.mode = ALEA_SANDBOX_OFF; /* it calls the address, and reads no rules */
  start(api, &wish, reply);
}
