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

alea_status alea_page_table_open(alea_page_table *t, json_t *wishes) {
  t->wishes = wishes;
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

static alea_status seat_person(alea_page_table *t, const char *name) {
  for (uint32_t r = 0; r < t->game->role_count; r++) {
    if ((int)r == t->game->random_role || alea_page_table_seat_of(t, r) != NULL) continue;
    if (name != NULL && strcmp(name, t->game->role_text[r]) != 0) continue;
    t->seats[t->seat_count++] = (alea_page_table_seat){.role = r};
    return ALEA_OK;
  }
  alea_diag_error(&t->diag, ((alea_place){0}), "usage", "the game has no role '%s'",
                  name != NULL ? name : "");
  return ALEA_USAGE;
}

/* Those who are named, or the first role; an empty name is nobody. */
static alea_status seat_people(alea_page_table *t) {
  const json_t *people = json_object_get(t->wishes, "people"), *person;
  const char *role = json_string_value(json_object_get(t->wishes, "role"));
  alea_status status = ALEA_OK;
  size_t i;
  if (json_array_size(people) > t->game->role_count) {
    alea_diag_error(&t->diag, ((alea_place){0}), "usage", "there are more people than roles");
    return ALEA_USAGE;
  }
  json_array_foreach(people, i, person) {
    if (status == ALEA_OK) status = seat_person(t, json_string_value(person));
  }
  if (json_array_size(people) == 0 && (role == NULL || role[0] != '\0'))
    status = seat_person(t, role);
  return status;
}

static void set_budget(alea_page_table *t) {
  json_int_t level = json_integer_value(json_object_get(t->wishes, "level"));
  double seconds = json_number_value(json_object_get(t->wishes, "seconds"));
  t->budget = (alea_budget){.stop = &t->inbox->stop};
  t->clock = json_number_value(json_object_get(t->wishes, "clock"));
  t->increment = json_number_value(json_object_get(t->wishes, "increment"));
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
  t->seats = alea_mem_calloc(&t->mem, roles, sizeof *t->seats);
  bool good = t->mems != NULL && t->players != NULL && t->joint != NULL && t->seats != NULL;
  return good ? ALEA_OK : ALEA_SYSTEM;
}

void alea_page_table_init(alea_page_table *t, alea_page_inbox *inbox) {
  *t = (alea_page_table){.inbox = inbox, .quitter = -1, .thinker = -1, .hinted = -1};
  alea_mem_init(&t->mem, 0);
  alea_diag_init(&t->diag, &t->mem);
  alea_text_init(&t->line, &t->mem);
  alea_text_init(&t->text, &t->mem);
  alea_listing_init(&t->listing, &t->mem);
  alea_typed_moves_init(&t->typed, &t->mem);
}

alea_status alea_page_table_lay(alea_page_table *t, json_t *wishes) {
  alea_status status = alea_page_table_open(t, wishes);
  if (status != ALEA_OK) return status;
  alea_match_sampler_init(&t->sampler, &t->opened, ALEA_ENGINE_AUTO, &t->mem);
  alea_sketch_subject subject = {alea_text_string(&t->opened.source), t->opened.program,
                                 t->opened.net, t->opened.rewriting};
  t->seed = (uint64_t)json_integer_value(json_object_get(wishes, "seed"));
  set_budget(t);
  status = allocate(t);
  if (status == ALEA_OK) status = seat_people(t);
  if (status == ALEA_OK) status = alea_sketch_new(&t->drawing, &subject, t->cursor, &t->mem);
  return status == ALEA_OK ? alea_page_table_start(t) : status;
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
  for (uint32_t i = 0; i < t->seat_count; i++) {
    if (t->seats[i].knows) alea_knowledge_clear(&t->seats[i].knowledge);
    t->seats[i].knows = false;
  }
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
  alea_page_table_seat *seat = alea_page_table_seat_of(t, role);
  if (status == ALEA_OK && seat != NULL && t->game->has_sees) {
    seat->knows = true;
    status = alea_knowledge_init(&seat->knowledge, &setup);
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
    alea_page_table_seat *seat = alea_page_table_seat_of(t, r);
    if (status == ALEA_OK && seat != NULL && seat->knows)
      status = alea_knowledge_observe(&seat->knowledge, &seen);
  }
  for (uint32_t i = 0; i < t->seat_count; i++) t->seats[i].decided = false;
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
  t->quitter = -1;
  t->flagged = false;
  for (uint32_t i = 0; i < t->seat_count; i++) t->seats[i].decided = false;
  if (steps == 0) alea_rng_seed_stream(&t->chance, t->seed, 0);
  while (t->values.count > 0 && t->values.data[t->values.count - 1].step >= steps)
    t->values.count--;
  if (status == ALEA_OK) status = alea_cursor_terminal(t->cursor, &t->over);
  for (size_t i = 0; status == ALEA_OK && i < t->history.count; i += roles)
    status = play(t, t->history.data + i);
  return status;
}

alea_status alea_page_table_start(alea_page_table *t) {
  for (uint32_t i = 0; i < t->seat_count; i++) t->seats[i].left = t->clock;
  return alea_page_table_return_to(t, 0);
}

void alea_page_table_clear(alea_page_table *t) {
  if (t->game != NULL) {
    uint32_t roles = t->game->role_count;
    free_players(t);
    alea_match_sampler_clear(&t->sampler);
    alea_mem_free(&t->mem, t->mems, roles * sizeof *t->mems);
    alea_mem_free(&t->mem, t->players, roles * sizeof(alea_player *));
    alea_mem_free(&t->mem, t->joint, roles * sizeof *t->joint);
    alea_mem_free(&t->mem, t->seats, roles * sizeof *t->seats);
  }
  alea_main_line_clear(&t->main_line, &t->mem);
  alea_vec_clear(&t->mem, &t->sent_line);
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
