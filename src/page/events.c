/* Events: a folder, and a few processes. */
#include "page/events.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/vec.h"
#include "tournament/yaml.h"

enum { MOST_NAME = 40, MOST_RUNNING = 4, MOST_LISTED = 500 };

typedef struct running_event {
  char name[MOST_NAME + 1]; /* "" if the place is free */
  char run[ALEA_PAGE_ID_BYTES];
} running_event;

struct alea_page_events {
  alea_page_runs *runs;
  const char *folder;
  alea_launch_limits limits;
  pthread_mutex_t lock; /* guards what follows */
  running_event running[MOST_RUNNING];
};

alea_page_events *alea_page_events_new(alea_page_runs *runs, const char *folder,
                                       const alea_launch_limits *limits) {
  alea_page_events *events = calloc(1, sizeof *events);
  if (events == NULL) return NULL;
  events->runs = runs;
  events->folder = folder;
  events->limits = *limits;
  pthread_mutex_init(&events->lock, NULL);
  return events;
}

void alea_page_events_free(alea_page_events *events) {
  if (events == NULL) return;
  pthread_mutex_destroy(&events->lock);
  free(events);
}

/* ---- names ---- */

bool alea_page_event_is_name(const char *name) {
  size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-");
  return length > 0 && length <= MOST_NAME && name[length] == '\0';
}

void alea_page_event_path(const alea_page_events *events, const char *name, const char *ending,
                          alea_text *path) {
  alea_text_format(path, "%s/%s%s", events->folder, name, ending);
}

/* ---- processes; the lock is held ---- */

static void forget_ended(alea_page_events *events) {
  for (size_t i = 0; i < MOST_RUNNING; i++) {
    running_event *event = &events->running[i];
    if (event->name[0] != '\0' && !alea_page_runs_is_running(events->runs, event->run))
      event->name[0] = '\0';
  }
}

/* The place of an event that runs, or with "" a free one; NULL: none. */
static running_event *find(alea_page_events *events, const char *name) {
  for (size_t i = 0; i < MOST_RUNNING; i++)
    if (strcmp(events->running[i].name, name) == 0) return &events->running[i];
  return NULL;
}

static alea_status launch(alea_page_events *events, const char *name, const char *path) {
  running_event *place = find(events, "");
  if (place == NULL) return ALEA_LIMIT;
  const char *words[] = {"tournament", path, "--workers", "1", "--live", NULL};
  alea_page_run_wish wish = {
      .kind = "event", .name = name, .words = words, .limits = events->limits};
  alea_status status = alea_page_runs_start(events->runs, &wish, place->run);
  if (status == ALEA_OK) snprintf(place->name, sizeof place->name, "%s", name);
  return status;
}

/* ---- what is asked for ---- */

/* Writes a file that was not there. */
static alea_status write_new(const char *path, const json_t *description) {
  char *text = json_dumps(description, JSON_INDENT(1));
  int fd = text != NULL ? open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644) : -1;
  alea_status status = ALEA_SYSTEM;
  if (text != NULL && fd < 0 && access(path, F_OK) == 0) status = ALEA_NO;
  if (fd >= 0) {
    size_t length = strlen(text);
    bool good = write(fd, text, length) == (ssize_t)length;
    status = close(fd) == 0 && good ? ALEA_OK : ALEA_SYSTEM;
    if (status != ALEA_OK) unlink(path);
  }
  free(text);
  return status;
}

alea_status alea_page_events_start(alea_page_events *events, const char *name,
                                   const json_t *description) {
  alea_mem mem;
  alea_text path;
  alea_mem_init(&mem, 0);
  alea_text_init(&path, &mem);
  alea_page_event_path(events, name, ".db", &path);
  alea_status status = access(alea_text_string(&path), F_OK) == 0 ? ALEA_NO : ALEA_OK;
  alea_text_truncate(&path, 0);
  alea_page_event_path(events, name, ".yaml", &path);
  pthread_mutex_lock(&events->lock);
  forget_ended(events);
  if (status == ALEA_OK && find(events, "") == NULL) status = ALEA_LIMIT;
  if (status == ALEA_OK) status = write_new(alea_text_string(&path), description);
  if (status == ALEA_OK) status = launch(events, name, alea_text_string(&path));
  pthread_mutex_unlock(&events->lock);
  alea_text_clear(&path);
  return status;
}

