/* Positions whose values are proved. */
#include "learning/proved_lines.h"

#include <string.h>

#include "base/hash.h"
#include "base/parallel.h"
#include "game/random_joint.h"
#include "minimax/endgame.h"

enum {
  MOST_ROLES = 2,
  MOST_STEPS = 400, /* of a line */
  MOST_PROVED = 64, /* positions of a line, and beside it */
  ASIDES = 2,       /* random moves off each position that is proved */
  TABLE = 1 << 23,  /* bytes */
  GLANCE = 100,     /* positions by which a value is seen at once */
  FAR = 100000,     /* of a proof */
  HARDER = 3,       /* times as hard, about, is the proof of the position before */
  MOST_DRAWS = 8,   /* of a move, until one does not lose at once */
};

/* What was proved of a line. */
typedef struct proved_line {
  size_t count;
  int values[MOST_PROVED];
  uint64_t *words;
} proved_line;

typedef struct proved_batch {
  alea_proved_lines *lines;
  proved_line *line; /* ALEA_PROVED_LINES_BATCH of them */
} proved_batch;

typedef struct proved_worker {
  proved_batch *batch;
  alea_mem *mem;
  alea_player_setup setup;
  alea_cursor *cursor;
  alea_endgame *endgame; /* of this line */
  proved_line *line;
  alea_rng rng;
  alea_u64s words;   /* of the positions on the line, */
  alea_u32s chooser; /* and who has a choice there */
} proved_worker;

alea_status alea_proved_lines_init(alea_proved_lines *l, const alea_player_setup *setup,
                                   uint64_t seed, uint32_t threads) {
  alea_cursor *cursor;
  *l = (alea_proved_lines){.setup = setup, .seed = seed, .threads = threads};
  alea_status status = alea_cursor_new(setup->game, setup->mem, &cursor);
  if (status != ALEA_OK) return status;
  alea_cursor_state(cursor, &l->word_count);
  alea_cursor_free(cursor);
  return ALEA_OK;
}

void alea_proved_lines_clear(alea_proved_lines *l) {
  if (l->setup == NULL) return;
  alea_vec_clear(l->setup->mem, &l->words);
  alea_vec_clear(l->setup->mem, &l->values);
  *l = (alea_proved_lines){0};
}

/* ---- a line ---- */

/* Looks for the value of a position with so many positions; it is for who has a choice there, and
 * where nobody has, nothing is found out. */
static alea_status prove(proved_worker *w, const uint64_t *words, uint32_t chooser,
                         uint64_t positions, alea_endgame_answer *answer) {
  *answer = (alea_endgame_answer){.hi = 100};
  if (chooser == MOST_ROLES) return ALEA_OK;
  w->setup.role = chooser; /* who the endgame answers */
  alea_budget budget = {.sims = alea_endgame_sims(positions), .stop = w->batch->lines->stop};
  return alea_endgame_run(w->endgame, words, w->batch->lines->word_count, &budget, answer);
}

static alea_status draw(proved_worker *w, alea_move *joint, uint32_t *chooser, bool *stuck) {
  return alea_random_joint(w->cursor, MOST_ROLES, &w->rng, joint, chooser, stuck);
}

/* Looks at the cursor's position: whether its value is seen at once, and whether it is lost for
 * 'role'. */
static alea_status glance(proved_worker *w, uint32_t role, bool *known, bool *lost) {
  alea_move joint[MOST_ROLES];
  size_t count;
  uint32_t chooser;
  bool stuck;
  alea_endgame_answer answer;
  alea_status status = draw(w, joint, &chooser, &stuck);
  if (status == ALEA_OK)
    status = prove(w, alea_cursor_state(w->cursor, &count), chooser, GLANCE, &answer);
  if (status != ALEA_OK) return status;
  *known = answer.lo == answer.hi;
  *lost = role == chooser ? answer.hi == 0 : answer.lo == 100;
  return ALEA_OK;
}

