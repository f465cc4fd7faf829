/* Surveys of games: random plays, and exhaustive search of small games. */
#include "match/survey.h"

#include <string.h>

#include "base/hash.h"
#include "base/hash_map.h"
#include "base/vec.h"

/* State of the survey for the current position or play. */
typedef struct surveyor {
  alea_survey *survey;
  alea_cursor *cursor;
  const alea_game *game;
  alea_mem *mem;
  int *goals;    /* per role: at the previous position, -1 = none yet */
  bool *has_won; /* per role: 100 was reached at the end of a play */
  alea_move *joint;
  uint32_t *counts; /* per role: legal moves here */
} surveyor;

static bool is_player(const surveyor *s, uint32_t role) {
  return (int)role != s->game->random_role;
}

static uint32_t player_count(const surveyor *s) {
  return s->game->role_count - (s->game->random_role >= 0 ? 1 : 0);
}

/* Records the goals of the current position; 'after' is false at the start of a
 * play. */
static alea_status note_goals(surveyor *s, bool after, bool terminal) {
  for (uint32_t role = 0; role < s->game->role_count; role++) {
    int goal;
    alea_status status = alea_cursor_goal(s->cursor, role, &goal);
    if (status != ALEA_OK) return status;
    if (!is_player(s, role)) continue;
    if (goal < 0 || (after && goal < s->goals[role])) s->survey->monotonic = ALEA_VERDICT_REFUTED;
    s->goals[role] = goal;
    if (terminal && goal == 100) s->has_won[role] = true;
  }
  return ALEA_OK;
}

/* Counts legal moves per role; '*stuck' is set if some role has none. */
static alea_status note_moves(surveyor *s, bool *stuck) {
  uint32_t choosers = 0;
  *stuck = false;
  for (uint32_t role = 0; role < s->game->role_count; role++) {
    alea_list list;
    alea_status status = alea_cursor_legal(s->cursor, role, &list);
    if (status != ALEA_OK) return status;
    s->counts[role] = list.count;
    if (list.count == 0) *stuck = true;
    if (list.count > s->survey->most_moves) s->survey->most_moves = list.count;
    if (is_player(s, role) && list.count > 1) choosers++;
  }
  if (*stuck) s->survey->playable = ALEA_VERDICT_REFUTED;
  if (choosers > 1) s->survey->turns = ALEA_TURN_SIMULTANEOUS;
  return ALEA_OK;
}

static uint64_t percept_key(const alea_list *list) {
  uint64_t key = list->count; /* independent of the order */
  for (uint32_t i = 0; i < list->count; i++) key += alea_hash_mix(list->ids[i] + 1);
  return key;
}

static alea_status note_percepts(surveyor *s) {
  bool first = true;
  uint64_t key = 0;
  for (uint32_t role = 0; s->game->has_sees && role < s->game->role_count; role++) {
    if (!is_player(s, role)) continue;
    alea_list list;
    alea_status status = alea_cursor_percepts(s->cursor, role, &list);
    if (status != ALEA_OK) return status;
    uint64_t own = percept_key(&list);
    if (!first && own != key) s->survey->private_percepts = true;
    key = own;
    first = false;
  }
  return ALEA_OK;
}

static alea_status random_step(surveyor *s, alea_rng *rng) {
  for (uint32_t role = 0; role < s->game->role_count; role++) {
    alea_list list;
    alea_status status = alea_cursor_legal(s->cursor, role, &list);
    if (status != ALEA_OK) return status;
    s->joint[role] = list.ids[alea_rng_below(rng, list.count)];
  }
  return alea_cursor_play(s->cursor, s->joint);
}

static alea_status one_play(surveyor *s, alea_rng *rng, uint32_t step_cap) {
  alea_status status = alea_cursor_reset(s->cursor);
  uint32_t steps = 0;
  bool terminal = false, stuck = false;
  while (status == ALEA_OK) {
    if ((status = alea_cursor_terminal(s->cursor, &terminal)) != ALEA_OK) return status;
    if ((status = note_goals(s, steps > 0, terminal)) != ALEA_OK) return status;
    if (terminal || steps == step_cap) break;
    if ((status = note_moves(s, &stuck)) != ALEA_OK) return status;
    if (stuck) break;
    if ((status = random_step(s, rng)) != ALEA_OK) return status;
    status = note_percepts(s);
    steps++;
  }
  if (!terminal && !stuck) s->survey->terminating = ALEA_VERDICT_REFUTED;
  if (s->survey->plays == 0 || steps < s->survey->shortest) s->survey->shortest = steps;
  if (steps > s->survey->longest) s->survey->longest = steps;
  s->survey->steps += steps;
  s->survey->plays++;
  return status;
}

