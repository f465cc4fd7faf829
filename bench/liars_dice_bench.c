/* Liar's dice as it ships, solved by CFR+, and its strategies measured a second
 * time: by a best response that knows the game and nothing of public walks.
 *
 *   liars_dice_bench [ITERATIONS]
 *
 * It takes from the solver the table of weights, the shape of the tree and what
 * each hand has rolled.  Bids, doubts, dice and payoffs are its own. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "equilibrium/cfr_plus.h"
#include "match/open.h"

enum { HANDS = 21, FACES = 6, BIDS = 24, LIAR = 0, MOST_STATES = 256 };

typedef struct dice_hand {
  int dice[2];
  double weight; /* probability of being thrown */
} dice_hand;

typedef struct measure {
  const alea_public_graph *graph;
  const alea_move_weights *strategy;
  dice_hand hands[2][HANDS];
  /* By edge: a bid 1 .. 24, or LIAR, and which of the moves it is. */
  int actions[MOST_STATES][BIDS + 1];
  uint32_t moves[MOST_STATES][BIDS + 1];
  uint64_t nodes;
} measure;

/* ---- what is taken from the solver ---- */

/* What is seen on the way to a hand, the last first. */
static int read_dice(const alea_public_graph *graph, const alea_game *game, uint32_t view,
                     alea_text *text, int dice[2]) {
  int seen = 0;
  for (; view != ALEA_NO_VIEW; view = graph->views.list.data[view].before) {
    const alea_player_view *step = &graph->views.list.data[view];
    for (uint32_t k = 1; k < step->count; k++) {
      int die, face;
      alea_text_truncate(text, 0);
      alea_game_percept_text(game, graph->views.items.data[step->first + k], false, text);
      if (sscanf(alea_text_string(text), "(rolled %d %d)", &die, &face) == 2 && seen < 2)
        dice[seen++] = face;
    }
  }
  return seen;
}

static bool read_hands(measure *m, const alea_game *game, const alea_public_edge *throws) {
  alea_mem mem;
  alea_text text;
  bool good = true;
  alea_mem_init(&mem, 0);
  alea_text_init(&text, &mem);
  for (int p = 0; p < 2; p++)
    for (uint32_t h = 0; h < HANDS && good; h++) {
      dice_hand *hand = &m->hands[p][h];
      uint32_t view = m->graph->steps.data[throws->links[p] + h];
      good = read_dice(m->graph, game, view, &text, hand->dice) == 2;
      hand->weight = (hand->dice[0] == hand->dice[1] ? 1 : 2) / 36.0;
    }
  alea_text_clear(&text);
  return good;
}

/* The edges of a state in which 'mover' chooses. */
static bool read_actions(measure *m, const alea_game *game, uint32_t id, uint32_t mover) {
  const alea_public_graph *graph = m->graph;
  const alea_public_state *state = &graph->states.data[id];
  alea_mem mem;
  alea_text text;
  bool good = id < MOST_STATES && state->edges <= BIDS + 1 && state->even[mover] == state->edges;
  alea_mem_init(&mem, 0);
  alea_text_init(&text, &mem);
  for (uint32_t e = 0; e < state->edges && good; e++) {
    const alea_public_edge *edge = &graph->edges.data[state->first_edge + e];
    const uint32_t *links = graph->links.data + edge->links[mover];
    uint32_t move = m->moves[id][e] = links[0] / HANDS;
    /* Hands stay in their order, and all make this move. */
    if (graph->states.data[edge->child].end == ALEA_NO_END)
      for (uint32_t h = 0; h < HANDS; h++) good = good && links[h] == move * HANDS + h;
    int count, face;
    alea_text_truncate(&text, 0);
    alea_game_move_text(game, graph->roles[mover],
                        graph->move_ids.data[state->move_ids[mover] + move], false, &text);
    m->actions[id][e] = LIAR;
    if (sscanf(alea_text_string(&text), "(bid %d %d)", &count, &face) == 2)
      m->actions[id][e] = (count - 1) * FACES + face;
    else
      good = strcmp(alea_text_string(&text), "liar") == 0;
  }
  alea_text_clear(&text);
  return good;
}

/* ---- the game ---- */

static int shown(const dice_hand *hand, int face) {
  return (hand->dice[0] == face) + (hand->dice[1] == face);
}

/* The bid is doubted: what the hands of 'player' win, against hands that are
 * reached like this. */
static void doubt(const measure *m, uint32_t player, uint32_t bidder, int bid, const double *reach,
                  double *values) {
  int face = (bid - 1) % FACES + 1, count = (bid - 1) / FACES + 1;
  double by_count[3] = {0};
  for (int h = 0; h < HANDS; h++) by_count[shown(&m->hands[!player][h], face)] += reach[h];
  for (int h = 0; h < HANDS; h++) {
    int mine = shown(&m->hands[player][h], face);
    values[h] = 0;
    for (int c = 0; c < 3; c++)
      if ((mine + c >= count) == (player == bidder)) values[h] += by_count[c];
  }
}

