/* Lines of JSON about a search that runs. */
#include "cli/solve_live.h"

#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "cli/cli.h"

/* Seconds between two lines, without news and with them. */
static const double pace = 0.5, news_pace = 0.05;

static void put_course(alea_json *json, const char *key, const alea_solve_course *course) {
  alea_json_key(json, key);
  alea_json_open(json, '[');
  for (size_t i = 0; i < course->count; i++) {
    alea_json_open(json, '[');
    alea_json_real(json, course->points[i].seconds);
    alea_json_real(json, course->points[i].value);
    alea_json_close(json, ']');
  }
  alea_json_close(json, ']');
}

/* Whoever does not read loses the lines, not the result. */
static void show(alea_solve_live *live, double now, alea_mem *mem) {
  alea_text line;
  alea_json json;
  alea_text_init(&line, mem);
  alea_json_start(&json, &line);
  alea_json_open(&json, '{');
  alea_json_put_string(&json, "type", "live");
  alea_json_put_real(&json, "seconds", now - live->started);
  alea_json_put_count(&json, "nodes", live->nodes);
  alea_json_put_count(&json, "depth", live->depth);
  put_course(&json, "bounds", &live->bounds);
  put_course(&json, "limits", &live->limits);
  alea_json_close(&json, '}');
  alea_text_char(&line, '\n');
  (void)alea_cli_write(&line);
  alea_text_clear(&line);
  live->shown = now;
  live->news = false;
}

static void show_in_time(alea_solve_live *live, alea_mem *mem) {
  double now = alea_clock_wall();
  if (now - live->shown >= (live->news ? news_pace : pace)) show(live, now, mem);
}

static void add(alea_solve_live *live, alea_solve_course *course, double value, alea_mem *mem) {
  size_t *count = &course->count;
  if (!live->wanted || (*count > 0 && course->points[*count - 1].value == value)) return;
  if (*count == ALEA_SOLVE_LIVE_MOST)
    memmove(course->points, course->points + 1, --*count * sizeof *course->points);
  course->points[*count].seconds = alea_clock_wall() - live->started;
  course->points[(*count)++].value = value;
  live->news = true;
  show_in_time(live, mem);
}

void alea_solve_live_bound(alea_solve_live *live, double value, alea_mem *mem) {
  add(live, &live->bounds, value, mem);
}

void alea_solve_live_limit(alea_solve_live *live, double value, alea_mem *mem) {
  add(live, &live->limits, value, mem);
}

void alea_solve_live_progress(alea_solve_live *live, uint64_t nodes, uint32_t depth,
                              alea_mem *mem) {
  live->nodes = nodes;
  live->depth = depth;
  if (live->wanted) show_in_time(live, mem);
}

void alea_solve_live_end(alea_solve_live *live, alea_mem *mem) {
  if (live->wanted && live->news) show(live, alea_clock_wall(), mem);
}