alea_status alea_page_events_describe(const alea_page_events *events, const char *name,
                                      alea_text *description) {
  char bytes[1 << 14];
  struct stat what;
  alea_text path;
  alea_text_init(&path, description->mem);
  alea_page_event_path(events, name, ".yaml", &path);
  /* Opening a pipe would wait for somebody who writes. */
  int fd = open(alea_text_string(&path), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  bool good = fd >= 0 && fstat(fd, &what) == 0 && S_ISREG(what.st_mode);
  for (ssize_t got;
       good && description->length <= ALEA_YAML_BYTES && (got = read(fd, bytes, sizeof bytes)) > 0;)
    alea_text_add(description, bytes, (size_t)got);
  if (fd >= 0) close(fd);
  alea_text_clear(&path);
  return good && description->length <= ALEA_YAML_BYTES ? ALEA_OK : ALEA_NONE;
}

alea_status alea_page_events_resume(alea_page_events *events, const char *name) {
  alea_mem mem;
  alea_text path;
  alea_mem_init(&mem, 0);
  alea_text_init(&path, &mem);
  alea_page_event_path(events, name, ".yaml", &path);
  alea_status status = access(alea_text_string(&path), R_OK) == 0 ? ALEA_OK : ALEA_NONE;
  pthread_mutex_lock(&events->lock);
  forget_ended(events);
  if (status == ALEA_OK && find(events, name) != NULL) status = ALEA_NO;
  if (status == ALEA_OK) status = launch(events, name, alea_text_string(&path));
  pthread_mutex_unlock(&events->lock);
  alea_text_clear(&path);
  return status;
}

alea_status alea_page_events_stop(alea_page_events *events, const char *name) {
  pthread_mutex_lock(&events->lock);
  forget_ended(events);
  running_event *event = find(events, name);
  if (event != NULL) (void)alea_page_runs_stop(events->runs, event->run);
  pthread_mutex_unlock(&events->lock);
  return event != NULL ? ALEA_OK : ALEA_NONE;
}

/* ---- the list ---- */

typedef struct listed_event {
  char name[MOST_NAME + 1];
  bool described, stored;
} listed_event;
typedef ALEA_VEC(listed_event) listed_events;

static int by_name(const void *a, const void *b) {
  return strcmp(((const listed_event *)a)->name, ((const listed_event *)b)->name);
}

/* Adds what a file says about an event. */
static void note(listed_events *list, const char *file, alea_mem *mem) {
  const char *ending = strrchr(file, '.');
  listed_event event = {.described = ending != NULL && strcmp(ending, ".yaml") == 0,
                        .stored = ending != NULL && strcmp(ending, ".db") == 0};
  size_t length = ending != NULL ? (size_t)(ending - file) : 0;
  if (!(event.described || event.stored) || length > MOST_NAME) return;
  memcpy(event.name, file, length);
  if (!alea_page_event_is_name(event.name)) return;
  for (size_t i = 0; i < list->count; i++) {
    if (strcmp(list->data[i].name, event.name) != 0) continue;
    list->data[i].described |= event.described;
    list->data[i].stored |= event.stored;
    return;
  }
  if (list->count < MOST_LISTED) (void)alea_vec_push(mem, list, event);
}

void alea_page_events_list(alea_page_events *events, alea_json *json) {
  alea_mem mem;
  listed_events list = {0};
  alea_mem_init(&mem, 0);
  DIR *folder = opendir(events->folder);
  for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;)
    note(&list, entry->d_name, &mem);
  if (folder != NULL) closedir(folder);
  if (list.count > 0) qsort(list.data, list.count, sizeof *list.data, by_name);
  pthread_mutex_lock(&events->lock);
  forget_ended(events);
  alea_json_open(json, '[');
  for (size_t i = 0; i < list.count; i++) {
    const running_event *event = find(events, list.data[i].name);
    if (!list.data[i].stored && event == NULL) continue; /* some other description */
    alea_json_open(json, '{');
    alea_json_put_string(json, "name", list.data[i].name);
    alea_json_put_bool(json, "running", event != NULL);
    if (event != NULL) alea_json_put_string(json, "run", event->run);
    alea_json_put_bool(json, "described", list.data[i].described);
    alea_json_put_bool(json, "stored", list.data[i].stored);
    alea_json_close(json, '}');
  }
  alea_json_close(json, ']');
  pthread_mutex_unlock(&events->lock);
  alea_vec_clear(&mem, &list);
}
