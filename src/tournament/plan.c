/* From the description of a tournament to its units of work. */
#include "tournament/plan.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/suggest.h"

typedef struct plan_reader {
  alea_tournament_plan *plan;
  const alea_yaml_file *file;
  const alea_yaml *root;
  const alea_tournament_plan_options *options;
  uint32_t matches;
  alea_text text; /* scratch */
} plan_reader;

enum { MOST_PLAYERS = 1000, MOST_PAIRINGS = 1000000 };

static alea_status no_memory(const plan_reader *r) { return alea_mem_lack(r->plan->mem); }

static const char *keep(plan_reader *r, const char *text) {
  return alea_arena_strdup(&r->plan->arena, text, strlen(text));
}

/* The value of a key, from the extra map or else from the description. */
static const alea_yaml *look_up(const plan_reader *r, const char *key) {
  const alea_yaml *node = alea_yaml_get(r->options->extra, key);
  return node != NULL ? node : alea_yaml_get(r->root, key);
}

static const alea_yaml *owner_of(const plan_reader *r, const char *key) {
  return alea_yaml_get(r->options->extra, key) != NULL ? r->options->extra : r->root;
}

static bool read_number(const plan_reader *r, const char *key, double least, double largest,
                        bool whole, double *number) {
  return alea_yaml_read_number(r->file, owner_of(r, key), key, least, largest, whole, number);
}

/* Reports why something is not played: as an error, or if lenient as a
 * remark. */
static alea_status leave_out(plan_reader *r, const alea_yaml *node, const char *why) {
  if (!r->options->lenient) {
    alea_yaml_error(r->file, node, "%s", why);
    return ALEA_INPUT;
  }
  const char *kept = keep(r, why);
  bool good = kept != NULL && alea_vec_push(r->plan->mem, &r->plan->left_out, kept);
  return good ? ALEA_OK : no_memory(r);
}

/* ---- games ---- */

/* Reads the number of seats from the rules, with the prover because it opens
 * games fastest. */
static alea_status look_at_game(plan_reader *r, alea_tournament_plan_game *game) {
  alea_tournament_plan *plan = r->plan;
  game->seats = r->options->seats;
  if (game->seats > 0) return ALEA_OK;
  alea_opened opened;
  alea_diag diag;
  alea_diag_init(&diag, plan->mem);
  alea_open_options options = plan->open;
  options.engine = ALEA_ENGINE_PROVER;
  alea_status status = alea_open(&opened, game->name, &options, &diag);
  if (status == ALEA_OK) {
    game->seats = opened.game->role_count - (opened.game->random_role >= 0);
    game->rules = alea_hash_bytes(alea_text_string(&opened.source), opened.source.length);
    if (game->seats == 0) alea_yaml_error(r->file, game->node, "%s has no players", game->name);
    if (game->seats == 0) status = ALEA_INPUT;
  } else if (status != ALEA_SYSTEM || diag.errors > 0) {
    const char *why = diag.entries.count > 0 ? diag.entries.data[0].message : "cannot be opened";
    alea_text_truncate(&r->text, 0);
    alea_text_format(&r->text, "game '%s': %s", game->name, why);
    status = leave_out(r, game->node, alea_text_string(&r->text));
  }
  alea_diag_clear(&diag);
  alea_opened_clear(&opened);
  return status;
}

static alea_status add_game(plan_reader *r, const alea_yaml *node) {
  alea_tournament_plan_game game = {.matches = r->matches, .node = node};
  const char *name = node->text;
  if (node->kind == ALEA_YAML_MAP) {
    double matches = r->matches;
    if (!alea_yaml_keys(r->file, node, "game matches pairings")) return ALEA_INPUT;
    if (!alea_yaml_read_number(r->file, node, "matches", 1, 1e9, true, &matches)) return ALEA_INPUT;
    if (r->options->matches == 0) game.matches = (uint32_t)matches;
    game.pairings = alea_yaml_get(node, "pairings");
    name = alea_yaml_text(node, "game", "");
  }
  if (name[0] == '\0' || strcmp(name, "-") == 0) {
    alea_yaml_error(r->file, node, "a game is a name or a path, or a map with the key 'game'");
    return ALEA_INPUT;
  }
  for (size_t i = 0; i < r->plan->games.count; i++) {
    if (strcmp(r->plan->games.data[i].name, name) != 0) continue;
    alea_yaml_error(r->file, node, "game '%s' is listed twice", name);
    return ALEA_INPUT;
  }
  game.name = keep(r, name);
  if (game.name == NULL) return no_memory(r);
  alea_status status = look_at_game(r, &game);
  if (status != ALEA_OK || game.seats == 0) return status;
  return alea_vec_push(r->plan->mem, &r->plan->games, game) ? ALEA_OK : no_memory(r);
}

