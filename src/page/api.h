#ifndef ALEA_PAGE_API_H
#define ALEA_PAGE_API_H

/* The routes of the page's API; docs/openapi.yaml describes each. */

#include <jansson.h>
#include <pthread.h>

#include "base/json.h"
#include "page/guard.h"
#include "page/job.h"
#include "page/runs.h"
#include "page/tables.h"

/* What all requests share. */
typedef struct alea_page_api {
  alea_page_guard guard;
  alea_launcher *launcher; /* borrowed */
  alea_page_tables *tables;
  alea_page_runs *runs;
  struct alea_page_events *events;
  alea_launch_limits limits; /* of jobs */
  const char *allowed;       /* addresses that may be called, besides loopback (page/address.h) */
  unsigned most_jobs;
  pthread_mutex_t lock; /* guards what follows */
  unsigned jobs;        /* that run now */
  alea_mem mem;
  alea_text games, players; /* the lists, once they were asked for */
} alea_page_api;

/* Answers a request; an alea_http_handler whose context is an alea_page_api. */
void alea_page_api_answer(void *context, const alea_http_request *request, alea_http_reply *reply);

/* ---- answers ---- */

/* {"error": sentence} with this status. */
void alea_page_refuse(alea_http_reply *reply, unsigned status, const char *sentence);
/* Replies with text, of which the reply gets a copy. */
void alea_page_reply_json(alea_http_reply *reply, unsigned status, const char *text);

/* ---- api_tables.c, api_jobs.c, api_runs.c, api_events.c: what the routes do ---- */

/* 'part' is the variable part of the path, or ""; 'body' the body of a POST, an
 * object, or NULL. */
typedef void alea_page_action(alea_page_api *api, const char *part, json_t *body,
                              alea_http_reply *reply);

alea_page_action alea_page_open_table, alea_page_show_table, alea_page_follow_table,
    alea_page_ask_table, alea_page_close_table;
alea_page_action alea_page_list_games, alea_page_list_players, alea_page_show_rules,
    alea_page_check_rules, alea_page_describe_game, alea_page_draw_game, alea_page_replay,
    alea_page_show_event, alea_page_report, alea_page_list_experiments;
alea_page_action alea_page_show_run, alea_page_follow_run, alea_page_stop_run, alea_page_solve,
    alea_page_measure, alea_page_watch;
alea_page_action alea_page_list_events, alea_page_start_event, alea_page_stop_event,
    alea_page_resume_event;

/* Puts the game that a body names into 'first': "game", or "rules" with a label.
 * False: the reply says what is wrong. */
bool alea_page_copy_game(const json_t *body, json_t *first, alea_http_reply *reply);
/* Writes an array of {"name", "title", "matches", "run"}: the experiments that ship, whether
 * they play matches, and the id of the latest run of each. */
void alea_page_put_experiments(alea_page_api *api, alea_json *json);
/* The refusal of an address. */
extern const char alea_page_not_allowed[];
/* The same for a player whose options name a file. */
extern const char alea_page_no_files[];
/* Whether a text names such a player: events would read and write what it names outside the
 * sandbox, and tables have no files. */
bool alea_page_names_file(const char *text);

#endif
