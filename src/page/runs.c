/* Runs: a thread follows each process. */
#include "page/runs.h"

#include <jansson.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

enum { KEPT = 32, MOST_OUTPUT = 16 << 20, MOST_LIVE = 1 << 20 };
static const char live_start[] = "{\"type\":\"live\"";

typedef enum run_state { RUN_RUNNING, RUN_DONE, RUN_FAILED, RUN_STOPPED } run_state;
static const char *const state_words[] = {"running", "done", "failed", "stopped"};

typedef struct page_run {
  alea_page_runs *owner;
  char id[ALEA_PAGE_ID_BYTES]; /* "" if the place is free */
  uint32_t serial;             /* never used twice */
  const char *kind;
  char name[ALEA_PAGE_RUN_NAME + 1];
  char *words[ALEA_PAGE_RUN_WORDS + 1], *input; /* owned */
  alea_job job;
  atomic_bool stop;
  double started;
  run_state state;
  alea_mem mem;
  alea_text told;   /* the object as it is told */
  uint32_t version; /* of it, from 1 */
  json_t *live;     /* the last news; owned */
} page_run;

typedef struct run_stream {
  uint32_t serial, version; /* that was sent */
  alea_page_notice notice;
} run_stream;

struct alea_page_runs {
  alea_launcher *launcher;
  unsigned most;
  pthread_mutex_t lock; /* guards what follows */
  pthread_cond_t change;
  page_run places[KEPT];
  unsigned running; /* threads */
  uint32_t serials;
  bool ending;
  atomic_bool hurry; /* the same, for processes that are asked to end */
};

alea_page_runs *alea_page_runs_new(alea_launcher *launcher, unsigned most) {
  alea_page_runs *runs = calloc(1, sizeof *runs);
  if (runs == NULL) return NULL;
  runs->launcher = launcher;
  runs->most = most < KEPT ? most : KEPT;
  pthread_mutex_init(&runs->lock, NULL);
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&runs->change, &attributes);
  pthread_condattr_destroy(&attributes);
  return runs;
}

/* ---- one run; the lock is held ---- */

static void forget(page_run *run) {
  for (size_t i = 0; i < ALEA_PAGE_RUN_WORDS; i++) free(run->words[i]);
  free(run->input);
  json_decref(run->live);
  alea_text_clear(&run->told);
  *run = (page_run){.id = ""};
}

/* Both texts may be NULL.  What a process wrote need not be UTF-8. */
static json_t *text_or_null(const alea_text *text) {
  if (text == NULL) return json_null();
  json_t *value = json_stringn(text->data != NULL ? text->data : "", text->length);
  return value != NULL ? value : json_string("the output is not UTF-8");
}

static void tell(page_run *run, const alea_text *output, const alea_text *message) {
  json_t *object = json_pack("{s:s, s:s, s:s, s:f, s:O?, s:o, s:o}", "kind", run->kind, "name",
                             run->name, "state", state_words[run->state], "seconds",
                             alea_clock_wall() - run->started, "live", run->live, "message",
                             text_or_null(message), "output", text_or_null(output));
  char *text = object != NULL ? json_dumps(object, JSON_COMPACT) : NULL;
  alea_text_truncate(&run->told, 0);
  alea_text_put(&run->told, text != NULL ? text : "{}");
  run->version++;
  free(text);
  json_decref(object);
  pthread_cond_broadcast(&run->owner->change);
}

static page_run *find(alea_page_runs *runs, const char *id) {
  for (size_t i = 0; i < KEPT; i++)
    if (id[0] != '\0' && strcmp(runs->places[i].id, id) == 0) return &runs->places[i];
  return NULL;
}

static page_run *find_serial(alea_page_runs *runs, uint32_t serial) {
  for (size_t i = 0; i < KEPT; i++)
    if (runs->places[i].id[0] != '\0' && runs->places[i].serial == serial) return &runs->places[i];
  return NULL;
}

/* A free place, or that of the oldest run that has ended; NULL: all of them run. */
static page_run *find_place(alea_page_runs *runs) {
  page_run *oldest = NULL;
  for (size_t i = 0; i < KEPT; i++) {
    page_run *run = &runs->places[i];
    if (run->id[0] == '\0') return run;
    if (run->state == RUN_RUNNING) continue;
    if (oldest == NULL || run->serial < oldest->serial) oldest = run;
  }
  if (oldest != NULL) forget(oldest);
  return oldest;
}

/* ---- the thread of a run ---- */

