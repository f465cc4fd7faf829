/* Routes that are answered by a process: commands with their --json. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "match/shipped.h"
#include "page/api.h"
#include "page/events.h"

static const size_t most_answer = (size_t)16 << 20;
static const double list_seconds = 30, check_seconds = 20, info_seconds = 60, replay_seconds = 120,
                    solve_seconds = 40;

/* ---- jobs ---- */

/* Runs a job if there is room for it; '*status' is its exit status.  False: the
 * reply says what is wrong. */
static bool run(alea_page_api *api, alea_job *job, alea_text *output, int *status,
                alea_http_reply *reply) {
  alea_text errors;
  alea_text_init(&errors, output->mem);
  job->most_bytes = most_answer;
  alea_sandbox_mode mode = job->limits.mode;
  job->limits = api->limits;
  if (mode == ALEA_SANDBOX_OFF) job->limits.mode = mode;
  job->limits.cpu = (unsigned)job->seconds + 1;
  pthread_mutex_lock(&api->lock);
  bool room = api->jobs < api->most_jobs;
  api->jobs += room;
  pthread_mutex_unlock(&api->lock);
  alea_status result = ALEA_NONE;
  if (room) {
    result = alea_job_run(api->launcher, job, output, &errors, status);
    pthread_mutex_lock(&api->lock);
    api->jobs--;
    pthread_mutex_unlock(&api->lock);
  }
  if (result == ALEA_NONE) {
    alea_page_refuse(reply, 503, "the server is busy with other work; try again in a moment");
  } else if (result == ALEA_SYSTEM) {
    alea_page_refuse(reply, 500, "no process could be started");
  } else if (result != ALEA_OK) {
    alea_page_refuse(reply, 422, alea_text_string(&errors));
  } else if (output->length == 0) {
    alea_page_refuse(reply, 422,
                     errors.length > 0 ? alea_text_string(&errors) : "there was no answer");
    result = ALEA_NO;
  }
  alea_text_clear(&errors);
  return result == ALEA_OK;
}

/* Runs a job and replies with what it wrote. */
static void answer(alea_page_api *api, alea_job *job, alea_http_reply *reply) {
  alea_text output;
  int status = 0;
  alea_text_init(&output, reply->body.mem);
  if (run(api, job, &output, &status, reply))
    alea_page_reply_json(reply, 200, alea_text_string(&output));
  alea_text_clear(&output);
}

/* ---- lists ---- */

/* Replies with a list that does not change while the program runs. */
static void list(alea_page_api *api, alea_text *kept, const char *command, alea_http_reply *reply) {
  const char *words[] = {command, "--json", NULL};
  alea_job job = {.words = words, .input = "", .seconds = list_seconds};
  alea_text output;
  int status = 0;
  alea_text_init(&output, reply->body.mem);
  pthread_mutex_lock(&api->lock);
  bool known = kept->length > 0;
  if (known) alea_page_reply_json(reply, 200, alea_text_string(kept));
  pthread_mutex_unlock(&api->lock);
  if (!known && run(api, &job, &output, &status, reply)) {
    alea_page_reply_json(reply, 200, alea_text_string(&output));
    pthread_mutex_lock(&api->lock);
    if (kept->length == 0) alea_text_add(kept, output.data, output.length);
    pthread_mutex_unlock(&api->lock);
  }
  alea_text_clear(&output);
}

void alea_page_list_games(alea_page_api *api, const char *part, json_t *body,
                          alea_http_reply *reply) {
  (void)part, (void)body;
  list(api, &api->games, "games", reply);
}

void alea_page_list_players(alea_page_api *api, const char *part, json_t *body,
                            alea_http_reply *reply) {
  (void)part, (void)body;
  list(api, &api->players, "players", reply);
}

void alea_page_show_rules(alea_page_api *api, const char *part, json_t *body,
                          alea_http_reply *reply) {
  const alea_shipped_file *file = alea_shipped_find(part);
  alea_json json;
  (void)api, (void)body;
  if (file == NULL) {
    alea_page_refuse(reply, 404, "no such game ships; GET /api/games lists them");
    return;
  }
  alea_page_reply_json(reply, 200, "");
  alea_json_start(&json, &reply->body);
  alea_json_open(&json, '{');
  alea_json_put_string(&json, "name", file->name);
  alea_json_put_string(&json, "file", file->file);
  alea_json_put_string(&json, "rules", (const char *)file->bytes);
  alea_json_close(&json, '}');
}

/* ---- rules ---- */

/* The rules of a body; NULL, and refused, if it has none. */
static const char *rules_of(const json_t *body, size_t *length, alea_http_reply *reply) {
  const json_t *rules = json_object_get(body, "rules");
  *length = json_string_length(rules);
  if (!json_is_string(rules)) alea_page_refuse(reply, 400, "\"rules\" must be the text of a game");
  return json_string_value(rules);
}

/* Replies with what a command says of the rules of a body. */
static void answer_rules(alea_page_api *api, const char *command, double seconds, json_t *body,
                         alea_http_reply *reply) {
  const char *language = json_string_value(json_object_get(body, "language"));
  bool toss = language != NULL && strcmp(language, "toss") == 0;
  const char *words[] = {command, "--json", "--", toss ? "-.toss" : "-", NULL};
  alea_job job = {.words = words, .seconds = seconds};
  job.input = rules_of(body, &job.length, reply);
  if (job.input != NULL) answer(api, &job, reply);
}

void alea_page_check_rules(alea_page_api *api, const char *part, json_t *body,
                           alea_http_reply *reply) {
  (void)part;
  answer_rules(api, "check", check_seconds, body, reply);
}

