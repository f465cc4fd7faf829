/* Engines list the same moves in different orders after different plays: here
 * they are always ascending. */
#include "equilibrium/two_players.h"

#include <stdlib.h>
#include <string.h>

#include "game/stuck.h"

#define REFUSE ALEA_TWO_PLAYERS_REFUSE

static bool assign_roles(alea_two_players *two) {
  const alea_game *game = two->game;
  uint32_t chance = game->random_role >= 0 ? 1 : 0;
  if (game->role_count != 2 + chance) return false;
  for (uint32_t r = 0; r < game->role_count; r++)
    if ((int)r != game->random_role) two->roles[two->slots++] = r;
  if (chance) two->roles[two->slots++] = (uint32_t)game->random_role;
  return true;
}

alea_status alea_two_players_init(alea_two_players *two, const alea_game *game, alea_mem *mem,
                                  alea_diag *diag) {
  *two = (alea_two_players){.game = game, .mem = mem, .diag = diag};
  if (assign_roles(two)) return alea_cursor_new(game, mem, &two->cursor);
  return REFUSE(two, ALEA_UNSUPPORTED, "not-two-players",
                "equilibria are computed for games of two players; this one has %u",
                game->role_count - (game->random_role >= 0 ? 1 : 0));
}

void alea_two_players_clear(alea_two_players *two) {
  alea_cursor_free(two->cursor);
  for (uint32_t s = 0; s < ALEA_SLOTS; s++) alea_vec_clear(two->mem, &two->legal[s]);
  alea_vec_clear(two->mem, &two->items);
}

static int compare_ids(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static bool add_sorted(alea_u32s *to, alea_list list, alea_mem *mem) {
  if (list.count == 0) return true;
  if (!alea_vec_reserve(mem, to, list.count)) return false;
  memcpy(to->data + to->count, list.ids, list.count * sizeof *list.ids);
  qsort(to->data + to->count, list.count, sizeof *list.ids, compare_ids);
  to->count += list.count;
  return true;
}

alea_status alea_two_players_end(alea_two_players *two, int goals[2]) {
  for (int p = 0; p < 2; p++) {
    alea_status status = alea_cursor_goal(two->cursor, two->roles[p], &goals[p]);
    if (status != ALEA_OK) return status;
    if (goals[p] < 0) goals[p] = 0;
    if (goals[p] > 100) goals[p] = 100;
  }
  int sum = goals[0] + goals[1];
  if (two->has_sum && sum != two->sum)
    return REFUSE(two, ALEA_UNSUPPORTED, "not-constant-sum",
                  "the goals of both players add up to %d at one end and to %d at another: "
                  "CFR finds equilibria of constant-sum games only",
                  two->sum, sum);
  two->has_sum = true;
  two->sum = sum;
  return ALEA_OK;
}

alea_status alea_two_players_moves(alea_two_players *two) {
  for (uint32_t s = 0; s < two->slots; s++) {
    alea_list list;
    alea_status status = alea_cursor_legal(two->cursor, two->roles[s], &list);
    if (status != ALEA_OK) return status;
    if (list.count == 0)
      return alea_stuck_report(&(alea_stuck){true, two->roles[s], two->steps + 1}, two->game, NULL,
                               two->diag);
    two->legal[s].count = 0;
    if (!add_sorted(&two->legal[s], list, two->mem)) return alea_mem_lack(two->mem);
  }
  return ALEA_OK;
}

uint32_t alea_two_players_joint_count(const alea_two_players *two) {
  uint64_t count = 1;
  for (uint32_t s = 0; s < two->slots; s++) {
    count *= two->legal[s].count;
    if (count > UINT32_MAX) return UINT32_MAX;
  }
  return (uint32_t)count;
}

alea_status alea_two_players_play(alea_two_players *two, const uint64_t *words, size_t count,
                                  uint32_t index, uint32_t picks[ALEA_SLOTS],
                                  alea_move joint[ALEA_SLOTS]) {
  for (uint32_t s = two->slots; s-- > 0;) {
    uint32_t moves = (uint32_t)two->legal[s].count;
    picks[s] = index % moves;
    joint[two->roles[s]] = two->legal[s].data[picks[s]];
    index /= moves;
  }
  alea_status status = alea_cursor_load(two->cursor, words, count);
  return status == ALEA_OK ? alea_cursor_play(two->cursor, joint) : status;
}

alea_status alea_two_players_look(alea_two_players *two, uint32_t player,
                                  const alea_move joint[ALEA_SLOTS]) {
  uint32_t role = two->roles[player];
  two->items.count = 0;
  if (!two->game->has_sees) {
    for (uint32_t r = 0; r < two->game->role_count; r++)
      if (!alea_vec_push(two->mem, &two->items, joint[r])) return alea_mem_lack(two->mem);
    return ALEA_OK;
  }
  alea_list percepts;
  alea_status status = alea_cursor_percepts(two->cursor, role, &percepts);
  if (status != ALEA_OK) return status;
  bool good = alea_vec_push(two->mem, &two->items, joint[role]) &&
              add_sorted(&two->items, percepts, two->mem);
  return good ? ALEA_OK : alea_mem_lack(two->mem);
}