/* ---- players ---- */

static uint32_t find_player(const alea_tournament_plan *plan, const char *name) {
  for (size_t i = 0; i < plan->players.count; i++)
    if (strcmp(plan->players.data[i].name, name) == 0) return (uint32_t)i;
  return ALEA_TOURNAMENT_PLAN_NOBODY;
}

/* A player that this program does not have, or not with these options, is left
 * out if the plan is lenient. */
static alea_status check_player(plan_reader *r, const alea_yaml *node,
                                alea_tournament_plan_player *player) {
  alea_text_truncate(&r->text, 0);
  alea_status status = alea_player_check(player->text, r->plan->mem, &r->text);
  if (status != ALEA_USAGE) return status;
  player->missing = true;
  return leave_out(r, node, alea_text_string(&r->text));
}

/* A player at an address: 'seats' matches at a time. */
static alea_status check_remote(plan_reader *r, const alea_yaml *node,
                                alea_tournament_plan_player *player) {
  double seats = 1;
  if (!alea_yaml_read_number(r->file, node, "seats", 1, 1000, true, &seats)) return ALEA_INPUT;
  for (size_t i = 0; i < r->plan->players.count; i++) {
    if (strcmp(r->plan->players.data[i].text, player->text) != 0) continue;
    alea_yaml_error(r->file, node, "two players are at %s", player->text);
    return ALEA_INPUT;
  }
  player->seats = (uint32_t)seats;
  r->plan->remote = true;
  return ALEA_OK;
}

static alea_status add_player(plan_reader *r, const alea_yaml *node) {
  const char *text = node->text, *name = node->text;
  if (node->kind == ALEA_YAML_MAP) {
    if (!alea_yaml_keys(r->file, node, "name player seats")) return ALEA_INPUT;
    text = alea_yaml_text(node, "player", "");
    name = alea_yaml_text(node, "name", text);
  }
  if (text[0] == '\0' || name[0] == '\0') {
    alea_yaml_error(r->file, node, "a player is a text such as uct:c=1, or {name: N, player: P}");
    return ALEA_INPUT;
  }
  if (find_player(r->plan, name) != ALEA_TOURNAMENT_PLAN_NOBODY) {
    alea_yaml_error(r->file, node, "two players are called '%s'; give one a 'name'", name);
    return ALEA_INPUT;
  }
  if (r->plan->players.count == MOST_PLAYERS) {
    alea_yaml_error(r->file, node, "more than %d players", (int)MOST_PLAYERS);
    return ALEA_INPUT;
  }
  alea_tournament_plan_player player = {.name = keep(r, name), .text = keep(r, text)};
  if (player.name == NULL || player.text == NULL) return no_memory(r);
  bool remote = strncmp(text, "http://", 7) == 0;
  if (!remote && alea_yaml_get(node, "seats") != NULL) {
    alea_yaml_error(r->file, alea_yaml_get(node, "seats"), "'seats' are for players at addresses");
    return ALEA_INPUT;
  }
  alea_status status = (remote ? check_remote : check_player)(r, node, &player);
  if (status != ALEA_OK) return status;
  return alea_vec_push(r->plan->mem, &r->plan->players, player) ? ALEA_OK : no_memory(r);
}

/* ---- budgets ---- */

