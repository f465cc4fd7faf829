/* States of the public interface: a cursor with a history.
 *
 * The history keeps the position before each step, so that undoing loads it.
 * Percepts come with a step and not with a position: where the game has them, the
 * step before is made again. */
#include "alea/state.h"

#include <string.h>

#include "api/core.h"
#include "game/listing.h"
#include "game/playout.h"

struct alea_state {
  alea_mem mem;
  alea_ruleset *rules;
  const alea_game *game;
  alea_cursor *cursor;
  alea_rng rng;
  alea_status status; /* of the last question */
  alea_listing listing;
  alea_move *joint; /* scratch */
  /* Per step made: the words of the position before it end at ends[i], and
   * moves[i * role_count ...] were played. */
  alea_u64s words, ends;
  alea_u32s moves;
};

/* ---- making ---- */

alea_status alea_state_new(alea_state **state, alea_ruleset *rules, uint64_t seed) {
  *state = NULL;
  alea_state *made = alea_api_new(sizeof *made, 0);
  if (made == NULL) return ALEA_SYSTEM;
  made->rules = alea_ruleset_share(rules);
  made->game = rules->opened.game;
  alea_listing_init(&made->listing, &made->mem);
  alea_rng_seed(&made->rng, seed);
  made->joint = alea_mem_calloc(&made->mem, made->game->role_count, sizeof *made->joint);
  alea_status status = made->joint != NULL ? ALEA_OK : alea_mem_lack(&made->mem);
  if (status == ALEA_OK) status = alea_cursor_new(made->game, &made->mem, &made->cursor);
  if (status == ALEA_OK)
    *state = made;
  else
    alea_state_free(made);
  return status;
}

void alea_state_free(alea_state *state) {
  if (state == NULL) return;
  alea_cursor_free(state->cursor);
  alea_listing_clear(&state->listing);
  alea_mem_free(&state->mem, state->joint, state->game->role_count * sizeof *state->joint);
  alea_vec_clear(&state->mem, &state->words);
  alea_vec_clear(&state->mem, &state->ends);
  alea_vec_clear(&state->mem, &state->moves);
  alea_ruleset_free(state->rules);
  alea_api_free(state, sizeof *state);
}

alea_ruleset *alea_state_rules(const alea_state *state) { return state->rules; }

alea_cursor *alea_api_cursor(alea_state *state) { return state->cursor; }

void alea_state_seed(alea_state *state, uint64_t seed) { alea_rng_seed(&state->rng, seed); }

/* ---- history ---- */

static void forget(alea_state *state) {
  state->words.count = state->ends.count = state->moves.count = 0;
}

/* Adds the present position and the joint move about to be made. */
static bool remember(alea_state *state, const alea_move *joint) {
  size_t count, roles = state->game->role_count;
  const uint64_t *words = alea_cursor_state(state->cursor, &count);
  if (words == NULL || !alea_vec_reserve(&state->mem, &state->words, count) ||
      !alea_vec_reserve(&state->mem, &state->ends, 1) ||
      !alea_vec_reserve(&state->mem, &state->moves, roles))
    return false;
  if (count > 0) memcpy(state->words.data + state->words.count, words, count * sizeof *words);
  memcpy(state->moves.data + state->moves.count, joint, roles * sizeof *joint);
  state->words.count += count;
  state->moves.count += roles;
  state->ends.data[state->ends.count++] = state->words.count;
  return true;
}

/* Drops the last step, which the cursor has left or never made. */
static void drop_step(alea_state *state) {
  state->ends.count--;
  state->moves.count -= state->game->role_count;
  state->words.count = state->ends.count > 0 ? state->ends.data[state->ends.count - 1] : 0;
}

/* To the position before step number 'step', without its percepts. */
static alea_status load_before(alea_state *state, size_t step) {
  size_t first = step > 0 ? state->ends.data[step - 1] : 0;
  return alea_cursor_load(state->cursor, state->words.data + first, state->ends.data[step] - first);
}

/* Makes step number 'step' once more, for the percepts. */
static alea_status repeat(alea_state *state, size_t step) {
  alea_status status = load_before(state, step);
  if (status != ALEA_OK) return status;
  return alea_cursor_play(state->cursor, state->moves.data + step * state->game->role_count);
}

alea_status alea_state_undo(alea_state *state) {
  size_t steps = state->ends.count;
  if (steps == 0) return ALEA_NONE;
  alea_status status =
      state->game->has_sees && steps > 1 ? repeat(state, steps - 2) : load_before(state, steps - 1);
  if (status == ALEA_OK) drop_step(state);
  return status;
}

alea_status alea_state_reset(alea_state *state) {
  alea_status status = alea_cursor_reset(state->cursor);
  if (status == ALEA_OK) forget(state);
  return status;
}

uint32_t alea_state_depth(const alea_state *state) { return (uint32_t)state->ends.count; }

const alea_move *alea_state_last(const alea_state *state) {
  size_t roles = state->game->role_count;
  return state->ends.count > 0 ? state->moves.data + state->moves.count - roles : NULL;
}