/* Takes the lines with news away and keeps the last. */
static void take_news(void *context, alea_text *output) {
  page_run *run = context;
  json_t *live = NULL;
  size_t start = 0, kept = 0;
  char *end;
  while (start < output->length &&
         (end = memchr(output->data + start, '\n', output->length - start)) != NULL) {
    size_t length = (size_t)(end - output->data) - start + 1;
    bool news = length > sizeof live_start && length <= MOST_LIVE &&
                memcmp(output->data + start, live_start, sizeof live_start - 1) == 0;
    json_t *next = news ? json_loadb(output->data + start, length, 0, NULL) : NULL;
    if (next != NULL) {
      json_decref(live);
      live = next;
    } else {
      memmove(output->data + kept, output->data + start, length);
      kept += length;
    }
    start += length;
  }
  if (live == NULL) return;
  memmove(output->data + kept, output->data + start, output->length - start);
  alea_text_truncate(output, kept + output->length - start);
  pthread_mutex_lock(&run->owner->lock);
  json_decref(run->live);
  run->live = live;
  tell(run, NULL, NULL);
  pthread_mutex_unlock(&run->owner->lock);
}

/* Answers of commands are statuses up to ALEA_LIMIT that come with a result. */
static run_state state_of(alea_status ended, int status, const alea_text *output) {
  if (ended == ALEA_NONE) return RUN_STOPPED;
  bool answered =
      status == ALEA_OK || ((status == ALEA_NO || status == ALEA_LIMIT) && output->length > 0);
  return ended == ALEA_OK && answered ? RUN_DONE : RUN_FAILED;
}

static void *follow_process(void *argument) {
  page_run *run = argument;
  alea_page_runs *runs = run->owner;
  alea_mem mem;
  alea_text output, errors;
  int status = 0;
  alea_mem_init(&mem, 0);
  alea_text_init(&output, &mem);
  alea_text_init(&errors, &mem);
  alea_status ended = alea_job_run(runs->launcher, &run->job, &output, &errors, &status);
  if (ended == ALEA_SYSTEM) alea_text_put(&errors, "no process could be started");
  pthread_mutex_lock(&runs->lock);
  run->state = state_of(ended, status, &output);
  tell(run, &output, &errors);
  runs->running--;
  pthread_cond_broadcast(&runs->change);
  pthread_mutex_unlock(&runs->lock);
  alea_text_clear(&output);
  alea_text_clear(&errors);
  return NULL;
}

/* ---- starting and stopping ---- */

static bool copy_wish(page_run *run, const alea_page_run_wish *wish) {
  size_t count = 0;
  for (; wish->words[count] != NULL; count++)
    if (count == ALEA_PAGE_RUN_WORDS || (run->words[count] = strdup(wish->words[count])) == NULL)
      return false;
  run->input = malloc(wish->length + 1);
  if (run->input == NULL) return false;
  if (wish->length > 0) memcpy(run->input, wish->input, wish->length);
  run->kind = wish->kind;
  snprintf(run->name, sizeof run->name, "%s", wish->name);
  run->job = (alea_job){.words = (const char *const *)run->words,
                        .limits = wish->limits,
                        .input = run->input,
                        .length = wish->length,
                        .seconds = wish->seconds,
                        .most_bytes = MOST_OUTPUT,
                        .look = take_news,
                        .context = run,
                        .stop = &run->stop,
                        .patience = wish->patience,
                        .hurry = &run->owner->hurry};
  return true;
}

static alea_status start(alea_page_runs *runs, page_run *run, const alea_page_run_wish *wish) {
  pthread_t thread;
  run->owner = runs;
  run->serial = ++runs->serials;
  run->started = alea_clock_wall();
  alea_mem_init(&run->mem, 0);
  alea_text_init(&run->told, &run->mem);
  if (!copy_wish(run, wish) || !alea_page_make_id(run->id)) return ALEA_SYSTEM;
  tell(run, NULL, NULL);
  if (pthread_create(&thread, NULL, follow_process, run) != 0) return ALEA_SYSTEM;
  pthread_detach(thread);
  runs->running++;
  return ALEA_OK;
}

alea_status alea_page_runs_start(alea_page_runs *runs, const alea_page_run_wish *wish,
                                 char id[ALEA_PAGE_ID_BYTES]) {
  pthread_mutex_lock(&runs->lock);
  bool room = !runs->ending && runs->running < runs->most;
  page_run *run = room ? find_place(runs) : NULL;
  alea_status status = run != NULL ? start(runs, run, wish) : ALEA_LIMIT;
  if (status == ALEA_OK) memcpy(id, run->id, ALEA_PAGE_ID_BYTES);
  if (status == ALEA_SYSTEM) forget(run);
  pthread_mutex_unlock(&runs->lock);
  return status;
}

