/* The tables: a thread reads what each of them sends. */
#include "page/tables.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

/* What a table sends and is kept, each with a version that counts from 1. */
enum { POSITION, THINKING, LINE, FAULT, KINDS };
static const char *const kind_words[KINDS] = {"position", "thinking", "line", "fault"};
static const char *const kind_starts[KINDS] = {"{\"type\":\"position\"", "{\"type\":\"thinking\"",
                                               "{\"type\":\"line\"", "{\"type\":\"fault\""};
static const char seat_start[] = ",\"seat\":";
enum { MOST_LINE = 8 << 20 };

/* Somebody who waits for an answer. */
typedef struct page_waiter {
  struct page_waiter *next;
  json_int_t number;
  bool done;
  int status;
  alea_text *sentence;
} page_waiter;

/* What was sent to one seat. */
typedef struct page_seat {
  char id[ALEA_PAGE_ID_BYTES];
  alea_text latest[KINDS];
  uint32_t versions[KINDS];
} page_seat;

typedef struct page_slot {
  struct alea_page_tables *owner;
  page_seat seats[ALEA_PAGE_MOST_SEATS];
  unsigned seat_count; /* 0 if the slot is free */
  uint32_t serial;     /* of the table; never used twice */
  alea_launched process;
  alea_mem mem;
  char *first; /* the line that is sent first; owned */
  page_waiter *waiters;
  double used;      /* when somebody last did something here */
  unsigned streams; /* that follow it */
  bool ended;       /* the process has gone */
  bool closing;
} page_slot;

/* One stream of events. */
typedef struct page_stream {
  uint32_t serial;
  unsigned seat;
  uint32_t versions[KINDS]; /* that were sent */
  alea_page_notice notice;
} page_stream;

struct alea_page_tables {
  alea_page_tables_options options;
  pthread_mutex_t lock; /* guards all slots */
  pthread_cond_t change;
  page_slot *slots;
  unsigned readers;
  uint32_t serials;
  json_int_t numbers; /* of wishes */
  pthread_t sweeper;
  bool ending;
};

/* ---- writing and reading; the lock is held where nothing else is said ---- */

/* Writes the whole text; whoever does not read it is not waited for long.  The
 * lock is not held. */
static bool send_all(int fd, const char *text, size_t length) {
  struct timeval patience = {.tv_sec = 5};
  setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  while (length > 0) {
    ssize_t sent = send(fd, text, length, MSG_NOSIGNAL);
    if (sent <= 0) return false;
    text += sent;
    length -= (size_t)sent;
  }
  return true;
}

/* For one seat, or for all of them where the line names none. */
static void put(page_slot *slot, int kind, const char *line, size_t length) {
  const char *rest = line + strlen(kind_starts[kind]);
  bool one = strncmp(rest, seat_start, strlen(seat_start)) == 0;
  unsigned long seat = one ? strtoul(rest + strlen(seat_start), NULL, 10) : 0;
  for (unsigned i = 0; i < slot->seat_count; i++) {
    if (one && i != seat) continue;
    alea_text_truncate(&slot->seats[i].latest[kind], 0);
    alea_text_add(&slot->seats[i].latest[kind], line, length);
    slot->seats[i].versions[kind]++;
  }
}

static void take_answer(page_slot *slot, const char *line, size_t length) {
  json_t *answer = json_loadb(line, length, 0, NULL);
  json_int_t number = json_integer_value(json_object_get(answer, "id"));
  const char *sentence = json_string_value(json_object_get(answer, "message"));
  for (page_waiter *w = slot->waiters; w != NULL; w = w->next) {
    if (w->number != number) continue;
    w->done = true;
    w->status = (int)json_integer_value(json_object_get(answer, "status"));
    if (sentence != NULL) alea_text_put(w->sentence, sentence);
  }
  json_decref(answer);
}

static void take_line(page_slot *slot, const char *line, size_t length) {
  pthread_mutex_lock(&slot->owner->lock);
  int kind = 0;
  while (kind < KINDS && strncmp(line, kind_starts[kind], strlen(kind_starts[kind])) != 0) kind++;
  if (kind < KINDS) {
    put(slot, kind, line, length);
  } else {
    take_answer(slot, line, length);
  }
  pthread_cond_broadcast(&slot->owner->change);
  pthread_mutex_unlock(&slot->owner->lock);
}