/* Appends to vectors that the caller has emptied. */
static bool copy_history(alea_state *state, const alea_state *from) {
  if (!alea_vec_reserve(&state->mem, &state->words, from->words.count) ||
      !alea_vec_reserve(&state->mem, &state->ends, from->ends.count) ||
      !alea_vec_reserve(&state->mem, &state->moves, from->moves.count))
    return false;
  state->words.count = from->words.count;
  state->ends.count = from->ends.count;
  state->moves.count = from->moves.count;
  if (from->ends.count == 0) return true;
  memcpy(state->words.data, from->words.data, from->words.count * sizeof *from->words.data);
  memcpy(state->ends.data, from->ends.data, from->ends.count * sizeof *from->ends.data);
  memcpy(state->moves.data, from->moves.data, from->moves.count * sizeof *from->moves.data);
  return true;
}

alea_status alea_state_copy(alea_state *state, const alea_state *from) {
  if (state->rules != from->rules) return ALEA_USAGE;
  if (state == from) return ALEA_OK;
  forget(state);
  if (!copy_history(state, from)) return alea_mem_lack(&state->mem);
  if (state->game->has_sees && state->ends.count > 0) return repeat(state, state->ends.count - 1);
  size_t count;
  const uint64_t *words = alea_cursor_state(from->cursor, &count);
  return words != NULL ? alea_cursor_load(state->cursor, words, count) : ALEA_SYSTEM;
}

alea_status alea_state_clone(alea_state **copy, const alea_state *state) {
  alea_status status = alea_state_new(copy, state->rules, 0);
  if (status == ALEA_OK) status = alea_state_copy(*copy, state);
  if (status != ALEA_OK) {
    alea_state_free(*copy);
    *copy = NULL;
    return status;
  }
  (*copy)->rng = state->rng;
  return ALEA_OK;
}

/* ---- questions ---- */

alea_status alea_state_status(const alea_state *state) { return state->status; }

bool alea_state_terminal(alea_state *state) {
  bool terminal = true;
  state->status = alea_cursor_terminal(state->cursor, &terminal);
  return state->status != ALEA_OK || terminal;
}

int alea_state_goal(alea_state *state, uint32_t role) {
  int goal = -1;
  state->status = ALEA_OK;
  if (role >= state->game->role_count) return -1;
  state->status = alea_cursor_goal(state->cursor, role, &goal);
  return state->status == ALEA_OK ? goal : -1;
}

uint64_t alea_state_hash(alea_state *state) { return alea_cursor_hash(state->cursor); }

const alea_move *alea_state_legal(alea_state *state, uint32_t role, size_t *count) {
  alea_list list = {0};
  *count = 0;
  if (alea_state_terminal(state) || role >= state->game->role_count) return NULL;
  state->status = alea_cursor_legal(state->cursor, role, &list);
  if (state->status != ALEA_OK) return NULL;
  *count = list.count;
  return list.ids;
}

bool alea_state_is_legal(alea_state *state, uint32_t role, alea_move move) {
  bool admits = false;
  if (alea_state_terminal(state) || role >= state->game->role_count) return false;
  if (move >= alea_game_move_count(state->game, role)) return false;
  state->status = alea_cursor_admits(state->cursor, role, move, &admits);
  return state->status == ALEA_OK && admits;
}

/* The listing as the caller gets it. */
static const char *const *lend(alea_state *state, size_t *count) {
  *count = state->status == ALEA_OK ? state->listing.items.count : 0;
  return *count > 0 ? state->listing.items.data : NULL;
}

const char *const *alea_state_percepts(alea_state *state, uint32_t role, size_t *count) {
  state->status = ALEA_OK;
  *count = 0;
  if (role >= state->game->role_count) return NULL;
  state->status = alea_listing_percepts(&state->listing, state->cursor, role);
  return lend(state, count);
}

const char *const *alea_state_fluents(alea_state *state, size_t *count) {
  state->status = alea_listing_fluents(&state->listing, state->cursor);
  return lend(state, count);
}

const uint64_t *alea_state_bits(alea_state *state, size_t *words) {
  state->status = ALEA_OK;
  *words = 0;
  return state->rules->opened.net != NULL ? alea_cursor_state(state->cursor, words) : NULL;
}

/* ---- moving ---- */

/* The move that 'role' makes where 'wanted' is asked for. */
static alea_status choose(alea_state *state, uint32_t role, alea_move wanted, alea_move *move) {
  *move = wanted;
  if (wanted != ALEA_NO_MOVE) {
    bool legal = alea_state_is_legal(state, role, wanted);
    return state->status != ALEA_OK ? state->status : legal ? ALEA_OK : ALEA_INPUT;
  }
  alea_list list;
  alea_status status = alea_cursor_legal(state->cursor, role, &list);
  if (status != ALEA_OK) return status;
  if (list.count == 0) return ALEA_NONE;
  *move = list.ids[alea_rng_below(&state->rng, list.count)];
  return ALEA_OK;
}

