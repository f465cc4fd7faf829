/* Numbers of the game and of its ground program. */
#include "encode/stage_numbers.h"

#include <string.h>

#include "propnet/propnet.h"

static bool map_fluents(encode_numbers *n) {
  const alea_net *net = alea_net_of_game(n->game);
  uint32_t count = n->ground->fluent_count;
  if (net == NULL) return true;
  n->bits = true;
  n->fluents = net->fluent_count;
  n->game_fluent = alea_mem_alloc(n->mem, count * sizeof *n->game_fluent);
  if (n->game_fluent == NULL) return false;
  memset(n->game_fluent, 0xff, count * sizeof *n->game_fluent);
  for (uint32_t f = 0; f < net->fluent_count; f++) {
    uint32_t ground = alea_fluent_map_find(&n->texts, f);
    if (ground != UINT32_MAX) n->game_fluent[ground] = f;
  }
  return !n->texts.failed;
}

bool encode_numbers_map_moves(encode_numbers *n) {
  const alea_ground *g = n->ground;
  alea_text text;
  alea_text_init(&text, n->mem);
  bool good = true;
  for (uint32_t r = 0; r < g->role_count; r++)
    for (uint32_t m = g->move_first[r]; m < g->move_first[r + 1] && good; m++) {
      if (n->game_move[m] != ALEA_NO_MOVE) continue;
      alea_text_truncate(&text, 0);
      alea_terms_print(g->terms, g->moves[m], false, &text);
      alea_move move = alea_game_move_find(n->game, r, alea_text_string(&text));
      n->game_move[m] = move;
      if (move == ALEA_NO_MOVE) continue;
      while (n->ground_move[r].count <= move && good)
        good = alea_vec_push(n->mem, &n->ground_move[r], 0u);
      if (good) n->ground_move[r].data[move] = m - g->move_first[r] + 1;
    }
  good = good && !text.failed;
  alea_text_clear(&text);
  return good;
}

bool encode_numbers_init(encode_numbers *n, const alea_ground *ground, const alea_game *game,
                         alea_mem *mem) {
  *n = (encode_numbers){.mem = mem, .ground = ground, .game = game};
  n->game_move = alea_mem_alloc(mem, ground->move_count * sizeof *n->game_move);
  n->ground_move = alea_mem_calloc(mem, ground->role_count, sizeof *n->ground_move);
  if (n->game_move == NULL || n->ground_move == NULL) return false;
  memset(n->game_move, 0xff, ground->move_count * sizeof *n->game_move);
  return alea_fluent_map_init(&n->texts, ground, game, mem) && map_fluents(n) &&
         encode_numbers_map_moves(n);
}

void encode_numbers_clear(encode_numbers *n) {
  const alea_ground *g = n->ground;
  if (g == NULL) return;
  alea_fluent_map_clear(&n->texts);
  alea_mem_free(n->mem, n->game_fluent, g->fluent_count * sizeof *n->game_fluent);
  alea_mem_free(n->mem, n->game_move, g->move_count * sizeof *n->game_move);
  for (uint32_t r = 0; r < g->role_count && n->ground_move != NULL; r++)
    alea_vec_clear(n->mem, &n->ground_move[r]);
  alea_mem_free(n->mem, n->ground_move, g->role_count * sizeof *n->ground_move);
}
