/* The players `toss-uct-eval`, `toss-uct` and `toss-mc`: the searches of
 * structure rewriting games ([TOSS10 §5]). */
#include "play/toss.h"

#include <stdio.h>
#include <string.h>

#include "game/position.h"
#include "game/time_manager.h"
#include "minimax/eval_file.h"
#include "play/classes.h"
#include "propnet/propnet.h"
#include "toss/optimise.h"
#include "toss/uct.h"

/* clang-format off */
#define UCB_SCALES(word) word(UCB_NORMALISED, "normalised") word(UCB_PRINTED, "printed")
#define OPTIONS(row)                                                                         \
  row(integer, k, "0", 0, 1e15, "N", "K: plays per move, besides the budget; 0 is any number") \
  row(real, c, "1", 0, 100, "C", "C: weight of exploration")                                 \
  row(integer, e_n, "1", 0, 1000, "N", "E_n: plays of the evaluation per move; 0 is its value") \
  row(integer, e_prime, "1", 1, 1000, "N", "E': plays that the evaluation of a new move counts") \
  row(choice, ucb, "normalised", 0, 0, ALEA_CHOICE_WORDS(UCB_SCALES), "how UCB1-TUNED is scaled")     \
  row(integer, step_cap, "1000", 1, 1e9, "N", "steps after which a play is cut and its payoffs count") \
  row(text, eval, "", 0, 0, "FILE", "evaluation from 'alea learn'; --eval if absent")
/* clang-format on */
ALEA_OPTION_TABLE(OPTIONS)
enum { UCB_SCALES(ALEA_CHOICE_CONSTANT) };

typedef struct toss_player {
  alea_player player; /* first: it is an alea_player */
  alea_game *source;  /* the interpreter */
  alea_toss_evaluation *evaluation;
  alea_toss_arena arena;
  alea_toss_uct *uct;
  alea_u64s root; /* the position, in the arena's words */
  alea_text text;
  bool searched; /* the tree is that of the present position */
  ALEA_VEC(alea_choice) choices;
  alea_pace pace;
} toss_player;

static toss_player *self_of(alea_player *player) { return (toss_player *)(void *)player; }

alea_status alea_play_toss_network(alea_game **game, const alea_ground *ground, alea_mem *mem) {
  alea_net_options options = {.aim = ALEA_NET_FEW_CHANGES};
  alea_net *net = NULL;
  alea_status status = alea_net_new(&net, ground, &options, mem, NULL);
  return status == ALEA_OK ? alea_net_game_new(game, net, mem) : status;
}

/* ---- setting up ---- */

static alea_status open_source(toss_player *self) {
  alea_player *player = &self->player;
  const char *text = player->setup.rewriting;
  if (text == NULL) {
    alea_text_format(player->message,
                     "player '%s' plays structure rewriting games (.toss) only, and this is none",
                     player->class->name);
    return ALEA_USAGE;
  }
  alea_toss_file *file = NULL;
  alea_status status = alea_toss_read(&file, text, strlen(text), "game", player->setup.mem, NULL);
  if (status != ALEA_OK) return status;
  return alea_toss_game_new(&self->source, file, NULL, player->setup.mem, NULL);
}

static void explain(alea_text *message, const char *path, const alea_diag *diag) {
  for (size_t i = 0; i < diag->entries.count; i++) {
    const alea_diag_entry *e = &diag->entries.data[i];
    if (e->severity != ALEA_ERROR) continue;
    alea_text_format(message, "evaluation %s:%u: %s", path, e->place.line, e->message);
    return;
  }
}

static alea_status open_evaluation(toss_player *self, const char *path) {
  alea_mem *mem = self->player.setup.mem;
  alea_text text;
  alea_diag diag;
  alea_text_init(&text, mem);
  alea_diag_init(&diag, mem);
  alea_status status = alea_eval_file_text(path, &text, mem, self->player.message);
  if (status == ALEA_OK) {
    status = alea_toss_evaluation_new(&self->evaluation, self->source, alea_text_string(&text), mem,
                                      &diag);
    if (status != ALEA_OK) explain(self->player.message, path, &diag);
  }
  alea_diag_clear(&diag);
  alea_text_clear(&text);
  return status;
}