/* Notes the cursor's position as one of the line. */
static alea_status note(proved_worker *w, uint32_t chooser) {
  size_t words = w->batch->lines->word_count, count;
  if (!alea_vec_reserve(w->mem, &w->words, words) || !alea_vec_push(w->mem, &w->chooser, chooser))
    return alea_mem_lack(w->mem);
  memcpy(w->words.data + w->words.count, alea_cursor_state(w->cursor, &count),
         words * sizeof(uint64_t));
  w->words.count += words;
  return ALEA_OK;
}

/* Makes a random step, one that does not lose at once if there is such a one among some.
 * '*over': the line ends there. */
static alea_status step(proved_worker *w, bool *over) {
  alea_move joint[MOST_ROLES];
  size_t words = w->batch->lines->word_count;
  uint32_t chooser;
  bool lost = true, stuck;
  alea_status status = draw(w, joint, &chooser, &stuck);
  if (status != ALEA_OK || stuck) return *over = true, status;
  if (chooser < MOST_ROLES) status = note(w, chooser);
  for (int draws = 0; status == ALEA_OK && lost && draws < MOST_DRAWS; draws++) {
    if (draws > 0) {
      status = alea_cursor_load(w->cursor, w->words.data + w->words.count - words, words);
      if (status == ALEA_OK) status = draw(w, joint, &chooser, &stuck);
    }
    if (status == ALEA_OK) status = alea_cursor_play(w->cursor, joint);
    if (status == ALEA_OK) status = alea_cursor_terminal(w->cursor, over);
    lost = false;
    if (status == ALEA_OK && !*over && chooser < MOST_ROLES) {
      bool known;
      status = glance(w, chooser, &known, &lost);
    }
  }
  return status;
}

/* Plays until the value is seen at a glance. */
static alea_status play(proved_worker *w) {
  bool over = false, known = false, lost;
  w->words.count = w->chooser.count = 0;
  alea_status status = alea_cursor_reset(w->cursor);
  for (int i = 0; status == ALEA_OK && i < MOST_STEPS && !over; i++) {
    status = glance(w, MOST_ROLES, &known, &lost);
    if (status != ALEA_OK || known) break;
    status = step(w, &over);
  }
  return status;
}

/* Proves a position, and keeps it if that succeeds. */
static alea_status prove_one(proved_worker *w, const uint64_t *position, uint32_t chooser,
                             bool *proved) {
  proved_line *line = w->line;
  size_t words = w->batch->lines->word_count;
  alea_endgame_answer answer;
  alea_status status = prove(w, position, chooser, FAR, &answer);
  *proved = status == ALEA_OK && answer.lo == answer.hi;
  if (!*proved || line->count == MOST_PROVED) return status;
  memcpy(line->words + line->count * words, position, words * sizeof *position);
  bool own = chooser == w->batch->lines->setup->role;
  line->values[line->count++] = own ? answer.lo : 100 - answer.lo;
  return ALEA_OK;
}

/* Proves what is behind a random move at a position of the line. */
static alea_status step_aside(proved_worker *w, const uint64_t *position) {
  alea_move joint[MOST_ROLES];
  size_t words = w->batch->lines->word_count, count;
  uint32_t chooser;
  bool over = false, stuck;
  alea_status status = alea_cursor_load(w->cursor, position, words);
  if (status == ALEA_OK) status = draw(w, joint, &chooser, &stuck);
  if (status == ALEA_OK) status = alea_cursor_play(w->cursor, joint);
  if (status == ALEA_OK) status = alea_cursor_terminal(w->cursor, &over);
  if (status != ALEA_OK || over) return status;
  status = draw(w, joint, &chooser, &stuck);
  if (status != ALEA_OK || stuck || chooser == MOST_ROLES) return status;
  return prove_one(w, alea_cursor_state(w->cursor, &count), chooser, &over);
}

/* Proves positions of the line from the last back until one is too far from the end, or was
 * nearly so. */
static alea_status go_back(proved_worker *w) {
  size_t words = w->batch->lines->word_count;
  uint64_t took = 0;
  bool proved = true;
  alea_status status = ALEA_OK;
  for (size_t i = w->chooser.count; i-- > 0 && took < FAR / HARDER;) {
    const uint64_t *position = w->words.data + i * words;
    uint64_t before = alea_endgame_positions(w->endgame);
    status = prove_one(w, position, w->chooser.data[i], &proved);
    took = alea_endgame_positions(w->endgame) - before;
    for (int k = 0; status == ALEA_OK && proved && k < ASIDES; k++)
      status = step_aside(w, position);
    if (status != ALEA_OK || !proved) break;
  }
  return status;
}

