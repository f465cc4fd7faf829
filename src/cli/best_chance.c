/* The outcomes of a chance node. */
#include "cli/best_chance.h"

#include <inttypes.h>
#include <string.h>

#include "cli/interrupt.h"
#include "cli/opinion.h"
#include "game/listing.h"
#include "game/position.h"

/* What follows after an outcome. */
typedef enum outcome_sequel {
  SEQUEL_CHOICE, /* the role chooses */
  SEQUEL_OTHERS, /* somebody else does */
  SEQUEL_CHANCE, /* chance moves again */
  SEQUEL_END,    /* the game is over */
} outcome_sequel;

typedef struct chance_outcome {
  alea_move move; /* of chance */
  outcome_sequel sequel;
  double value;   /* -1: not known */
  alea_move best; /* of the role afterwards; ALEA_NO_MOVE: none is known */
  alea_proof proof;
} chance_outcome;

typedef struct chance_walk {
  const alea_cli_chance *chance;
  alea_cursor *cursor;
  alea_u64s here;   /* the chance node */
  alea_move *joint; /* everybody's only move, and the outcome at work */
  ALEA_VEC(chance_outcome) outcomes;
  uint32_t role;
  uint64_t sims;
  double started;
} chance_walk;

alea_status alea_cli_chance_ways(alea_cursor *cursor, uint32_t *ways) {
  const alea_game *game = cursor->game;
  *ways = 0;
  if (game->random_role < 0) return ALEA_OK;
  for (uint32_t r = 0; r < game->role_count; r++) {
    alea_list legal;
    alea_status status = alea_cursor_legal(cursor, r, &legal);
    if (status != ALEA_OK) return status;
    if ((int)r == game->random_role) {
      *ways = legal.count > 1 ? legal.count : 0;
    } else if (legal.count > 1) {
      *ways = 0;
      return ALEA_OK;
    }
  }
  return ALEA_OK;
}

/* ---- the outcomes ---- */

/* The outcomes in the order of their texts. */
static alea_status add_outcomes(chance_walk *w) {
  const alea_game *game = w->cursor->game;
  uint32_t chance = (uint32_t)game->random_role;
  alea_mem *mem = &w->chance->session->mem;
  alea_listing listing;
  alea_listing_init(&listing, mem);
  alea_status status = alea_listing_legal(&listing, w->cursor, chance);
  for (size_t i = 0; status == ALEA_OK && i < listing.items.count; i++) {
    chance_outcome outcome = {.value = -1, .best = ALEA_NO_MOVE};
    outcome.move = alea_game_move_find(game, chance, listing.items.data[i]);
    if (!alea_vec_push(mem, &w->outcomes, outcome)) status = ALEA_SYSTEM;
  }
  alea_listing_clear(&listing);
  return status;
}

static alea_status list_outcomes(chance_walk *w) {
  const alea_game *game = w->cursor->game;
  for (uint32_t r = 0; r < game->role_count; r++) {
    alea_list legal;
    alea_status status = alea_cursor_legal(w->cursor, r, &legal);
    if (status != ALEA_OK) return status;
    w->joint[r] = legal.ids[0];
  }
  alea_status status = add_outcomes(w);
  if (status != ALEA_OK) return status;
  return alea_position_keep(&w->here, w->cursor, &w->chance->session->mem);
}

/* Moves the cursor behind an outcome. */
static alea_status go_after(chance_walk *w, const chance_outcome *outcome) {
  w->joint[w->cursor->game->random_role] = outcome->move;
  alea_status status = alea_cursor_load(w->cursor, w->here.data, w->here.count);
  return status == ALEA_OK ? alea_cursor_play(w->cursor, w->joint) : status;
}

/* Whose values are told: the role that was asked for, or else the first that has a choice
 * after an outcome, or else the first there is. */
static alea_status find_role(chance_walk *w) {
  const alea_game *game = w->cursor->game;
  w->role = game->random_role == 0 && game->role_count > 1;
  for (uint32_t r = 0; w->chance->role != NULL && r < game->role_count; r++)
    if (strcmp(game->role_text[r], w->chance->role) == 0) w->role = r;
  if (w->chance->role != NULL) return ALEA_OK;
  for (size_t i = 0; i < w->outcomes.count; i++) {
    bool over = false;
    alea_status status = go_after(w, &w->outcomes.data[i]);
    if (status == ALEA_OK) status = alea_cursor_terminal(w->cursor, &over);
    for (uint32_t r = 0; status == ALEA_OK && !over && r < game->role_count; r++) {
      alea_list legal;
      status = alea_cursor_legal(w->cursor, r, &legal);
      if (status != ALEA_OK || legal.count < 2 || (int)r == game->random_role) continue;
      w->role = r;
      return ALEA_OK;
    }
    if (status != ALEA_OK) return status;
  }
  return ALEA_OK;
}

