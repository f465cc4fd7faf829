/* A text behind an HTTP server. */
#include "net/live_text.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct alea_live_text {
  alea_http_server *http;
  pthread_mutex_t lock; /* guards what follows */
  pthread_cond_t change;
  alea_mem mem;
  alea_text text;
  uint32_t version; /* of the text; from 1 */
  bool ending;
  unsigned streams; /* that have begun and not ended */
};

/* A stream's state: the version that it sends or has sent, and how many bytes of
 * the event are out.  All ones: the event is complete. */
static const uint32_t complete = UINT32_MAX;

static uint32_t version_of(uint64_t state) { return (uint32_t)(state >> 32); }
static uint32_t sent_of(uint64_t state) { return (uint32_t)state; }

/* Waits until there is a text newer than 'version'; false after a while. */
static bool await_newer(alea_live_text *live, uint32_t version) {
  enum { SECONDS = 10 };
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_sec += SECONDS;
  int result = 0;
  while (!live->ending && live->version == version && result == 0)
    result = pthread_cond_timedwait(&live->change, &live->lock, &until);
  return live->version != version;
}

static const char event_start[] = "data: ", event_end[] = "\n\n", idle_line[] = ": idle\n\n";

/* Copies the bytes of an event from 'at' on. */
static size_t copy_event(const alea_live_text *live, size_t at, char *bytes, size_t size) {
  const char *parts[] = {event_start, alea_text_string(&live->text), event_end};
  size_t lengths[] = {strlen(event_start), live->text.length, strlen(event_end)}, count = 0;
  for (size_t i = 0; i < 3; i++) {
    if (at >= lengths[i]) {
      at -= lengths[i];
      continue;
    }
    size_t piece = lengths[i] - at < size - count ? lengths[i] - at : size - count;
    memcpy(bytes + count, parts[i] + at, piece);
    count += piece;
    at = 0;
    if (count == size) break;
  }
  return count;
}

/* An event that is cut off by a newer text is ended and will be replaced: what
 * was sent of it is no JSON, which spectators skip. */
static size_t stream(void *context, uint64_t *state, char *bytes, size_t size) {
  alea_live_text *live = context;
  size_t count = 0;
  pthread_mutex_lock(&live->lock);
  uint32_t version = version_of(*state), sent = sent_of(*state);
  if (version == 0 || sent == complete) {
    bool newer = version == 0 || await_newer(live, version);
    if (!newer && !live->ending && size >= strlen(idle_line)) {
      count = strlen(idle_line); /* whoever is gone is noticed */
      memcpy(bytes, idle_line, count);
    }
    version = newer ? live->version : version;
    sent = newer ? 0 : complete;
  } else if (version != live->version) {
    count = strlen(event_end);
    memcpy(bytes, event_end, count);
    version = live->version;
    sent = 0;
  }
  if (count == 0 && sent != complete) {
    count = copy_event(live, sent, bytes, size);
    sent += (uint32_t)count;
    size_t whole = strlen(event_start) + live->text.length + strlen(event_end);
    if (sent >= whole) sent = complete;
  }
  if (*state == 0) live->streams++;
  if (count == 0) live->streams--;
  if (count == 0) pthread_cond_broadcast(&live->change);
  *state = (uint64_t)version << 32 | sent;
  pthread_mutex_unlock(&live->lock);
  return count;
}

static void handle(void *context, const alea_http_request *request, alea_http_reply *reply) {
  alea_live_text *live = context;
  if (strcmp(request->path, "/events") == 0) {
    reply->type = "text/event-stream";
    reply->stream = stream;
    return;
  }
  reply->type = "application/json";
  pthread_mutex_lock(&live->lock);
  alea_text_add(&reply->body, alea_text_string(&live->text), live->text.length);
  pthread_mutex_unlock(&live->lock);
}

alea_status alea_live_text_new(alea_live_text **live, const alea_http_options *options,
                               alea_diag *diag) {
  alea_live_text *t = *live = calloc(1, sizeof *t);
  if (t == NULL) return ALEA_SYSTEM;
  alea_mem_init(&t->mem, 0);
  alea_text_init(&t->text, &t->mem);
  alea_text_put(&t->text, "{}");
  t->version = 1;
  pthread_mutex_init(&t->lock, NULL);
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&t->change, &attributes);
  pthread_condattr_destroy(&attributes);
  alea_status status = alea_http_server_new(&t->http, options, handle, t, diag);
  if (status == ALEA_OK) return ALEA_OK;
  alea_live_text_free(t);
  *live = NULL;
  return status;
}

/* Spectators get the last text, if they take it soon. */
static void end_streams(alea_live_text *live) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_sec += 1;
  pthread_mutex_lock(&live->lock);
  live->ending = true;
  pthread_cond_broadcast(&live->change);
  int result = 0;
  while (live->streams > 0 && result == 0)
    result = pthread_cond_timedwait(&live->change, &live->lock, &until);
  pthread_mutex_unlock(&live->lock);
}

void alea_live_text_free(alea_live_text *live) {
  if (live == NULL) return;
  end_streams(live);
  alea_http_server_free(live->http);
  alea_text_clear(&live->text);
  pthread_cond_destroy(&live->change);
  pthread_mutex_destroy(&live->lock);
  free(live);
}

uint16_t alea_live_text_port(const alea_live_text *live) {
  return alea_http_server_port(live->http);
}

void alea_live_text_put(alea_live_text *live, const char *text, size_t length) {
  alea_text fresh;
  pthread_mutex_lock(&live->lock);
  alea_text_init(&fresh, &live->mem);
  alea_text_add(&fresh, text, length);
  alea_text old = fresh.failed ? fresh : live->text;
  if (!fresh.failed) live->text = fresh;
  if (!fresh.failed && ++live->version == 0) live->version = 1;
  alea_text_clear(&old);
  pthread_cond_broadcast(&live->change);
  pthread_mutex_unlock(&live->lock);
}
