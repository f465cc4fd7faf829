/* A game as straight-line code, and as tables that are interpreted, compiled for
 * this machine, against the engine `net`: every move legal, every end an end,
 * every goal counted. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cmocka_all.h"
#include "gpu/interpreter.h"
#include "gpu/source.h"
#include "support/load.h"
#include "support/make_engine.h"

enum { LANES = 32, MOST_ROLES = 8, MOST_WORDS = 64, SHARED = 232448 };
enum { JOBS = 7, ROOM = 200, THREADS = 3 }; /* of launches whose jobs share blocks */

typedef void play_function(uint32_t block, uint32_t thread, const uint32_t *starts,
                           const uint32_t *jobs, uint64_t *out, uint32_t threads_per_job,
                           uint32_t cap, uint64_t seed, const uint32_t *words, uint32_t *memory);

/* What the code tells, as it plays. */
static struct {
  const alea_net *net;
  const char *name;
  bool deaf;                  /* what is told is not listened to */
  uint64_t start[MOST_WORDS]; /* where all games begin, */
  size_t start_count;
  uint32_t tick; /* and the tick of the clock there */
  alea_cursor *cursors[LANES];
  alea_move joint[LANES][MOST_ROLES];
  uint64_t playouts, lost, states, *goals;
} game;

/* The code finds these by their names. */
#pragma GCC visibility push(default)
void alea_begun(uint32_t lanes);
void alea_told(uint32_t role, uint32_t move, uint32_t lanes);
void alea_stepped(uint32_t lanes);
void alea_ended(uint32_t lanes);
void alea_lost(uint32_t lanes);
#pragma GCC visibility pop

void alea_begun(uint32_t lanes) {
  for (uint32_t i = 0; i < LANES && !game.deaf; i++)
    if (lanes >> i & 1)
      assert_int_equal(alea_cursor_load(game.cursors[i], game.start, game.start_count), ALEA_OK);
}

void alea_told(uint32_t role, uint32_t move, uint32_t lanes) {
  for (uint32_t i = 0; i < LANES && !game.deaf; i++) {
    if ((lanes >> i & 1) == 0) continue;
    if (game.joint[i][role] != ALEA_NO_MOVE) fail_msg("%s: two moves at once", game.name);
    game.joint[i][role] = move;
  }
}

static void forget(uint32_t lane) {
  for (uint32_t r = 0; r < MOST_ROLES; r++) game.joint[lane][r] = ALEA_NO_MOVE;
}

void alea_stepped(uint32_t lanes) {
  for (uint32_t i = 0; i < LANES && !game.deaf; i++) {
    bool terminal, admitted;
    if (lanes >> i & 1) {
      assert_int_equal(alea_cursor_terminal(game.cursors[i], &terminal), ALEA_OK);
      if (terminal) fail_msg("%s: goes on after the end", game.name);
      for (uint32_t r = 0; r < game.net->role_count; r++) {
        assert_int_equal(alea_cursor_admits(game.cursors[i], r, game.joint[i][r], &admitted),
                         ALEA_OK);
        if (!admitted)
          fail_msg("%s: move %u of role %u is not legal", game.name, game.joint[i][r], r);
      }
      assert_int_equal(alea_cursor_play(game.cursors[i], game.joint[i]), ALEA_OK);
      game.states++;
    }
    forget(i);
  }
}

void alea_ended(uint32_t lanes) {
  for (uint32_t i = 0; i < LANES && !game.deaf; i++) {
    bool terminal;
    if ((lanes >> i & 1) == 0) continue;
    assert_int_equal(alea_cursor_terminal(game.cursors[i], &terminal), ALEA_OK);
    if (!terminal) fail_msg("%s: ends too early", game.name);
    game.playouts++;
    for (uint32_t r = 0; r < game.net->role_count; r++) {
      int goal;
      bool found = false;
      assert_int_equal(alea_cursor_goal(game.cursors[i], r, &goal), ALEA_OK);
      for (size_t g = 0; g < game.net->goals.count && !found; g++) {
        found = game.net->goals.data[g].role == r && game.net->goals.data[g].value == goal;
        game.goals[g] += found;
      }
    }
  }
}

void alea_lost(uint32_t lanes) {
  for (uint32_t i = 0; i < LANES; i++) game.lost += lanes >> i & 1;
}

