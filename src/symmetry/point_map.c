/* Pairing the points of a ground program with those of a game. */
#include "symmetry/point_map.h"

#include "base/text.h"
#include "ground/fluent_map.h"
#include "propnet/propnet.h"

static void pair_points(alea_point_map *map, uint32_t ground, uint32_t game) {
  map->to_game[ground] = game;
  map->to_ground[game] = ground;
}

static bool pair_fluents(alea_point_map *map, const alea_game *game, const alea_ground *ground) {
  alea_fluent_map fluents;
  bool good = alea_fluent_map_init(&fluents, ground, game, map->mem);
  for (uint32_t f = 0; f < alea_net_of_game(game)->fluent_count && good; f++) {
    uint32_t found = alea_fluent_map_find(&fluents, f);
    if (found != UINT32_MAX) pair_points(map, found, f);
    good = !fluents.failed;
  }
  alea_fluent_map_clear(&fluents);
  return good;
}

static bool pair_moves(alea_point_map *map, const alea_game *game, const alea_ground *ground) {
  const alea_net *net = alea_net_of_game(game);
  alea_text text;
  alea_text_init(&text, map->mem);
  for (uint32_t r = 0; r < ground->role_count; r++)
    for (uint32_t i = ground->move_first[r]; i < ground->move_first[r + 1]; i++) {
      alea_text_truncate(&text, 0);
      alea_terms_print(ground->terms, ground->moves[i], false, &text);
      alea_move move = alea_game_move_find(game, r, alea_text_string(&text));
      if (move != ALEA_NO_MOVE)
        pair_points(map, ground->fluent_count + i, net->fluent_count + net->move_first[r] + move);
    }
  bool good = !text.failed;
  alea_text_clear(&text);
  return good;
}

alea_status alea_point_map_init(alea_point_map *map, const alea_game *game,
                                const alea_ground *ground, alea_mem *mem) {
  const alea_net *net = alea_net_of_game(game);
  *map = (alea_point_map){.mem = mem};
  if (net == NULL) return ALEA_UNSUPPORTED;
  map->ground_count = ground->fluent_count + ground->move_count;
  map->game_count = net->fluent_count + net->move_count;
  map->to_game = alea_mem_calloc(mem, map->ground_count, sizeof *map->to_game);
  map->to_ground = alea_mem_calloc(mem, map->game_count, sizeof *map->to_ground);
  bool good = map->to_game != NULL && map->to_ground != NULL;
  for (uint32_t p = 0; good && p < map->ground_count; p++) map->to_game[p] = UINT32_MAX;
  for (uint32_t p = 0; good && p < map->game_count; p++) map->to_ground[p] = UINT32_MAX;
  if (good && pair_fluents(map, game, ground) && pair_moves(map, game, ground)) return ALEA_OK;
  alea_point_map_clear(map);
  return alea_mem_lack(mem);
}

void alea_point_map_clear(alea_point_map *map) {
  if (map->mem == NULL) return;
  alea_mem_free(map->mem, map->to_game, map->ground_count * sizeof *map->to_game);
  alea_mem_free(map->mem, map->to_ground, map->game_count * sizeof *map->to_ground);
  *map = (alea_point_map){0};
}

bool alea_point_map_translate(const alea_point_map *map, const uint32_t *from, uint32_t *to) {
  for (uint32_t p = 0; p < map->game_count; p++) {
    uint32_t ground = map->to_ground[p];
    to[p] = ground == UINT32_MAX ? p : map->to_game[from[ground]];
    if (to[p] == UINT32_MAX) return false;
  }
  return true;
}