/* Probabilities of the moves of the mover's hands, move by move. */
static void load_strategy(const measure *m, uint64_t place, uint32_t moves,
                          double shares[BIDS + 1][HANDS]) {
  double weights[(BIDS + 1) * HANDS];
  alea_move_weights_load(m->strategy, place, moves * HANDS, weights);
  for (int h = 0; h < HANDS; h++) {
    double total = 0;
    for (uint32_t k = 0; k < moves; k++) total += weights[k * HANDS + h];
    for (uint32_t k = 0; k < moves; k++)
      shares[k][h] = total > 0 ? weights[k * HANDS + h] / total : 1.0 / moves;
  }
}

/* The values of the hands of 'player', who answers the other's strategy as well
 * as possible; 'bid' is the last one, made by the one who does not move. */
static void respond(measure *m, uint32_t player, uint32_t mover, int bid, uint32_t id,
                    uint64_t place, const double *reach, double *values) {
  const alea_public_state *state = &m->graph->states.data[id];
  double shares[BIDS + 1][HANDS], below[HANDS], reached[HANDS];
  uint64_t next = place + (uint64_t)state->edges * HANDS;
  bool own = mover == player;
  m->nodes++;
  if (!own) load_strategy(m, place, state->edges, shares);
  for (int h = 0; h < HANDS; h++) values[h] = own ? -1 : 0;
  for (uint32_t e = 0; e < state->edges; e++) {
    const alea_public_edge *edge = &m->graph->edges.data[state->first_edge + e];
    int action = m->actions[id][e];
    for (int h = 0; h < HANDS; h++)
      reached[h] = own ? reach[h] : reach[h] * shares[m->moves[id][e]][h];
    if (action == LIAR)
      doubt(m, player, !mover, bid, reached, below);
    else if (action == BIDS) /* can only be doubted */
      doubt(m, player, mover, action, reached, below);
    else
      respond(m, player, !mover, action, edge->child, next, reached, below);
    for (int h = 0; h < HANDS; h++) {
      if (!own) values[h] += below[h];
      if (own && below[h] > values[h]) values[h] = below[h];
    }
    next += m->graph->states.data[edge->child].places;
  }
}

static double best_response(measure *m, uint32_t player) {
  const alea_public_edge *throws = &m->graph->edges.data[alea_public_root(m->graph)->first_edge];
  double reach[HANDS], values[HANDS], value = 0;
  for (int h = 0; h < HANDS; h++) reach[h] = m->hands[!player][h].weight;
  respond(m, player, 0, 0, throws->child, 0, reach, values);
  for (int h = 0; h < HANDS; h++) value += m->hands[player][h].weight * values[h];
  return value;
}

static bool prepare(measure *m, const alea_game *game) {
  const alea_public_graph *graph = m->graph;
  const alea_public_state *root = alea_public_root(graph);
  if (root->edges != 1 ||
      graph->states.data[graph->edges.data[root->first_edge].child].edges != BIDS)
    return false;
  bool good = read_hands(m, game, &graph->edges.data[root->first_edge]);
  for (size_t k = 0; k < graph->order.count && good; k++) {
    uint32_t id = graph->order.data[k];
    const alea_public_state *state = &graph->states.data[id];
    for (uint32_t p = 0; p < 2 && good; p++)
      if (state->chooses[p]) good = read_actions(m, game, id, p);
  }
  return good;
}

/* ---- the program ---- */

static int run(const alea_game *game, int iterations, alea_mem *mem) {
  alea_public_graph graph = {0};
  alea_cfr_plus cfr = {0};
  alea_exploitability found = {0};
  alea_public_options options = {.merge_hands = true};
  alea_status status = alea_public_graph_init(&graph, game, &options, mem, NULL);
  if (status == ALEA_OK) status = alea_cfr_plus_init(&cfr, &graph, mem);
  for (int i = 0; i < iterations && status == ALEA_OK; i++) alea_cfr_plus_run(&cfr);
  static measure m;
  m.graph = &graph;
  m.strategy = &cfr.averages;
  if (status == ALEA_OK && prepare(&m, game)) {
    alea_cfr_plus_measure(&cfr, &found);
    double first = best_response(&m, 0), second = best_response(&m, 1);
    printf(
        "%d iterations: exploitability %.9f by the solver, %.9f by this program "
        "(responses %.9f and %.9f, %" PRIu64 " nodes)\n",
        iterations, found.gap, (first + second - 1) / 2, first, second, m.nodes);
  } else {
    fprintf(stderr,
            "the game is not the liar's dice that this program knows, or memory is short\n");
    status = ALEA_INPUT;
  }
  alea_cfr_plus_clear(&cfr);
  alea_public_graph_clear(&graph);
  return (int)status;
}

int main(int argc, char **argv) {
  alea_open_options options = {.engine = ALEA_ENGINE_NET, .ground_seconds = 60};
  alea_opened opened;
  alea_mem mem;
  alea_mem_init(&mem, (size_t)4 << 30);
  alea_status status = alea_open(&opened, "liars-dice", &options, NULL);
  int result = status == ALEA_OK ? run(opened.game, argc > 1 ? atoi(argv[1]) : 128, &mem) : 1;
  alea_opened_clear(&opened);
  return result;
}