void alea_page_describe_game(alea_page_api *api, const char *part, json_t *body,
                             alea_http_reply *reply) {
  (void)part;
  answer_rules(api, "info", info_seconds, body, reply);
}

/* ---- games ---- */

/* Replies with what a process of the page says of a request. */
static void answer_request(alea_page_api *api, const char *word, double seconds,
                           const json_t *request, alea_http_reply *reply) {
  const char *words[] = {word, NULL};
  alea_job job = {.words = words, .seconds = seconds};
  char *input = json_dumps(request, JSON_COMPACT);
  if (input == NULL) {
    alea_page_refuse(reply, 500, "there is no memory for this request");
    return;
  }
  job.input = input;
  job.length = strlen(input);
  answer(api, &job, reply);
  free(input);
}

void alea_page_draw_game(alea_page_api *api, const char *part, json_t *body,
                         alea_http_reply *reply) {
  json_t *request = json_object();
  (void)part;
  if (alea_page_copy_game(body, request, reply))
    answer_request(api, "pictures", info_seconds, request, reply);
  json_decref(request);
}

void alea_page_replay(alea_page_api *api, const char *part, json_t *body, alea_http_reply *reply) {
  json_t *request = json_object();
  (void)part;
  if (alea_page_copy_game(body, request, reply)) {
    json_object_set(request, "moves", json_object_get(body, "moves"));
    json_object_set(request, "record", json_object_get(body, "record"));
    json_object_set(request, "values", json_object_get(body, "values"));
    json_object_set_new(request, "role", json_string(""));
    json_object_set_new(request, "level", json_integer(4));
    answer_request(api, "replay", replay_seconds, request, reply);
  }
  json_decref(request);
}

/* ---- models ---- */

/* Models whose solution is a policy; those of the others is a strategy. */
static bool is_stochastic(const char *model) {
  static const char *const starts[] = {"orchard", "pennies", "p3", "split"};
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
    if (strncmp(model, starts[i], strlen(starts[i])) == 0) return true;
  return false;
}

static bool is_model(const char *model) {
  size_t length = strspn(model, "abcdefghijklmnopqrstuvwxyz0123456789:-");
  return length > 0 && length <= 60 && model[length] == '\0';
}

static void reply_solved(const alea_text *output, alea_http_reply *reply) {
  const char *object = alea_text_string(output);
  if (*object != '{') {
    alea_page_refuse(reply, 422, "the solver gave no answer");
    return;
  }
  alea_page_reply_json(reply, 200, "{\"result\":");
  alea_text_put(&reply->body, object);
  alea_text_char(&reply->body, '}');
}

/* Fills in the command line for a model or an instance; false: the reply says
 * what is wrong.  'number' has room for a horizon. */
static bool make_words(const json_t *body, const char **words, char number[24], alea_job *job,
                       alea_http_reply *reply) {
  const json_t *instance = json_object_get(body, "instance");
  const json_t *horizon = json_object_get(body, "horizon");
  const char *model = json_string_value(json_object_get(body, "model"));
  if (json_is_string(instance)) {
    job->input = json_string_value(instance);
    job->length = json_string_length(instance);
    *words++ = "-";
    if (json_is_true(json_object_get(body, "best"))) *words++ = "--best";
  } else if (model != NULL && is_model(model)) {
    *words++ = "--model", *words++ = model;
    if (is_stochastic(model)) {
      *words++ = "--best", *words++ = "--policy";
    } else {
      *words++ = "--strategy", *words++ = "--depth", *words++ = "8";
      *words++ = "--table", *words++ = "64M";
    }
  } else {
    alea_page_refuse(reply, 400, "\"model\" or \"instance\" must say what is solved");
    return false;
  }
  if (!json_is_integer(horizon)) return true;
  if (json_integer_value(horizon) < 0 || json_integer_value(horizon) > 1000) {
    alea_page_refuse(reply, 422, "\"horizon\" must be from 0 to 1000");
    return false;
  }
  snprintf(number, 24, "%d", (int)json_integer_value(horizon));
  *words++ = "--horizon", *words++ = number;
  return true;
}

void alea_page_solve(alea_page_api *api, const char *part, json_t *body, alea_http_reply *reply) {
  const char *words[20] = {"solve", "--json", "--time", "30", "--memory", "1G"};
  alea_job job = {.words = words, .input = "", .seconds = solve_seconds};
  alea_text output;
  char number[24];
  int status = 0;
  (void)part;
  if (!make_words(body, words + 6, number, &job, reply)) return;
  alea_text_init(&output, reply->body.mem);
  if (run(api, &job, &output, &status, reply)) reply_solved(&output, reply);
  alea_text_clear(&output);
}

/* ---- events ---- */

/* Its database is a file, so the process is outside the sandbox; the name is never a path. */
void alea_page_show_event(alea_page_api *api, const char *part, json_t *body,
                          alea_http_reply *reply) {
  (void)body;
  if (!alea_page_event_is_name(part)) {
    alea_page_refuse(reply, 404, "there is no such event");
    return;
  }
  alea_text path;
  alea_text_init(&path, reply->body.mem);
  alea_page_event_path(api->events, part, ".db", &path);
  const char *words[] = {"report", alea_text_string(&path), "--json", NULL};
  alea_job job = {
      .words = words, .limits = {.mode = ALEA_SANDBOX_OFF}, .input = "", .seconds = info_seconds};
  if (access(words[1], R_OK) == 0) {
    answer(api, &job, reply);
  } else {
    alea_page_refuse(reply, 404, "there is no such event");
  }
  alea_text_clear(&path);
}
