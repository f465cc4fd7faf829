/* What a table tells of a player that thinks: its moves, its stage, its main line. */
#include <stdlib.h>
#include <string.h>

#include "game/position.h"
#include "page/table.h"

enum { MOST_OPINIONS = 16, MOST_PRUNED = 60, SHOWN_STEPS = 3, TOLD_STEPS = 12 };

/* ---- opinions ---- */

static int by_visits(const void *x, const void *y) {
  const alea_choice *a = x, *b = y;
  if (a->visits != b->visits) return a->visits > b->visits ? -1 : 1;
  if (a->value > b->value || a->value < b->value) return a->value > b->value ? -1 : 1;
  return a->move < b->move ? -1 : a->move > b->move;
}

/* '*best' is the move that was chosen, or while there is none that was looked at most. */
static void put_choices(alea_page_table *t, alea_json *json, const alea_analysis *now,
                        uint64_t *sims, alea_choice *best) {
  alea_choice *choices = alea_mem_calloc(&t->mem, now->count, sizeof *choices);
  size_t count = choices != NULL ? now->count : 0;
  if (count > 0) memcpy(choices, now->choices, count * sizeof *choices);
  qsort(choices, count, sizeof *choices, by_visits);
  if (count > 0) *best = choices[0];
  for (size_t i = 0; i < count; i++)
    if (choices[i].move == t->chosen) *best = choices[i];
  alea_json_key(json, "moves");
  alea_json_open(json, '[');
  for (size_t i = 0; i < count; i++) {
    *sims += choices[i].visits;
    if (i >= MOST_OPINIONS) continue;
    alea_json_open(json, '{');
    alea_json_key(json, "move");
    alea_page_table_put_move(t, json, (uint32_t)t->thinker, choices[i].move);
    alea_json_put_count(json, "visits", choices[i].visits);
    alea_page_table_put_value(json, "value", choices[i].value);
    alea_page_table_put_optional(json, "proved", alea_proof_text(choices[i].proof));
    alea_json_close(json, '}');
  }
  alea_json_close(json, ']');
  alea_mem_free(&t->mem, choices, now->count * sizeof *choices);
}

/* The stage of the position, where the player solves stages. */
static void put_stage(alea_page_table *t, alea_json *json, const alea_stage_analysis *stage) {
  alea_json_key(json, "stage");
  if (stage == NULL) {
    alea_json_null(json);
    return;
  }
  alea_json_open(json, '{');
  alea_json_put_string(json, "engine", stage->engine);
  alea_json_put_count(json, "variables", stage->variables);
  alea_json_put_count(json, "constraints", stage->constraints);
  alea_json_put_count(json, "rounds", stage->rounds);
  alea_json_key(json, "choices");
  alea_json_open(json, '[');
  for (uint32_t r = 0; r < t->game->role_count; r++) {
    const alea_stage_choice *choice = &stage->choices[r];
    alea_json_open(json, '{');
    alea_json_put_string(json, "role", t->game->role_spelling[r]);
    alea_json_put_bool(json, "chance", (int)r == t->game->random_role);
    alea_json_put_count(json, "values", choice->values);
    alea_json_put_count(json, "pruned", choice->pruned);
    alea_page_table_put_value(json, "threshold", 100 * (double)choice->threshold);
    alea_json_close(json, '}');
  }
  alea_json_close(json, ']');
  alea_json_key(json, "pruned");
  alea_json_open(json, '[');
  for (size_t i = 0; i < stage->pruned_count && i < MOST_PRUNED; i++)
    alea_page_table_put_move(t, json, stage->chooser, stage->pruned[i]);
  alea_json_close(json, ']');
  alea_json_close(json, '}');
}