static void label_budget(const alea_tournament_plan_budget *budget, alea_text *out) {
  alea_text_truncate(out, 0);
  if (budget->sims > 0) alea_text_format(out, "sims=%llu", (unsigned long long)budget->sims);
  if (budget->time > 0) {
    alea_text_format(out, "%stime=%g", out->length > 0 ? "," : "", budget->time);
  }
  if (budget->start > 0) alea_text_format(out, ",start=%g", budget->start);
  bool timed = budget->time > 0 || budget->start > 0;
  if (timed && budget->clock == ALEA_CLOCK_CPU) alea_text_put(out, ",cpu");
  if (timed && budget->grace != 1) alea_text_format(out, ",grace=%g", budget->grace);
}

static alea_status add_budget(plan_reader *r, const alea_yaml *node) {
  if (!alea_yaml_expect(r->file, node, ALEA_YAML_MAP)) return ALEA_INPUT;
  double sims = 0;
  alea_tournament_plan_budget budget = {.grace = 1};
  if (!alea_yaml_keys(r->file, node, "sims time start clock grace") ||
      !alea_yaml_read_number(r->file, node, "sims", 1, 1e15, true, &sims) ||
      !alea_yaml_read_number(r->file, node, "time", 0.001, 1e6, false, &budget.time) ||
      !alea_yaml_read_number(r->file, node, "start", 0, 1e6, false, &budget.start) ||
      !alea_yaml_read_number(r->file, node, "grace", 0, 1e6, false, &budget.grace)) {
    return ALEA_INPUT;
  }
  budget.sims = (uint64_t)sims;
  const char *clock = alea_yaml_text(node, "clock", "wall");
  budget.clock = strcmp(clock, "cpu") == 0 ? ALEA_CLOCK_CPU : ALEA_CLOCK_WALL;
  if (budget.clock == ALEA_CLOCK_WALL && strcmp(clock, "wall") != 0) {
    alea_yaml_error(r->file, alea_yaml_get(node, "clock"), "a clock is 'wall' or 'cpu'");
    return ALEA_INPUT;
  }
  if (budget.sims == 0 && budget.time <= 0) {
    alea_yaml_error(r->file, node, "a budget needs 'sims' or 'time'");
    return ALEA_INPUT;
  }
  label_budget(&budget, &r->text);
  budget.label = r->text.failed ? NULL : keep(r, alea_text_string(&r->text));
  if (budget.label == NULL) return no_memory(r);
  return alea_vec_push(r->plan->mem, &r->plan->budgets, budget) ? ALEA_OK : no_memory(r);
}

/* ---- pairings ---- */

/* The key: everything that outcomes of the pairing depend on, except the number
 * of matches.  The rules are not part of it: the store refuses changed rules. */
static const char *make_key(alea_tournament_plan *plan, const alea_pairing *pairing,
                            alea_text *out) {
  const alea_tournament_plan_player *first = &plan->players.data[pairing->first];
  alea_text_truncate(out, 0);
  alea_text_format(out, "%s | %s | %s", plan->games.data[pairing->game].name,
                   plan->budgets.data[pairing->budget].label, first->text);
  if (strcmp(first->name, first->text) != 0) alea_text_format(out, " (%s)", first->name);
  if (pairing->second != ALEA_TOURNAMENT_PLAN_NOBODY) {
    const alea_tournament_plan_player *second = &plan->players.data[pairing->second];
    alea_text_format(out, " against %s", second->text);
    if (strcmp(second->name, second->text) != 0) alea_text_format(out, " (%s)", second->name);
  }
  alea_text_format(out, " | seed %llu", (unsigned long long)plan->seed);
  if (plan->step_cap != 1000) alea_text_format(out, " | step-cap %u", plan->step_cap);
  static const char *const engines[] = {ALEA_ENGINES(ALEA_CHOICE_STRING)};
  if (plan->open.engine != ALEA_ENGINE_AUTO)
    alea_text_format(out, " | %s", engines[plan->open.engine]);
  if (pairing->round > 0) alea_text_format(out, " | round %u", pairing->round);
  return out->failed ? NULL : alea_arena_strdup(&plan->arena, out->data, out->length);
}

static bool have_key(const alea_tournament_plan *plan, const char *key, uint32_t game) {
  for (size_t i = plan->pairings.count; i-- > 0;) {
    const alea_pairing *other = &plan->pairings.data[i];
    if (other->game != game) return false;
    if (strcmp(other->key, key) == 0) return true;
  }
  return false;
}

