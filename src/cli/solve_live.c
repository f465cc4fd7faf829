/* Lines of JSON about a search that runs. */
#include "cli/solve_live.h"

#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "cli/cli.h"

/* Seconds between two lines, without news and with them. */
static const double pace = 0.5, news_pace = 0.05;

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
  alea_json_key(&json, "bounds");
  alea_json_open(&json, '[');
  for (size_t i = 0; i < live->count; i++) {
    alea_json_open(&json, '[');
    alea_json_real(&json, live->bounds[i].seconds);
    alea_json_real(&json, live->bounds[i].value);
    alea_json_close(&json, ']');
  }
  alea_json_close(&json, ']');
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

void alea_solve_live_bound(alea_solve_live *live, double value, alea_mem *mem) {
  if (!live->wanted) return;
  if (live->count > 0 && live->bounds[live->count - 1].value == value) return;
  if (live->count == ALEA_SOLVE_LIVE_MOST)
    memmove(live->bounds, live->bounds + 1, --live->count * sizeof *live->bounds);
  live->bounds[live->count].seconds = alea_clock_wall() - live->started;
  live->bounds[live->count++].value = value;
  live->news = true;
  show_in_time(live, mem);
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