static void put_stats(const alea_player_stats *stats, alea_json *json) {
  alea_json_key(json, "stats");
  alea_json_open(json, '{');
#define PUT_STAT(field, help) \
  if (stats->field > 0) alea_json_put_count(json, #field, stats->field);
  ALEA_PLAYER_STATS(PUT_STAT)
#undef PUT_STAT
  alea_json_close(json, '}');
}

/* ---- the main line ---- */

/* How many steps of the line are shown on the board: up to the third choice of a
 * player; what follows by itself belongs to the move before it. */
static size_t shown_steps(const alea_page_table *t) {
  uint32_t roles = t->game->role_count, choices = 0;
  for (size_t step = 0; step < t->main_line.steps; step++) {
    bool choice = false;
    for (uint32_t r = 0; r < roles; r++)
      choice |= (int)r != t->game->random_role && t->main_line.chooses.data[step * roles + r];
    if (choice && ++choices > SHOWN_STEPS) return step;
  }
  return t->main_line.steps;
}

/* Whether the steps that are shown are those that were sent last. */
static bool is_sent(const alea_page_table *t, size_t steps) {
  size_t count = 1 + steps * t->game->role_count;
  return t->sent_line.count == count && t->sent_line.data[0] == alea_page_table_steps(t) &&
         memcmp(t->sent_line.data + 1, t->main_line.joints.data, (count - 1) * sizeof(uint32_t)) ==
             0;
}

static bool note_sent(alea_page_table *t, size_t steps) {
  t->sent_line.count = 0;
  bool good = alea_vec_push(&t->mem, &t->sent_line, alea_page_table_steps(t));
  for (size_t i = 0; good && i < steps * t->game->role_count; i++)
    good = alea_vec_push(&t->mem, &t->sent_line, t->main_line.joints.data[i]);
  return good;
}

/* The moves of one step of those who have a choice. */
static void put_step(alea_page_table *t, size_t step, alea_json *json) {
  uint32_t roles = t->game->role_count;
  alea_json_key(json, "moves");
  alea_json_open(json, '[');
  for (uint32_t r = 0; r < roles; r++) {
    if (!t->main_line.chooses.data[step * roles + r]) continue;
    alea_json_open(json, '{');
    alea_json_put_string(json, "role", t->game->role_spelling[r]);
    alea_json_key(json, "move");
    alea_page_table_put_move(t, json, r, t->main_line.joints.data[step * roles + r]);
    alea_json_close(json, '}');
  }
  alea_json_close(json, ']');
}

/* Every step with its moves; those that are shown with the position after them. */
static alea_status put_line(alea_page_table *t, size_t shown, alea_json *json) {
  uint32_t roles = t->game->role_count;
  alea_u64s words = {0};
  alea_status status = alea_position_keep(&words, t->cursor, &t->mem);
  alea_json_key(json, "steps");
  alea_json_open(json, '[');
  for (size_t step = 0; step < t->main_line.steps && step < TOLD_STEPS; step++) {
    alea_json_open(json, '{');
    put_step(t, step, json);
    if (status == ALEA_OK && step < shown)
      status = alea_cursor_play(t->cursor, t->main_line.joints.data + step * roles);
    if (status == ALEA_OK && step < shown) status = alea_listing_fluents(&t->listing, t->cursor);
    if (status == ALEA_OK && step < shown) status = alea_page_table_draw(t, &t->listing, json);
    alea_json_close(json, '}');
  }
  alea_json_close(json, ']');
  alea_status back =
      words.count > 0 ? alea_cursor_load(t->cursor, words.data, words.count) : ALEA_OK;
  alea_vec_clear(&t->mem, &words);
  return status == ALEA_OK ? back : status;
}

/* Sends the line that begins with 'first' where it differs from the last one.  Walking
 * it needs the true position, so none is sent where something is hidden. */
static void send_line(alea_page_table *t, const alea_choice *first) {
  bool known = first->visits > 0 || first->proof != ALEA_PROOF_NONE;
  if (t->game->has_sees || !known) return;
  alea_player *player = t->players[t->thinker];
  alea_status status = alea_main_line_follow(&t->main_line, player, t->cursor, first, &t->mem);
  size_t shown = status == ALEA_OK ? shown_steps(t) : 0;
  t->trouble = status;
  if (shown == 0 || is_sent(t, shown)) return;
  alea_json json;
  alea_page_table_begin(t, &json, "line", t->hinted);
  alea_json_put_count(&json, "step", alea_page_table_steps(t));
  alea_json_put_string(&json, "role", t->game->role_text[t->thinker]);
  alea_json_put_bool(&json, "proved", t->main_line.proved);
  alea_json_put_bool(&json, "ended", t->main_line.ended);
  t->trouble = put_line(t, shown, &json);
  alea_json_close(&json, '}');
  if (t->trouble == ALEA_OK && note_sent(t, shown)) alea_page_inbox_send(t->inbox, &t->line);
}

void alea_page_table_send_opinion(void *table) {
  alea_page_table *t = table;
  /* What another thinks would tell what it holds. */
  if (t->thinker < 0 || (alea_page_table_hides(t) && t->hinted < 0)) return;
  alea_analysis now = {.value = -1};
  alea_player_analyse(t->players[t->thinker], &now);
  alea_json json;
  alea_choice best = {.visits = 0};
  uint64_t visits = 0;
  alea_page_table_begin(t, &json, "thinking", t->hinted);
  alea_json_put_string(&json, "role", t->game->role_text[t->thinker]);
  alea_json_put_string(&json, "player", alea_page_table_player(t, (uint32_t)t->thinker));
  alea_json_put_count(&json, "step", alea_page_table_steps(t));
  alea_json_put_bool(&json, "hinting", t->hinted >= 0);
  alea_json_put_real(&json, "seconds", alea_clock_wall() - t->since);
  alea_page_table_put_value(&json, "value", now.value);
  alea_page_table_put_optional(&json, "proved", alea_proof_text(now.proof));
  alea_page_table_put_optional(&json, "note", now.note);
  put_choices(t, &json, &now, &visits, &best);
  alea_json_put_count(&json, "visits", visits);
  put_stage(t, &json, now.stage);
  put_stats(&t->players[t->thinker]->stats, &json);
  alea_json_close(&json, '}');
  alea_page_inbox_send(t->inbox, &t->line);
  send_line(t, &best);
}
