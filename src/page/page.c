/* The page: launcher, tables, server. */
#include "page/page.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

#include "page/api.h"
#include "page/events.h"

enum { TOKEN_LETTERS = 32, CONNECTIONS = 1024 };
enum { EVENT_RUNS = 4 }; /* besides as many as there may be jobs */
static const size_t most_body = (size_t)8 << 20;
static const unsigned table_cpu = 7200; /* seconds */

struct alea_page {
  alea_launcher *launcher;
  alea_http_server *http;
  alea_page_api api;
  char token[TOKEN_LETTERS + 1];
};

static bool make_token(char *token) {
  static const char letters[] = "0123456789abcdefghijklmnopqrstuv";
  unsigned char noise[TOKEN_LETTERS];
  if (getrandom(noise, sizeof noise, 0) != sizeof noise) return false;
  for (size_t i = 0; i < sizeof noise; i++) token[i] = letters[noise[i] % 32];
  token[TOKEN_LETTERS] = '\0';
  return true;
}

static alea_status set_up(alea_page *page, const alea_page_options *o, alea_diag *diag) {
  alea_launch_limits limits = {.mode = o->sandbox, .memory = o->memory, .cpu = table_cpu};
  alea_status status = alea_launcher_new(&page->launcher, o->run, o->ask, diag);
  if (status != ALEA_OK) return status;
  alea_page_tables_options tables = {
      .launcher = page->launcher, .limits = limits, .most = o->tables, .idle = o->idle};
  alea_page_api *api = &page->api;
  api->launcher = page->launcher;
  api->limits = limits;
  api->most_jobs = o->jobs;
  api->guard = (alea_page_guard){.address = o->address, .name = o->name, .token = page->token};
  api->tables = alea_page_tables_new(&tables);
  api->runs = alea_page_runs_new(page->launcher, o->jobs + EVENT_RUNS);
  api->allowed = o->allowed;
  limits.mode = ALEA_SANDBOX_OFF; /* tournaments write files and start processes */
  limits.cpu = 0;
  if (api->runs != NULL) api->events = alea_page_events_new(api->runs, o->folder, &limits);
  if (api->tables == NULL || api->events == NULL || !make_token(page->token)) return ALEA_SYSTEM;
  alea_http_options http = {.address = o->address,
                            .port = o->port,
                            .exact = o->exact,
                            .most_bytes = most_body,
                            .connections = CONNECTIONS,
                            .headers = alea_page_headers};
  return alea_http_server_new(&page->http, &http, alea_page_api_answer, api, diag);
}

alea_status alea_page_new(alea_page **page, const alea_page_options *options, alea_diag *diag) {
  alea_page *p = *page = calloc(1, sizeof *p);
  if (p == NULL) return ALEA_SYSTEM;
  alea_mem_init(&p->api.mem, 0);
  alea_text_init(&p->api.games, &p->api.mem);
  alea_text_init(&p->api.players, &p->api.mem);
  pthread_mutex_init(&p->api.lock, NULL);
  alea_status status = set_up(p, options, diag);
  if (status == ALEA_OK) {
    p->api.guard.port = alea_http_server_port(p->http);
    return ALEA_OK;
  }
  alea_page_free(p);
  *page = NULL;
  return status;
}

void alea_page_free(alea_page *page) {
  if (page == NULL) return;
  if (page->api.tables != NULL) alea_page_tables_end(page->api.tables);
  if (page->api.runs != NULL) alea_page_runs_end(page->api.runs);
  alea_http_server_free(page->http);
  alea_page_tables_free(page->api.tables);
  alea_page_events_free(page->api.events);
  alea_page_runs_free(page->api.runs);
  alea_launcher_free(page->launcher);
  alea_text_clear(&page->api.games);
  alea_text_clear(&page->api.players);
  pthread_mutex_destroy(&page->api.lock);
  free(page);
}

uint16_t alea_page_port(const alea_page *page) { return page->api.guard.port; }
const char *alea_page_token(const alea_page *page) { return page->token; }
