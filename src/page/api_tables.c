/* Routes about tables. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/json.h"
#include "match/shipped.h"
#include "page/api.h"
#include "play/player.h"

enum { MOST_NAME = 200, MOST_PLAYERS = 64, LEVELS = 9, SEEDS = 1000000 };
static const double longest_move = 60, answer_seconds = 90;
static const double shortest_clock = 5, longest_clock = 86400, longest_increment = 3600;

bool alea_page_copy_game(const json_t *body, json_t *first, alea_http_reply *reply) {
  const char *game = json_string_value(json_object_get(body, "game"));
  json_t *rules = json_object_get(body, "rules");
  const char *language = json_string_value(json_object_get(body, "language"));
  if (json_is_string(rules)) {
    bool toss = language != NULL && strcmp(language, "toss") == 0;
    const char *name = json_string_value(json_object_get(body, "name"));
    if (name != NULL && strlen(name) > MOST_NAME) {
      alea_page_refuse(reply, 422, "the name of the rules is too long");
      return false;
    }
    json_object_set(first, "rules", rules);
    json_object_set_new(first, "label", json_string(toss ? "rules.toss" : "rules.kif"));
    json_object_set_new(first, "name",
                        json_string(name != NULL && *name != '\0' ? name : "Rules of your own"));
    return true;
  }
  if (game != NULL && alea_shipped_find(game) != NULL) {
    json_object_set_new(first, "game", json_string(game));
    return true;
  }
  alea_page_refuse(reply, game != NULL ? 404 : 400,
                   game != NULL ? "no such game ships; GET /api/games lists them"
                                : "\"game\" or \"rules\" must say what is played");
  return false;
}

/* ---- who plays ---- */

const char alea_page_no_files[] = "players of the page read and write no files";

bool alea_page_names_file(const char *text) {
  alea_mem mem;
  alea_text message, path;
  bool written;
  alea_mem_init(&mem, 0);
  alea_text_init(&message, &mem);
  alea_text_init(&path, &mem);
  bool named =
      alea_player_check_file(text, &mem, &path, &written, &message) == ALEA_OK && path.length > 0;
  alea_text_clear(&path);
  alea_text_clear(&message);
  return named;
}

static bool is_player(const char *text, alea_http_reply *reply) {
  alea_mem mem;
  alea_text message;
  alea_mem_init(&mem, 0);
  alea_text_init(&message, &mem);
  bool good = strlen(text) <= MOST_NAME && alea_player_check(text, &mem, &message) == ALEA_OK;
  if (good && alea_page_names_file(text)) {
    good = false;
    alea_text_put(&message, alea_page_no_files);
  }
  if (!good)
    alea_page_refuse(reply, 422,
                     message.length > 0 ? alea_text_string(&message) : "this is no player");
  alea_text_clear(&message);
  return good;
}

static bool copy_players(json_t *body, json_t *first, alea_http_reply *reply) {
  json_t *players = json_object_get(body, "players"), *player = json_object_get(body, "player");
  const char *role;
  json_t *text;
  if (json_is_string(player) && !is_player(json_string_value(player), reply)) return false;
  if (json_object_size(players) > MOST_PLAYERS) {
    alea_page_refuse(reply, 422, "there are too many players");
    return false;
  }
  json_object_foreach(players, role, text) {
    if (!json_is_string(text) || !is_player(json_string_value(text), reply)) {
      if (reply->body.length == 0) alea_page_refuse(reply, 422, "a player must be a text");
      return false;
    }
  }
  if (json_is_string(player)) json_object_set(first, "player", player);
  if (json_is_object(players)) json_object_set(first, "players", players);
  return true;
}

