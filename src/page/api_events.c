/* Routes about events. */
#include <string.h>

#include "match/shipped.h"
#include "page/address.h"
#include "page/api.h"
#include "page/events.h"
#include "play/player.h"
#include "tournament/yaml.h"

enum { MOST_GAMES = 20, MOST_PLAYERS = 16, MOST_MATCHES = 1000 };

static const char bad_name[] = "a name has 1 to 40 small letters, digits and hyphens";
static const char no_event[] = "there is no such event";

void alea_page_list_events(alea_page_api *api, const char *part, json_t *body,
                           alea_http_reply *reply) {
  alea_json json;
  (void)part, (void)body;
  alea_page_reply_json(reply, 200, "");
  alea_json_start(&json, &reply->body);
  alea_page_events_list(api->events, &json);
}

/* ---- descriptions ---- */

const char alea_page_not_allowed[] =
    "this address is not of this machine; alea web --allow HOST:PORT lets the page call it";

static bool is_address(const char *text) { return strncmp(text, "http://", 7) == 0; }

/* Whether it is a list of 1 to 'most' texts. */
static bool is_list(const json_t *list, size_t most) {
  size_t index;
  const json_t *item;
  if (!json_is_array(list) || json_array_size(list) == 0 || json_array_size(list) > most)
    return false;
  json_array_foreach(list, index, item) {
    if (!json_is_string(item)) return false;
  }
  return true;
}

static bool is_player(const char *text) {
  alea_mem mem;
  alea_text message;
  alea_mem_init(&mem, 0);
  alea_text_init(&message, &mem);
  bool good = alea_player_check(text, &mem, &message) == ALEA_OK;
  alea_text_clear(&message);
  return good;
}

/* What is wrong with the entrants; NULL: nothing.  '*remote': some of them play elsewhere. */
static const char *check_players(const alea_page_api *api, const json_t *players, bool *remote) {
  size_t index;
  const json_t *item;
  alea_page_address address;
  *remote = false;
  if (!is_list(players, MOST_PLAYERS)) return "\"players\" must be 1 to 16 players";
  json_array_foreach(players, index, item) {
    const char *text = json_string_value(item);
    if (!is_address(text) && !is_player(text)) return "\"players\" must be 1 to 16 players";
    if (alea_page_names_file(text)) return alea_page_no_files;
    if (!is_address(text)) continue;
    *remote = true;
    if (!alea_page_address_read(&address, text))
      return "a player elsewhere has an address such as http://127.0.0.1:9147";
    if (!alea_page_address_is_allowed(&address, api->allowed)) return alea_page_not_allowed;
  }
  return NULL;
}

/* The budget of an event; NULL: none is given, or it is out of range.  Players elsewhere have
 * a clock; they read the rules within as long as ten moves, or what "start" says. */
static json_t *budget_of(const json_t *body, bool remote) {
  json_int_t sims = json_integer_value(json_object_get(body, "sims"));
  double seconds = json_number_value(json_object_get(body, "seconds"));
  double start = json_number_value(json_object_get(body, "start"));
  if (!remote && sims >= 1 && sims <= 1000000) return json_pack("{s:I}", "sims", sims);
  if (seconds < 0.05 || seconds > 60 || start < 0 || start > 600) return NULL;
  if (!remote) return json_pack("{s:f}", "time", seconds);
  return json_pack("{s:f, s:f}", "time", seconds, "start", start > 0 ? start : 10 * seconds);
}

/* What is wrong with the body of a new event; NULL: nothing.  '*budget' is the caller's. */
static const char *find_fault(const alea_page_api *api, const json_t *body, json_t **budget) {
  const json_t *games = json_object_get(body, "games");
  size_t index;
  const json_t *item;
  bool remote;
  json_int_t matches = json_integer_value(json_object_get(body, "matches"));
  bool shipped = is_list(games, MOST_GAMES);
  json_array_foreach(games, index, item) {
    shipped = shipped && alea_shipped_find(json_string_value(item)) != NULL;
  }
  if (!shipped) return "\"games\" must be 1 to 20 games that ship";
  const char *fault = check_players(api, json_object_get(body, "players"), &remote);
  if (fault != NULL) return fault;
  if (matches < 1 || matches > MOST_MATCHES) return "\"matches\" must be from 1 to 1000";
  *budget = budget_of(body, remote);
  if (*budget == NULL && remote)
    return "with players elsewhere \"seconds\" (0.05 to 60) must say how long a move takes";
  if (*budget == NULL)
    return "\"sims\" (1 to 1,000,000) or \"seconds\" (0.05 to 60) must say how long a move takes";
  return NULL;
}