/* PLAY does not say for which role it is, so a remote player has one role of a
 * match; and only rules in GDL can be sent to it. */
static alea_status check_seats(plan_reader *r, uint32_t game, uint32_t first, uint32_t second) {
  const alea_tournament_plan_game *g = &r->plan->games.data[game];
  const alea_tournament_plan_player *players = r->plan->players.data;
  bool alone = second == ALEA_TOURNAMENT_PLAN_NOBODY;
  const char *many = NULL;
  if (alone && g->seats > 1 && players[first].seats > 0) many = players[first].name;
  bool several = g->seats > 2 || first == second;
  if (!alone && several && players[second].seats > 0) many = players[second].name;
  if (many != NULL) {
    alea_yaml_error(r->file, r->root,
                    "'%s' would have several roles of a match of '%s'; a player at an address can "
                    "have one",
                    many, g->name);
    return ALEA_INPUT;
  }
  bool remote = players[first].seats > 0 || (!alone && players[second].seats > 0);
  if (!remote || !alea_open_is_toss(g->name)) return ALEA_OK;
  alea_yaml_error(r->file, r->root, "'%s' cannot be sent to players at addresses: it is not in GDL",
                  g->name);
  return ALEA_INPUT;
}

/* 'most' limits the number of matches. */
static alea_status add_pairing(plan_reader *r, uint32_t game, uint32_t budget, uint32_t first,
                               uint32_t second, uint32_t most) {
  alea_tournament_plan *plan = r->plan;
  const alea_tournament_plan_player *players = plan->players.data;
  if (plan->games.data[game].seats == 1) second = ALEA_TOURNAMENT_PLAN_NOBODY;
  if (players[first].missing || (second != ALEA_TOURNAMENT_PLAN_NOBODY && players[second].missing))
    return ALEA_OK;
  alea_status status = check_seats(r, game, first, second);
  if (status != ALEA_OK) return status;
  if (plan->pairings.count == MOST_PAIRINGS) {
    alea_yaml_error(r->file, r->root, "more than %d pairings", (int)MOST_PAIRINGS);
    return ALEA_INPUT;
  }
  alea_pairing pairing = {.game = game, .budget = budget, .first = first, .second = second};
  pairing.matches = plan->games.data[game].matches;
  if (pairing.matches > most) pairing.matches = most;
  pairing.before = plan->units;
  pairing.key = make_key(plan, &pairing, &r->text);
  if (pairing.key == NULL) return no_memory(r);
  if (have_key(plan, pairing.key, game)) return ALEA_OK;
  plan->units += pairing.matches;
  return alea_vec_push(plan->mem, &plan->pairings, pairing) ? ALEA_OK : no_memory(r);
}

/* The pairings `all`, `first` and `alike`. */
static alea_status pair_by_word(plan_reader *r, const alea_yaml *node, const char *word,
                                uint32_t game, uint32_t budget) {
  uint32_t players = (uint32_t)r->plan->players.count;
  bool alike = strcmp(word, "alike") == 0 || r->plan->games.data[game].seats == 1;
  bool first = strcmp(word, "first") == 0;
  if (!alike && !first && strcmp(word, "all") != 0) {
    alea_yaml_error(r->file, node, "pairings are 'all', 'first', 'alike', or a list of pairs");
    return ALEA_INPUT;
  }
  alea_status status = ALEA_OK;
  for (uint32_t a = 0; status == ALEA_OK && a < players; a++) {
    if (alike) status = add_pairing(r, game, budget, a, ALEA_TOURNAMENT_PLAN_NOBODY, UINT32_MAX);
    for (uint32_t b = a + 1; status == ALEA_OK && !alike && b < players; b++)
      if (a == 0 || !first) status = add_pairing(r, game, budget, a, b, UINT32_MAX);
  }
  return status;
}

