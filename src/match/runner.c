/* The manager of matches. */
#include "match/runner.h"

#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "base/hash.h"
#include "encode/services.h"
#include "game/listing.h"
#include "game/stuck.h"
#include "gpu/sampler.h"
#include "propnet/lanes.h"

/* One player and its resources. */
typedef struct seat {
  alea_mem mem;
  alea_player *player;        /* NULL for chance and remote players */
  alea_remote_player *remote; /* NULL for all others */
  double seconds;             /* of its last move */
  const char *fault;          /* of its last move, "" for none */
  uint32_t missed;            /* moves in a row for which no answer came */
  bool aborted;               /* ABORT was sent and is to be answered */
} seat;

typedef struct match {
  const alea_match_options *options;
  const alea_opened *opened;
  const alea_game *game;
  alea_record *record;
  alea_mem *mem; /* the record's */
  alea_cursor *cursor;
  alea_listing listing;
  alea_text text;
  alea_rng chance; /* for moves of chance and replacements of bad moves */
  alea_match_sampler sampler;
  seat *seats;
  alea_move *joint, *spare; /* spare: the replacements */
} match;

/* The meaning of `auto` must not depend on a measurement: the same seed must
 * give the same match.  If memory for lanes is lacking, there are none. */
void alea_match_sampler_init(alea_match_sampler *sampler, const alea_opened *opened,
                             alea_engine engine, alea_mem *mem) {
  *sampler = (alea_match_sampler){.opened = opened,
                                  .wide = engine == ALEA_ENGINE_LANES || engine == ALEA_ENGINE_GPU};
  if (opened->gpu != NULL) alea_gpu_sampler_finish(opened->gpu); /* before clocks run */
  if (engine != ALEA_ENGINE_AUTO || opened->lanes_game == NULL) return;
  (void)alea_lanes_new(&sampler->lanes, alea_net_of_game(opened->lanes_game), ALEA_LANES_NARROW,
                       mem);
}

void alea_match_sampler_clear(alea_match_sampler *sampler) {
  alea_lanes_free(sampler->lanes);
  sampler->lanes = NULL;
}

alea_status alea_match_make_sampler(const void *context, uint64_t seed, alea_mem *mem,
                                    alea_sampler **sampler) {
  const alea_match_sampler *maker = context;
  if (maker->lanes != NULL)
    return alea_lanes_sampler_new_shared(sampler, maker->lanes, maker->opened->game, seed, mem);
  return alea_open_sampler(sampler, maker->opened, maker->wide, seed, mem);
}

/* ---- recording ---- */

static bool timed(const match *m) { return m->options->time > 0 || m->options->start > 0; }

