/* Agents of the public interface: a player with its own memory, a stop and an
 * analysis that other threads may read while it thinks. */
#include "api/core.h"
#include "match/runner.h"

/* Seconds between two looks at what the player thinks. */
static const double look_every = 0.05;
/* A budget without a limit ends by alea_agent_stop. */
static const double for_ever = 1e9;
static const size_t default_memory = (size_t)1 << 30;

struct alea_agent {
  alea_mem mem; /* of this struct and the choices */
  alea_ruleset *rules;
  alea_match_sampler sampler;
  alea_mem player_mem;
  alea_player *player;
  atomic_bool stop;
  pthread_mutex_t lock; /* of what follows */
  ALEA_VEC(alea_choice) choices;
  alea_agent_report report;
};

/* ---- making ---- */

static alea_status check_role(const alea_ruleset *rules, uint32_t role, alea_diag *diag) {
  if (role < rules->opened.game->role_count) return ALEA_OK;
  alea_diag_error(diag, ((alea_place){0}), "role", "the game has %u roles; there is no role %u",
                  rules->opened.game->role_count, role);
  return ALEA_USAGE;
}

static alea_status make_player(alea_agent *agent, const char *player,
                               const alea_agent_options *options, alea_diag *diag) {
  const alea_opened *opened = &agent->rules->opened;
  alea_player_setup setup = {.game = opened->game,
                             .role = options->role,
                             .seed = options->seed,
                             .mem = &agent->player_mem,
                             .sampler = alea_match_make_sampler,
                             .sampler_context = &agent->sampler,
                             .services = opened->services,
                             .rewriting = opened->rewriting,
                             .evaluation = options->evaluation,
                             .unhurried = true};
  alea_text message;
  alea_text_init(&message, &agent->mem);
  alea_status status = alea_player_new(&agent->player, player, &setup, &message);
  if (message.length > 0)
    alea_diag_error(diag, ((alea_place){0}), "player", "%s", alea_text_string(&message));
  alea_text_clear(&message);
  return status;
}

static alea_status make_agent(alea_agent **agent, alea_ruleset *rules, const char *player,
                              const alea_agent_options *options, alea_diag *diag) {
  alea_agent *made = alea_api_new(sizeof *made, 0);
  if (made == NULL) return ALEA_SYSTEM;
  if (pthread_mutex_init(&made->lock, NULL) != 0) {
    alea_api_free(made, sizeof *made);
    return ALEA_SYSTEM;
  }
  made->rules = alea_ruleset_share(rules);
  made->report.value = -1;
  atomic_init(&made->stop, false);
  alea_mem_init(&made->player_mem, options->memory > 0 ? options->memory : default_memory);
  alea_match_sampler_init(&made->sampler, &rules->opened, ALEA_ENGINE_AUTO, &made->mem);
  alea_status status = make_player(made, player, options, diag);
  if (status == ALEA_OK)
    *agent = made;
  else
    alea_agent_free(made);
  return status;
}

alea_status alea_agent_new(alea_agent **agent, alea_ruleset *rules, const char *player,
                           const alea_agent_options *options, alea_diagnostics **diagnostics) {
  *agent = NULL;
  alea_mem mem;
  alea_diag diag;
  alea_mem_init(&mem, 0);
  alea_diag_init(&diag, &mem);
  alea_agent_options own = {.size = sizeof own};
  alea_status status = alea_api_options(&own, sizeof own, options);
  if (status == ALEA_OK) status = check_role(rules, own.role, &diag);
  if (status == ALEA_OK) status = make_agent(agent, rules, player, &own, &diag);
  alea_api_report(&diag, diagnostics);
  alea_diag_clear(&diag);
  return status;
}

void alea_agent_free(alea_agent *agent) {
  if (agent == NULL) return;
  alea_player_free(agent->player);
  alea_match_sampler_clear(&agent->sampler);
  alea_vec_clear(&agent->mem, &agent->choices);
  alea_ruleset_free(agent->rules);
  pthread_mutex_destroy(&agent->lock);
  alea_api_free(agent, sizeof *agent);
}

/* ---- thinking ---- */

/* Keeps what the player thinks for those who ask. */
static void look(void *context) {
  alea_agent *agent = context;
  alea_analysis analysis;
  alea_player_analyse(agent->player, &analysis);
  pthread_mutex_lock(&agent->lock);
  agent->choices.count = 0;
  for (size_t i = 0; i < analysis.count; i++)
    if (!alea_vec_push(&agent->mem, &agent->choices, analysis.choices[i])) break;
  agent->report.value = analysis.value;
  agent->report.proof = analysis.proof;
  agent->report.sims = agent->player->stats.sims;
  agent->report.nodes = agent->player->stats.nodes;
  pthread_mutex_unlock(&agent->lock);
}