static alea_status named_player(plan_reader *r, const alea_yaml *node, uint32_t *player) {
  *player =
      node->kind == ALEA_YAML_TEXT ? find_player(r->plan, node->text) : ALEA_TOURNAMENT_PLAN_NOBODY;
  if (*player != ALEA_TOURNAMENT_PLAN_NOBODY) return ALEA_OK;
  alea_suggestion suggestion;
  alea_suggest_start(&suggestion, node->text);
  for (size_t i = 0; i < r->plan->players.count; i++)
    alea_suggest_offer(&suggestion, r->plan->players.data[i].name);
  bool near = suggestion.nearest != NULL;
  alea_yaml_error(r->file, node, "'%s' is not the name of a player above%s%s%s", node->text,
                  near ? "; did you mean '" : "", near ? suggestion.nearest : "", near ? "'?" : "");
  return ALEA_INPUT;
}

/* One element of a list of pairings: [a, b], or {pair: [a, b], most: N}. */
static alea_status pair_two(plan_reader *r, const alea_yaml *node, uint32_t game, uint32_t budget) {
  const alea_yaml *pair = node;
  double most = UINT32_MAX;
  uint32_t first, second;
  if (node->kind == ALEA_YAML_MAP) {
    if (!alea_yaml_keys(r->file, node, "pair most")) return ALEA_INPUT;
    if (!alea_yaml_read_number(r->file, node, "most", 1, 1e9, true, &most)) return ALEA_INPUT;
    pair = alea_yaml_get(node, "pair");
  }
  if (pair == NULL || pair->kind != ALEA_YAML_LIST || pair->count != 2) {
    alea_yaml_error(r->file, node, "a pairing is a list of two players");
    return ALEA_INPUT;
  }
  alea_status status = named_player(r, pair->first, &first);
  if (status == ALEA_OK) status = named_player(r, pair->first->next, &second);
  if (status == ALEA_OK) status = add_pairing(r, game, budget, first, second, (uint32_t)most);
  if (status == ALEA_OK && r->plan->games.data[game].seats == 1)
    status = add_pairing(r, game, budget, second, ALEA_TOURNAMENT_PLAN_NOBODY, (uint32_t)most);
  return status;
}

static alea_status pair_by_list(plan_reader *r, const alea_yaml *list, uint32_t game,
                                uint32_t budget) {
  alea_status status = ALEA_OK;
  for (const alea_yaml *at = list->first; status == ALEA_OK && at != NULL; at = at->next)
    status = pair_two(r, at, game, budget);
  return status;
}

static alea_status pair_game(plan_reader *r, uint32_t game) {
  const alea_yaml *node = r->plan->games.data[game].pairings;
  if (node == NULL) node = look_up(r, "pairings");
  if (r->plan->system == ALEA_TOURNAMENT_SWISS || r->plan->system == ALEA_TOURNAMENT_KNOCKOUT)
    return ALEA_OK; /* round by round: tournament/rounds.h */
  alea_status status = ALEA_OK;
  for (uint32_t b = 0; status == ALEA_OK && b < r->plan->budgets.count; b++) {
    if (node != NULL && node->kind == ALEA_YAML_LIST) {
      status = pair_by_list(r, node, game, b);
    } else {
      const char *usual = r->plan->system == ALEA_TOURNAMENT_GAUNTLET ? "first" : "all";
      const char *word = node == NULL ? usual : node->kind == ALEA_YAML_TEXT ? node->text : "";
      status = pair_by_word(r, node != NULL ? node : r->root, word, game, b);
    }
  }
  return status;
}

/* ---- the whole plan ---- */

typedef alea_status add_one(plan_reader *r, const alea_yaml *node);

/* Calls 'add' for each element of the list under 'key'. */
static alea_status read_list(plan_reader *r, const char *key, add_one *add) {
  const alea_yaml *list = look_up(r, key);
  if (list == NULL) {
    alea_yaml_error(r->file, r->root, "the key '%s' is missing", key);
    return ALEA_INPUT;
  }
  if (!alea_yaml_expect(r->file, list, ALEA_YAML_LIST)) return ALEA_INPUT;
  if (list->count == 0) alea_yaml_error(r->file, list, "'%s' is empty", key);
  alea_status status = list->count > 0 ? ALEA_OK : ALEA_INPUT;
  for (const alea_yaml *node = list->first; status == ALEA_OK && node != NULL; node = node->next)
    status = add(r, node);
  return status;
}

