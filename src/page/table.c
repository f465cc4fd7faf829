/* A table: opening the game, seating the players, making steps. */
#include "page/table.h"

#include <string.h>

#include "base/hash.h"

static const double ground_seconds = 30;
enum { LEVELS = 9, LEAST_SIMS = 10, SIMS_FACTOR = 4 };

/* ---- opening ---- */

static const char *word(const json_t *object, const char *key, const char *otherwise) {
  const char *text = json_string_value(json_object_get(object, key));
  return text != NULL ? text : otherwise;
}

static alea_status open_game(alea_page_table *t) {
  alea_open_options options = {.ground_seconds = ground_seconds};
  const json_t *rules = json_object_get(t->wishes, "rules");
  alea_status status;
  if (json_is_string(rules)) {
    status =
        alea_open_rules(&t->opened, word(t->wishes, "label", "rules.kif"), json_string_value(rules),
                        json_string_length(rules), &options, &t->inbox->stop, &t->diag);
  } else {
    status = alea_open(&t->opened, word(t->wishes, "game", ""), &options, &t->diag);
  }
  if (status == ALEA_OK) status = alea_cursor_new(t->opened.game, &t->mem, &t->cursor);
  if (status == ALEA_OK) t->game = t->opened.game;
  return status;
}

/* ---- seats ---- */

static alea_status find_person(alea_page_table *t) {
  const json_t *wish = json_object_get(t->wishes, "role");
  const char *name = json_string_value(wish);
  t->person = -1;
  if (name != NULL && name[0] == '\0') return ALEA_OK;
  for (uint32_t r = 0; t->person < 0 && r < t->game->role_count; r++) {
    if ((int)r == t->game->random_role) continue;
    if (name == NULL || strcmp(name, t->game->role_text[r]) == 0) t->person = (int)r;
  }
  if (t->person >= 0) return ALEA_OK;
  alea_diag_error(&t->diag, ((alea_place){0}), "usage", "the game has no role '%s'", name);
  return ALEA_USAGE;
}

static void set_budget(alea_page_table *t) {
  json_int_t level = json_integer_value(json_object_get(t->wishes, "level"));
  double seconds = json_number_value(json_object_get(t->wishes, "seconds"));
  t->budget = (alea_budget){.stop = &t->inbox->stop};
  if (level < 1 || level > LEVELS) {
    t->budget.seconds = seconds > 0 ? seconds : 1;
    return;
  }
  t->budget.sims = LEAST_SIMS;
  while (level-- > 1) t->budget.sims *= SIMS_FACTOR;
}

static alea_status allocate(alea_page_table *t) {
  uint32_t roles = t->game->role_count;
  t->mems = alea_mem_calloc(&t->mem, roles, sizeof *t->mems);
  t->players = alea_mem_calloc(&t->mem, roles, sizeof(alea_player *));
  t->joint = alea_mem_calloc(&t->mem, roles, sizeof *t->joint);
  return t->mems != NULL && t->players != NULL && t->joint != NULL ? ALEA_OK : ALEA_SYSTEM;
}

void alea_page_table_init(alea_page_table *t, alea_page_inbox *inbox) {
  *t = (alea_page_table){.inbox = inbox, .person = -1, .thinker = -1};
  alea_mem_init(&t->mem, 0);
  alea_diag_init(&t->diag, &t->mem);
  alea_text_init(&t->line, &t->mem);
  alea_text_init(&t->text, &t->mem);
  alea_listing_init(&t->listing, &t->mem);
  alea_typed_moves_init(&t->typed, &t->mem);
}

alea_status alea_page_table_lay(alea_page_table *t, json_t *wishes) {
  t->wishes = wishes;
  alea_status status = open_game(t);
  if (status != ALEA_OK) return status;
  alea_match_sampler_init(&t->sampler, &t->opened, ALEA_ENGINE_AUTO, &t->mem);
  alea_sketch_subject subject = {alea_text_string(&t->opened.source), t->opened.program,
                                 t->opened.net, t->opened.rewriting};
  t->seed = (uint64_t)json_integer_value(json_object_get(wishes, "seed"));
  set_budget(t);
  status = allocate(t);
  if (status == ALEA_OK) status = find_person(t);
  if (status == ALEA_OK) status = alea_sketch_new(&t->drawing, &subject, t->cursor, &t->mem);
  return status == ALEA_OK ? alea_page_table_return_to(t, 0) : status;
}