static void release(page_slot *slot) {
  close(slot->process.talk), close(slot->process.errors);
  for (unsigned i = 0; i < slot->seat_count; i++)
    for (int kind = 0; kind < KINDS; kind++) alea_text_clear(&slot->seats[i].latest[kind]);
  free(slot->first);
  slot->seat_count = 0;
}

/* Reads lines until the process ends.  The lock is not held. */
static void read_lines(page_slot *slot) {
  alea_text lines;
  alea_mem mem;
  char piece[16384];
  ssize_t got;
  alea_mem_init(&mem, 0);
  alea_text_init(&lines, &mem);
  while ((got = read(slot->process.talk, piece, sizeof piece)) > 0) {
    alea_text_add(&lines, piece, (size_t)got);
    if (lines.failed) break;
    size_t start = 0;
    for (size_t at = lines.length - (size_t)got; at < lines.length; at++) {
      if (lines.data[at] != '\n') continue;
      lines.data[at] = '\0';
      take_line(slot, lines.data + start, at - start);
      start = at + 1;
    }
    memmove(lines.data, lines.data + start, lines.length - start);
    alea_text_truncate(&lines, lines.length - start);
    if (lines.length > MOST_LINE) break;
  }
  alea_text_clear(&lines);
}

static void *follow_process(void *argument) {
  static const char lost[] =
      "{\"type\":\"fault\",\"message\":\"The process that played this game was ended by its limit "
      "of memory or time, or by a fault. The page goes on.\",\"diagnostics\":[]}";
  page_slot *slot = argument;
  alea_page_tables *tables = slot->owner;
  if (send_all(slot->process.talk, slot->first, strlen(slot->first)) &&
      send_all(slot->process.talk, "\n", 1))
    read_lines(slot);
  pthread_mutex_lock(&tables->lock);
  slot->ended = true;
  if (slot->seats[0].versions[FAULT] == 0) put(slot, FAULT, lost, strlen(lost));
  pthread_cond_broadcast(&tables->change);
  while (!slot->closing || slot->waiters != NULL) pthread_cond_wait(&tables->change, &tables->lock);
  release(slot);
  tables->readers--;
  pthread_cond_broadcast(&tables->change);
  pthread_mutex_unlock(&tables->lock);
  return NULL;
}

/* ---- opening and closing ---- */

static void close_slot(page_slot *slot) {
  slot->closing = true;
  shutdown(slot->process.talk, SHUT_RDWR);
  pthread_cond_broadcast(&slot->owner->change);
}

/* Closes the tables that nobody uses. */
static void *sweep(void *argument) {
  alea_page_tables *tables = argument;
  pthread_mutex_lock(&tables->lock);
  while (!tables->ending) {
    struct timespec until = alea_page_in_seconds(ALEA_PAGE_PULSE);
    while (!tables->ending && pthread_cond_timedwait(&tables->change, &tables->lock, &until) == 0) {
    }
    double now = alea_clock_wall();
    for (unsigned i = 0; i < tables->options.most; i++) {
      page_slot *slot = &tables->slots[i];
      bool idle = slot->streams == 0 && now - slot->used > tables->options.idle;
      if (slot->seat_count > 0 && !slot->closing && idle) close_slot(slot);
    }
  }
  pthread_mutex_unlock(&tables->lock);
  return NULL;
}

alea_page_tables *alea_page_tables_new(const alea_page_tables_options *options) {
  alea_page_tables *tables = calloc(1, sizeof *tables);
  page_slot *slots = calloc(options->most, sizeof *slots);
  if (tables == NULL || slots == NULL) {
    free(tables), free(slots);
    return NULL;
  }
  tables->options = *options;
  tables->slots = slots;
  pthread_mutex_init(&tables->lock, NULL);
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&tables->change, &attributes);
  pthread_condattr_destroy(&attributes);
  if (pthread_create(&tables->sweeper, NULL, sweep, tables) == 0) return tables;
  alea_page_tables_free(tables);
  return NULL;
}

void alea_page_tables_end(alea_page_tables *tables) {
  pthread_mutex_lock(&tables->lock);
  tables->ending = true;
  for (unsigned i = 0; i < tables->options.most; i++)
    if (tables->slots[i].seat_count > 0) close_slot(&tables->slots[i]);
  pthread_cond_broadcast(&tables->change);
  while (tables->readers > 0) pthread_cond_wait(&tables->change, &tables->lock);
  pthread_mutex_unlock(&tables->lock);
  pthread_join(tables->sweeper, NULL);
}

