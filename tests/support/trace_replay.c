/* Replaying reference traces. */
#include "support/trace_replay.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/clock.h"
#include "base/vec.h"
#include "game/playout.h"
#include "support/sha256.h"

typedef struct replay {
  const alea_game *game;
  alea_cursor *cursor;
  alea_mem mem;
  alea_deadline deadline;
  uint64_t max_perft;
  trace_report *report;
  trace_verdict verdict;
  int playout, step;
} replay;

static void differ(replay *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void differ(replay *r, const char *format, ...) {
  if (r->verdict == TRACE_DIFFERS) return;
  r->verdict = TRACE_DIFFERS;
  char *out = r->report->message;
  size_t size = sizeof r->report->message;
  int n = snprintf(out, size, "playout %d step %d: ", r->playout, r->step);
  va_list args;
  va_start(args, format);
  vsnprintf(out + n, size - (size_t)n, format, args);
  va_end(args);
}

static bool succeed(replay *r, alea_status status, const char *what) {
  if (status != ALEA_OK) differ(r, "%s: %s", what, alea_status_text(status));
  return status == ALEA_OK;
}

/* ---- lists of texts ---- */

typedef void text_of(const alea_game *game, uint32_t role, uint32_t id, alea_text *out);

static void fluent_text(const alea_game *game, uint32_t role, uint32_t id, alea_text *out) {
  (void)role;
  alea_game_fluent_text(game, id, false, out);
}
static void move_text(const alea_game *game, uint32_t role, uint32_t id, alea_text *out) {
  alea_game_move_text(game, role, id, false, out);
}
static void percept_text(const alea_game *game, uint32_t role, uint32_t id, alea_text *out) {
  (void)role;
  alea_game_percept_text(game, id, false, out);
}

static int compare_texts(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The texts of 'list', sorted. */
static char **make_texts(replay *r, alea_list list, uint32_t role, text_of *print) {
  char **texts = calloc(list.count + 1, sizeof *texts);
  alea_text text;
  alea_text_init(&text, &r->mem);
  for (uint32_t i = 0; i < list.count; i++) {
    alea_text_truncate(&text, 0);
    print(r->game, role, list.ids[i], &text);
    texts[i] = strdup(alea_text_string(&text));
  }
  alea_text_clear(&text);
  qsort(texts, list.count, sizeof *texts, compare_texts);
  return texts;
}

static void free_texts(char **texts) {
  for (char **t = texts; *t != NULL; t++) free(*t);
  free(texts);
}

/* Reports the first text that is in one of the lists only. */
static void report_difference(replay *r, const char *what, char **ours, uint32_t count,
                              const json_t *theirs) {
  uint32_t i = 0;
  size_t k = 0;
  while (i < count || k < json_array_size(theirs)) {
    const char *a = i < count ? ours[i] : NULL;
    const char *b = json_string_value(json_array_get(theirs, k));
    int order = a == NULL ? 1 : b == NULL ? -1 : strcmp(a, b);
    if (order != 0) {
      differ(r, "%s: %s %s", what, order < 0 ? "surplus" : "missing", order < 0 ? a : b);
      return;
    }
    i++;
    k++;
  }
}

/* Compares with the full list 'expected' if there is one, else with a hash. */
static void compare_list(replay *r, const char *what, alea_list list, uint32_t role, text_of *print,
                         const json_t *expected, const char *hash) {
  char **texts = make_texts(r, list, role, print);
  if (expected != NULL) report_difference(r, what, texts, list.count, expected);
  if (hash != NULL) {
    sha256 sum;
    char hex[65];
    sha256_init(&sum);
    for (uint32_t i = 0; i < list.count; i++) {
      sha256_add(&sum, texts[i], strlen(texts[i]));
      sha256_add(&sum, "\n", 1);
    }
    sha256_hex(&sum, hex);
    if (strcmp(hex, hash) != 0) differ(r, "%s: %u of them, hash differs", what, list.count);
  }
  free_texts(texts);
}

/* ---- records ---- */

static void check_header(replay *r, const json_t *record) {
  const json_t *roles = json_object_get(record, "roles");
  if (json_array_size(roles) != r->game->role_count) {
    differ(r, "%u roles instead of %zu", r->game->role_count, json_array_size(roles));
    return;
  }
  for (uint32_t i = 0; i < r->game->role_count; i++) {
    const char *role = json_string_value(json_array_get(roles, i));
    if (strcmp(role, r->game->role_text[i]) != 0)
      differ(r, "role %u is %s instead of %s", i, r->game->role_text[i], role);
  }
}

static void check_perft(replay *r, const json_t *record) {
  const json_t *counts = json_object_get(record, "counts");
  uint32_t depth = 0;
  while (depth < json_array_size(counts) &&
         (uint64_t)json_integer_value(json_array_get(counts, depth)) <= r->max_perft)
    depth++;
  if (depth == 0) return;
  uint64_t *ours = calloc(depth, sizeof *ours);
  alea_status status = alea_perft(r->cursor, depth, &r->deadline, ours, &r->mem);
  if (status == ALEA_LIMIT && alea_deadline_passed(&r->deadline)) {
    r->verdict = TRACE_CUT;
  } else if (succeed(r, status, "perft")) {
    for (uint32_t d = 0; d < depth; d++) {
      json_int_t theirs = json_integer_value(json_array_get(counts, d));
      if (ours[d] != (uint64_t)theirs)
        differ(r, "perft %u is %llu instead of %lld", d + 1, (unsigned long long)ours[d],
               (long long)theirs);
    }
    r->report->perft_depth = depth;
  }
  free(ours);
}

static void check_fluents(replay *r, const json_t *record) {
  alea_list list;
  if (!succeed(r, alea_cursor_fluents(r->cursor, &list), "fluents")) return;
  compare_list(r, "fluents", list, 0, fluent_text, json_object_get(record, "fluents"),
               json_string_value(json_object_get(record, "state_sha256")));
}

static void check_legal(replay *r, const json_t *record) {
  const json_t *hashes = json_object_get(record, "legal_sha256");
  const json_t *lists = json_object_get(record, "legal");
  for (uint32_t role = 0; hashes != NULL && role < r->game->role_count; role++) {
    alea_list list;
    char what[64];
    snprintf(what, sizeof what, "legal of %.40s", r->game->role_text[role]);
    if (!succeed(r, alea_cursor_legal(r->cursor, role, &list), what)) return;
    compare_list(r, what, list, role, move_text, json_array_get(lists, role),
                 json_string_value(json_array_get(hashes, role)));
  }
}

static void check_terminal(replay *r, const json_t *record) {
  bool terminal;
  if (!succeed(r, alea_cursor_terminal(r->cursor, &terminal), "terminal")) return;
  if (terminal != json_is_true(json_object_get(record, "terminal")))
    differ(r, "terminal is %d", terminal);
}

/* The trace lists all values that hold; an engine gives the largest. */
static void check_goals(replay *r, const json_t *goals) {
  for (uint32_t role = 0; role < json_array_size(goals); role++) {
    int best = -1, ours;
    size_t i;
    const json_t *value;
    json_array_foreach(json_array_get(goals, role), i, value) {
      int v = atoi(json_string_value(value));
      if (v > best) best = v;
    }
    if (!succeed(r, alea_cursor_goal(r->cursor, role, &ours), "goal")) return;
    if (ours != best) differ(r, "goal of role %u is %d instead of %d", role, ours, best);
  }
}

static void check_percepts(replay *r, const json_t *sees) {
  for (uint32_t role = 0; role < json_array_size(sees); role++) {
    alea_list list;
    if (!succeed(r, alea_cursor_percepts(r->cursor, role, &list), "percepts")) return;
    compare_list(r, "percepts", list, role, percept_text, json_array_get(sees, role), NULL);
  }
}

static void play_move(replay *r, const json_t *move) {
  alea_move *joint = calloc(r->game->role_count, sizeof *joint);
  bool found = true;
  for (uint32_t i = 0; i < r->game->role_count; i++) {
    const char *text = json_string_value(json_array_get(move, i));
    joint[i] = alea_game_move_find(r->game, i, text);
    if (joint[i] != ALEA_NO_MOVE) continue;
    differ(r, "no such move: %s", text);
    found = false;
  }
  if (found) succeed(r, alea_cursor_play(r->cursor, joint), "play");
  free(joint);
}

static void check_step(replay *r, const json_t *record) {
  r->playout = (int)json_integer_value(json_object_get(record, "playout"));
  r->step = (int)json_integer_value(json_object_get(record, "step"));
  if (r->step == 0) succeed(r, alea_cursor_reset(r->cursor), "reset");
  check_fluents(r, record);
  check_terminal(r, record);
  check_legal(r, record);
  const json_t *goals = json_object_get(record, "goals");
  if (goals != NULL) check_goals(r, goals);
  const json_t *move = json_object_get(record, "move");
  if (move != NULL && r->verdict == TRACE_AGREES) {
    play_move(r, move);
    const json_t *sees = json_object_get(record, "sees");
    if (sees != NULL && r->verdict == TRACE_AGREES) check_percepts(r, sees);
  }
  r->report->positions++;
}

static void check_line(replay *r, const char *line) {
  json_t *record = json_loads(line, 0, NULL);
  const char *type = json_string_value(json_object_get(record, "type"));
  if (type == NULL) {
    r->verdict = TRACE_BROKEN;
  } else if (strcmp(type, "header") == 0) {
    check_header(r, record);
  } else if (strcmp(type, "perft") == 0) {
    check_perft(r, record);
  } else if (strcmp(type, "step") == 0) {
    check_step(r, record);
  }
  json_decref(record);
}

/* ---- the file ---- */

/* The next line without its terminator, in a buffer that grows; NULL at the
 * end. */
static char *read_line(gzFile file, char **buffer, size_t *size) {
  size_t length = 0;
  for (;;) {
    if (*size - length < 2) *buffer = realloc(*buffer, *size = 2 * *size + 4096);
    if (gzgets(file, *buffer + length, (int)(*size - length)) == NULL)
      return length > 0 ? *buffer : NULL;
    length += strlen(*buffer + length);
    if (length > 0 && (*buffer)[length - 1] == '\n') return *buffer;
  }
}

trace_verdict trace_replay(const alea_game *game, const char *path, double seconds,
                           uint64_t max_perft, trace_report *report) {
  *report = (trace_report){0};
  replay r = {.game = game, .report = report, .max_perft = max_perft};
  r.deadline = alea_deadline_in(seconds);
  alea_mem_init(&r.mem, 0);
  gzFile file = gzopen(path, "rb");
  if (file == NULL) return TRACE_BROKEN;
  char *buffer = NULL, *line;
  size_t size = 0;
  if (succeed(&r, alea_cursor_new(game, &r.mem, &r.cursor), "cursor")) {
    while (r.verdict == TRACE_AGREES && (line = read_line(file, &buffer, &size)) != NULL) {
      if (alea_deadline_passed(&r.deadline)) {
        r.verdict = TRACE_CUT;
        break;
      }
      check_line(&r, line);
    }
  }
  free(buffer);
  gzclose(file);
  alea_cursor_free(r.cursor);
  if (r.mem.used != 0) differ(&r, "%zu bytes leaked", r.mem.used);
  return r.verdict;
}