static alea_status keep_root(toss_player *self) {
  alea_mem *mem = self->player.setup.mem;
  alea_status status = alea_position_keep(&self->root, self->arena.cursor, mem);
  return status == ALEA_OK && self->root.count == 0 ? alea_mem_lack(mem) : status;
}

/* Judges the first moves once, so that an evaluation game that is too large to be
 * judged is refused before the match. */
static alea_status try_evaluation(toss_player *self, uint32_t plays, const char *path) {
  alea_toss_basic basic = {0};
  alea_toss_joints joints;
  alea_rng rng;
  bool over = self->evaluation == NULL || alea_toss_evaluation_is_list(self->evaluation);
  if (over) return ALEA_OK;
  alea_rng_seed(&rng, 1);
  alea_status status = alea_cursor_terminal(self->arena.cursor, &over);
  if (status != ALEA_OK || over) return status;
  status = alea_toss_arena_joints(&self->arena, &joints);
  if (status == ALEA_OK) {
    status = alea_toss_basic_assess(&basic, &self->arena, &joints, plays, &rng);
  }
  alea_toss_basic_clear(&basic, self->player.setup.mem);
  if (status == ALEA_LIMIT && !self->player.setup.mem->hit_limit) {
    alea_text_format(self->player.message,
                     "evaluation %s: a game in it is too large for its value to be found; "
                     "play it instead, with e-n=1 or more and 'uniform' after GAME",
                     path);
    return ALEA_USAGE;
  }
  return status;
}

static alea_status set_up(toss_player *self, bool flat) {
  alea_player *player = &self->player;
  const values *v = player->values;
  alea_mem *mem = player->setup.mem;
  alea_text_init(&self->text, mem);
  const char *path = v->eval != NULL ? v->eval : player->setup.evaluation;
  bool wants = strcmp(player->class->name, "toss-uct-eval") == 0;
  if (!wants) path = v->eval; /* the plain ones use an evaluation only when told so */
  alea_status status = open_source(self);
  if (status == ALEA_OK && wants && path == NULL) {
    alea_text_format(player->message,
                     "player '%s' needs an evaluation: eval=FILE or --eval FILE, "
                     "which 'alea learn' writes",
                     player->class->name);
    status = ALEA_USAGE;
  }
  if (status == ALEA_OK && path != NULL) status = open_evaluation(self, path);
  if (status == ALEA_OK) {
    status = alea_toss_arena_open(&self->arena, self->source, self->evaluation,
                                  alea_play_toss_network, mem);
  }
  if (status == ALEA_OK) status = try_evaluation(self, (uint32_t)v->e_n, path);
  if (status != ALEA_OK) return status;
  alea_toss_uct_options options = {.c = v->c,
                                   .plays = (uint32_t)v->e_n,
                                   .weight = (uint32_t)v->e_prime,
                                   .printed = v->ucb == UCB_PRINTED,
                                   .flat = flat,
                                   .step_cap = (uint32_t)v->step_cap};
  self->uct = alea_toss_uct_new(&self->arena, &options, &player->rng, mem);
  return self->uct != NULL ? keep_root(self) : alea_mem_lack(mem);
}

static const char *file(const alea_player *player, bool *written) {
  *written = false;
  return ((const values *)player->values)->eval;
}

static alea_status init(alea_player *player) { return set_up(self_of(player), false); }
static alea_status init_flat(alea_player *player) { return set_up(self_of(player), true); }