static alea_status read_budgets(plan_reader *r) {
  const alea_yaml *one = look_up(r, "budget"), *list = look_up(r, "budgets");
  if (one != NULL && list != NULL && owner_of(r, "budget") == owner_of(r, "budgets")) {
    alea_yaml_error(r->file, list, "give either 'budget' or 'budgets'");
    return ALEA_INPUT;
  }
  if (one == NULL && list == NULL) {
    alea_yaml_error(r->file, r->root, "the key 'budget' is missing");
    return ALEA_INPUT;
  }
  /* The extra map takes precedence over the description. */
  bool single = one != NULL && (list == NULL || owner_of(r, "budget") == r->options->extra);
  return single ? add_budget(r, one) : read_list(r, "budgets", add_budget);
}

static const char known_keys[] =
    "name seed games players budget budgets matches pairings rounds engine step-cap ground-seconds "
    "memory dialect scramble wait forfeit-after";

static alea_status read_engine(plan_reader *r) {
  const alea_yaml *node = look_up(r, "engine");
  r->plan->open.engine = ALEA_ENGINE_AUTO;
  if (node == NULL) return ALEA_OK;
  int engine = alea_choice_find(ALEA_CHOICE_WORDS(ALEA_ENGINES), node->text);
  if (engine != ALEA_NO_CHOICE) {
    r->plan->open.engine = engine;
    return ALEA_OK;
  }
  alea_yaml_error(r->file, node, "an engine is 'auto', 'prover', 'net' or 'lanes'");
  return ALEA_INPUT;
}

/* `rounds: swiss`, or {system: swiss, count: 5}. */
static alea_status read_rounds(plan_reader *r) {
  const alea_yaml *node = look_up(r, "rounds");
  if (node == NULL) return ALEA_OK;
  double count = 0;
  const char *word = node->text;
  if (node->kind == ALEA_YAML_MAP) {
    if (!alea_yaml_keys(r->file, node, "system count") ||
        !alea_yaml_read_number(r->file, node, "count", 1, 1000, true, &count))
      return ALEA_INPUT;
    word = alea_yaml_text(node, "system", "");
  }
  int system = alea_choice_find(ALEA_CHOICE_WORDS(ALEA_TOURNAMENT_SYSTEMS), word);
  const char *wrong = NULL;
  if (system == ALEA_NO_CHOICE || system == ALEA_TOURNAMENT_PAIRINGS)
    wrong = "rounds are 'round-robin', 'gauntlet', 'swiss' or 'knockout'";
  else if (look_up(r, "pairings") != NULL)
    wrong = "give either 'rounds' or 'pairings'";
  else if (count > 0 && system != ALEA_TOURNAMENT_SWISS)
    wrong = "only Swiss events have a 'count' of rounds";
  if (wrong != NULL) {
    alea_yaml_error(r->file, node, "%s", wrong);
    return ALEA_INPUT;
  }
  r->plan->system = (alea_tournament_system)system;
  r->plan->rounds = (uint32_t)count;
  return ALEA_OK;
}

/* What rounds and remote players ask of the rest of the file. */
static alea_status check_event(plan_reader *r) {
  alea_tournament_plan *plan = r->plan;
  bool later = plan->system == ALEA_TOURNAMENT_SWISS || plan->system == ALEA_TOURNAMENT_KNOCKOUT;
  uint32_t enough = 1; /* Swiss rounds in which one winner can be found */
  while ((1u << enough) < plan->players.count) enough++;
  if (plan->rounds == 0) plan->rounds = enough;
  for (size_t i = 0; later && i < plan->games.count; i++) {
    const alea_tournament_plan_game *game = &plan->games.data[i];
    if (game->seats == 2 && game->pairings == NULL) continue;
    alea_yaml_error(r->file, game->node, "Swiss and knockout events are for games of two players");
    return ALEA_INPUT;
  }
  if (later && plan->players.count < 2) {
    alea_yaml_error(r->file, r->root, "an event in rounds needs two players");
    return ALEA_INPUT;
  }
  for (size_t i = 0; plan->remote && i < plan->budgets.count; i++) {
    const alea_tournament_plan_budget *budget = &plan->budgets.data[i];
    if (budget->time > 0 && budget->clock == ALEA_CLOCK_WALL) continue;
    alea_yaml_error(r->file, look_up(r, look_up(r, "budget") != NULL ? "budget" : "budgets"),
                    "players at addresses need a wall clock: a budget with 'time'");
    return ALEA_INPUT;
  }
  return ALEA_OK;
}

