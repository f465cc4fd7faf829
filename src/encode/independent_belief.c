/* States drawn variable by variable, as in the paper. */
#include "encode/independent_belief.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "propnet/propnet.h"

enum { PLAYS = 30, PLAY_STEPS = 200, TRIES = 100 };

typedef struct independent_belief_variable {
  uint32_t first, count; /* members: fluents[first ...] of alea_independent_belief */
  bool undefined;        /* may have no value */
} independent_belief_variable;

struct alea_independent_belief {
  alea_mem *mem;
  const alea_net *net;
  uint32_t role;
  alea_cursor *cursor;
  alea_move *joint;
  ALEA_VEC(independent_belief_variable) variables;
  uint32_t *fluents;     /* grouped by variable */
  uint32_t *variable_of; /* by fluent */
  uint32_t *seen_fluent; /* by percept, ALEA_NO_MOVE where it is no fluent */
  uint32_t *fixed;       /* by variable: the fluent that is seen */
  uint64_t *words;
  size_t word_count;
};

/* ---- variables ---- */

/* Length of the text without its last argument; 0 where it has none. */
static size_t key_length(const char *text) {
  size_t length = 0;
  int depth = 0;
  for (size_t i = 0; text[i] != '\0'; i++) {
    if (text[i] == '(') depth++;
    if (text[i] == ')') depth--;
    if (text[i] == ' ' && depth == 1) length = i;
  }
  return length;
}

typedef struct independent_belief_named {
  const char *text;
  size_t length;
  uint32_t fluent;
} independent_belief_named;

static int by_key(const void *a, const void *b) {
  const independent_belief_named *x = a, *y = b;
  size_t least = x->length < y->length ? x->length : y->length;
  int order = memcmp(x->text, y->text, least);
  if (order != 0) return order;
  if (x->length != y->length) return x->length < y->length ? -1 : 1;
  return (x->fluent > y->fluent) - (x->fluent < y->fluent);
}

/* Groups fluents by key, each run of equal keys a variable. */
static alea_status group(alea_independent_belief *c) {
  uint32_t count = c->net->fluent_count;
  independent_belief_named *names = alea_mem_calloc(c->mem, count, sizeof *names);
  if (names == NULL) return alea_mem_lack(c->mem);
  for (uint32_t i = 0; i < count; i++) {
    const char *text = c->net->fluent_text[i];
    size_t length = key_length(text);
    names[i] = (independent_belief_named){text, length > 0 ? length : strlen(text), i};
  }
  qsort(names, count, sizeof *names, by_key);
  alea_status status = ALEA_OK;
  for (uint32_t i = 0; status == ALEA_OK && i < count; i++) {
    bool same = i > 0 && names[i].length == names[i - 1].length &&
                memcmp(names[i].text, names[i - 1].text, names[i].length) == 0;
    if (!same && !alea_vec_push(c->mem, &c->variables, (independent_belief_variable){.first = i}))
      status = alea_mem_lack(c->mem);
    if (status != ALEA_OK) break;
    c->fluents[i] = names[i].fluent;
    c->variables.data[c->variables.count - 1].count++;
    c->variable_of[names[i].fluent] = (uint32_t)c->variables.count - 1;
  }
  alea_mem_free(c->mem, names, count * sizeof *names);
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
    for (uint32_t i = 0; i < at->count; i++) holding += holds(words, c->fluents[at->first + i]);
    if (holding == 0) at->undefined = true;
    if (holding < 2) continue;
    independent_belief_variable whole = *at;
    *at = (independent_belief_variable){.first = whole.first, .count = 1, .undefined = true};
    for (uint32_t i = 1; i < whole.count; i++) {
      independent_belief_variable single = {
          .first = whole.first + i, .count = 1, .undefined = true};
      c->variable_of[c->fluents[single.first]] = (uint32_t)c->variables.count;
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
      if (strcmp(c->net->percept_text[p], c->net->fluent_text[i]) == 0) c->seen_fluent[p] = i;
  }
}

static alea_status set_up(alea_independent_belief *c, const alea_game *game, uint64_t seed) {
  const alea_net *net = c->net;
  c->word_count = (net->fluent_count + 63) / 64;
  c->fluents = alea_mem_calloc(c->mem, net->fluent_count, sizeof *c->fluents);
  c->variable_of = alea_mem_calloc(c->mem, net->fluent_count, sizeof *c->variable_of);
  c->fixed = alea_mem_calloc(c->mem, net->fluent_count, sizeof *c->fixed);
  c->seen_fluent = alea_mem_calloc(c->mem, net->percept_count, sizeof *c->seen_fluent);
  c->words = alea_mem_calloc(c->mem, c->word_count, sizeof *c->words);
  c->joint = alea_mem_calloc(c->mem, net->role_count, sizeof *c->joint);
  if (c->fluents == NULL || c->variable_of == NULL || c->fixed == NULL || c->seen_fluent == NULL ||
      c->words == NULL || c->joint == NULL)
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
  alea_mem_free(c->mem, c->fluents, c->net->fluent_count * sizeof *c->fluents);
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
      fluent = c->fluents[at->first + pick];
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