alea_status alea_page_runs_stop(alea_page_runs *runs, const char *id) {
  pthread_mutex_lock(&runs->lock);
  page_run *run = find(runs, id);
  if (run != NULL) atomic_store(&run->stop, true);
  while (run != NULL && strcmp(run->id, id) == 0 && run->state == RUN_RUNNING && !runs->ending)
    pthread_cond_wait(&runs->change, &runs->lock);
  pthread_mutex_unlock(&runs->lock);
  return run != NULL ? ALEA_OK : ALEA_NONE;
}

void alea_page_runs_end(alea_page_runs *runs) {
  pthread_mutex_lock(&runs->lock);
  runs->ending = true;
  atomic_store(&runs->hurry, true);
  for (size_t i = 0; i < KEPT; i++) atomic_store(&runs->places[i].stop, true);
  pthread_cond_broadcast(&runs->change);
  while (runs->running > 0) pthread_cond_wait(&runs->change, &runs->lock);
  pthread_mutex_unlock(&runs->lock);
}

void alea_page_runs_free(alea_page_runs *runs) {
  if (runs == NULL) return;
  for (size_t i = 0; i < KEPT; i++)
    if (runs->places[i].id[0] != '\0') forget(&runs->places[i]);
  pthread_cond_destroy(&runs->change);
  pthread_mutex_destroy(&runs->lock);
  free(runs);
}

/* ---- what is told ---- */

alea_status alea_page_runs_show(alea_page_runs *runs, const char *id, alea_text *out) {
  pthread_mutex_lock(&runs->lock);
  const page_run *run = find(runs, id);
  if (run != NULL) alea_text_add(out, run->told.data, run->told.length);
  pthread_mutex_unlock(&runs->lock);
  return run != NULL ? ALEA_OK : ALEA_NONE;
}

bool alea_page_runs_is_running(alea_page_runs *runs, const char *id) {
  pthread_mutex_lock(&runs->lock);
  const page_run *run = find(runs, id);
  bool running = run != NULL && run->state == RUN_RUNNING;
  pthread_mutex_unlock(&runs->lock);
  return running;
}

bool alea_page_runs_find(alea_page_runs *runs, const char *kind, const char *name,
                         char id[ALEA_PAGE_ID_BYTES]) {
  const page_run *latest = NULL;
  pthread_mutex_lock(&runs->lock);
  for (size_t i = 0; i < KEPT; i++) {
    const page_run *run = &runs->places[i];
    if (run->id[0] == '\0' || strcmp(run->kind, kind) != 0 || strcmp(run->name, name) != 0)
      continue;
    if (latest == NULL || run->serial > latest->serial) latest = run;
  }
  if (latest != NULL) memcpy(id, latest->id, ALEA_PAGE_ID_BYTES);
  pthread_mutex_unlock(&runs->lock);
  return latest != NULL;
}

alea_status alea_page_runs_follow(alea_page_runs *runs, const char *id, uint64_t *state) {
  run_stream *stream = calloc(1, sizeof *stream);
  if (stream == NULL) return ALEA_SYSTEM;
  alea_page_notice_init(&stream->notice);
  pthread_mutex_lock(&runs->lock);
  const page_run *run = find(runs, id);
  if (run != NULL) stream->serial = run->serial;
  pthread_mutex_unlock(&runs->lock);
  if (run == NULL) free(stream);
  *state = run != NULL ? (uint64_t)(uintptr_t)stream : 0;
  return run != NULL ? ALEA_OK : ALEA_NONE;
}

/* Fills the stream's notice; false at its end. */
static bool await_news(alea_page_runs *runs, run_stream *stream) {
  struct timespec until = alea_page_in_seconds(ALEA_PAGE_PULSE);
  int result = 0;
  for (;;) {
    const page_run *run = runs->ending ? NULL : find_serial(runs, stream->serial);
    if (run == NULL) return false;
    if (stream->version != run->version) {
      stream->version = run->version;
      alea_page_notice_set(&stream->notice, "run", &run->told);
      return true;
    }
    if (run->state != RUN_RUNNING) return false;
    if (result != 0) {
      alea_page_notice_set(&stream->notice, NULL, NULL);
      return true;
    }
    result = pthread_cond_timedwait(&runs->change, &runs->lock, &until);
  }
}

size_t alea_page_runs_stream(alea_page_runs *runs, uint64_t state, char *bytes, size_t size) {
  run_stream *stream = (void *)(uintptr_t)state;
  bool more = true;
  if (alea_page_notice_is_sent(&stream->notice)) {
    pthread_mutex_lock(&runs->lock);
    more = await_news(runs, stream);
    pthread_mutex_unlock(&runs->lock);
  }
  return more ? alea_page_notice_take(&stream->notice, bytes, size) : 0;
}

void alea_page_runs_unfollow(uint64_t state) {
  run_stream *stream = (void *)(uintptr_t)state;
  alea_page_notice_clear(&stream->notice);
  free(stream);
}