static alea_status read_memory(plan_reader *r) {
  const alea_yaml *node = look_up(r, "memory");
  r->plan->open.memory = (size_t)4 << 30;
  if (node == NULL || alea_options_bytes(node->text, &r->plan->open.memory)) return ALEA_OK;
  alea_yaml_error(r->file, node, "'memory' must be bytes such as 512M or 2G");
  return ALEA_INPUT;
}

static alea_status read_settings(plan_reader *r) {
  double seed = 1, matches = 2, cap = 1000, seconds = 60, forfeit = 3;
  r->plan->wait = 5;
  bool good = read_number(r, "seed", 0, 9007199254740992.0, true, &seed) &&
              read_number(r, "matches", 1, 1e9, true, &matches) &&
              read_number(r, "step-cap", 1, 1e9, true, &cap) &&
              read_number(r, "ground-seconds", 0, 1e6, false, &seconds) &&
              read_number(r, "wait", 0, 1e6, false, &r->plan->wait) &&
              read_number(r, "forfeit-after", 0, 1e6, true, &forfeit);
  if (!good) return ALEA_INPUT;
  r->plan->seed = r->options->seed >= 0 ? (uint64_t)r->options->seed : (uint64_t)seed;
  r->matches = r->options->matches > 0 ? r->options->matches : (uint32_t)matches;
  r->plan->step_cap = (uint32_t)cap;
  r->plan->open.ground_seconds = seconds;
  r->plan->forfeit_after = (uint32_t)forfeit;
  const alea_yaml *name = look_up(r, "name");
  r->plan->name = keep(r, name != NULL ? name->text : "tournament");
  if (r->plan->name == NULL) return no_memory(r);
  alea_status status = read_engine(r);
  if (status == ALEA_OK) status = read_rounds(r);
  return status == ALEA_OK ? read_memory(r) : status;
}

static alea_status read_plan(plan_reader *r) {
  if (!alea_yaml_expect(r->file, r->root, ALEA_YAML_MAP)) return ALEA_INPUT;
  if (!alea_yaml_keys(r->file, r->root, known_keys)) return ALEA_INPUT;
  if (r->options->extra != NULL && !alea_yaml_keys(r->file, r->options->extra, known_keys))
    return ALEA_INPUT;
  alea_status status = read_settings(r);
  if (status == ALEA_OK) status = read_budgets(r);
  if (status == ALEA_OK) status = read_list(r, "players", add_player);
  if (status == ALEA_OK) status = read_list(r, "games", add_game);
  if (status == ALEA_OK) status = check_event(r);
  for (uint32_t g = 0; status == ALEA_OK && g < r->plan->games.count; g++) status = pair_game(r, g);
  for (size_t g = 0; g < r->plan->games.count; g++)
    r->plan->games.data[g].node = r->plan->games.data[g].pairings = NULL;
  bool later =
      r->plan->system == ALEA_TOURNAMENT_SWISS || r->plan->system == ALEA_TOURNAMENT_KNOCKOUT;
  if (status == ALEA_OK && r->plan->pairings.count == 0 && !r->options->lenient && !later) {
    alea_yaml_error(r->file, r->root, "there is nothing to play: these players make no pair");
    status = ALEA_INPUT;
  }
  return status;
}

alea_status alea_tournament_plan_new(alea_tournament_plan *plan, const alea_yaml_file *file,
                                     const alea_yaml *root,
                                     const alea_tournament_plan_options *options, alea_mem *mem) {
  *plan = (alea_tournament_plan){.mem = mem, .winner = ALEA_TOURNAMENT_PLAN_NOBODY};
  alea_arena_init(&plan->arena, mem);
  plan_reader r = {.plan = plan, .file = file, .root = root, .options = options};
  alea_text_init(&r.text, mem);
  alea_status status = read_plan(&r);
  alea_text_clear(&r.text);
  return status;
}