static void clear(alea_player *player) {
  toss_player *self = self_of(player);
  alea_mem *mem = player->setup.mem;
  alea_toss_uct_free(self->uct);
  alea_toss_arena_close(&self->arena);
  alea_toss_evaluation_free(self->evaluation);
  alea_game_free(self->source);
  alea_text_clear(&self->text);
  alea_vec_clear(mem, &self->root);
  alea_vec_clear(mem, &self->choices);
}

/* ---- moves of the two games ---- */

static alea_move translate(toss_player *self, const alea_game *from, const alea_game *to,
                           uint32_t role, alea_move move) {
  alea_text_truncate(&self->text, 0);
  alea_game_move_text(from, role, move, true, &self->text);
  return alea_game_move_find(to, role, alea_text_string(&self->text));
}

/* The match's number of a move of the arena. */
static alea_move real_move(toss_player *self, uint32_t role, alea_move move) {
  alea_move known = alea_toss_arena_export(&self->arena, role, move);
  return translate(self, self->source, self->player.setup.game, role, known);
}

static alea_status go_to_root(toss_player *self) {
  return alea_cursor_load(self->arena.cursor, self->root.data, self->root.count);
}

/* The interpreter's numbers of a joint move of the match; open moves stay open.  False: it
 * does not know one of them. */
static bool import_joint(toss_player *self, const alea_move *from, alea_move *to) {
  for (uint32_t role = 0; role < self->arena.roles; role++) {
    to[role] = ALEA_NO_MOVE;
    if (from[role] == ALEA_NO_MOVE) continue;
    to[role] = translate(self, self->player.setup.game, self->source, role, from[role]);
    if (to[role] == ALEA_NO_MOVE) return false;
  }
  return true;
}

static alea_status observe(alea_player *player, const alea_observation *observation) {
  toss_player *self = self_of(player);
  alea_move joint[ALEA_TOSS_MOST_PLAYERS + 1];
  self->searched = false;
  if (observation->joint == NULL || !import_joint(self, observation->joint, joint))
    return ALEA_INPUT;
  alea_status status = go_to_root(self);
  if (status == ALEA_OK) status = alea_toss_arena_follow(&self->arena, joint);
  return status == ALEA_OK ? keep_root(self) : status;
}

/* ---- thinking ---- */

static alea_status think(toss_player *self, const alea_budget *budget) {
  const values *v = self->player.values;
  alea_budget limited = *budget;
  uint64_t done = 0;
  if (v->k > 0 && (limited.sims == 0 || limited.sims > (uint64_t)v->k))
    limited.sims = (uint64_t)v->k;
  alea_time_manager time_manager;
  alea_time_manager_start(&time_manager, &limited, &self->pace);
  alea_status status = alea_toss_uct_start(self->uct);
  self->searched = status == ALEA_OK;
  for (; status == ALEA_OK && !alea_time_manager_over(&time_manager, done); done++) {
    status = alea_toss_uct_iterate(self->uct);
  }
  alea_time_manager_stop(&time_manager);
  self->player.stats.sims += done;
  self->player.stats.nodes += alea_toss_uct_nodes(self->uct);
  return status;
}

static alea_status list_choices(toss_player *self) {
  uint32_t role = self->player.setup.role;
  alea_list legal;
  alea_status status = go_to_root(self);
  if (status == ALEA_OK) status = alea_cursor_legal(self->arena.cursor, role, &legal);
  self->choices.count = 0;
  for (uint32_t i = 0; status == ALEA_OK && i < legal.count; i++) {
    double plays, mean;
    if (!alea_toss_uct_action(self->uct, role, i, &plays, &mean)) break;
    alea_choice choice = {real_move(self, role, legal.ids[i]), (uint64_t)plays,
                          mean < 0 ? -1 : 100 * mean, ALEA_PROOF_NONE};
    if (!alea_vec_push(self->player.setup.mem, &self->choices, choice)) {
      status = alea_mem_lack(self->player.setup.mem);
    }
  }
  return status;
}