void alea_page_tables_free(alea_page_tables *tables) {
  if (tables == NULL) return;
  pthread_cond_destroy(&tables->change);
  pthread_mutex_destroy(&tables->lock);
  free(tables->slots);
  free(tables);
}

/* The slot and seat of an id; NULL if there is none. */
static page_slot *find(alea_page_tables *tables, const char *id, unsigned *seat) {
  for (unsigned i = 0; i < tables->options.most; i++) {
    page_slot *slot = &tables->slots[i];
    for (unsigned k = 0; !slot->closing && k < slot->seat_count; k++) {
      if (strcmp(slot->seats[k].id, id) != 0) continue;
      slot->used = alea_clock_wall();
      *seat = k;
      return slot;
    }
  }
  return NULL;
}

/* A free slot, or NULL. */
static page_slot *find_free(alea_page_tables *tables) {
  for (unsigned i = 0; i < tables->options.most; i++)
    if (tables->slots[i].seat_count == 0) return &tables->slots[i];
  return NULL;
}

static bool make_seats(page_slot *slot, unsigned seats) {
  for (unsigned i = 0; i < seats; i++) {
    if (!alea_page_make_id(slot->seats[i].id)) return false;
    for (int kind = 0; kind < KINDS; kind++)
      alea_text_init(&slot->seats[i].latest[kind], &slot->mem);
  }
  return true;
}

static alea_status start(alea_page_tables *tables, page_slot *slot, const char *first,
                         unsigned seats) {
  static const char *const words[] = {"table", NULL};
  pthread_t thread;
  *slot = (page_slot){.owner = tables, .serial = ++tables->serials, .used = alea_clock_wall()};
  alea_mem_init(&slot->mem, 0);
  if (!make_seats(slot, seats) || alea_launch(tables->options.launcher, &tables->options.limits,
                                              words, &slot->process) != ALEA_OK)
    return ALEA_SYSTEM;
  slot->first = strdup(first);
  if (slot->first == NULL || pthread_create(&thread, NULL, follow_process, slot) != 0) {
    release(slot);
    return ALEA_SYSTEM;
  }
  pthread_detach(thread);
  tables->readers++;
  slot->seat_count = seats;
  return ALEA_OK;
}

alea_status alea_page_tables_open(alea_page_tables *tables, const char *first, unsigned seats,
                                  alea_page_ids ids) {
  pthread_mutex_lock(&tables->lock);
  page_slot *slot = tables->ending ? NULL : find_free(tables);
  alea_status status = slot != NULL ? start(tables, slot, first, seats) : ALEA_LIMIT;
  for (unsigned i = 0; status == ALEA_OK && i < seats; i++)
    memcpy(ids[i], slot->seats[i].id, ALEA_PAGE_ID_BYTES);
  pthread_mutex_unlock(&tables->lock);
  return status;
}

alea_status alea_page_tables_close(alea_page_tables *tables, const char *id) {
  unsigned seat;
  pthread_mutex_lock(&tables->lock);
  page_slot *slot = find(tables, id, &seat);
  if (slot != NULL) close_slot(slot);
  pthread_mutex_unlock(&tables->lock);
  return slot != NULL ? ALEA_OK : ALEA_NONE;
}

alea_status alea_page_tables_latest(alea_page_tables *tables, const char *id, alea_text *out) {
  unsigned k = 0;
  pthread_mutex_lock(&tables->lock);
  page_slot *slot = find(tables, id, &k);
  if (slot != NULL) {
    const page_seat *seat = &slot->seats[k];
    const alea_text *text = &seat->latest[seat->versions[FAULT] > 0 ? FAULT : POSITION];
    alea_text_put(out, text->length > 0 ? alea_text_string(text) : "{\"type\":\"opening\"}");
  }
  pthread_mutex_unlock(&tables->lock);
  return slot != NULL ? ALEA_OK : ALEA_NONE;
}

/* ---- wishes ---- */

static void await_answer(page_slot *slot, page_waiter *waiter, double seconds) {
  struct timespec until = alea_page_in_seconds(seconds);
  int result = 0;
  waiter->next = slot->waiters;
  slot->waiters = waiter;
  while (!waiter->done && !slot->ended && result == 0)
    result = pthread_cond_timedwait(&slot->owner->change, &slot->owner->lock, &until);
  page_waiter **link = &slot->waiters;
  while (*link != waiter) link = &(*link)->next;
  *link = waiter->next;
  pthread_cond_broadcast(&slot->owner->change);
}