void alea_tournament_plan_clear(alea_tournament_plan *plan) {
  alea_vec_clear(plan->mem, &plan->games);
  alea_vec_clear(plan->mem, &plan->players);
  alea_vec_clear(plan->mem, &plan->budgets);
  alea_vec_clear(plan->mem, &plan->pairings);
  alea_vec_clear(plan->mem, &plan->left_out);
  alea_arena_clear(&plan->arena);
}

alea_status alea_tournament_plan_pair(alea_tournament_plan *plan, uint32_t round, uint32_t first,
                                      uint32_t second) {
  alea_status status = ALEA_OK;
  alea_text text;
  alea_text_init(&text, plan->mem);
  for (uint32_t g = 0; status == ALEA_OK && g < plan->games.count; g++) {
    for (uint32_t b = 0; status == ALEA_OK && b < plan->budgets.count; b++) {
      alea_pairing pairing = {.game = g,
                              .budget = b,
                              .first = first,
                              .second = second,
                              .matches = plan->games.data[g].matches,
                              .round = round,
                              .before = plan->units};
      pairing.key = make_key(plan, &pairing, &text);
      bool good = pairing.key != NULL && alea_vec_push(plan->mem, &plan->pairings, pairing);
      if (good) plan->units += pairing.matches;
      status = good ? ALEA_OK : alea_mem_lack(plan->mem);
    }
  }
  alea_text_clear(&text);
  return status;
}

/* ---- units ---- */

alea_unit alea_tournament_plan_unit(const alea_tournament_plan *plan, uint64_t index) {
  size_t low = 0, high = plan->pairings.count; /* the pairing is in low .. high-1 */
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    if (plan->pairings.data[middle].before <= index) {
      low = middle;
    } else {
      high = middle;
    }
  }
  const alea_pairing *pairing = &plan->pairings.data[low];
  alea_unit unit = {.pairing = pairing, .number = (uint32_t)(index - pairing->before)};
  uint64_t key = alea_hash_bytes(pairing->key, strlen(pairing->key));
  /* 63 bits: the database has signed integers. */
  unit.seed = alea_hash_mix(alea_hash_join(key, unit.number)) >> 1;
  return unit;
}

alea_match_options alea_tournament_plan_match(const alea_tournament_plan *plan,
                                              const alea_unit *unit, const char **players,
                                              const char **names) {
  const alea_pairing *pairing = unit->pairing;
  const alea_tournament_plan_budget *budget = &plan->budgets.data[pairing->budget];
  uint32_t seats = plan->games.data[pairing->game].seats;
  for (uint32_t i = 0; i < seats; i++) {
    bool first = i == 0 || pairing->second == ALEA_TOURNAMENT_PLAN_NOBODY;
    const alea_tournament_plan_player *player =
        &plan->players.data[first ? pairing->first : pairing->second];
    players[i] = player->text;
    names[i] = player->name;
  }
  return (alea_match_options){.players = players,
                              .player_count = seats,
                              .names = names,
                              .event = plan->name,
                              .forfeit_after = plan->forfeit_after,
                              .remote = plan->remotes.open,
                              .remote_context = plan->remotes.context,
                              .stop = plan->remotes.stop,
                              .rotate = unit->number % seats,
                              .sims = budget->sims,
                              .start = budget->start,
                              .time = budget->time,
                              .grace = budget->grace,
                              .clock = budget->clock,
                              .seed = unit->seed,
                              .step_cap = plan->step_cap,
                              .engine = (alea_engine)plan->open.engine};
}

void alea_tournament_plan_match_id(const alea_unit *unit, alea_text *id) {
  alea_text_truncate(id, 0);
  alea_text_format(id, "alea.%llu", (unsigned long long)unit->seed);
}

bool alea_tournament_plan_wall(const alea_tournament_plan *plan) {
  bool ours = false;
  for (size_t i = 0; i < plan->players.count; i++) ours = ours || plan->players.data[i].seats == 0;
  if (!ours) return false;
  for (size_t i = 0; i < plan->budgets.count; i++) {
    const alea_tournament_plan_budget *budget = &plan->budgets.data[i];
    if (budget->time > 0 && budget->clock == ALEA_CLOCK_WALL) return true;
  }
  return false;
}
