/* Players that a program brings along, as classes of the registry.
 *
 * A guest is a player like any other: the manager tells it what its role is told.
 * For its author the position is kept as a state where everything is seen. */
#include <string.h>
#include <unistd.h>

#include "api/core.h"
#include "play/player.h"

/* A registered class; lives until the program ends. */
typedef struct guest_class {
  alea_player_class base;
  alea_agent_class given;
} guest_class;

typedef struct guest_player {
  alea_player base;
  alea_ruleset *rules; /* lent */
  alea_state *state;   /* NULL in games with percepts */
  void *self;
  bool made;
  bool lost;        /* it could not take what it was told, and is asked no more */
  pid_t home;       /* the process that a function of it was called in */
  alea_arena texts; /* of percepts */
  ALEA_VEC(const char *) percepts;
} guest_player;

static guest_class guests[ALEA_PLAYER_GUESTS];
static size_t guest_count;
static pthread_mutex_t registering = PTHREAD_MUTEX_INITIALIZER;

static const alea_agent_class *given_of(const guest_player *guest) {
  return &((const guest_class *)(const void *)guest->base.class)->given;
}

/* A copy of this process that a player has forked, and that comes back from its function, would
 * go on with the match as the first one does, on the same files and connections: it ends. */
static void leave_home(guest_player *guest) { guest->home = getpid(); }
static void come_home(const guest_player *guest) {
  if (getpid() != guest->home) _exit(0);
}

/* What the status of somebody else's function may mean to the match: there is a move, there is
 * none, or there was no time for one.  All else would be taken for the manager's fault. */
static alea_status tame(alea_status status) {
  return status == ALEA_OK || status == ALEA_LIMIT ? status : ALEA_NONE;
}

static alea_status guest_init(alea_player *player) {
  guest_player *guest = (guest_player *)player;
  const alea_agent_class *given = given_of(guest);
  const alea_player_setup *setup = &player->setup;
  alea_arena_init(&guest->texts, setup->mem);
  guest->rules = alea_api_lend(setup->game, setup->rewriting);
  if (guest->rules == NULL) return ALEA_SYSTEM;
  if (!setup->game->has_sees) {
    alea_status status = alea_state_new(&guest->state, guest->rules, setup->seed);
    if (status != ALEA_OK) return status;
  }
  const char *options = strchr(player->text, ':');
  alea_agent_seat seat = {.rules = guest->rules,
                          .role = setup->role,
                          .seed = setup->seed,
                          .options = options != NULL ? options + 1 : ""};
  leave_home(guest);
  alea_status status = given->make(given->context, &seat, &guest->self);
  come_home(guest);
  guest->made = status == ALEA_OK;
  if (!guest->made && player->message != NULL) {
    alea_text_format(player->message, "player '%s' could not be made", given->name);
    if (status != ALEA_NONE) alea_text_format(player->message, ": %s", alea_status_text(status));
  }
  return status;
}

static void guest_clear(alea_player *player) {
  guest_player *guest = (guest_player *)player;
  if (guest->made && given_of(guest)->free != NULL) given_of(guest)->free(guest->self);
  alea_state_free(guest->state);
  alea_ruleset_free(guest->rules);
  alea_vec_clear(player->setup.mem, &guest->percepts);
  alea_arena_clear(&guest->texts);
}

/* The deadline of the call, and whether somebody stops it, stand in its memory. */
static bool is_late(void *mem) { return alea_mem_late(mem); }

static alea_status guest_select(alea_player *player, const alea_budget *budget, alea_move *move) {
  guest_player *guest = (guest_player *)player;
  alea_agent_budget own = {.size = sizeof own, .sims = budget->sims, .seconds = budget->seconds};
  if (guest->lost) return ALEA_NONE;
  leave_home(guest);
  alea_status status =
      given_of(guest)->think(guest->self, guest->state, &own, is_late, player->setup.mem, move);
  come_home(guest);
  if (status == ALEA_OK && *move >= alea_game_move_count(player->setup.game, player->setup.role))
    status = ALEA_NONE;
  return tame(status);
}

static alea_status list_percepts(guest_player *guest, alea_list percepts) {
  alea_mem *mem = guest->base.setup.mem;
  alea_text text;
  alea_text_init(&text, mem);
  alea_arena_clear(&guest->texts);
  guest->percepts.count = 0;
  bool ok = true;
  for (uint32_t i = 0; ok && i < percepts.count; i++) {
    alea_text_truncate(&text, 0);
    alea_game_percept_text(guest->base.setup.game, percepts.ids[i], false, &text);
    const char *copy = alea_arena_strdup(&guest->texts, alea_text_string(&text), text.length);
    ok = !text.failed && copy != NULL && alea_vec_push(mem, &guest->percepts, copy);
  }
  alea_text_clear(&text);
  return ok ? ALEA_OK : alea_mem_lack(mem);
}

static alea_status guest_observe(alea_player *player, const alea_observation *seen) {
  guest_player *guest = (guest_player *)player;
  const alea_agent_class *given = given_of(guest);
  alea_status status = ALEA_OK;
  if (guest->state != NULL) status = alea_state_step(guest->state, seen->joint);
  if (status == ALEA_INPUT || status == ALEA_USAGE) { /* it has left its state somewhere else */
    guest->lost = true;
    return ALEA_OK;
  }
  if (status != ALEA_OK || given->observe == NULL || guest->lost) return status;
  status = list_percepts(guest, seen->percepts);
  if (status != ALEA_OK) return status;
  alea_agent_news news = {.own = seen->own,
                          .joint = seen->joint,
                          .percepts = guest->percepts.data,
                          .percept_count = guest->percepts.count,
                          .state = guest->state};
  leave_home(guest);
  guest->lost = given->observe(guest->self, &news) != ALEA_OK;
  come_home(guest);
  return ALEA_OK;
}

static bool is_name(const char *name) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-";
  return name != NULL && name[0] != '\0' && name[strspn(name, letters)] == '\0';
}

alea_status alea_agent_register(const alea_agent_class *agent_class) {
  alea_agent_class own = {.size = sizeof own};
  alea_status status = alea_api_options(&own, sizeof own, agent_class);
  if (status != ALEA_OK) return status;
  if (!is_name(own.name) || own.make == NULL || own.think == NULL) return ALEA_USAGE;
  pthread_mutex_lock(&registering);
  status = guest_count < ALEA_PLAYER_GUESTS ? ALEA_OK : ALEA_LIMIT;
  if (status == ALEA_OK) {
    guest_class *guest = &guests[guest_count];
    guest->given = own;
    guest->base = (alea_player_class){.name = own.name,
                                      .summary = own.summary != NULL ? own.summary : "",
                                      .size = sizeof(guest_player),
                                      .reads_text = true,
                                      .init = guest_init,
                                      .clear = guest_clear,
                                      .select = guest_select,
                                      .observe = guest_observe};
    status = alea_player_add_class(&guest->base);
    guest_count += status == ALEA_OK;
  }
  pthread_mutex_unlock(&registering);
  return status;
}