alea_status alea_state_step(alea_state *state, const alea_move *joint) {
  bool terminal;
  alea_status status = alea_cursor_terminal(state->cursor, &terminal);
  if (status == ALEA_OK && terminal) status = ALEA_USAGE;
  for (uint32_t r = 0; status == ALEA_OK && r < state->game->role_count; r++)
    status = choose(state, r, joint != NULL ? joint[r] : ALEA_NO_MOVE, &state->joint[r]);
  if (status != ALEA_OK) return status;
  if (!remember(state, state->joint)) return alea_mem_lack(&state->mem);
  status = alea_cursor_play(state->cursor, state->joint);
  if (status == ALEA_OK) return ALEA_OK;
  (void)load_before(state, state->ends.count - 1);
  drop_step(state);
  return status;
}

alea_status alea_state_playout(alea_state *state, uint32_t steps) {
  if (steps == 0) steps = ALEA_DEFAULT_STEP_CAP;
  for (uint32_t i = 0; i < steps; i++) {
    alea_status status = alea_state_step(state, NULL);
    if (status == ALEA_USAGE) return ALEA_OK; /* the end */
    if (status != ALEA_OK) return status;
  }
  return alea_state_terminal(state) ? ALEA_OK : ALEA_LIMIT;
}

/* ---- keeping positions ---- */

/* "ALEA", the version of the format, three zeros, the number of fluents and the
 * signature of the rules, then the words; all numbers little-endian. */
enum { SAVED_HEAD = 20 };
static const unsigned char saved_magic[8] = {'A', 'L', 'E', 'A', 1, 0, 0, 0};

static void put_number(unsigned char *to, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; i++) to[i] = (unsigned char)(value >> (8 * i));
}

static uint64_t get_number(const unsigned char *from, int bytes) {
  uint64_t value = 0;
  for (int i = 0; i < bytes; i++) value |= (uint64_t)from[i] << (8 * i);
  return value;
}

static void put_head(const alea_state *state, unsigned char *head) {
  memcpy(head, saved_magic, sizeof saved_magic);
  put_number(head + 8, alea_ruleset_fluent_count(state->rules), 4);
  put_number(head + 12, state->rules->signature, 8);
}

size_t alea_state_save(alea_state *state, void *bytes, size_t size) {
  size_t count;
  const uint64_t *words = alea_state_bits(state, &count);
  if (words == NULL) return 0;
  unsigned char head[SAVED_HEAD], *to = bytes;
  size_t length = SAVED_HEAD + count * sizeof *words;
  if (length > size) return length;
  put_head(state, head);
  memcpy(to, head, SAVED_HEAD);
  for (size_t i = 0; i < count; i++) put_number(to + SAVED_HEAD + 8 * i, words[i], 8);
  return length;
}

/* To the position of these words, all of whose bits are fluents. */
static alea_status enter(alea_state *state, const alea_u64s *words) {
  alea_status status = alea_cursor_load(state->cursor, words->data, words->count);
  if (status == ALEA_OK) forget(state);
  return status;
}

static bool make_words(alea_state *state, alea_u64s *words) {
  size_t count = ((size_t)alea_ruleset_fluent_count(state->rules) + 63) / 64;
  if (!alea_vec_reserve(&state->mem, words, count)) return false;
  words->count = count;
  if (count > 0) memset(words->data, 0, count * sizeof *words->data);
  return true;
}

alea_status alea_state_load(alea_state *state, const void *bytes, size_t size) {
  if (state->rules->opened.net == NULL) return ALEA_UNSUPPORTED;
  uint32_t fluents = alea_ruleset_fluent_count(state->rules);
  const unsigned char *from = bytes;
  unsigned char head[SAVED_HEAD];
  alea_u64s words = {0};
  if (!make_words(state, &words)) return alea_mem_lack(&state->mem);
  put_head(state, head);
  bool good = size == SAVED_HEAD + 8 * words.count && memcmp(from, head, SAVED_HEAD) == 0;
  for (size_t i = 0; good && i < words.count; i++)
    words.data[i] = get_number(from + SAVED_HEAD + 8 * i, 8);
  if (good && fluents % 64 != 0) good = words.data[words.count - 1] >> (fluents % 64) == 0;
  alea_status status = good ? enter(state, &words) : ALEA_INPUT;
  alea_vec_clear(&state->mem, &words);
  return status;
}

alea_status alea_state_set_fluents(alea_state *state, const char *const *fluents, size_t count,
                                   size_t *wrong) {
  if (state->rules->opened.net == NULL) return ALEA_UNSUPPORTED;
  alea_u64s words = {0};
  if (!make_words(state, &words)) return alea_mem_lack(&state->mem);
  alea_status status = ALEA_OK;
  for (size_t i = 0; status == ALEA_OK && i < count; i++) {
    uint32_t f = alea_ruleset_fluent_find(state->rules, fluents[i]);
    if (f != ALEA_NO_FLUENT) {
      words.data[f / 64] |= UINT64_C(1) << (f % 64);
      continue;
    }
    status = ALEA_INPUT;
    if (wrong != NULL) *wrong = i;
  }
  if (status == ALEA_OK) status = enter(state, &words);
  alea_vec_clear(&state->mem, &words);
  return status;
}