/* The code of 'source' as a function; the library is loaded, its files are gone. */
static play_function *compile(const alea_text *source, void **library) {
  char base[] = "/tmp/alea-gpu-XXXXXX", command[512], code[64], object[64];
  assert_non_null(mkdtemp(base));
  snprintf(code, sizeof code, "%s/game.c", base);
  snprintf(object, sizeof object, "%s/game.so", base);
  FILE *file = fopen(code, "w");
  assert_non_null(file);
  assert_int_equal(fwrite(source->data, 1, source->length, file), source->length);
  assert_int_equal(fclose(file), 0);
  snprintf(command, sizeof command, "%s -std=c17 -O0 -w -shared -fPIC -o %s %s", ALEA_C_COMPILER,
           object, code);
  assert_int_equal(system(command), 0);
  *library = dlopen(object, RTLD_NOW);
  if (*library == NULL) fail_msg("%s", dlerror());
  remove(code);
  remove(object);
  remove(base);
  play_function *play;
  *(void **)&play = dlsym(*library, "alea_play");
  assert_non_null(play);
  return play;
}

static void compare(const uint64_t *out) {
  const alea_net *net = game.net;
  if (out[0] != game.playouts || out[1] != game.lost || out[2] != game.states)
    fail_msg("%s: %llu of %llu playouts", game.name, (unsigned long long)out[0],
             (unsigned long long)game.playouts);
  for (size_t g = 0; g < net->goals.count;
       g++) { /* equal values of a role may be several literals */
    uint64_t ours = 0, theirs = 0;
    for (size_t h = 0; h < net->goals.count; h++) {
      if (net->goals.data[h].role != net->goals.data[g].role ||
          net->goals.data[h].value != net->goals.data[g].value)
        continue;
      ours += out[ALEA_GPU_COUNTS + h];
      theirs += game.goals[h];
    }
    if (ours != theirs)
      fail_msg("%s: goal %zu: %llu instead of %llu", game.name, g, (unsigned long long)ours,
               (unsigned long long)theirs);
  }
}

/* Plays 'games' games of 128 threads' share in three threads, and checks every one of them;
 * 'out' gets the counts. */
static void play_source(const alea_game *made, const alea_text *source,
                        const alea_gpu_tables *tables, uint32_t games, uint64_t *out,
                        alea_mem *mem) {
  const alea_net *net = game.net;
  void *library;
  play_function *play = compile(source, &library);
  uint32_t *starts = calloc(net->fluent_count, sizeof *starts), jobs[2] = {games, game.tick};
  for (uint32_t f = 0; f < net->fluent_count; f++)
    starts[f] = (game.start[f / 64] >> f % 64 & 1) != 0 ? UINT32_MAX : 0;
  game.playouts = game.lost = game.states = 0;
  game.goals = calloc(net->goals.count, sizeof *game.goals);
  for (uint32_t i = 0; i < LANES; i++) {
    assert_int_equal(alea_cursor_new(made, mem, &game.cursors[i]), ALEA_OK);
    forget(i);
  }
  for (uint32_t i = 0; i < 3; i++) { /* what interprets plays in blocks that are one wide */
    uint32_t block = tables != NULL ? i : 0, thread = tables != NULL ? 0 : i;
    play(block, thread, starts, jobs, out, ALEA_GPU_BLOCK, 400, 7,
         tables != NULL ? tables->words.data : NULL, NULL);
  }
  compare(out);
  for (uint32_t i = 0; i < LANES; i++) alea_cursor_free(game.cursors[i]);
  free(game.goals);
  free(starts);
  dlclose(library);
}

/* The position after so many steps with the first legal moves. */
static void set_start(const alea_game *made, const alea_lanes *lanes, uint32_t steps,
                      alea_mem *mem) {
  alea_cursor *cursor;
  assert_int_equal(alea_cursor_new(made, mem, &cursor), ALEA_OK);
  for (uint32_t i = 0; i < steps; i++) {
    alea_move joint[MOST_ROLES];
    for (uint32_t r = 0; r < made->role_count; r++) {
      alea_list list;
      assert_int_equal(alea_cursor_legal(cursor, r, &list), ALEA_OK);
      joint[r] = list.ids[0];
    }
    assert_int_equal(alea_cursor_play(cursor, joint), ALEA_OK);
  }
  const uint64_t *words = alea_cursor_state(cursor, &game.start_count);
  assert_in_range(game.start_count, 1, MOST_WORDS);
  for (size_t k = 0; k < game.start_count; k++) game.start[k] = words[k];
  game.tick = lanes->clock.ticks > 0 ? alea_lanes_clock_tick(&lanes->clock, words) : 0;
  alea_cursor_free(cursor);
}