/* How long they think, and the seed. */
static bool copy_numbers(const json_t *body, json_t *first, alea_http_reply *reply) {
  const json_t *level = json_object_get(body, "level"), *seconds = json_object_get(body, "seconds");
  const json_t *seed = json_object_get(body, "seed");
  json_int_t n = json_integer_value(level);
  double s = json_number_value(seconds);
  bool level_fits = level == NULL || json_is_null(level) || (n >= 1 && n <= LEVELS);
  bool seconds_fit = seconds == NULL || json_is_null(seconds) || (s >= 0.05 && s <= longest_move);
  if (!level_fits || !seconds_fit) {
    alea_page_refuse(
        reply, 422,
        level_fits ? "\"seconds\" must be from 0.05 to 60" : "\"level\" must be from 1 to 9");
    return false;
  }
  if (n > 0) json_object_set_new(first, "level", json_integer(n));
  if (s > 0) json_object_set_new(first, "seconds", json_real(s));
  uint64_t noise = 1;
  if (getrandom(&noise, sizeof noise, 0) != sizeof noise) noise = (uint64_t)(uintptr_t)&noise;
  json_int_t given = json_integer_value(seed);
  json_object_set_new(
      first, "seed",
      json_integer(json_is_integer(seed) && given >= 0 ? given : (json_int_t)(noise % SEEDS)));
  return true;
}

/* What the people have for the whole game, and get for each move. */
static bool copy_clock(const json_t *body, json_t *first, alea_http_reply *reply) {
  const json_t *clock = json_object_get(body, "clock"),
               *increment = json_object_get(body, "increment");
  double c = json_number_value(clock), i = json_number_value(increment);
  if (clock == NULL || json_is_null(clock)) return true;
  if (c < shortest_clock || c > longest_clock || i < 0 || i > longest_increment) {
    alea_page_refuse(reply, 422,
                     "\"clock\" must be from 5 to 86400 seconds, \"increment\" from 0 to 3600");
    return false;
  }
  json_object_set_new(first, "clock", json_real(c));
  json_object_set_new(first, "increment", json_real(i));
  return true;
}

/* The people, each with a seat of their own; '*seats' stays where there are none. */
static bool copy_people(const json_t *body, json_t *first, unsigned *seats,
                        alea_http_reply *reply) {
  json_t *people = json_object_get(body, "people"), *name;
  size_t count = json_array_size(people), i;
  if (people == NULL || json_is_null(people)) return true;
  bool good = json_is_array(people) && count >= 1 && count <= ALEA_PAGE_MOST_SEATS;
  json_array_foreach(people, i, name) {
    good &= json_is_string(name) && json_string_length(name) <= MOST_NAME;
    for (size_t k = 0; k < i; k++) good &= !json_equal(json_array_get(people, k), name);
  }
  if (!good) {
    alea_page_refuse(reply, 422, "\"people\" must be a list of one to eight different roles");
    return false;
  }
  json_object_set(first, "people", people);
  *seats = (unsigned)count;
  return true;
}

static bool copy_role(const json_t *body, json_t *first, alea_http_reply *reply) {
  json_t *role = json_object_get(body, "role");
  if (json_is_string(role) && json_string_length(role) <= MOST_NAME) {
    json_object_set(first, "role", role);
  } else if (role != NULL && !json_is_null(role)) {
    alea_page_refuse(reply, 422, "\"role\" must be the name of a role, or empty to watch");
    return false;
  }
  return true;
}

/* The id of the first seat, and those of all the people. */
static void reply_opened(const json_t *people, unsigned seats, alea_page_ids ids,
                         alea_http_reply *reply) {
  alea_json json;
  alea_page_reply_json(reply, 201, "");
  alea_json_start(&json, &reply->body);
  alea_json_open(&json, '{');
  alea_json_put_string(&json, "id", ids[0]);
  alea_json_key(&json, "seats");
  alea_json_open(&json, '[');
  for (unsigned i = 0; json_is_array(people) && i < seats; i++) {
    alea_json_open(&json, '{');
    alea_json_put_string(&json, "role", json_string_value(json_array_get(people, i)));
    alea_json_put_string(&json, "id", ids[i]);
    alea_json_close(&json, '}');
  }
  alea_json_close(&json, ']');
  alea_json_close(&json, '}');
}