static int64_t now_ms(const match *m) {
  struct timespec time;
  if (!timed(m)) return 0; /* the record must not differ from run to run */
  clock_gettime(CLOCK_REALTIME, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static double clock_now(const match *m) {
  return m->options->clock == ALEA_CLOCK_CPU ? alea_clock_thread() : alea_clock_wall();
}

/* Keeps the text in 'm->text' as a string of the record. */
static const char *keep_text(match *m) {
  if (m->text.failed) return NULL;
  return alea_arena_strdup(&m->record->arena, alea_text_string(&m->text), m->text.length);
}

static alea_status note_state(match *m) {
  alea_status status = alea_listing_fluents(&m->listing, m->cursor);
  if (status != ALEA_OK) return status;
  alea_text_truncate(&m->text, 0);
  alea_text_put(&m->text, "( ");
  for (size_t i = 0; i < m->listing.items.count; i++)
    alea_text_format(&m->text, "%s ", m->listing.items.data[i]);
  alea_text_char(&m->text, ')');
  const char *state = keep_text(m);
  bool good = state != NULL && alea_vec_push(m->mem, &m->record->states, state) &&
              alea_vec_push(m->mem, &m->record->state_times, now_ms(m));
  return good ? ALEA_OK : alea_mem_lack(m->mem);
}

static alea_status note_error(match *m, const char *error) {
  if (error[0] != '\0') m->record->faults++;
  return alea_vec_push(m->mem, &m->record->errors, error) ? ALEA_OK : alea_mem_lack(m->mem);
}

static alea_status note_moves(match *m) {
  for (uint32_t r = 0; r < m->game->role_count; r++) {
    alea_text_truncate(&m->text, 0);
    alea_game_move_text(m->game, r, m->joint[r], true, &m->text);
    const char *text = keep_text(m);
    if (text == NULL || !alea_vec_push(m->mem, &m->record->moves, text) ||
        !alea_vec_push(m->mem, &m->record->move_seconds, m->seats[r].seconds)) {
      return alea_mem_lack(m->mem);
    }
  }
  return ALEA_OK;
}

/* ---- the seats ---- */

/* The player of the 'index'-th role that is not chance. */
static size_t player_index(const match *m, uint32_t index) {
  return (index + m->options->rotate) % m->options->player_count;
}

/* Keeps the string and the name of the player of a role. */
static alea_status note_player(match *m, uint32_t role, size_t player) {
  const char *text = m->options->players[player];
  const char *name = m->options->names != NULL ? m->options->names[player] : text;
  alea_arena *arena = &m->record->arena;
  m->record->players[role] = alea_arena_strdup(arena, text, strlen(text));
  m->record->names[role] = alea_arena_strdup(arena, name, strlen(name));
  bool good = m->record->players[role] != NULL && m->record->names[role] != NULL;
  return good ? ALEA_OK : alea_mem_lack(m->mem);
}

/* A name that is valid in every dialect of the protocol and unique to the
 * match. */
static const char *match_id(match *m) {
  if (m->record->match_id != NULL) return m->record->match_id;
  if (m->options->match_id != NULL) return m->record->match_id = m->options->match_id;
  alea_text_truncate(&m->text, 0);
  alea_text_format(&m->text, "alea.%s.%llu.%lld", m->opened->label,
                   (unsigned long long)m->options->seed, (long long)m->record->start_time);
  for (size_t i = 0; i < m->text.length; i++) {
    char *c = &m->text.data[i];
    bool plain = (*c >= '0' && *c <= '9') || (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                 *c == '.';
    if (!plain) *c = '-';
  }
  return m->record->match_id = keep_text(m);
}

/* Leaves the seat empty if 'text' does not name a remote player. */
static alea_status open_remote(match *m, uint32_t role, const char *text, alea_text *message) {
  if (m->options->remote == NULL) return ALEA_OK;
  const char *known = m->record->match_id;
  alea_remote_player_setup setup = {
      .opened = m->opened,
      .role = role,
      .match = match_id(m),
      .preview = m->options->preview,
      .start = m->options->start,
      .time = m->options->time,
      .grace = m->options->grace,
      .seed = m->options->seed,
      .mem = &m->seats[role].mem,
  };
  if (setup.match == NULL) return alea_mem_lack(m->mem);
  alea_status status =
      m->options->remote(m->options->remote_context, text, &setup, &m->seats[role].remote, message);
  alea_remote_player *remote = m->seats[role].remote;
  if (remote != NULL) m->record->human[role] = remote->class->human;
  if (remote == NULL) m->record->match_id = known; /* players of this process need no id */
  return status;
}

static alea_status fill_seat(match *m, uint32_t role, uint32_t index, alea_diag *diag) {
  seat *s = &m->seats[role];
  alea_mem_init(&s->mem, 0);
  m->record->players[role] = m->record->names[role] = "random";
  if ((int)role == m->game->random_role) return ALEA_OK;
  const char *text = m->options->players[player_index(m, index)];
  alea_status status = note_player(m, role, player_index(m, index));
  if (status != ALEA_OK) return status;
  alea_player_setup setup = {
      .game = m->game,
      .role = role,
      .seed = alea_hash_join(m->options->seed, role + 1u),
      .mem = &s->mem,
      .sampler = alea_match_make_sampler,
      .sampler_context = &m->sampler,
      .services = m->opened->services,
      .rewriting = m->opened->rewriting,
      .evaluation = m->options->evaluation,
      .unhurried = true,
  };
  alea_text message;
  alea_text_init(&message, m->mem);
  status = open_remote(m, role, text, &message);
  if (status == ALEA_OK && s->remote == NULL) {
    s->mem.given_up = m->options->stop; /* players elsewhere are still told that it is over */
    status = alea_player_new(&s->player, text, &setup, &message);
  }
  if (status != ALEA_OK && message.length > 0)
    alea_diag_error(diag, ((alea_place){0}), "player", "%s", alea_text_string(&message));
  alea_text_clear(&message);
  return status;
}

static alea_status sit_all(match *m, alea_diag *diag) {
  uint32_t roles = m->game->role_count, players = roles - (m->game->random_role >= 0);
  if (m->options->player_count != players) {
    alea_diag_error(diag, ((alea_place){0}), "player", "%s needs %u player%s, not %zu",
                    m->opened->label, players, players == 1 ? "" : "s", m->options->player_count);
    return ALEA_USAGE;
  }
  alea_status status = ALEA_OK;
  for (uint32_t r = 0, index = 0; status == ALEA_OK && r < roles; r++) {
    status = fill_seat(m, r, index, diag);
    if ((int)r != m->game->random_role) index++;
  }
  return status;
}

/* What a player says of its start clock goes into the record; without memory it does not. */
static void keep_note(match *m, uint32_t role) {
  alea_analysis analysis;
  if (m->options->start <= 0) return;
  alea_player_analyse(m->seats[role].player, &analysis);
  if (analysis.note != NULL)
    m->record->notes[role] =
        alea_arena_strdup(&m->record->arena, analysis.note, strlen(analysis.note));
}

static void stand_up(match *m) {
  for (uint32_t r = 0; m->seats != NULL && r < m->game->role_count; r++) {
    if (m->seats[r].player != NULL) {
      m->record->stats[r] = m->seats[r].player->stats;
      keep_note(m, r);
    }
    alea_player_free(m->seats[r].player);
    if (m->seats[r].remote != NULL) m->seats[r].remote->class->free(m->seats[r].remote);
  }
}

/* ---- playing ---- */

static alea_budget budget_of(const match *m, bool start) {
  return (alea_budget){.sims = start ? 0 : m->options->sims,
                       .seconds = start ? m->options->start : m->options->time,
                       .clock = m->options->clock,
                       .stop = m->options->stop};
}

typedef void remote_call(alea_remote_player *remote, const alea_remote_player_step *step);
enum call { PREVIEW, START, PLAY, STOP };

/* Sends the same request to all remote players. */
static void call_remotes(match *m, enum call call, const alea_move *joint) {
  alea_remote_player_step step = {m->cursor, joint};
  for (uint32_t r = 0; r < m->game->role_count; r++) {
    alea_remote_player *remote = m->seats[r].remote;
    if (remote == NULL) continue;
    const alea_remote_player_class *class = remote->class;
    remote_call *const calls[] = {class->preview, class->start, class->play, class->stop};
    calls[call](remote, &step);
  }
}

/* Reads the answer of a remote player into 'm->text'; returns the error for the
 * record if there was no move to read. */
static const char *collect(match *m, uint32_t role) {
  seat *s = &m->seats[role];
  alea_text_truncate(&m->text, 0);
  alea_remote_player_answer answer = s->remote->class->answer(s->remote, &m->text);
  s->seconds = answer.seconds;
  if (answer.kind == ALEA_REMOTE_PLAYER_LATE) return "TO";
  return answer.kind == ALEA_REMOTE_PLAYER_LOST || m->text.failed ? "CE" : "";
}

/* Shows the rules to remote players; what they answer does not matter. */
static void preview_all(match *m) {
  if (m->options->preview <= 0) return;
  call_remotes(m, PREVIEW, NULL);
  for (uint32_t r = 0; r < m->game->role_count; r++)
    if (m->seats[r].remote != NULL) (void)collect(m, r);
}

static alea_status start_all(match *m) {
  alea_budget budget = budget_of(m, true);
  uint32_t roles = m->game->role_count;
  alea_status status = ALEA_OK;
  preview_all(m);
  call_remotes(m, START, NULL);
  for (uint32_t r = 0; r < roles; r++) {
    alea_player *player = m->seats[r].player;
    if (player != NULL) alea_player_expect(player, m->options->time, m->options->sims);
    bool good = player == NULL || alea_player_start(player, &budget) == ALEA_OK;
    m->seats[r].fault = good ? "" : "CE";
  }
  for (uint32_t r = 0; r < roles; r++)
    if (m->seats[r].remote != NULL) m->seats[r].fault = collect(m, r);
  for (uint32_t r = 0; status == ALEA_OK && r < roles; r++)
    status = note_error(m, m->seats[r].fault);
  return status;
}

/* Sends STOP at the end, ABORT before it, and ABORT to whoever does not answer
 * STOP: it may think that the match goes on. */
static void end_remotes(match *m) {
  bool completed = m->record->completed;
  if (completed) call_remotes(m, STOP, m->record->moves.count == 0 ? NULL : m->joint);
  for (uint32_t r = 0; r < m->game->role_count; r++) {
    alea_remote_player *remote = m->seats[r].remote;
    if (remote == NULL || (completed && collect(m, r)[0] == '\0')) continue;
    remote->class->abort(remote);
    m->seats[r].aborted = true;
  }
  for (uint32_t r = 0; r < m->game->role_count; r++)
    if (m->seats[r].aborted) (void)collect(m, r);
}

/* "IL <move>" for a move that is not legal. */
static const char *illegal(match *m, uint32_t role, alea_move move) {
  alea_text_truncate(&m->text, 0);
  alea_text_put(&m->text, "IL ");
  if (move < alea_game_move_count(m->game, role)) {
    alea_game_move_text(m->game, role, move, true, &m->text);
  } else {
    alea_text_put(&m->text, "null");
  }
  const char *text = keep_text(m);
  return text != NULL ? text : "IL null";
}

/* "IL <answer>". */
static const char *illegal_words(match *m) {
  const char *said = keep_text(m);
  if (said == NULL || said[0] == '\0') return "IL null";
  alea_text_truncate(&m->text, 0);
  alea_text_format(&m->text, "IL %s", said);
  const char *text = keep_text(m);
  return text != NULL ? text : "IL null";
}

/* Takes the move of a remote player. */
static alea_status collect_move(match *m, uint32_t role) {
  seat *s = &m->seats[role];
  s->fault = collect(m, role);
  s->missed = s->fault[0] != '\0' ? s->missed + 1 : 0;
  if (s->fault[0] != '\0') return ALEA_OK;
  alea_move move = alea_game_move_find(m->game, role, alea_text_string(&m->text));
  bool legal = false;
  alea_status status =
      move != ALEA_NO_MOVE ? alea_cursor_admits(m->cursor, role, move, &legal) : ALEA_OK;
  if (status != ALEA_OK) return status;
  if (m->text.length > 0 && legal) {
    m->joint[role] = move;
  } else {
    s->fault = illegal_words(m);
  }
  return ALEA_OK;
}

/* Lets a player of this process choose. */
static alea_status let_choose(match *m, seat *s, const alea_budget *budget, alea_move *move) {
  const alea_match_options *o = m->options;
  bool told = o->ask != NULL && budget->seconds > 0;
  if (told) o->ask(o->ask_context, budget->seconds + o->grace);
  alea_status status = alea_player_select(s->player, budget, move);
  if (told) o->ask(o->ask_context, 0);
  return status;
}

/* Asks a player of this process for its part of the joint move. */
static alea_status ask(match *m, uint32_t role) {
  seat *s = &m->seats[role];
  alea_budget budget = budget_of(m, false);
  alea_move move = ALEA_NO_MOVE;
  double before = timed(m) ? clock_now(m) : 0;
  alea_status status = let_choose(m, s, &budget, &move);
  s->seconds = timed(m) ? clock_now(m) - before : 0;
  if (status != ALEA_OK) {
    s->fault = status == ALEA_NONE ? "IL null" : "CE";
    return ALEA_OK;
  }
  if (budget.seconds > 0 && s->seconds > budget.seconds + m->options->grace) {
    s->fault = "TO";
    return ALEA_OK;
  }
  bool legal;
  if ((status = alea_cursor_admits(m->cursor, role, move, &legal)) != ALEA_OK) return status;
  if (legal) {
    m->joint[role] = move;
  } else {
    s->fault = illegal(m, role, move);
  }
  return ALEA_OK;
}

static bool stopped(const match *m) {
  return m->options->stop != NULL && atomic_load(m->options->stop);
}

/* Collects all moves, with replacements for bad ones; remote players think
 * while ours do. */
static alea_status ask_all(match *m) {
  uint32_t roles = m->game->role_count;
  alea_status status = ALEA_OK;
  call_remotes(m, PLAY, m->record->moves.count == 0 ? NULL : m->joint);
  for (uint32_t r = 0; r < roles; r++) {
    m->joint[r] = m->spare[r];
    m->seats[r].seconds = 0;
    m->seats[r].fault = "";
  }
  for (uint32_t r = 0; status == ALEA_OK && r < roles; r++)
    if (m->seats[r].player != NULL) status = ask(m, r);
  for (uint32_t r = 0; status == ALEA_OK && r < roles; r++)
    if (m->seats[r].remote != NULL) status = collect_move(m, r);
  if (status == ALEA_OK && stopped(m)) return ALEA_LIMIT; /* nobody has thought to the end */
  for (uint32_t r = 0; status == ALEA_OK && r < roles; r++)
    status = note_error(m, m->seats[r].fault);
  return status;
}

/* Moves of chance, and the replacements for all other roles, are drawn
 * beforehand, so that faults do not change the moves of chance.  ALEA_NONE: a
 * role cannot move. */
static alea_status draw_spares(match *m) {
  for (uint32_t r = 0; r < m->game->role_count; r++) {
    alea_list legal;
    alea_status status = alea_cursor_legal(m->cursor, r, &legal);
    if (status != ALEA_OK) return status;
    if (legal.count == 0) return ALEA_NONE;
    m->spare[r] = legal.ids[alea_rng_below(&m->chance, legal.count)];
  }
  return ALEA_OK;
}

static alea_status tell_all(match *m) {
  for (uint32_t r = 0; r < m->game->role_count; r++) {
    if (m->seats[r].player == NULL) continue;
    alea_observation seen = {.own = m->joint[r]};
    alea_status status = ALEA_OK;
    if (m->game->has_sees) {
      status = alea_cursor_percepts(m->cursor, r, &seen.percepts);
    } else {
      seen.joint = m->joint;
    }
    /* A player that fails here will fail to move, which is recorded. */
    if (status == ALEA_OK) (void)alea_player_observe(m->seats[r].player, &seen);
    if (status != ALEA_OK) return status;
  }
  return ALEA_OK;
}

static alea_status one_step(match *m) {
  alea_status status = draw_spares(m);
  if (status == ALEA_OK) status = ask_all(m);
  if (status == ALEA_OK) status = note_moves(m);
  if (status == ALEA_OK) status = alea_cursor_play(m->cursor, m->joint);
  if (status == ALEA_OK) status = tell_all(m);
  return status == ALEA_OK ? note_state(m) : status;
}

static alea_status finish(match *m) {
  for (uint32_t r = 0; r < m->game->role_count; r++) {
    int goal;
    alea_status status = alea_cursor_goal(m->cursor, r, &goal);
    if (status != ALEA_OK) return status;
    m->record->goals[r] = goal > 0 ? goal : 0;
  }
  m->record->completed = true;
  return ALEA_OK;
}

/* Whether some remote player has missed too many moves. */
static bool forfeited(match *m) {
  bool some = false;
  for (uint32_t r = 0; m->options->forfeit_after > 0 && r < m->game->role_count; r++) {
    m->record->forfeited[r] = m->seats[r].missed >= m->options->forfeit_after;
    some = some || m->record->forfeited[r];
  }
  return some;
}

/* The match was stopped: what belongs to a step that was not made is dropped. */
static void drop_unfinished(match *m) {
  alea_record *record = m->record;
  size_t states = record->states.count, roles = record->roles;
  size_t steps = states > 0 ? states - 1 : 0;
  if (record->moves.count > steps * roles) record->moves.count = steps * roles;
  if (record->move_seconds.count > steps * roles) record->move_seconds.count = steps * roles;
  if (record->errors.count > states * roles) record->errors.count = states * roles;
}

static alea_status play(match *m, alea_match_step *step, void *context, alea_diag *diag) {
  alea_status status = start_all(m);
  if (status == ALEA_OK) status = note_state(m);
  if (status == ALEA_OK && step != NULL) status = step(context, m->cursor, NULL, m->record);
  for (uint32_t steps = 0; status == ALEA_OK; steps++) {
    bool terminal;
    if ((status = alea_cursor_terminal(m->cursor, &terminal)) != ALEA_OK) return status;
    if (terminal) return finish(m);
    if (steps == m->options->step_cap || stopped(m) || forfeited(m)) break;
    status = one_step(m);
    if (status == ALEA_NONE) status = alea_stuck_refuse(m->cursor, steps, m->opened->label, diag);
    if (status == ALEA_OK && step != NULL) status = step(context, m->cursor, m->joint, m->record);
  }
  m->record->aborted = true;
  if (status != ALEA_LIMIT || !stopped(m)) return status;
  drop_unfinished(m);
  return m->record->states.count > 0 ? ALEA_OK : ALEA_LIMIT;
}

/* ---- set up ---- */

/* 32 letters and digits; without a clock made from the seed, so that the same
 * match has the same token. */
static void make_token(match *m) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  uint64_t seed = m->options->seed, noise = 0;
  if (timed(m) && getrandom(&noise, sizeof noise, 0) != sizeof noise) noise = (uint64_t)now_ms(m);
  alea_rng rng;
  alea_rng_seed_stream(&rng, seed ^ noise, 0x746f6b656e);
  for (size_t i = 0; i + 1 < sizeof m->record->token; i++)
    m->record->token[i] = letters[alea_rng_below(&rng, sizeof letters - 1)];
}

/* Memory for what a record has of every role. */
static alea_status open_roles(match *m) {
  alea_record *record = m->record;
  size_t roles = m->game->role_count;
  record->players = alea_arena_alloc(&record->arena, roles * sizeof *record->players);
  record->names = alea_arena_alloc(&record->arena, roles * sizeof *record->names);
  record->goals = alea_arena_alloc(&record->arena, roles * sizeof *record->goals);
  record->stats = alea_arena_alloc(&record->arena, roles * sizeof *record->stats);
  record->human = alea_arena_alloc(&record->arena, roles * sizeof *record->human);
  record->forfeited = alea_arena_alloc(&record->arena, roles * sizeof *record->forfeited);
  record->notes = alea_arena_alloc(&record->arena, roles * sizeof *record->notes);
  if (record->players == NULL || record->names == NULL || record->goals == NULL ||
      record->stats == NULL || record->human == NULL || record->forfeited == NULL ||
      record->notes == NULL)
    return alea_mem_lack(m->mem);
  memset(record->human, 0, roles * sizeof *record->human);
  memset(record->forfeited, 0, roles * sizeof *record->forfeited);
  memset(record->stats, 0, roles * sizeof *record->stats);
  for (size_t r = 0; r < roles; r++) record->notes[r] = NULL;
  return ALEA_OK;
}

static alea_status open_record(match *m) {
  alea_record *record = m->record;
  const alea_match_options *options = m->options;
  record->game = m->opened->label;
  record->roles = m->game->role_count;
  record->role_names = m->game->role_text;
  record->random_role = m->game->random_role;
  record->seed = options->seed;
  record->game_url = options->game_url;
  record->event = options->event;
  record->preview_clock = options->preview > 0 ? options->preview : -1;
  record->start_clock = options->start;
  record->play_clock = options->time;
  record->sims = options->sims;
  record->start_time = now_ms(m);
  make_token(m);
  return open_roles(m);
}

static alea_status open_match(match *m) {
  uint32_t roles = m->game->role_count;
  alea_listing_init(&m->listing, m->mem);
  m->listing.spelling = true; /* ggp-base tells cellHolds from cellholds */
  alea_text_init(&m->text, m->mem);
  alea_rng_seed_stream(&m->chance, m->options->seed, 0x6368616e6365);
  m->seats = alea_mem_calloc(m->mem, roles, sizeof *m->seats);
  m->joint = alea_mem_calloc(m->mem, roles, sizeof *m->joint);
  m->spare = alea_mem_calloc(m->mem, roles, sizeof *m->spare);
  if (m->seats == NULL || m->joint == NULL || m->spare == NULL) return alea_mem_lack(m->mem);
  alea_status status = open_record(m);
  return status == ALEA_OK ? alea_cursor_new(m->game, m->mem, &m->cursor) : status;
}

static void close_match(match *m) {
  uint32_t roles = m->game->role_count;
  stand_up(m);
  alea_cursor_free(m->cursor);
  alea_listing_clear(&m->listing);
  alea_text_clear(&m->text);
  alea_mem_free(m->mem, m->seats, roles * sizeof *m->seats);
  alea_mem_free(m->mem, m->joint, roles * sizeof *m->joint);
  alea_mem_free(m->mem, m->spare, roles * sizeof *m->spare);
}

alea_status alea_match_run(alea_record *record, const alea_opened *opened,
                           const alea_match_options *options, alea_match_step *step, void *context,
                           alea_diag *diag) {
  match m = {.options = options, .opened = opened, .game = opened->game, .record = record};
  m.mem = record->arena.mem;
  alea_deadline cancel = {.stop = options->stop};
  const alea_deadline *outer = m.mem->deadline;
  if (options->stop != NULL) m.mem->deadline = &cancel;
  if (options->stop != NULL) alea_services_give_up_on(opened->services, options->stop);
  alea_match_sampler_init(&m.sampler, opened, options->engine, m.mem);
  alea_status status = open_match(&m);
  if (status == ALEA_OK) status = sit_all(&m, diag);
  bool begun = status == ALEA_OK;
  if (status == ALEA_OK) status = play(&m, step, context, diag);
  if (begun) end_remotes(&m);
  close_match(&m);
  alea_match_sampler_clear(&m.sampler);
  m.mem->deadline = outer;
  if (options->stop != NULL) alea_services_give_up_on(opened->services, NULL);
  return status;
}
