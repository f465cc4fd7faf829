/* Games of the public interface: opened games that are shared. */
#include "alea/game.h"

#include <stdio.h>
#include <string.h>

#include "api/core.h"
#include "base/hash.h"
#include "match/shipped.h"

/* ---- opening ---- */

static uint64_t sign_fluents(const alea_net *net) {
  uint64_t signature = 0;
  for (uint32_t f = 0; net != NULL && f < net->fluent_count; f++)
    signature = alea_hash_join(signature,
                               alea_hash_bytes(net->fluent_text[f], strlen(net->fluent_text[f])));
  return signature;
}

static alea_status read_options(alea_open_options *open, const alea_ruleset_options *given,
                                alea_diag *diag) {
  alea_ruleset_options own = {.size = sizeof own};
  alea_status status = alea_api_options(&own, sizeof own, given);
  if (status != ALEA_OK) {
    alea_diag_error(diag, ((alea_place){0}), "options",
                    "the options are those of another version of libalea");
    return status;
  }
  const char *word = own.engine != NULL ? own.engine : "auto";
  int engine = alea_choice_find(ALEA_CHOICE_WORDS(ALEA_ENGINES), word);
  if (engine == ALEA_NO_CHOICE) {
    alea_diag_error(diag, ((alea_place){0}), "engine", "there is no engine '%s'", word);
    return ALEA_USAGE;
  }
  *open = (alea_open_options){.engine = engine,
                              .ground_seconds = own.seconds > 0 ? own.seconds : 60,
                              .memory = own.memory > 0 ? own.memory : (size_t)4 << 30,
                              .strict = own.strict};
  return ALEA_OK;
}

static void destroy(alea_ruleset *rules) {
  alea_lanes_free(rules->lanes);
  alea_lanes_free(rules->gpu_lanes);
  if (!rules->lent) alea_opened_clear(&rules->opened);
  pthread_mutex_destroy(&rules->lock);
  alea_mem_free(&rules->mem, rules->label, rules->label_size);
  alea_api_free(rules, sizeof *rules);
}

/* Rules that are not open yet; NULL without memory. */
static alea_ruleset *make(const char *label) {
  alea_ruleset *rules = alea_api_new(sizeof *rules, 0);
  if (rules == NULL) return NULL;
  rules->label_size = strlen(label) + 1;
  rules->label = alea_mem_alloc(&rules->mem, rules->label_size);
  if (rules->label == NULL || pthread_mutex_init(&rules->lock, NULL) != 0) {
    alea_mem_free(&rules->mem, rules->label, rules->label_size);
    alea_api_free(rules, sizeof *rules);
    return NULL;
  }
  memcpy(rules->label, label, rules->label_size);
  atomic_init(&rules->shares, 1);
  return rules;
}

alea_ruleset *alea_api_lend(const alea_game *game, const char *rewriting) {
  alea_ruleset *rules = make("a game");
  if (rules == NULL) return NULL;
  rules->lent = true;
  rules->opened.game = (alea_game *)(uintptr_t)game; /* never freed: 'lent' */
  rules->opened.net = alea_net_of_game(game);
  rules->opened.rewriting = rewriting;
  rules->signature = sign_fluents(rules->opened.net);
  return rules;
}

/* Opens 'label', from 'text' unless that is NULL. */
static alea_status open_rules(alea_ruleset **rules, const char *label, const char *text,
                              size_t length, const alea_ruleset_options *options,
                              alea_diagnostics **diagnostics) {
  *rules = NULL;
  if (diagnostics != NULL) *diagnostics = NULL;
  alea_mem mem;
  alea_diag diag;
  alea_mem_init(&mem, 0);
  alea_diag_init(&diag, &mem);
  alea_open_options open;
  alea_status status = read_options(&open, options, &diag);
  alea_ruleset *made = status == ALEA_OK ? make(label) : NULL;
  if (status == ALEA_OK && made == NULL) status = ALEA_SYSTEM;
  if (status == ALEA_OK)
    status = text != NULL
                 ? alea_open_rules(&made->opened, made->label, text, length, &open, NULL, &diag)
                 : alea_open(&made->opened, made->label, &open, &diag);
  alea_api_report(&diag, diagnostics);
  alea_diag_clear(&diag); /* before the label it mentions */
  if (status == ALEA_OK) {
    made->signature = sign_fluents(made->opened.net);
    *rules = made;
  } else if (made != NULL) {
    destroy(made);
  }
  return status;
}

