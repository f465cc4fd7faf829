/* States drawn variable by variable, as in the paper. */
#include "encode/independent_belief.h"

#include <string.h>

#include "base/vec.h"
#include "game/rows.h"
#include "propnet/propnet.h"

enum { PLAYS = 30, PLAY_STEPS = 200, TRIES = 100 };

typedef struct independent_belief_variable {
  uint32_t first, count; /* members: groups.members.data[first ...] */
  bool undefined;        /* may have no value */
} independent_belief_variable;

struct alea_independent_belief {
  alea_mem *mem;
  const alea_net *net;
  uint32_t role;
  alea_cursor *cursor;
  alea_move *joint;
  ALEA_VEC(independent_belief_variable) variables;
  alea_groups groups;    /* fluents by variable, before any fell apart */
  uint32_t *variable_of; /* by fluent */
  uint32_t *seen_fluent; /* by percept, ALEA_NO_MOVE where it is no fluent */
  uint32_t *fixed;       /* by variable: the fluent that is seen */
  uint64_t *words;
  size_t word_count;
};

/* ---- variables ---- */

/* Fluents that differ in their last argument alone are values of a variable. */
static alea_status group(alea_independent_belief *c) {
  const alea_net *net = c->net;
  c->groups.mem = c->mem;
  alea_status status = alea_groups_add(&c->groups, net->terms, net->fluent_terms, net->fluent_count,
                                       ALEA_LAST_ARGUMENT);
  for (uint32_t v = 0; status == ALEA_OK && v < c->groups.ends.count; v++) {
    uint32_t first = alea_groups_first(&c->groups, v), end = c->groups.ends.data[v];
    independent_belief_variable variable = {.first = first, .count = end - first};
    if (!alea_vec_push(c->mem, &c->variables, variable)) status = alea_mem_lack(c->mem);
    for (uint32_t i = first; i < end; i++) c->variable_of[c->groups.members.data[i]] = v;
  }
  return status;
}

static bool holds(const uint64_t *words, uint32_t fluent) {
  return words[fluent / 64] >> (fluent % 64) & 1;
}

/* Looks at the cursor's position: variables with two values fall apart. */
static alea_status look(alea_independent_belief *c) {
  size_t count;
  const uint64_t *words = alea_cursor_state(c->cursor, &count);
  for (size_t v = 0; v < c->variables.count; v++) {
    independent_belief_variable *at = &c->variables.data[v];
    uint32_t holding = 0;
    for (uint32_t i = 0; i < at->count; i++)
      holding += holds(words, c->groups.members.data[at->first + i]);
    if (holding == 0) at->undefined = true;
    if (holding < 2) continue;
    independent_belief_variable whole = *at;
    *at = (independent_belief_variable){.first = whole.first, .count = 1, .undefined = true};
    for (uint32_t i = 1; i < whole.count; i++) {
      independent_belief_variable single = {
          .first = whole.first + i, .count = 1, .undefined = true};
      c->variable_of[c->groups.members.data[single.first]] = (uint32_t)c->variables.count;
      if (!alea_vec_push(c->mem, &c->variables, single)) return alea_mem_lack(c->mem);
    }
  }
  return ALEA_OK;
}

/* One random step.  ALEA_NONE: the game is over. */
static alea_status step(alea_independent_belief *c, alea_rng *rng) {
  bool terminal;
  alea_status status = alea_cursor_terminal(c->cursor, &terminal);
  if (status == ALEA_OK && terminal) return ALEA_NONE;
  for (uint32_t r = 0; status == ALEA_OK && r < c->net->role_count; r++) {
    alea_list legal;
    status = alea_cursor_legal(c->cursor, r, &legal);
    if (status == ALEA_OK && legal.count == 0) return ALEA_NONE;
    if (status == ALEA_OK) c->joint[r] = legal.ids[alea_rng_below(rng, legal.count)];
  }
  return status == ALEA_OK ? alea_cursor_play(c->cursor, c->joint) : status;
}

static alea_status survey(alea_independent_belief *c, uint64_t seed) {
  alea_rng rng;
  alea_rng_seed(&rng, seed);
  alea_status status = ALEA_OK;
  for (int i = 0; status == ALEA_OK && i < PLAYS; i++) {
    status = alea_cursor_reset(c->cursor);
    for (int s = 0; status == ALEA_OK && s < PLAY_STEPS; s++) {
      status = look(c);
      if (status == ALEA_OK) status = step(c, &rng);
    }
    if (status == ALEA_NONE) status = ALEA_OK;
  }
  return status;
}

/* ---- percepts ---- */

static void match_percepts(alea_independent_belief *c) {
  for (uint32_t p = 0; p < c->net->percept_count; p++) {
    c->seen_fluent[p] = ALEA_NO_MOVE;
    for (uint32_t i = 0; i < c->net->fluent_count; i++)
      if (c->net->percept_terms[p] == c->net->fluent_terms[i]) c->seen_fluent[p] = i;
  }
}

