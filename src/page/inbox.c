/* Lines of JSON between a process that plays and the server. */
#include "page/inbox.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/json.h"

static bool is_any_of(const char *word, const char *const *words) {
  for (; *words != NULL; words++)
    if (word != NULL && strcmp(word, *words) == 0) return true;
  return false;
}

/* What ends the thinking; all but the last make it void. */
static const char *const urgent[] = {"undo", "resign", "rematch", "now", NULL};

static const char *wish_of(const json_t *message) {
  return json_string_value(json_object_get(message, "do"));
}

static void put(alea_page_inbox *inbox, json_t *message) {
  static const char *const patient[] = {"move", "hint", NULL};
  const char *wish = wish_of(message);
  bool busy = atomic_load(&inbox->thinking);
  if (busy && is_any_of(wish, patient)) {
    alea_page_inbox_answer(inbox, message, 409, "somebody is thinking; wait for your turn");
    json_decref(message);
    return;
  }
  pthread_mutex_lock(&inbox->lock);
  bool full = inbox->count == ALEA_PAGE_INBOX_MOST;
  if (!full) inbox->messages[(inbox->first + inbox->count++) % ALEA_PAGE_INBOX_MOST] = message;
  if (busy && is_any_of(wish, urgent)) atomic_store(&inbox->stop, true);
  pthread_cond_signal(&inbox->arrived);
  pthread_mutex_unlock(&inbox->lock);
  if (!full) return;
  alea_page_inbox_answer(inbox, message, 429, "too many wishes at a time");
  json_decref(message);
}

static void *read_lines(void *argument) {
  alea_page_inbox *inbox = argument;
  char *line = NULL;
  size_t capacity = 0;
  ssize_t length;
  while ((length = getline(&line, &capacity, stdin)) > 0) {
    json_t *message = json_loadb(line, (size_t)length, 0, NULL);
    if (json_is_object(message)) {
      put(inbox, message);
    } else {
      json_decref(message);
    }
  }
  free(line);
  pthread_mutex_lock(&inbox->lock);
  inbox->closed = true;
  atomic_store(&inbox->stop, true);
  pthread_cond_signal(&inbox->arrived);
  pthread_mutex_unlock(&inbox->lock);
  return NULL;
}

alea_status alea_page_inbox_start(alea_page_inbox *inbox) {
  pthread_t reader;
  *inbox = (alea_page_inbox){.count = 0};
  pthread_mutex_init(&inbox->lock, NULL);
  pthread_mutex_init(&inbox->writing, NULL);
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&inbox->arrived, &attributes);
  pthread_condattr_destroy(&attributes);
  if (pthread_create(&reader, NULL, read_lines, inbox) != 0) return ALEA_SYSTEM;
  pthread_detach(reader);
  return ALEA_OK;
}

/* Waits until something arrives; the lock is held. */
static void await(alea_page_inbox *inbox, double seconds) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  double end = (double)until.tv_sec + (double)until.tv_nsec / 1e9 + seconds;
  if (isfinite(seconds)) until = (struct timespec){(time_t)end, (long)(1e9 * (end - floor(end)))};
  int result = 0;
  while (inbox->count == 0 && !inbox->closed && result != ETIMEDOUT)
    result = isfinite(seconds) ? pthread_cond_timedwait(&inbox->arrived, &inbox->lock, &until)
                               : pthread_cond_wait(&inbox->arrived, &inbox->lock);
}

json_t *alea_page_inbox_take(alea_page_inbox *inbox, double seconds) {
  json_t *message = NULL;
  pthread_mutex_lock(&inbox->lock);
  if (seconds > 0) await(inbox, seconds);
  if (inbox->count > 0) {
    message = inbox->messages[inbox->first];
    inbox->first = (inbox->first + 1) % ALEA_PAGE_INBOX_MOST;
    inbox->count--;
  }
  pthread_mutex_unlock(&inbox->lock);
  return message;
}

bool alea_page_inbox_is_closed(alea_page_inbox *inbox) {
  pthread_mutex_lock(&inbox->lock);
  bool closed = inbox->closed;
  pthread_mutex_unlock(&inbox->lock);
  return closed;
}

bool alea_page_inbox_is_interrupted(alea_page_inbox *inbox) {
  pthread_mutex_lock(&inbox->lock);
  bool some = inbox->closed;
  for (size_t i = 0; i < inbox->count; i++) {
    const char *wish = wish_of(inbox->messages[(inbox->first + i) % ALEA_PAGE_INBOX_MOST]);
    some |= is_any_of(wish, urgent) && strcmp(wish, "now") != 0;
  }
  pthread_mutex_unlock(&inbox->lock);
  return some;
}

void alea_page_inbox_send(alea_page_inbox *inbox, alea_text *line) {
  alea_text_char(line, '\n');
  pthread_mutex_lock(&inbox->writing);
  if (!line->failed) fwrite(alea_text_string(line), 1, line->length, stdout);
  fflush(stdout);
  pthread_mutex_unlock(&inbox->writing);
  alea_text_truncate(line, 0);
}

void alea_page_inbox_answer(alea_page_inbox *inbox, const json_t *message, int status,
                            const char *sentence) {
  alea_mem mem;
  alea_text line;
  alea_json json;
  alea_mem_init(&mem, 0);
  alea_text_init(&line, &mem);
  alea_json_start(&json, &line);
  alea_json_open(&json, '{');
  alea_json_put_string(&json, "type", "answer");
  alea_json_key(&json, "id");
  alea_json_integer(&json, json_integer_value(json_object_get(message, "id")));
  alea_json_key(&json, "status");
  alea_json_integer(&json, status);
  alea_json_put_string(&json, "message", sentence);
  alea_json_close(&json, '}');
  alea_page_inbox_send(inbox, &line);
  alea_text_clear(&line);
}