static alea_status read_budget(alea_agent *agent, const alea_agent_budget *given, alea_watch *watch,
                               alea_budget *budget) {
  alea_agent_budget own = {.size = sizeof own};
  alea_status status = alea_api_options(&own, sizeof own, given);
  if (status != ALEA_OK) return status;
  *watch = (alea_watch){.look = look, .context = agent, .every = look_every};
  watch->next = alea_clock_wall() + look_every;
  *budget = (alea_budget){.sims = own.sims,
                          .seconds = own.seconds > 0 ? own.seconds
                                     : own.sims > 0  ? 0
                                                     : for_ever,
                          .clock = ALEA_CLOCK_WALL,
                          .stop = &agent->stop,
                          .watch = watch};
  atomic_store(&agent->stop, false);
  return ALEA_OK;
}

alea_status alea_agent_start(alea_agent *agent, const alea_agent_budget *budget) {
  alea_watch watch;
  alea_budget own;
  alea_status status = read_budget(agent, budget, &watch, &own);
  return status == ALEA_OK ? alea_player_start(agent->player, &own) : status;
}

alea_status alea_agent_think(alea_agent *agent, const alea_agent_budget *budget, alea_move *move) {
  alea_watch watch;
  alea_budget own;
  alea_status status = read_budget(agent, budget, &watch, &own);
  if (status != ALEA_OK) return status;
  status = alea_player_select(agent->player, &own, move);
  look(agent);
  return status;
}

void alea_agent_stop(alea_agent *agent) { atomic_store(&agent->stop, true); }

size_t alea_agent_analysis(alea_agent *agent, alea_choice *choices, size_t capacity,
                           alea_agent_report *report) {
  pthread_mutex_lock(&agent->lock);
  size_t count = agent->choices.count;
  for (size_t i = 0; i < count && i < capacity; i++) choices[i] = agent->choices.data[i];
  if (report != NULL && report->size >= sizeof agent->report) {
    size_t size = report->size;
    *report = agent->report;
    report->size = size;
  }
  pthread_mutex_unlock(&agent->lock);
  return count;
}

/* ---- telling ---- */

alea_status alea_agent_follow(alea_agent *agent, alea_state *state) {
  const alea_game *game = agent->rules->opened.game;
  const alea_move *joint = alea_state_last(state);
  uint32_t role = agent->player->setup.role;
  if (alea_state_rules(state) != agent->rules || joint == NULL) return ALEA_USAGE;
  alea_observation seen = {.own = joint[role], .joint = game->has_sees ? NULL : joint};
  alea_status status = ALEA_OK;
  if (game->has_sees) status = alea_cursor_percepts(alea_api_cursor(state), role, &seen.percepts);
  return status == ALEA_OK ? alea_player_observe(agent->player, &seen) : status;
}

/* Whether these are numbers of moves; that they are legal is the engines' business, which hold
 * where they are not. */
static bool are_moves(const alea_agent *agent, alea_move own, const alea_move *joint) {
  const alea_game *game = agent->rules->opened.game;
  if (own >= alea_game_move_count(game, agent->player->setup.role)) return false;
  for (uint32_t r = 0; joint != NULL && r < game->role_count; r++)
    if (joint[r] >= alea_game_move_count(game, r)) return false;
  return true;
}

alea_status alea_agent_observe(alea_agent *agent, alea_move own, const alea_move *joint,
                               const char *const *percepts, size_t count) {
  const alea_game *game = agent->rules->opened.game;
  if (game->has_sees != (joint == NULL)) return ALEA_USAGE;
  if (!are_moves(agent, own, joint)) return ALEA_INPUT;
  alea_u32s told = {0};
  alea_status status = ALEA_OK;
  for (size_t i = 0; status == ALEA_OK && i < count; i++) {
    uint32_t percept = alea_game_percept_find(game, percepts[i]);
    if (percept == ALEA_NO_PERCEPT)
      status = ALEA_INPUT;
    else if (!alea_vec_push(&agent->mem, &told, percept))
      status = alea_mem_lack(&agent->mem);
  }
  alea_observation seen = {.own = own, .joint = joint, .percepts = {told.data, (uint32_t)count}};
  if (status == ALEA_OK) status = alea_player_observe(agent->player, &seen);
  alea_vec_clear(&agent->mem, &told);
  return status;
}