/* Plays straight-line code, if 'straight', and the form that interprets, with plans of a window:
 * they must play the same games. */
static void play_game_from(const char *name, uint32_t steps, uint32_t games, bool straight,
                           uint32_t window) {
  alea_mem mem;
  alea_game *made;
  alea_lanes *lanes;
  alea_gpu_tables tables;
  alea_text source;
  char path[512];
  alea_mem_init(&mem, 0);
  snprintf(path, sizeof path, "%s/games/%s.kif", ALEA_SOURCE_DIR, name);
  assert_int_equal(load_game(path, make_net, &mem, &made), ALEA_OK);
  game.net = alea_net_of_game(made);
  game.name = name;
  assert_int_equal(alea_gpu_lanes_new(&lanes, game.net, &mem), ALEA_OK);
  set_start(made, lanes, steps, &mem);
  const alea_gpu_shape narrow = {.width = 1, .copies = 1, .threads = 64, .window = window};
  assert_int_equal(alea_gpu_tables_shape(&tables, lanes, &narrow, SIZE_MAX, &mem), ALEA_OK);
  size_t counts = ALEA_GPU_COUNTS + game.net->goals.count;
  uint64_t *out = calloc(2 * counts, sizeof *out);
  alea_text_init(&source, &mem);
  if (straight) {
    (void)alea_gpu_source(lanes, SHARED, &source);
    assert_false(source.failed);
    play_source(made, &source, NULL, games, out, &mem);
  }
  alea_text_truncate(&source, 0);
  alea_gpu_interpreter(lanes, &tables, &source);
  assert_false(source.failed);
  play_source(made, &source, &tables, games, out + counts, &mem);
  for (size_t k = 0; straight && k < counts; k++)
    if (out[k] != out[counts + k]) fail_msg("%s: the forms play different games", name);
  free(out);
  alea_text_clear(&source);
  alea_gpu_tables_clear(&tables, &mem);
  alea_lanes_free(lanes);
  alea_game_free(made);
  assert_int_equal(mem.used, 0);
}

static void play_game(const char *name, uint32_t games, bool straight, uint32_t window) {
  play_game_from(name, 0, games, straight, window);
}

static void plays_by_the_rules(void **state) {
  (void)state;
  static const char *const names[] = {
      "tictactoe", "connect-four", "breakthrough", "pacman", "rock-paper-scissors",
      "nim",       "cant-stop",    "reversi",      "hex",    "dots-and-boxes-suicide",
      "hanoi",     "monty-hall",   "free-for-all"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    play_game(names[i], 128 * 60, true, 0);
    if (game.playouts + game.lost != 3 * 60) fail_msg("%s: not all games were played", names[i]);
  }
}

/* Code with so many variables that it says which are in registers. */
static void plans_registers(void **state) {
  (void)state;
  static const char *const names[] = {"quarto", "sudoku", "gomoku", "battlebrushes"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    play_game(names[i], 128 * 40, true, 0);
    if (game.playouts + game.lost != 3 * 40) fail_msg("%s: not all games were played", names[i]);
  }
  play_game("backgammon", 128 * 10, true, 0);
  for (uint32_t steps = 1; steps < 4; steps++) /* games begin at every tick of its clock */
    play_game_from("quarto", steps, 128 * 40, true, 0);
}

/* Networks that are too large to be written out. */
static void interprets_large_networks(void **state) {
  (void)state;
  static const char *const names[] = {"chess", "amazons", "skirmish", "chinese-checkers", "awale"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    play_game(names[i], 128 * 8, false, 0);
    if (game.playouts + game.lost != 3 * 8) fail_msg("%s: not all games were played", names[i]);
  }
}

/* What is too large to be divided into levels as a whole is divided bit by bit. */
static void plans_with_windows(void **state) {
  (void)state;
  static const char *const names[] = {"hex", "pacman", "reversi"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    play_game(names[i], 128 * 60, true, 50);
    if (game.playouts + game.lost != 3 * 60) fail_msg("%s: not all games were played", names[i]);
  }
  play_game("chinese-checkers", 128 * 8, false, 300);
}

/* ---- jobs that share blocks ---- */

/* The counts of all jobs, each from a position one step further than the last. */
typedef struct launch {
  uint32_t *starts, jobs[2 * ROOM];
  uint64_t *out;
  size_t counts;
} launch;