/* ---- exhaustive search of small games ---- */

typedef struct survey_node {
  size_t first_word;
  uint32_t word_count;
  uint32_t degree; /* incoming edges, minus those removed by the sort */
  uint32_t first_edge, edge_count;
} survey_node;

typedef struct graph {
  ALEA_VEC(survey_node) nodes;
  alea_u64s words;
  alea_u32s edges;
  alea_hash_map map; /* nodes by their words */
} graph;

/* The number of the cursor's position in the graph; new positions are added.
 * UINT32_MAX: too many, or out of memory. */
static uint32_t number_of(surveyor *s, graph *g, uint32_t most_states) {
  size_t count;
  const uint64_t *words = alea_cursor_state(s->cursor, &count);
  alea_hash_probe probe = alea_hash_map_probe(&g->map, alea_hash_mix(alea_cursor_hash(s->cursor)));
  while (alea_hash_map_next(&g->map, &probe)) {
    const survey_node *n = &g->nodes.data[probe.id];
    if (n->word_count == count &&
        memcmp(g->words.data + n->first_word, words, count * sizeof *words) == 0) {
      return probe.id;
    }
  }
  if (g->nodes.count == most_states) return UINT32_MAX;
  survey_node fresh = {.first_word = g->words.count, .word_count = (uint32_t)count};
  if (!alea_vec_reserve(s->mem, &g->words, count)) return UINT32_MAX;
  if (!alea_vec_push(s->mem, &g->nodes, fresh)) return UINT32_MAX;
  memcpy(g->words.data + g->words.count, words, count * sizeof *words);
  g->words.count += count;
  uint32_t number = (uint32_t)g->nodes.count - 1;
  alea_hash_map_put(&g->map, probe, number);
  return number;
}

static alea_status load(surveyor *s, const graph *g, uint32_t index) {
  const survey_node *n = &g->nodes.data[index];
  return alea_cursor_load(s->cursor, g->words.data + n->first_word, n->word_count);
}

/* Next joint move in the odometer of 'pick'; false after the last. */
static bool advance(const surveyor *s, uint32_t *pick) {
  for (uint32_t role = 0; role < s->game->role_count; role++) {
    if (++pick[role] < s->counts[role]) return true;
    pick[role] = 0;
  }
  return false;
}

/* Plays every joint move from node 'index'.  ALEA_LIMIT: too many states. */
static alea_status expand(surveyor *s, graph *g, uint32_t index, uint32_t *pick,
                          uint32_t most_states) {
  memset(pick, 0, s->game->role_count * sizeof *pick);
  g->nodes.data[index].first_edge = (uint32_t)g->edges.count;
  do {
    alea_status status = load(s, g, index);
    for (uint32_t role = 0; status == ALEA_OK && role < s->game->role_count; role++) {
      alea_list list;
      status = alea_cursor_legal(s->cursor, role, &list);
      if (status == ALEA_OK) s->joint[role] = list.ids[pick[role]];
    }
    if (status == ALEA_OK) status = alea_cursor_play(s->cursor, s->joint);
    if (status != ALEA_OK) return status;
    uint32_t child = number_of(s, g, most_states);
    if (child == UINT32_MAX || !alea_vec_push(s->mem, &g->edges, child)) return ALEA_LIMIT;
    g->nodes.data[child].degree++;
    g->nodes.data[index].edge_count++;
  } while (advance(s, pick));
  return ALEA_OK;
}

/* True if no play returns to a position: a topological sort reaches every
 * node. */
static bool acyclic(graph *g, alea_mem *mem) {
  alea_u32s ready = {0};
  bool good = g->nodes.data[0].degree == 0 && alea_vec_push(mem, &ready, 0);
  size_t done = 0;
  while (good && done < ready.count) {
    const survey_node *n = &g->nodes.data[ready.data[done++]];
    for (uint32_t i = 0; good && i < n->edge_count; i++) {
      uint32_t child = g->edges.data[n->first_edge + i];
      if (--g->nodes.data[child].degree == 0) good = alea_vec_push(mem, &ready, child);
    }
  }
  alea_vec_clear(mem, &ready);
  return good && done == g->nodes.count;
}

