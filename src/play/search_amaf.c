/* Tree search: all moves as first. */
#include "play/search_amaf.h"

#include <string.h>

enum { MOST_HEARD = 1 << 15 }; /* moves that are kept of a line's games */

void alea_search_note_game(alea_search *search, alea_line *line, const alea_played *moves,
                           size_t count, const float *rewards) {
  const uint32_t *first = search->store.amaf_first;
  if (line->heard.count + count > MOST_HEARD) alea_search_spread_games(search, line);
  if (!alea_vec_reserve(search->mem, &line->heard, count)) return;
  for (size_t i = 0; i < count; i++) {
    uint32_t role = moves[i].role, index = first[role] + moves[i].move;
    if (index >= first[role + 1]) continue; /* found since */
    line->heard.data[line->heard.count++] = (alea_move_reward){index, rewards[role]};
  }
  for (uint32_t r = 0; r < search->setup->game->role_count; r++) line->rewards[r] += rewards[r];
  line->games++;
}

static bool is_taught(const alea_search *s, const alea_node *node) {
  return node->amaf != NULL || (node->choosers <= 1 && node->visits >= s->options.ref / 2);
}

bool alea_search_teaches(const alea_search *search, const alea_line *line) {
  for (size_t i = 0; alea_search_keeps_amaf(search) && i < line->path.count; i++)
    if (is_taught(search, alea_node_store_at(&search->store, line->path.data[i].id))) return true;
  return false;
}

/* The node's table; NULL: it has none. */
static alea_amaf *table_of(alea_search *s, const alea_stop *stop) {
  alea_node *node = alea_node_store_at(&s->store, stop->id);
  if (node->amaf == NULL && is_taught(s, node)) alea_node_store_give_amaf(&s->store, node);
  return node->amaf;
}

/* From the leaf up: what was made below a node was made below those above it, too. */
void alea_search_spread_games(alea_search *search, alea_line *line) {
  const uint32_t *first = search->store.amaf_first;
  alea_move_sums *sums = &search->move_sums;
  for (size_t i = 0; i < line->heard.count; i++)
    alea_move_sums_add(sums, line->heard.data[i].index, 1, line->heard.data[i].reward);
  size_t known = line->trace.count; /* moves of the line from here on are in the sums */
  for (size_t i = line->path.count; line->games > 0 && i-- > 0;) {
    const alea_stop *stop = &line->path.data[i];
    for (; known > stop->trace; known--) {
      alea_played made = line->trace.data[known - 1];
      uint32_t index = first[made.role] + made.move;
      if (index < first[made.role + 1])
        alea_move_sums_add(sums, index, (float)line->games, line->rewards[made.role]);
    }
    alea_amaf *table = table_of(search, stop);
    if (table != NULL) alea_move_sums_pour(sums, table);
  }
  alea_move_sums_empty(sums);
  memset(line->rewards, 0, search->setup->game->role_count * sizeof *line->rewards);
  line->heard.count = line->games = 0;
}