/* A wish is short: what a process does not take at once is not sent. */
static bool send_wish(page_slot *slot, const json_t *wish) {
  char line[4096];
  size_t length = json_dumpb(wish, line, sizeof line - 1, JSON_COMPACT);
  if (length == 0 || length > sizeof line - 1) return false;
  line[length++] = '\n';
  return send(slot->process.talk, line, length, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)length;
}

alea_status alea_page_tables_ask(alea_page_tables *tables, const char *id, json_t *wish,
                                 double seconds, int *status, alea_text *sentence) {
  alea_status result = ALEA_NONE;
  unsigned seat = 0;
  pthread_mutex_lock(&tables->lock);
  page_slot *slot = find(tables, id, &seat);
  if (slot != NULL) {
    page_waiter waiter = {.number = ++tables->numbers, .sentence = sentence};
    json_object_set_new(wish, "id", json_integer(waiter.number));
    json_object_set_new(wish, "seat", json_integer(seat));
    if (send_wish(slot, wish)) await_answer(slot, &waiter, seconds);
    *status = waiter.status;
    result = waiter.done ? ALEA_OK : ALEA_LIMIT;
  }
  pthread_mutex_unlock(&tables->lock);
  return result;
}

/* ---- streams ---- */

static page_slot *find_serial(alea_page_tables *tables, uint32_t serial) {
  for (unsigned i = 0; i < tables->options.most; i++) {
    page_slot *slot = &tables->slots[i];
    if (slot->seat_count > 0 && !slot->closing && slot->serial == serial) return slot;
  }
  return NULL;
}

alea_status alea_page_tables_follow(alea_page_tables *tables, const char *id, uint64_t *state) {
  page_stream *stream = calloc(1, sizeof *stream);
  if (stream == NULL) return ALEA_SYSTEM;
  alea_page_notice_init(&stream->notice);
  pthread_mutex_lock(&tables->lock);
  page_slot *slot = find(tables, id, &stream->seat);
  if (slot != NULL) slot->streams++;
  if (slot != NULL) stream->serial = slot->serial;
  pthread_mutex_unlock(&tables->lock);
  if (slot == NULL) free(stream);
  *state = slot != NULL ? (uint64_t)(uintptr_t)stream : 0;
  return slot != NULL ? ALEA_OK : ALEA_NONE;
}

/* The next event that the stream has not sent, if there is one. */
static bool next_event(page_stream *stream, const page_slot *slot) {
  const page_seat *seat = &slot->seats[stream->seat];
  for (int kind = 0; kind < KINDS; kind++) {
    if (stream->versions[kind] == seat->versions[kind] || seat->latest[kind].length == 0) continue;
    stream->versions[kind] = seat->versions[kind];
    alea_page_notice_set(&stream->notice, kind_words[kind], &seat->latest[kind]);
    return true;
  }
  return false;
}

/* Fills the stream's event; false at its end. */
static bool await_event(alea_page_tables *tables, page_stream *stream) {
  struct timespec until = alea_page_in_seconds(ALEA_PAGE_PULSE);
  int result = 0;
  for (;;) {
    page_slot *slot = tables->ending ? NULL : find_serial(tables, stream->serial);
    if (slot == NULL) return false;
    slot->used = alea_clock_wall();
    if (next_event(stream, slot)) return true;
    if (result != 0) {
      alea_page_notice_set(&stream->notice, NULL, NULL);
      return true;
    }
    result = pthread_cond_timedwait(&tables->change, &tables->lock, &until);
  }
}

size_t alea_page_tables_stream(alea_page_tables *tables, uint64_t state, char *bytes, size_t size) {
  page_stream *stream = (void *)(uintptr_t)state;
  bool more = true;
  if (alea_page_notice_is_sent(&stream->notice)) {
    pthread_mutex_lock(&tables->lock);
    more = await_event(tables, stream);
    pthread_mutex_unlock(&tables->lock);
  }
  return more ? alea_page_notice_take(&stream->notice, bytes, size) : 0;
}

void alea_page_tables_unfollow(alea_page_tables *tables, uint64_t state) {
  page_stream *stream = (void *)(uintptr_t)state;
  pthread_mutex_lock(&tables->lock);
  page_slot *slot = find_serial(tables, stream->serial);
  if (slot != NULL) slot->streams--;
  pthread_mutex_unlock(&tables->lock);
  alea_page_notice_clear(&stream->notice);
  free(stream);
}