alea_status alea_ruleset_open(alea_ruleset **rules, const char *name,
                              const alea_ruleset_options *options, alea_diagnostics **diagnostics) {
  return open_rules(rules, name, NULL, 0, options, diagnostics);
}

alea_status alea_ruleset_read(alea_ruleset **rules, const char *label, const char *text,
                              size_t length, const alea_ruleset_options *options,
                              alea_diagnostics **diagnostics) {
  return open_rules(rules, label, text, length, options, diagnostics);
}

alea_ruleset *alea_ruleset_share(alea_ruleset *rules) {
  atomic_fetch_add_explicit(&rules->shares, 1, memory_order_relaxed);
  return rules;
}

void alea_ruleset_free(alea_ruleset *rules) {
  if (rules == NULL) return;
  if (atomic_fetch_sub_explicit(&rules->shares, 1, memory_order_acq_rel) == 1) destroy(rules);
}

const char *alea_shipped_name(size_t index) {
  return index < alea_shipped_file_count ? alea_shipped_files[index].name : NULL;
}

/* ---- questions ---- */

static const alea_game *game_of(const alea_ruleset *rules) { return rules->opened.game; }

const char *alea_ruleset_label(const alea_ruleset *rules) { return rules->label; }

const char *alea_ruleset_engine(const alea_ruleset *rules) { return game_of(rules)->class->engine; }

uint32_t alea_ruleset_kind(const alea_ruleset *rules) {
  return (game_of(rules)->random_role >= 0 ? ALEA_KIND_CHANCE : 0u) |
         (game_of(rules)->has_sees ? ALEA_KIND_PERCEPTS : 0u) |
         (rules->opened.rewriting != NULL ? ALEA_KIND_REWRITING : 0u) |
         (rules->opened.net != NULL ? ALEA_KIND_NETWORK : 0u);
}

uint32_t alea_ruleset_role_count(const alea_ruleset *rules) { return game_of(rules)->role_count; }

const char *alea_ruleset_role_name(const alea_ruleset *rules, uint32_t role) {
  return role < game_of(rules)->role_count ? game_of(rules)->role_spelling[role] : NULL;
}

int alea_ruleset_random_role(const alea_ruleset *rules) { return game_of(rules)->random_role; }

uint32_t alea_ruleset_move_count(const alea_ruleset *rules, uint32_t role) {
  const alea_game *game = game_of(rules);
  return role < game->role_count ? alea_game_move_count(game, role) : 0;
}

size_t alea_ruleset_move_text(const alea_ruleset *rules, uint32_t role, alea_move move,
                              char *buffer, size_t size) {
  alea_mem mem;
  alea_text text;
  alea_mem_init(&mem, 0);
  alea_text_init(&text, &mem);
  if (move < alea_ruleset_move_count(rules, role))
    alea_game_move_text(game_of(rules), role, move, false, &text);
  return alea_api_put(&text, buffer, size);
}

alea_move alea_ruleset_move_find(const alea_ruleset *rules, uint32_t role, const char *text) {
  const alea_game *game = game_of(rules);
  return role < game->role_count ? alea_game_move_find(game, role, text) : ALEA_NO_MOVE;
}

uint32_t alea_ruleset_fluent_count(const alea_ruleset *rules) {
  return rules->opened.net != NULL ? rules->opened.net->fluent_count : 0;
}

size_t alea_ruleset_fluent_text(const alea_ruleset *rules, uint32_t fluent, char *buffer,
                                size_t size) {
  alea_mem mem;
  alea_text text;
  alea_mem_init(&mem, 0);
  alea_text_init(&text, &mem);
  if (fluent < alea_ruleset_fluent_count(rules))
    alea_game_fluent_text(game_of(rules), fluent, false, &text);
  return alea_api_put(&text, buffer, size);
}

uint32_t alea_ruleset_fluent_find(const alea_ruleset *rules, const char *text) {
  return rules->opened.net != NULL ? alea_net_find_fluent(rules->opened.net, text) : ALEA_NO_FLUENT;
}

uint32_t alea_ruleset_percept_count(const alea_ruleset *rules) {
  return rules->opened.net != NULL ? rules->opened.net->percept_count : 0;
}

size_t alea_ruleset_percept_text(const alea_ruleset *rules, uint32_t percept, char *buffer,
                                 size_t size) {
  const alea_net *net = rules->opened.net;
  bool known = percept < alea_ruleset_percept_count(rules);
  return (size_t)snprintf(buffer, size, "%s", known ? net->percept_text[percept] : "");
}