/* The entrants as a description has them: those elsewhere are known by host and port. */
static json_t *name_players(const json_t *players) {
  json_t *named = json_array();
  size_t index;
  json_t *item;
  json_array_foreach(players, index, item) {
    const char *text = json_string_value(item);
    if (is_address(text)) {
      json_array_append_new(named, json_pack("{s:s, s:s}", "name", text + 7, "player", text));
    } else {
      json_array_append(named, item);
    }
  }
  return named;
}

/* 'there' is what ALEA_NO means. */
static void answer(alea_status status, unsigned done, const char *there, alea_http_reply *reply) {
  switch (status) {
    case ALEA_OK: alea_page_reply_json(reply, done, "{}"); break;
    case ALEA_NO: alea_page_refuse(reply, 409, there); break;
    case ALEA_NONE: alea_page_refuse(reply, 404, no_event); break;
    case ALEA_LIMIT: alea_page_refuse(reply, 503, "too many events run; stop one first"); break;
    default: alea_page_refuse(reply, 500, "the folder of events cannot be written"); break;
  }
}

void alea_page_start_event(alea_page_api *api, const char *part, json_t *body,
                           alea_http_reply *reply) {
  const char *name = json_string_value(json_object_get(body, "name"));
  (void)part;
  if (name == NULL || !alea_page_event_is_name(name)) {
    alea_page_refuse(reply, 422, bad_name);
    return;
  }
  json_t *budget = NULL;
  const char *fault = find_fault(api, body, &budget);
  if (fault != NULL) {
    bool forbidden = fault == alea_page_not_allowed || fault == alea_page_no_files;
    alea_page_refuse(reply, forbidden ? 403 : 422, fault);
    return;
  }
  json_t *seed = json_object_get(body, "seed");
  json_t *description = json_pack("{s:s, s:I, s:O, s:o, s:O, s:o}", "name", name, "seed",
                                  json_is_integer(seed) ? json_integer_value(seed) : (json_int_t)1,
                                  "games", json_object_get(body, "games"), "players",
                                  name_players(json_object_get(body, "players")), "matches",
                                  json_object_get(body, "matches"), "budget", budget);
  answer(description != NULL ? alea_page_events_start(api->events, name, description) : ALEA_SYSTEM,
         201, "there is such an event already", reply);
  json_decref(description);
}

void alea_page_stop_event(alea_page_api *api, const char *part, json_t *body,
                          alea_http_reply *reply) {
  (void)body;
  answer(alea_page_events_stop(api->events, part), 200, "", reply);
}

/* Why a description may not be played: an address that may not be called, or a file; NULL: it may.
 */
static const char *find_harm(const alea_yaml *node, const char *allowed) {
  alea_page_address address;
  const char *harm = NULL;
  if (is_address(node->text) && !(alea_page_address_read(&address, node->text) &&
                                  alea_page_address_is_allowed(&address, allowed)))
    return alea_page_not_allowed;
  if (alea_page_names_file(node->text)) return alea_page_no_files;
  for (const alea_yaml *child = node->first; child != NULL && harm == NULL; child = child->next)
    harm = find_harm(child, allowed);
  return harm;
}

/* The same of an event in the folder, whose description somebody else may have written.
 * What is no description is refused by the process that reads it. */
static alea_status check_description(const alea_page_api *api, const char *name,
                                     const char **harm) {
  alea_mem mem;
  alea_text text;
  alea_diag diag;
  alea_yaml_file file;
  alea_mem_init(&mem, 0);
  alea_text_init(&text, &mem);
  alea_diag_init(&diag, &mem);
  alea_status status = alea_page_events_describe(api->events, name, &text);
  *harm = NULL;
  if (status == ALEA_OK) {
    if (alea_yaml_read(&file, alea_text_string(&text), text.length, name, &mem, &diag) == ALEA_OK)
      *harm = find_harm(file.root, api->allowed);
    alea_yaml_clear(&file);
  }
  alea_diag_clear(&diag);
  alea_text_clear(&text);
  return status;
}

void alea_page_resume_event(alea_page_api *api, const char *part, json_t *body,
                            alea_http_reply *reply) {
  const char *harm = NULL;
  (void)body;
  alea_status status =
      alea_page_event_is_name(part) ? check_description(api, part, &harm) : ALEA_NONE;
  if (status == ALEA_OK && harm != NULL) {
    alea_page_refuse(reply, 403, harm);
    return;
  }
  if (status == ALEA_OK) status = alea_page_events_resume(api->events, part);
  answer(status, 200, "it is running", reply);
}