static bool is_stopped(const alea_proved_lines *l) {
  return alea_mem_late(l->setup->mem) ||
         (l->stop != NULL && atomic_load_explicit(l->stop, memory_order_relaxed));
}

static alea_status make_line(void *context, void *worker, uint32_t index, alea_mem *mem) {
  proved_batch *batch = context;
  const alea_proved_lines *lines = batch->lines;
  proved_worker *w = worker;
  (void)mem;
  if (is_stopped(lines)) return ALEA_OK;
  w->line = &batch->line[index];
  alea_rng_seed(&w->rng, alea_hash_mix(lines->seed ^ alea_hash_mix(lines->lines + index)));
  alea_status status = alea_endgame_new(&w->endgame, &w->setup, TABLE);
  if (status == ALEA_OK && w->endgame != NULL) {
    status = play(w);
    if (status == ALEA_OK) status = go_back(w);
  }
  alea_endgame_free(w->endgame);
  w->endgame = NULL;
  return status;
}

/* ---- workers ---- */

static alea_status begin(void *context, void *worker, alea_mem *mem) {
  proved_worker *w = worker;
  w->batch = context;
  w->mem = mem;
  w->setup = *w->batch->lines->setup;
  w->setup.mem = mem;
  return alea_cursor_new(w->setup.game, mem, &w->cursor);
}

static void end(void *context, void *worker, alea_mem *mem) {
  proved_worker *w = worker;
  (void)context;
  alea_cursor_free(w->cursor);
  alea_vec_clear(mem, &w->words);
  alea_vec_clear(mem, &w->chooser);
}

/* Puts the lines of a batch one behind the other. */
static alea_status collect(const proved_batch *batch) {
  alea_proved_lines *l = batch->lines;
  alea_mem *mem = l->setup->mem;
  l->words.count = l->values.count = 0;
  for (uint32_t i = 0; i < ALEA_PROVED_LINES_BATCH; i++) {
    const proved_line *line = &batch->line[i];
    size_t words = line->count * l->word_count;
    if (!alea_vec_reserve(mem, &l->words, words) || !alea_vec_reserve(mem, &l->values, line->count))
      return alea_mem_lack(mem);
    memcpy(l->words.data + l->words.count, line->words, words * sizeof(uint64_t));
    memcpy(l->values.data + l->values.count, line->values, line->count * sizeof(int));
    l->words.count += words;
    l->values.count += line->count;
  }
  return ALEA_OK;
}

alea_status alea_proved_lines_next(alea_proved_lines *l) {
  alea_mem *mem = l->setup->mem;
  proved_line line[ALEA_PROVED_LINES_BATCH];
  size_t words = MOST_PROVED * l->word_count;
  l->words.count = l->values.count = 0;
  if (l->setup->game->role_count != MOST_ROLES) return ALEA_OK;
  uint64_t *room = alea_mem_calloc(mem, ALEA_PROVED_LINES_BATCH * words, sizeof *room);
  if (room == NULL) return alea_mem_lack(mem);
  for (uint32_t i = 0; i < ALEA_PROVED_LINES_BATCH; i++)
    line[i] = (proved_line){.words = room + i * words};
  proved_batch batch = {.lines = l, .line = line};
  alea_parallel parallel = {.threads = l->threads,
                            .tasks = ALEA_PROVED_LINES_BATCH,
                            .run = make_line,
                            .begin = begin,
                            .end = end,
                            .worker_size = sizeof(proved_worker),
                            .context = &batch};
  alea_status status = alea_parallel_run(&parallel, mem);
  if (status == ALEA_OK) status = collect(&batch);
  l->lines += ALEA_PROVED_LINES_BATCH;
  alea_mem_free(mem, room, ALEA_PROVED_LINES_BATCH * words * sizeof *room);
  return status;
}