static alea_status set_up(alea_independent_belief *c, const alea_game *game, uint64_t seed) {
  const alea_net *net = c->net;
  c->word_count = (net->fluent_count + 63) / 64;
  c->variable_of = alea_mem_calloc(c->mem, net->fluent_count, sizeof *c->variable_of);
  c->fixed = alea_mem_calloc(c->mem, net->fluent_count, sizeof *c->fixed);
  c->seen_fluent = alea_mem_calloc(c->mem, net->percept_count, sizeof *c->seen_fluent);
  c->words = alea_mem_calloc(c->mem, c->word_count, sizeof *c->words);
  c->joint = alea_mem_calloc(c->mem, net->role_count, sizeof *c->joint);
  if (c->variable_of == NULL || c->fixed == NULL || c->seen_fluent == NULL || c->words == NULL ||
      c->joint == NULL)
    return alea_mem_lack(c->mem);
  alea_status status = alea_cursor_new(game, c->mem, &c->cursor);
  if (status == ALEA_OK) status = group(c);
  if (status == ALEA_OK) status = survey(c, seed);
  match_percepts(c);
  return status;
}

alea_status alea_independent_belief_new(alea_independent_belief **independent,
                                        const alea_game *game, uint32_t role, uint64_t seed,
                                        alea_mem *mem) {
  *independent = NULL;
  const alea_net *net = alea_net_of_game(game);
  if (net == NULL) return ALEA_UNSUPPORTED;
  alea_independent_belief *c = *independent = alea_mem_zalloc(mem, sizeof *c);
  if (c == NULL) return alea_mem_lack(mem);
  c->mem = mem;
  c->net = net;
  c->role = role;
  alea_status status = set_up(c, game, seed);
  if (status != ALEA_OK) {
    alea_independent_belief_free(c);
    *independent = NULL;
  }
  return status;
}

void alea_independent_belief_free(alea_independent_belief *c) {
  if (c == NULL) return;
  alea_groups_clear(&c->groups);
  alea_mem_free(c->mem, c->variable_of, c->net->fluent_count * sizeof *c->variable_of);
  alea_mem_free(c->mem, c->fixed, c->net->fluent_count * sizeof *c->fixed);
  alea_mem_free(c->mem, c->seen_fluent, c->net->percept_count * sizeof *c->seen_fluent);
  alea_mem_free(c->mem, c->words, c->word_count * sizeof *c->words);
  alea_mem_free(c->mem, c->joint, c->net->role_count * sizeof *c->joint);
  alea_vec_clear(c->mem, &c->variables);
  alea_cursor_free(c->cursor);
  alea_mem_free(c->mem, c, sizeof *c);
}

/* ---- draws ---- */

static void toss(alea_independent_belief *c, alea_rng *rng) {
  memset(c->words, 0, c->word_count * sizeof *c->words);
  for (size_t v = 0; v < c->variables.count; v++) {
    const independent_belief_variable *at = &c->variables.data[v];
    uint32_t fluent = c->fixed[v];
    if (fluent == ALEA_NO_MOVE) {
      uint32_t pick = alea_rng_below(rng, at->count + at->undefined);
      if (pick == at->count) continue;
      fluent = c->groups.members.data[at->first + pick];
    }
    c->words[fluent / 64] |= (uint64_t)1 << (fluent % 64);
  }
}

/* Whether play can go on from the drawn state. */
static alea_status try_state(alea_independent_belief *c, bool *fits) {
  alea_status status = alea_cursor_load(c->cursor, c->words, c->word_count);
  bool terminal = true;
  if (status == ALEA_OK) status = alea_cursor_terminal(c->cursor, &terminal);
  *fits = !terminal;
  for (uint32_t r = 0; status == ALEA_OK && r < c->net->role_count; r++) {
    alea_list legal;
    status = alea_cursor_legal(c->cursor, r, &legal);
    *fits &= legal.count > 0;
  }
  return status;
}

alea_status alea_independent_belief_draw(alea_independent_belief *c, alea_list percepts,
                                         alea_rng *rng, const uint64_t **words, size_t *count) {
  for (size_t v = 0; v < c->variables.count; v++) c->fixed[v] = ALEA_NO_MOVE;
  for (uint32_t i = 0; i < percepts.count; i++) {
    uint32_t fluent = c->seen_fluent[percepts.ids[i]];
    if (fluent != ALEA_NO_MOVE) c->fixed[c->variable_of[fluent]] = fluent;
  }
  *words = c->words;
  *count = c->word_count;
  for (int i = 0; i < TRIES; i++) {
    bool fits;
    toss(c, rng);
    alea_status status = try_state(c, &fits);
    if (status != ALEA_OK || fits) return status;
  }
  return ALEA_NONE;
}