/* Breadth first from the initial position. */
static alea_status search(surveyor *s, graph *g, uint32_t *pick, uint32_t most_states,
                          const alea_deadline *deadline) {
  alea_status status = alea_cursor_reset(s->cursor);
  if (status != ALEA_OK) return status;
  if (number_of(s, g, most_states) == UINT32_MAX) return ALEA_LIMIT;
  for (uint32_t i = 0; i < g->nodes.count; i++) {
    if (alea_deadline_passed(deadline)) return ALEA_LIMIT;
    bool terminal, stuck;
    if ((status = load(s, g, i)) != ALEA_OK) return status;
    if ((status = alea_cursor_terminal(s->cursor, &terminal)) != ALEA_OK) return status;
    if ((status = note_goals(s, false, terminal)) != ALEA_OK) return status;
    if (terminal) continue;
    if ((status = note_moves(s, &stuck)) != ALEA_OK) return status;
    if (!stuck) status = expand(s, g, i, pick, most_states);
    if (status != ALEA_OK) return status;
  }
  return ALEA_OK;
}

static alea_status search_whole(surveyor *s, uint32_t most_states, const alea_deadline *deadline) {
  graph g = {0};
  uint32_t roles = s->game->role_count;
  bool room = alea_hash_map_init(&g.map, s->mem, most_states);
  uint32_t *pick = alea_mem_calloc(s->mem, roles, sizeof *pick);
  alea_status status =
      room && pick != NULL ? search(s, &g, pick, most_states, deadline) : ALEA_SYSTEM;
  if (status == ALEA_OK) {
    s->survey->states = g.nodes.count;
    if (s->survey->playable == ALEA_VERDICT_UNKNOWN) s->survey->playable = ALEA_VERDICT_PROVED;
    s->survey->terminating = acyclic(&g, s->mem) ? ALEA_VERDICT_PROVED : ALEA_VERDICT_REFUTED;
  }
  alea_mem_free(s->mem, pick, roles * sizeof *pick);
  alea_hash_map_clear(&g.map, s->mem);
  alea_vec_clear(s->mem, &g.nodes);
  alea_vec_clear(s->mem, &g.words);
  alea_vec_clear(s->mem, &g.edges);
  return status == ALEA_LIMIT ? ALEA_OK : status; /* too large is not an error */
}

static void conclude(surveyor *s) {
  bool all = true;
  for (uint32_t role = 0; role < s->game->role_count; role++) {
    if (is_player(s, role) && !s->has_won[role]) all = false;
  }
  if (all) {
    s->survey->winnable = ALEA_VERDICT_PROVED;
  } else if (s->survey->states > 0) {
    s->survey->winnable = ALEA_VERDICT_REFUTED;
  }
  if (player_count(s) <= 1) s->survey->turns = ALEA_TURN_SOLO;
}

alea_status alea_survey_run(alea_survey *survey, alea_cursor *cursor, uint32_t plays,
                            uint32_t step_cap, uint32_t most_states, uint64_t seed,
                            const alea_deadline *deadline, alea_mem *mem) {
  *survey = (alea_survey){.turns = ALEA_TURN_TAKING};
  uint32_t roles = cursor->game->role_count;
  surveyor s = {.survey = survey, .cursor = cursor, .game = cursor->game, .mem = mem};
  s.goals = alea_mem_calloc(mem, roles, sizeof *s.goals);
  s.has_won = alea_mem_calloc(mem, roles, sizeof *s.has_won);
  s.joint = alea_mem_calloc(mem, roles, sizeof *s.joint);
  s.counts = alea_mem_calloc(mem, roles, sizeof *s.counts);
  bool good = s.goals != NULL && s.has_won != NULL && s.joint != NULL && s.counts != NULL;
  alea_status status = good ? ALEA_OK : ALEA_SYSTEM;
  alea_rng rng;
  alea_rng_seed(&rng, seed);
  for (uint32_t i = 0; status == ALEA_OK && i < plays && !alea_deadline_passed(deadline); i++) {
    status = one_play(&s, &rng, step_cap);
  }
  if (status == ALEA_OK && most_states > 0 && survey->terminating != ALEA_VERDICT_REFUTED) {
    status = search_whole(&s, most_states, deadline);
  }
  if (status == ALEA_OK) conclude(&s);
  if (status == ALEA_OK) status = alea_cursor_reset(cursor);
  alea_mem_free(mem, s.goals, roles * sizeof *s.goals);
  alea_mem_free(mem, s.has_won, roles * sizeof *s.has_won);
  alea_mem_free(mem, s.joint, roles * sizeof *s.joint);
  alea_mem_free(mem, s.counts, roles * sizeof *s.counts);
  return status;
}
