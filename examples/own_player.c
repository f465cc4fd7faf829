/* A player of one's own, in a program that is otherwise `alea`.
 *
 *   cc own_player.c $(pkg-config --cflags --libs alea) -o my-alea
 *   ./my-alea match connect-four --player greedy --player random --sims 1
 *   ./my-alea tournament plan.yaml, ./my-alea serve --player greedy, ...
 *
 * It looks one step ahead: a move that wins at once, or else the first that is
 * legal. */
#include <alea/alea.h>
#include <stdlib.h>

typedef struct greedy {
  uint32_t role, roles;
} greedy;

static alea_status greedy_make(void *context, const alea_agent_seat *seat, void **self) {
  (void)context;
  greedy *made = malloc(sizeof *made);
  if (made == NULL) return ALEA_SYSTEM;
  *made = (greedy){.role = seat->role, .roles = alea_ruleset_role_count(seat->rules)};
  *self = made;
  return ALEA_OK;
}

/* The goal after 'move', with everybody else at random; -1 if the game goes on. */
static int try_move(const greedy *player, alea_state *state, alea_move move) {
  alea_move joint[16];
  for (uint32_t r = 0; r < player->roles && r < 16; r++)
    joint[r] = r == player->role ? move : ALEA_NO_MOVE;
  if (alea_state_step(state, joint) != ALEA_OK) return -1;
  int goal = alea_state_terminal(state) ? alea_state_goal(state, player->role) : -1;
  alea_state_undo(state);
  return goal;
}

static alea_status greedy_think(void *self, alea_state *state, const alea_agent_budget *budget,
                                bool (*stop)(void *), void *stop_context, alea_move *move) {
  greedy *player = self;
  (void)budget;
  if (state == NULL || player->roles > 16) return ALEA_UNSUPPORTED; /* it must see the board */
  alea_state *own;
  if (alea_state_clone(&own, state) != ALEA_OK) return ALEA_SYSTEM;
  size_t count;
  const alea_move *legal = alea_state_legal(state, player->role, &count);
  int best = -2;
  for (size_t i = 0; i < count && !(i > 0 && stop(stop_context)); i++) {
    int goal = try_move(player, own, legal[i]);
    if (goal <= best) continue;
    best = goal;
    *move = legal[i];
  }
  alea_state_free(own);
  return count > 0 ? ALEA_OK : ALEA_NONE;
}

int main(int argc, char **argv) {
  alea_agent_class greedy_class = {.size = sizeof greedy_class,
                                   .name = "greedy",
                                   .summary = "wins at once if it can",
                                   .make = greedy_make,
                                   .free = free,
                                   .think = greedy_think};
  if (alea_agent_register(&greedy_class) != ALEA_OK) return ALEA_SYSTEM;
  return alea_main(argc, argv);
}
