/* Minimax against itself, for evaluations to learn from. */
#include "learning/self_play.h"

#include <string.h>

#include "game/random_joint.h"
#include "propnet/propnet.h"

enum {
  MOST_STEPS = 400, /* of a game */
  OPENING = 12,     /* random steps at the beginning of a game, at most */
  ASIDE = 3,        /* random steps off a game, at most */
};
static const double ASIDE_SHARE = 0.5; /* of positions, that are left by random moves first */
static const double NEARLY_ALL = 0.9;  /* of the moves */
static const double RANDOM_MOVES = 0.03;

/* A step of the game: random moves, and who chooses. */
typedef struct self_step {
  alea_move joint[ALEA_SELF_PLAY_ROLES];
  uint32_t chooser; /* whom the search answers; as many as there are roles: nobody but chance */
  bool stuck;
} self_step;

static alea_status draw(const alea_self_play *p, self_step *s) {
  const alea_game *game = p->setup->game;
  uint32_t last;
  alea_status status =
      alea_random_joint(p->cursor, game->role_count, p->rng, s->joint, &last, &s->stuck);
  s->chooser = game->role_count;
  for (uint32_t i = 0; status == ALEA_OK && !s->stuck && i <= game->role_count; i++) {
    uint32_t role = i == 0 ? p->setup->role : i - 1; /* its own role chooses first */
    alea_list legal;
    status = alea_cursor_legal(p->cursor, role, &legal);
    if (status == ALEA_OK && legal.count > 1 && (int)role != game->random_role)
      return s->chooser = role, ALEA_OK;
  }
  return status;
}

static bool has_choice(const alea_self_play *p, const self_step *s) {
  return s->chooser < p->setup->game->role_count;
}

/* Whether the search's move takes or makes something: a search goes on behind such moves, and asks
 * nobody what the position before is worth.  Where nearly all moves do, as where a stone is set
 * every time, that is nothing unusual. */
static bool is_traded(alea_self_play *p, const uint64_t *words, self_step *s, alea_move move) {
  if (move == ALEA_NO_MOVE) return true;
  s->joint[s->chooser] = move;
  const uint64_t *to = alea_net_preview(p->cursor, s->joint);
  bool calm = alea_linear_eval_material(p->eval, words) == alea_linear_eval_material(p->eval, to);
  p->calm += calm;
  p->trades += !calm;
  return !calm && (double)p->trades < NEARLY_ALL * (double)(p->calm + p->trades);
}

/* Tells what the search thinks of the cursor's position. */
static alea_status tell(alea_self_play *p, self_step *s, const alea_alpha_beta_answer *answer,
                        bool aside) {
  size_t count;
  const uint64_t *words = alea_cursor_state(p->cursor, &count);
  if (answer->proof != ALEA_PROOF_NONE || answer->value <= 0 || answer->value >= 100)
    return ALEA_OK;
  if (is_traded(p, words, s, answer->move)) return ALEA_OK;
  alea_opinion opinion = {.words = words, .value = answer->value, .aside = aside};
  return p->hear(p->context, &opinion);
}

static alea_status think(const alea_self_play *p, alea_alpha_beta_answer *answer) {
  alea_budget budget = {.sims = p->sims};
  size_t count;
  const uint64_t *words = alea_cursor_state(p->cursor, &count);
  return alea_alpha_beta_run(p->search, words, count, 0, &budget, answer);
}

/* Makes some random moves, and tells of the position there. */
static alea_status wander(alea_self_play *p) {
  uint32_t steps = 1 + alea_rng_below(p->rng, ASIDE);
  bool over = false;
  self_step s;
  for (uint32_t i = 0; i <= steps; i++) {
    alea_status status = draw(p, &s);
    if (status != ALEA_OK || s.stuck) return status;
    if (i == steps) break;
    status = alea_cursor_play(p->cursor, s.joint);
    if (status == ALEA_OK) status = alea_cursor_terminal(p->cursor, &over);
    if (status != ALEA_OK || over) return status;
  }
  if (!has_choice(p, &s)) return ALEA_OK;
  alea_alpha_beta_answer answer;
  alea_status status = think(p, &answer);
  return status == ALEA_OK ? tell(p, &s, &answer, true) : status;
}

/* The same, and back. */
static alea_status step_aside(alea_self_play *p) {
  alea_mem *mem = p->setup->mem;
  size_t count;
  const uint64_t *words = alea_cursor_state(p->cursor, &count);
  size_t bytes = count * sizeof *words;
  uint64_t *back = alea_mem_alloc(mem, bytes);
  if (back == NULL) return alea_mem_lack(mem);
  memcpy(back, words, bytes);
  alea_status status = wander(p);
  if (status == ALEA_OK) status = alea_cursor_load(p->cursor, back, count);
  alea_mem_free(mem, back, bytes);
  return status;
}

/* Lets the search choose, and tells of this position or of one beside it.  '*decided': the value is
 * proved, and the game need not go on. */
static alea_status consider(alea_self_play *p, self_step *s, bool *decided) {
  alea_alpha_beta_answer answer;
  alea_status status = think(p, &answer);
  if (status != ALEA_OK) return status;
  *decided = answer.proof != ALEA_PROOF_NONE;
  if (*decided) return ALEA_OK;
  bool aside = alea_rng_unit(p->rng) < ASIDE_SHARE;
  alea_move drawn = s->joint[s->chooser];
  status = aside ? step_aside(p) : tell(p, s, &answer, false);
  bool random = answer.move == ALEA_NO_MOVE || alea_rng_unit(p->rng) < RANDOM_MOVES;
  s->joint[s->chooser] = random ? drawn : answer.move;
  return status;
}

alea_status alea_self_play_game(alea_self_play *p) {
  uint32_t opening = 1 + alea_rng_below(p->rng, OPENING);
  bool over = false;
  alea_status status = alea_cursor_reset(p->cursor);
  alea_alpha_beta_forget(p->search);
  for (uint32_t steps = 0; status == ALEA_OK && steps < MOST_STEPS; steps++) {
    self_step s;
    status = alea_cursor_terminal(p->cursor, &over);
    if (status != ALEA_OK || over || p->over(p->context)) return status;
    status = draw(p, &s);
    if (status != ALEA_OK || s.stuck) return status;
    if (steps >= opening && has_choice(p, &s)) status = consider(p, &s, &over);
    if (status != ALEA_OK || over) return status;
    status = alea_cursor_play(p->cursor, s.joint);
  }
  return status;
}
