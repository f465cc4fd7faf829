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
static const double list_seconds = 30, check_seconds = 20, info_seconds = 60, replay_seconds = 120;

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
                     *status == ALEA_SYSTEM ? "this needs more memory than the server allows"
                     : errors.length > 0    ? alea_text_string(&errors)
                                            : "there was no answer");
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

/* ---- databases from elsewhere ---- */

/* The value of a letter of base64; -1: it is none. */
static int value_of(char letter) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const char *at = letter != '\0' ? strchr(letters, letter) : NULL;
  return at != NULL ? (int)(at - letters) : -1;
}

/* Appends the bytes; false: it is not base64. */
static bool decode(const char *text, size_t length, alea_text *bytes) {
  uint32_t bits = 0;
  unsigned count = 0;
  while (length > 0 && text[length - 1] == '=') length--;
  for (size_t i = 0; i < length; i++) {
    int value = value_of(text[i]);
    if (value < 0) return false;
    bits = bits << 6 | (uint32_t)value;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    alea_text_char(bytes, (char)(bits >> count & 0xff));
  }
  return !bytes->failed;
}

/* It is read in the sandbox, from memory. */
void alea_page_report(alea_page_api *api, const char *part, json_t *body, alea_http_reply *reply) {
  const json_t *database = json_object_get(body, "database");
  const char *words[] = {"report", "-", "--json", NULL};
  alea_text bytes;
  (void)part;
  alea_text_init(&bytes, reply->body.mem);
  if (json_is_string(database) &&
      decode(json_string_value(database), json_string_length(database), &bytes)) {
    alea_job job = {.words = words,
                    .input = alea_text_string(&bytes),
                    .length = bytes.length,
                    .seconds = info_seconds};
    answer(api, &job, reply);
  } else {
    alea_page_refuse(reply, 400, "\"database\" must be a database of results in base64");
  }
  alea_text_clear(&bytes);
}

/* ---- experiments ---- */

/* What stored results of this server's own runs say to the claims: a document, as the
 * command prints it. */
void alea_page_list_experiments(alea_page_api *api, const char *part, json_t *body,
                                alea_http_reply *reply) {
  alea_text folder, claims;
  alea_json json;
  int status = 0;
  (void)part, (void)body;
  alea_text_init(&folder, reply->body.mem);
  alea_text_init(&claims, reply->body.mem);
  alea_page_event_path(api->events, "experiments", "", &folder);
  const char *words[] = {"experiment", "claims", "--results", alea_text_string(&folder), NULL};
  alea_job job = {
      .words = words, .limits = {.mode = ALEA_SANDBOX_OFF}, .input = "", .seconds = info_seconds};
  if (run(api, &job, &claims, &status, reply)) {
    alea_page_reply_json(reply, 200, "");
    alea_json_start(&json, &reply->body);
    alea_json_open(&json, '{');
    alea_json_key(&json, "experiments");
    alea_page_put_experiments(api, &json);
    alea_json_put_string(&json, "claims", alea_text_string(&claims));
    alea_json_close(&json, '}');
  }
  alea_text_clear(&claims);
  alea_text_clear(&folder);
}