void alea_page_open_table(alea_page_api *api, const char *part, json_t *body,
                          alea_http_reply *reply) {
  alea_page_ids ids;
  unsigned seats = 1;
  json_t *first = json_object();
  (void)part;
  bool good = alea_page_copy_game(body, first, reply) && copy_players(body, first, reply) &&
              copy_numbers(body, first, reply) && copy_role(body, first, reply) &&
              copy_clock(body, first, reply) && copy_people(body, first, &seats, reply);
  char *line = good ? json_dumps(first, JSON_COMPACT) : NULL;
  json_decref(first);
  if (!good) return;
  alea_status status =
      line != NULL ? alea_page_tables_open(api->tables, line, seats, ids) : ALEA_SYSTEM;
  free(line);
  if (status == ALEA_LIMIT) {
    alea_page_refuse(reply, 503, "all tables are taken; close one, or wait until one is free");
  } else if (status != ALEA_OK) {
    alea_page_refuse(reply, 500, "no process could be started for this table");
  } else {
    reply_opened(json_object_get(body, "people"), seats, ids, reply);
  }
}

static const char no_table[] = "there is no such table; it may have been closed";

void alea_page_show_table(alea_page_api *api, const char *part, json_t *body,
                          alea_http_reply *reply) {
  (void)body;
  reply->type = "application/json";
  if (alea_page_tables_latest(api->tables, part, &reply->body) != ALEA_OK)
    alea_page_refuse(reply, 404, no_table);
}

static size_t stream(void *context, uint64_t *state, char *bytes, size_t size) {
  alea_page_api *api = context;
  return alea_page_tables_stream(api->tables, *state, bytes, size);
}

static void end_stream(void *context, uint64_t state) {
  alea_page_api *api = context;
  alea_page_tables_unfollow(api->tables, state);
}

void alea_page_follow_table(alea_page_api *api, const char *part, json_t *body,
                            alea_http_reply *reply) {
  (void)body;
  alea_status status = alea_page_tables_follow(api->tables, part, &reply->stream_state);
  if (status != ALEA_OK) {
    alea_page_refuse(reply, status == ALEA_NONE ? 404 : 500, no_table);
    return;
  }
  reply->type = "text/event-stream";
  reply->stream = stream;
  reply->stream_end = end_stream;
}

void alea_page_ask_table(alea_page_api *api, const char *part, json_t *body,
                         alea_http_reply *reply) {
  alea_text sentence;
  int answer = 0;
  alea_text_init(&sentence, reply->body.mem);
  if (!json_is_string(json_object_get(body, "do"))) {
    alea_page_refuse(reply, 400, "\"do\" must say what is wished");
    return;
  }
  alea_status status =
      alea_page_tables_ask(api->tables, part, body, answer_seconds, &answer, &sentence);
  if (status == ALEA_NONE) {
    alea_page_refuse(reply, 404, no_table);
  } else if (status != ALEA_OK) {
    alea_page_refuse(reply, 504, "the table does not answer");
  } else if (answer != 200) {
    bool known = answer >= 400 && answer < 500; /* the process may be in the hands of its rules */
    alea_page_refuse(reply, known ? (unsigned)answer : 500, alea_text_string(&sentence));
  } else {
    alea_json json;
    alea_page_reply_json(reply, 200, "");
    alea_json_start(&json, &reply->body);
    alea_json_open(&json, '{');
    alea_json_put_string(&json, "message", alea_text_string(&sentence));
    alea_json_close(&json, '}');
  }
  alea_text_clear(&sentence);
}

void alea_page_close_table(alea_page_api *api, const char *part, json_t *body,
                           alea_http_reply *reply) {
  (void)body;
  if (alea_page_tables_close(api->tables, part) == ALEA_OK) {
    alea_page_reply_json(reply, 200, "{}");
  } else {
    alea_page_refuse(reply, 404, no_table);
  }
}