/* Looks at the cursor's position, which is that after the outcome. */
static alea_status find_sequel(chance_walk *w, chance_outcome *outcome) {
  bool over;
  uint32_t ways;
  alea_list legal;
  alea_status status = alea_cursor_terminal(w->cursor, &over);
  if (status == ALEA_OK && over) {
    int goal;
    outcome->sequel = SEQUEL_END;
    status = alea_cursor_goal(w->cursor, w->role, &goal);
    if (status == ALEA_OK && goal >= 0) outcome->value = goal;
    return status;
  }
  if (status == ALEA_OK) status = alea_cursor_legal(w->cursor, w->role, &legal);
  if (status == ALEA_OK) status = alea_cli_chance_ways(w->cursor, &ways);
  if (status != ALEA_OK) return status;
  outcome->sequel = legal.count > 1 ? SEQUEL_CHOICE : ways > 0 ? SEQUEL_CHANCE : SEQUEL_OTHERS;
  return ALEA_OK;
}

/* ---- values ---- */

/* What is left of the time for each outcome from 'index' on, and its part of the
 * simulations; false: none is left. */
static bool share_budget(const chance_walk *w, size_t index, alea_budget *budget) {
  *budget = w->chance->budget;
  budget->sims = (budget->sims + w->outcomes.count - 1) / w->outcomes.count;
  if (alea_cli_stopped()) return false;
  if (budget->seconds <= 0) return true;
  double left = w->started + budget->seconds - alea_clock_wall();
  budget->seconds = left / (double)(w->outcomes.count - index);
  return left > 0;
}

/* Asks a player that has seen the outcome as far as its role does; the cursor is there. */
static alea_status ask_player(chance_walk *w, chance_outcome *outcome, const alea_budget *budget) {
  const alea_game *game = w->cursor->game;
  alea_player *player = NULL;
  alea_analysis analysis = {.value = -1};
  alea_observation seen = {.own = w->joint[w->role], .joint = game->has_sees ? NULL : w->joint};
  alea_status status = w->chance->open(w->chance->context, w->role, &player);
  if (status == ALEA_OK && game->has_sees)
    status = alea_cursor_percepts(w->cursor, w->role, &seen.percepts);
  if (status == ALEA_OK) status = alea_player_observe(player, &seen);
  if (status == ALEA_OK) status = alea_player_select(player, budget, &outcome->best);
  if (status == ALEA_OK) {
    alea_player_analyse(player, &analysis);
    outcome->value = analysis.value;
    outcome->proof = analysis.proof;
    w->sims += player->stats.sims;
  }
  alea_player_free(player);
  return status;
}

static alea_status value_outcome(chance_walk *w, size_t index) {
  chance_outcome *outcome = &w->outcomes.data[index];
  alea_budget budget;
  alea_status status = go_after(w, outcome);
  if (status == ALEA_OK) status = find_sequel(w, outcome);
  if (status != ALEA_OK || outcome->sequel != SEQUEL_CHOICE) return status;
  return share_budget(w, index, &budget) ? ask_player(w, outcome, &budget) : ALEA_OK;
}

/* The expected value; -1 where an outcome has none. */
static double mean_of(const chance_walk *w) {
  double mean = 0;
  for (size_t i = 0; i < w->outcomes.count; i++) {
    if (w->outcomes.data[i].value < 0) return -1;
    mean += w->outcomes.data[i].value / (double)w->outcomes.count;
  }
  return mean;
}

static size_t listed(const chance_walk *w) {
  size_t lines = w->chance->lines, count = w->outcomes.count;
  return lines > 0 && lines < count ? lines : count;
}

/* ---- as text ---- */

static void put_heading(const chance_walk *w) {
  alea_text *out = &w->chance->session->out;
  alea_text_format(out, "chance moves here, in one of %zu ways that are equally likely\n",
                   w->outcomes.count);
  alea_text_format(out, " chance   value  proof  outcome, and what %s does then\n",
                   w->cursor->game->role_spelling[w->role]);
}