static alea_status select(alea_player *player, const alea_budget *budget, alea_move *move) {
  toss_player *self = self_of(player);
  uint32_t role = player->setup.role;
  alea_move joint[ALEA_TOSS_MOST_PLAYERS + 1];
  alea_list legal;
  bool terminal = false;
  self->searched = false;
  alea_status status = go_to_root(self);
  if (status == ALEA_OK) status = alea_cursor_terminal(self->arena.cursor, &terminal);
  if (status == ALEA_OK && terminal) return ALEA_NONE;
  if (status == ALEA_OK) status = alea_cursor_legal(self->arena.cursor, role, &legal);
  if (status != ALEA_OK || legal.count == 0) return status == ALEA_OK ? ALEA_NONE : status;
  if (legal.count == 1) {
    *move = real_move(self, role, legal.ids[0]);
    return *move != ALEA_NO_MOVE ? ALEA_OK : ALEA_SYSTEM;
  }
  status = think(self, budget);
  if (status == ALEA_OK) status = alea_toss_uct_choose(self->uct, joint);
  /* values between the grid points that the tree knows */
  if (status == ALEA_OK) status = alea_toss_optimise(&self->arena, joint, role);
  if (status == ALEA_OK) *move = real_move(self, role, joint[role]);
  if (status == ALEA_OK && *move == ALEA_NO_MOVE) status = ALEA_SYSTEM;
  return status;
}

/* Also while it thinks, between two plays, which begin at the tree's root wherever the
 * arena is. */
static void analyse(alea_player *player, alea_analysis *analysis) {
  toss_player *self = self_of(player);
  self->choices.count = 0;
  if (self->searched && list_choices(self) != ALEA_OK) return;
  for (size_t i = 0; i < self->choices.count; i++) {
    if (self->choices.data[i].value > analysis->value) {
      analysis->value = self->choices.data[i].value;
    }
  }
  analysis->choices = self->choices.data;
  analysis->count = self->choices.count;
}

static bool expect(alea_player *player, alea_cursor *cursor, const alea_u32s *before,
                   alea_move *joint, bool *proved) {
  toss_player *self = self_of(player);
  uint32_t roles = self->arena.roles;
  alea_move known[ALEA_TOSS_MOST_PLAYERS + 1];
  alea_u32s led = {0};
  (void)cursor; /* the tree is followed from its root, not looked up by position */
  *proved = false;
  bool there = self->searched && import_joint(self, joint, known) &&
               alea_vec_reserve(player->setup.mem, &led, before->count);
  for (size_t i = 0; there && i < before->count; i += roles)
    there = import_joint(self, before->data + i, led.data + i);
  there = there && alea_toss_uct_expect(self->uct, led.data, before->count / roles, known);
  for (uint32_t role = 0; there && role < roles; role++)
    joint[role] = translate(self, self->source, player->setup.game, role, known[role]);
  alea_vec_clear(player->setup.mem, &led);
  return there;
}

#define CLASS(id, word, sentence, starts, expects) \
  const alea_player_class alea_player_##id = {     \
      .name = word,                                \
      .summary = sentence,                         \
      .options = rows,                             \
      .option_count = sizeof rows / sizeof *rows,  \
      .values_size = sizeof(values),               \
      .size = sizeof(toss_player),                 \
      .file = file,                                \
      .init = starts,                              \
      .clear = clear,                              \
      .select = select,                            \
      .observe = observe,                          \
      .analyse = analyse,                          \
      .expect = expects,                           \
  }

CLASS(toss_uct_eval, "toss-uct-eval",
      "UCT of rewriting games, guided by a learnt evaluation (.toss only)", init, expect);
CLASS(toss_uct, "toss-uct", "UCT of rewriting games with UCB1-TUNED (.toss only)", init, expect);
CLASS(toss_mc, "toss-mc", "flat Monte Carlo of rewriting games (.toss only)", init_flat, NULL);