static void set_launch(launch *l, const alea_game *made, const alea_lanes *lanes, alea_mem *mem) {
  uint32_t fluents = game.net->fluent_count;
  *l = (launch){.counts = ALEA_GPU_COUNTS + game.net->goals.count};
  l->starts = calloc((size_t)ROOM * fluents, sizeof *l->starts);
  l->out = calloc(ROOM * l->counts, sizeof *l->out);
  for (uint32_t j = 0; j < JOBS; j++) {
    set_start(made, lanes, j, mem);
    l->jobs[2 * j] = 100 + j;
    l->jobs[2 * j + 1] = game.tick;
    for (uint32_t f = 0; f < fluents; f++)
      l->starts[j * fluents + f] = (game.start[f / 64] >> f % 64 & 1) != 0 ? UINT32_MAX : 0;
  }
}

/* Plays all jobs in blocks that are so wide, every thread of them. */
static void play_launch(launch *l, const alea_text *source, const alea_gpu_tables *tables,
                        uint32_t width) {
  void *library;
  play_function *play = compile(source, &library);
  for (uint32_t block = 0; block * width < JOBS * THREADS; block++)
    for (uint32_t thread = 0; thread < (tables != NULL ? 1 : width); thread++)
      play(block, thread, l->starts, l->jobs, l->out, THREADS, 400, 7,
           tables != NULL ? tables->words.data : NULL, NULL);
  dlclose(library);
}

/* Every game that was asked for is played, none is longer than from its position, and nothing is
 * counted elsewhere. */
static void check_launch(const launch *l, uint32_t longest) {
  for (uint32_t j = 0; j < ROOM; j++) {
    const uint64_t *out = l->out + j * l->counts;
    if (out[0] != l->jobs[2 * j] || out[1] != 0)
      fail_msg("%s: job %u has played %llu games", game.name, j, (unsigned long long)out[0]);
    if (j < JOBS && out[2] > out[0] * (longest - j))
      fail_msg("%s: job %u begins elsewhere", game.name, j);
    for (size_t k = 0; j >= JOBS && k < l->counts; k++) assert_int_equal(out[k], 0);
  }
}

static void share_blocks(const char *name, uint32_t longest) {
  alea_mem mem;
  alea_game *made;
  alea_lanes *lanes;
  alea_text source;
  char path[512];
  launch own, wide;
  alea_mem_init(&mem, 0);
  snprintf(path, sizeof path, "%s/games/%s.kif", ALEA_SOURCE_DIR, name);
  assert_int_equal(load_game(path, make_net, &mem, &made), ALEA_OK);
  game.net = alea_net_of_game(made);
  game.name = name;
  game.deaf = true;
  assert_int_equal(alea_gpu_lanes_new(&lanes, game.net, &mem), ALEA_OK);
  alea_text_init(&source, &mem);
  (void)alea_gpu_source(lanes, SHARED, &source);
  set_launch(&own, made, lanes, &mem);
  play_launch(&own, &source, NULL, ALEA_GPU_BLOCK);
  check_launch(&own, longest);
  static const alea_gpu_shape shapes[] = {{.width = 4, .copies = 2, .threads = 64},
                                          {.width = 2, .copies = 1, .threads = 32}};
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    alea_gpu_tables tables;
    assert_int_equal(alea_gpu_tables_shape(&tables, lanes, &shapes[i], SIZE_MAX, &mem), ALEA_OK);
    alea_text_truncate(&source, 0);
    alea_gpu_interpreter(lanes, &tables, &source);
    set_launch(&wide, made, lanes, &mem);
    play_launch(&wide, &source, &tables, alea_gpu_shape_wide(&shapes[i]));
    assert_memory_equal(own.out, wide.out, ROOM * own.counts * sizeof *own.out);
    free(wide.starts);
    free(wide.out);
    alea_gpu_tables_clear(&tables, &mem);
  }
  free(own.starts);
  free(own.out);
  alea_text_clear(&source);
  alea_lanes_free(lanes);
  alea_game_free(made);
  assert_int_equal(mem.used, 0);
  game.deaf = false;
}

/* Several jobs of few threads in a block, from other positions and at other ticks of the clock. */
static void shares_blocks(void **state) {
  (void)state;
  share_blocks("tictactoe", 9);
  share_blocks("connect-four", 42);
  share_blocks("quarto", 32);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plays_by_the_rules), cmocka_unit_test(plans_registers),
      cmocka_unit_test(interprets_large_networks), cmocka_unit_test(plans_with_windows),
      cmocka_unit_test(shares_blocks)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