const char *alea_page_table_player(const alea_page_table *t, uint32_t role) {
  const json_t *players = json_object_get(t->wishes, "players");
  return word(players, t->game->role_text[role], word(t->wishes, "player", "alea"));
}

/* ---- players ---- */

static void free_players(alea_page_table *t) {
  for (uint32_t r = 0; t->players != NULL && r < t->game->role_count; r++) {
    alea_player_free(t->players[r]);
    t->players[r] = NULL;
  }
  if (t->knows) alea_knowledge_clear(&t->knowledge);
  t->knows = false;
}

static alea_status make_player(alea_page_table *t, uint32_t role) {
  alea_player_setup setup = {
      .game = t->game,
      .role = role,
      .seed = alea_hash_join(t->seed, role + 1u),
      .mem = &t->mems[role],
      .sampler = alea_match_make_sampler,
      .sampler_context = &t->sampler,
      .services = t->opened.services,
      .rewriting = t->opened.rewriting,
      .unhurried = true,
  };
  alea_text_truncate(&t->text, 0);
  alea_status status =
      alea_player_new(&t->players[role], alea_page_table_player(t, role), &setup, &t->text);
  if (status != ALEA_OK && t->text.length > 0)
    alea_diag_error(&t->diag, ((alea_place){0}), "player", "%s", alea_text_string(&t->text));
  if (status == ALEA_OK && (int)role == t->person && t->game->has_sees) {
    t->knows = true;
    status = alea_knowledge_init(&t->knowledge, &setup);
  }
  return status;
}

/* ---- steps ---- */

static alea_status play(alea_page_table *t, const alea_move *joint) {
  alea_status status = alea_cursor_play(t->cursor, joint);
  for (uint32_t r = 0; status == ALEA_OK && r < t->game->role_count; r++) {
    if (t->players[r] == NULL) continue;
    alea_observation seen = {.own = joint[r], .joint = t->game->has_sees ? NULL : joint};
    if (t->game->has_sees) status = alea_cursor_percepts(t->cursor, r, &seen.percepts);
    if (status == ALEA_OK) status = alea_player_observe(t->players[r], &seen);
    if (status == ALEA_OK && t->knows && (int)r == t->person)
      status = alea_knowledge_observe(&t->knowledge, &seen);
  }
  return status == ALEA_OK ? alea_cursor_terminal(t->cursor, &t->over) : status;
}

alea_status alea_page_table_step(alea_page_table *t) {
  for (uint32_t r = 0; r < t->game->role_count; r++)
    if (!alea_vec_push(&t->mem, &t->history, t->joint[r])) return ALEA_SYSTEM;
  return play(t, t->joint);
}

alea_status alea_page_table_return_to(alea_page_table *t, uint32_t steps) {
  uint32_t roles = t->game->role_count;
  alea_status status = ALEA_OK;
  free_players(t);
  for (uint32_t r = 0; status == ALEA_OK && r < roles; r++)
    if ((int)r != t->game->random_role) status = make_player(t, r);
  if (status == ALEA_OK) status = alea_cursor_reset(t->cursor);
  t->history.count = (size_t)steps * roles;
  t->resigned = false;
  if (steps == 0) alea_rng_seed_stream(&t->chance, t->seed, 0);
  while (t->values.count > 0 && t->values.data[t->values.count - 1].step >= steps)
    t->values.count--;
  if (status == ALEA_OK) status = alea_cursor_terminal(t->cursor, &t->over);
  for (size_t i = 0; status == ALEA_OK && i < t->history.count; i += roles)
    status = play(t, t->history.data + i);
  return status;
}

void alea_page_table_clear(alea_page_table *t) {
  if (t->game != NULL) {
    uint32_t roles = t->game->role_count;
    free_players(t);
    alea_match_sampler_clear(&t->sampler);
    alea_mem_free(&t->mem, t->mems, roles * sizeof *t->mems);
    alea_mem_free(&t->mem, t->players, roles * sizeof(alea_player *));
    alea_mem_free(&t->mem, t->joint, roles * sizeof *t->joint);
  }
  alea_vec_clear(&t->mem, &t->history);
  alea_vec_clear(&t->mem, &t->values);
  alea_drawing_free(t->drawing);
  alea_listing_clear(&t->listing);
  alea_typed_moves_clear(&t->typed);
  alea_text_clear(&t->line);
  alea_text_clear(&t->text);
  alea_cursor_free(t->cursor);
  alea_diag_clear(&t->diag);
  alea_opened_clear(&t->opened);
  json_decref(t->wishes);
}