static void put_outcome(const chance_walk *w, const chance_outcome *outcome) {
  static const char *const sequels[] = {[SEQUEL_CHOICE] = "not looked at: time was up",
                                        [SEQUEL_OTHERS] = "others choose",
                                        [SEQUEL_CHANCE] = "chance moves again",
                                        [SEQUEL_END] = "the game is over"};
  const alea_game *game = w->cursor->game;
  alea_text *out = &w->chance->session->out;
  alea_text_format(out, "%5.1f %%  ", 100.0 / (double)w->outcomes.count);
  alea_cli_opinion_text(outcome->value, outcome->proof, out);
  alea_game_move_text(game, (uint32_t)game->random_role, outcome->move, true, out);
  alea_text_put(out, "  ");
  if (outcome->best != ALEA_NO_MOVE) {
    alea_game_move_text(game, w->role, outcome->best, true, out);
  } else {
    alea_text_format(out, "(%s)", sequels[outcome->sequel]);
  }
  alea_text_char(out, '\n');
}

static void put_mean(const chance_walk *w) {
  alea_text *out = &w->chance->session->out;
  double mean = mean_of(w);
  if (mean < 0) return;
  alea_text_format(out, "expected for %s: %.1f (%" PRIu64 " simulations)\n",
                   w->cursor->game->role_spelling[w->role], mean, w->sims);
}

/* ---- as JSON ---- */

static void put_json(const chance_walk *w) {
  const alea_game *game = w->cursor->game;
  alea_json json;
  alea_mem *mem = &w->chance->session->mem;
  double mean = mean_of(w), seconds = alea_clock_wall() - w->started;
  alea_json_start(&json, &w->chance->session->out);
  alea_json_open(&json, '{');
  alea_json_put_string(&json, "role", game->role_text[w->role]);
  alea_cli_opinion_move(game, w->role, ALEA_NO_MOVE, "best", mem, &json);
  alea_cli_opinion_value(mean, &json);
  alea_json_put_count(&json, "sims", w->sims);
  alea_json_put_real(&json, "seconds", w->chance->budget.seconds > 0 ? seconds : 0);
  alea_cli_opinion_proof(ALEA_PROOF_NONE, &json);
  alea_json_key(&json, "moves");
  alea_json_open(&json, '[');
  alea_json_close(&json, ']');
  alea_json_key(&json, "outcomes");
  alea_json_open(&json, '[');
  for (size_t i = 0; i < listed(w); i++) {
    const chance_outcome *outcome = &w->outcomes.data[i];
    alea_json_open(&json, '{');
    alea_cli_opinion_move(game, (uint32_t)game->random_role, outcome->move, "outcome", mem, &json);
    alea_json_put_real(&json, "probability", 1.0 / (double)w->outcomes.count);
    alea_cli_opinion_value(outcome->value, &json);
    alea_cli_opinion_proof(outcome->proof, &json);
    alea_cli_opinion_move(game, w->role, outcome->best, "best", mem, &json);
    alea_json_close(&json, '}');
  }
  alea_json_close(&json, ']');
  alea_json_close(&json, '}');
  alea_text_char(&w->chance->session->out, '\n');
}

/* ---- all of it ---- */

static alea_status value_all(chance_walk *w) {
  alea_status status = ALEA_OK;
  for (size_t i = 0; i < w->outcomes.count && status == ALEA_OK; i++) {
    status = value_outcome(w, i);
    if (status != ALEA_OK || w->chance->json || i >= listed(w)) continue;
    put_outcome(w, &w->outcomes.data[i]);
    status = alea_cli_write(&w->chance->session->out);
  }
  return status;
}

alea_status alea_cli_chance_print(const alea_cli_chance *chance) {
  alea_cli_session *session = chance->session;
  chance_walk w = {.chance = chance, .cursor = session->cursor, .started = alea_clock_wall()};
  uint32_t roles = w.cursor->game->role_count;
  w.joint = alea_mem_calloc(&session->mem, roles, sizeof *w.joint);
  alea_status status = w.joint != NULL ? list_outcomes(&w) : ALEA_SYSTEM;
  if (status == ALEA_OK) status = find_role(&w);
  if (status == ALEA_OK && !chance->json) put_heading(&w);
  if (status == ALEA_OK) status = value_all(&w);
  if (status == ALEA_OK) (chance->json ? put_json : put_mean)(&w);
  if (status == ALEA_OK) status = alea_cli_write(&session->out);
  alea_vec_clear(&session->mem, &w.outcomes);
  alea_vec_clear(&session->mem, &w.here);
  alea_mem_free(&session->mem, w.joint, roles * sizeof *w.joint);
  return status;
}
