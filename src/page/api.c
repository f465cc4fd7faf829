/* Routes: from a request to what answers it. */
#include "page/api.h"

#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "match/shipped.h"

extern const alea_shipped_file alea_page_files[];

/* ---- routes ---- */

/* A `*` stands for one part of the path. */
static const struct {
  const char *method, *path;
  alea_page_action *act;
} routes[] = {
    {"GET", "/api/games", alea_page_list_games},
    {"GET", "/api/games/*/rules", alea_page_show_rules},
    {"GET", "/api/players", alea_page_list_players},
    {"POST", "/api/tables", alea_page_open_table},
    {"GET", "/api/tables/*", alea_page_show_table},
    {"GET", "/api/tables/*/events", alea_page_follow_table},
    {"POST", "/api/tables/*/wish", alea_page_ask_table},
    {"POST", "/api/tables/*/close", alea_page_close_table},
    {"POST", "/api/check", alea_page_check_rules},
    {"POST", "/api/info", alea_page_describe_game},
    {"POST", "/api/pictures", alea_page_draw_game},
    {"POST", "/api/replay", alea_page_replay},
    {"POST", "/api/solve", alea_page_solve},
    {"GET", "/api/runs/*", alea_page_show_run},
    {"GET", "/api/runs/*/events", alea_page_follow_run},
    {"POST", "/api/runs/*/stop", alea_page_stop_run},
    {"GET", "/api/experiments", alea_page_list_experiments},
    {"POST", "/api/experiments/*/run", alea_page_measure},
    {"POST", "/api/watch", alea_page_watch},
    {"POST", "/api/report", alea_page_report},
    {"GET", "/api/events", alea_page_list_events},
    {"POST", "/api/events", alea_page_start_event},
    {"GET", "/api/events/*", alea_page_show_event},
    {"POST", "/api/events/*/stop", alea_page_stop_event},
    {"POST", "/api/events/*/resume", alea_page_resume_event},
};
enum { ROUTES = sizeof routes / sizeof *routes, MOST_PART = 100, MOST_VALUES = 100000 };

/* Whether the path, up to its query, is that of the route; 'part' gets what
 * stands for its `*`. */
static bool fits(const char *pattern, const char *path, char part[MOST_PART]) {
  size_t length = strcspn(path, "?#"), at = 0;
  part[0] = '\0';
  for (; *pattern != '\0'; pattern++) {
    if (*pattern != '*') {
      if (at >= length || path[at++] != *pattern) return false;
      continue;
    }
    size_t count = strcspn(path + at, "/?#");
    if (count == 0 || count >= MOST_PART) return false;
    memcpy(part, path + at, count);
    part[count] = '\0';
    at += count;
  }
  return at == length;
}

/* ---- answers ---- */

void alea_page_reply_json(alea_http_reply *reply, unsigned status, const char *text) {
  reply->status = status;
  reply->type = "application/json";
  alea_text_put(&reply->body, text);
}

void alea_page_refuse(alea_http_reply *reply, unsigned status, const char *sentence) {
  alea_json json;
  alea_page_reply_json(reply, status, "");
  alea_json_start(&json, &reply->body);
  alea_json_open(&json, '{');
  alea_json_put_string(&json, "error", sentence);
  alea_json_close(&json, '}');
}

/* ---- files ---- */

static const char *type_of(const char *file) {
  static const char *const types[][2] = {{".html", "text/html; charset=utf-8"},
                                         {".js", "text/javascript; charset=utf-8"},
                                         {".css", "text/css; charset=utf-8"},
                                         {".svg", "image/svg+xml"},
                                         {".md", "text/markdown; charset=utf-8"}};
  const char *end = strrchr(file, '.');
  for (size_t i = 0; end != NULL && i < sizeof types / sizeof *types; i++)
    if (strcmp(end, types[i][0]) == 0) return types[i][1];
  return "application/octet-stream";
}

static bool send_file(const char *path, alea_http_reply *reply) {
  size_t length = strcspn(path, "?#");
  const char *name = length == 1 ? "index.html" : path + 1;
  size_t count = length == 1 ? strlen(name) : length - 1;
  for (const alea_shipped_file *file = alea_page_files; file->name != NULL; file++) {
    if (strlen(file->file) != count || memcmp(file->file, name, count) != 0) continue;
    reply->type = type_of(file->file);
    alea_text_add(&reply->body, (const char *)file->bytes, file->length);
    return true;
  }
  return false;
}

/* ---- requests ---- */

/* Whether a text has at most so many values, were it JSON.  An empty list takes three bytes
 * here and two hundred when it is read, so the length of a body does not bound its memory. */
static bool has_few_values(const char *text, size_t length, size_t most) {
  bool quoted = false;
  size_t count = 1;
  for (size_t i = 0; i < length && count <= most; i++) {
    if (quoted && text[i] == '\\') {
      i++;
    } else if (text[i] == '"') {
      quoted = !quoted;
    } else if (!quoted) {
      count += text[i] == ',' || text[i] == '[' || text[i] == '{';
    }
  }
  return count <= most;
}

/* The object that a body is; NULL, and refused, if it is none. */
static json_t *read_body(const alea_http_request *request, alea_http_reply *reply) {
  json_error_t error;
  if (!has_few_values(request->body, request->length, MOST_VALUES)) {
    alea_page_refuse(reply, 413, "the body has more than 100,000 values");
    return NULL;
  }
  json_t *body = json_loadb(request->body, request->length, JSON_REJECT_DUPLICATES, &error);
  if (json_is_object(body)) return body;
  char why[300];
  if (body != NULL) snprintf(why, sizeof why, "the body must be one JSON object");
  if (body == NULL)
    snprintf(why, sizeof why, "the body is not JSON: line %d, column %d: %.200s", error.line,
             error.column, error.text);
  json_decref(body);
  alea_page_refuse(reply, 400, why);
  return NULL;
}

void alea_page_api_answer(void *context, const alea_http_request *request, alea_http_reply *reply) {
  alea_page_api *api = context;
  char part[MOST_PART];
  unsigned status;
  const char *refusal = alea_page_guard_refuse(&api->guard, request, &status);
  if (refusal != NULL) {
    alea_page_refuse(reply, status, refusal);
    return;
  }
  bool other_method = false, get = strcmp(request->method, "GET") == 0;
  for (size_t i = 0; i < ROUTES; i++) {
    if (!fits(routes[i].path, request->path, part)) continue;
    other_method = true;
    if (strcmp(routes[i].method, request->method) != 0) continue;
    json_t *body = get ? NULL : read_body(request, reply);
    if (get || body != NULL) routes[i].act(api, part, body, reply);
    json_decref(body);
    return;
  }
  if (get && !other_method && send_file(request->path, reply)) return;
  alea_page_refuse(reply, other_method ? 405 : 404,
                   other_method ? "this address has another method" : "there is nothing here");
}
