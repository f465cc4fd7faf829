/* Searches whose sampler plays in the background: two batches are in flight, and when a search
 * returns none is, whatever happened. */
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "cmocka_all.h"
#include "play/tree.h"
#include "support/match_run.h"

/* What a background sampler of the test does, and what has become of it. */
typedef struct account {
  uint64_t fails_at; /* the finish that fails; 0: none */
  uint64_t loses_at; /* the start from which on all is played at once; 0: never */
  atomic_bool *stop; /* raised ... */
  uint64_t stops_at; /* ... at this start; 0: never */
  uint64_t starts, finishes;
  uint32_t in_flight, most; /* at once */
  uint64_t leaves;          /* that were played before anything failed */
} account;

/* A batch in flight. */
typedef struct trip {
  const alea_sample_request *requests;
  size_t count;
  alea_sample_options options;
  alea_sample_result *results;
  uint64_t hash; /* of the positions */
  bool in_flight;
} trip;

/* Plays with the plain sampler, at the latest moment. */
typedef struct background {
  alea_sampler base;
  alea_mem *mem;
  account *account;
  alea_sampler *plain;
  trip trips[ALEA_SAMPLE_SLOTS];
} background;

static uint64_t hash_of(const alea_sample_request *requests, size_t count) {
  uint64_t hash = count;
  for (size_t i = 0; i < count; i++)
    hash = alea_hash_join(
        hash, alea_hash_bytes(requests[i].words, requests[i].word_count * sizeof(uint64_t)));
  return hash;
}

static void background_free(alea_sampler *sampler) {
  background *b = (background *)(void *)sampler;
  alea_sampler_free(b->plain);
  alea_mem_free(b->mem, b, sizeof *b);
}

static alea_status background_run(alea_sampler *sampler, const alea_sample_request *requests,
                                  size_t count, const alea_sample_options *options,
                                  alea_sample_result *results) {
  background *b = (background *)(void *)sampler;
  assert_int_equal(b->account->in_flight, 0);
  return alea_sampler_run(b->plain, requests, count, options, results);
}

static alea_status background_expand(alea_sampler *sampler, const uint64_t *words,
                                     size_t word_count, uint32_t role, const alea_move *moves,
                                     size_t move_count, const alea_move *others, bool *terminal,
                                     int *goals) {
  background *b = (background *)(void *)sampler;
  return alea_sampler_expand(b->plain, words, word_count, role, moves, move_count, others, terminal,
                             goals);
}

static alea_status background_start(alea_sampler *sampler, uint32_t slot,
                                    const alea_sample_request *requests, size_t count,
                                    const alea_sample_options *options, alea_sample_result *results,
                                    bool *in_flight) {
  background *b = (background *)(void *)sampler;
  account *a = b->account;
  trip *t = &b->trips[slot];
  assert_in_range(slot, 0, ALEA_SAMPLE_SLOTS - 1);
  assert_false(t->in_flight);
  a->starts++;
  if (a->stops_at != 0 && a->starts >= a->stops_at) atomic_store(a->stop, true);
  if (a->loses_at != 0 && a->starts >= a->loses_at) {
    a->leaves += count;
    return alea_sampler_run(b->plain, requests, count, options, results);
  }
  *t = (trip){.requests = requests, .count = count, .options = *options, .results = results};
  t->options.over = NULL; /* a launch is not given up */
  t->hash = hash_of(requests, count);
  t->in_flight = *in_flight = true;
  if (++a->in_flight > a->most) a->most = a->in_flight;
  return ALEA_OK;
}

static alea_status background_finish(alea_sampler *sampler, uint32_t slot) {
  background *b = (background *)(void *)sampler;
  account *a = b->account;
  trip *t = &b->trips[slot];
  assert_true(t->in_flight);
  assert_true(hash_of(t->requests, t->count) == t->hash); /* the positions are still there */
  t->in_flight = false;
  a->in_flight--;
  a->finishes++;
  if (a->fails_at != 0 && a->finishes >= a->fails_at) return ALEA_SYSTEM;
  a->leaves += t->count;
  return alea_sampler_run(b->plain, t->requests, t->count, &t->options, t->results);
}

static const alea_sampler_class background_class = {.engine = "background",
                                                    .free = background_free,
                                                    .run = background_run,
                                                    .expand = background_expand,
                                                    .start = background_start,
                                                    .finish = background_finish};

/* The game and the account of the samplers of a player. */
typedef struct maker {
  const alea_game *game;
  account *account;
} maker;

static alea_status make_background(const void *context, uint64_t seed, alea_mem *mem,
                                   alea_sampler **sampler) {
  const maker *m = context;
  *sampler = NULL;
  background *b = alea_mem_zalloc(mem, sizeof *b);
  if (b == NULL) return alea_mem_lack(mem);
  b->base = (alea_sampler){.class = &background_class, .game = m->game};
  b->mem = mem;
  b->account = m->account;
  alea_status status = alea_sampler_new_plain(&b->plain, m->game, seed, mem);
  if (status == ALEA_OK)
    *sampler = &b->base;
  else
    alea_mem_free(mem, b, sizeof *b);
  return status;
}

/* ---- a player with such a sampler ---- */

typedef struct seated {
  alea_opened opened;
  alea_mem mem;
  account account;
  maker maker;
  alea_player *player;
} seated;

static alea_status sit(seated *s, const char *game, const char *text, uint64_t fail_in) {
  alea_text message;
  alea_mem own;
  *s = (seated){0};
  open_game(&s->opened, game);
  alea_mem_init(&own, 0);
  alea_mem_init(&s->mem, 0);
  s->mem.fail_in = fail_in;
  s->maker = (maker){s->opened.game, &s->account};
  alea_player_setup setup = {.game = s->opened.game, .seed = 1, .mem = &s->mem};
  setup.sampler = make_background;
  setup.sampler_context = &s->maker;
  alea_text_init(&message, &own);
  alea_status status = alea_player_new(&s->player, text, &setup, &message);
  alea_text_clear(&message);
  return status;
}

static void rise(seated *s) {
  alea_player_free(s->player);
  assert_int_equal(s->mem.used, 0);
  alea_opened_clear(&s->opened);
}

static const alea_search *search_of(const seated *s) {
  return &((const alea_tree *)(const void *)s->player)->search;
}

/* In a game of two who share out 100 every visit of a node has brought its arms a sum of one: a
 * visit without is a loss that was counted for a batch in flight and not taken back.  Where values
 * are exact, rewards may have been replaced by them for one of the two. */
static void no_virtual_loss(const seated *s) {
  const alea_node_store *store = &search_of(s)->store;
  if (search_of(s)->options.exact && s->player->stats.exact > 0) return;
  for (uint32_t id = 1; id < store->nodes.count; id++) {
    const alea_node *node = alea_node_store_at(store, id);
    if (node == NULL) continue;
    uint32_t visits[2] = {0};
    double sum = 0;
    for (uint32_t r = 0; r < 2; r++)
      for (uint32_t a = node->firsts[r]; a < node->firsts[r + 1]; a++) {
        visits[r] += node->arms[a].visits;
        sum += (double)node->arms[a].sum;
      }
    assert_int_equal(visits[0], visits[1]);
    assert_true(visits[0] <= node->visits);
    assert_true(fabs(sum - visits[0]) < 1e-4 * visits[0] + 1e-6);
  }
}

static void nothing_in_flight(const seated *s) {
  const account *a = &s->account;
  assert_int_equal(a->in_flight, 0);
  assert_in_range(a->most, 0, 2);
  no_virtual_loss(s);
}

static uint32_t root_visits(const seated *s) {
  const alea_search *search = search_of(s);
  return alea_node_store_at(&search->store, search->root)->visits;
}

/* ---- what is asked for is played ---- */

static void simulations(void **state) {
  (void)state;
  static const char *const players[] = {"uct:batch=8,playouts=4", "uct:batch=64,playouts=1",
                                        "uct:batch=1,playouts=16", "grave:batch=8,playouts=2"};
  static const uint64_t counts[] = {16, 160, 2048, 4000};
  for (size_t p = 0; p < sizeof players / sizeof *players; p++)
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
      seated s;
      alea_move move;
      alea_budget budget = {.sims = counts[i]};
      assert_int_equal(sit(&s, "connect-four", players[p], 0), ALEA_OK);
      assert_int_equal(alea_player_select(s.player, &budget, &move), ALEA_OK);
      nothing_in_flight(&s);
      assert_int_equal(s.player->stats.sims, counts[i]);
      assert_int_equal(s.account.most, 2);
      assert_int_equal(s.account.starts, s.account.finishes);
      assert_int_equal(root_visits(&s), s.account.leaves + s.player->stats.exact);
      rise(&s);
    }
}

static void same_seed_same_search(void **state) {
  (void)state;
  static const char *const players[] = {"uct:batch=8,playouts=4", "grave:batch=8,playouts=2",
                                        "alea:playout=batch,batch=8"};
  for (size_t p = 0; p < sizeof players / sizeof *players; p++) {
    seated s[2];
    alea_move moves[2];
    alea_analysis found[2];
    alea_budget budget = {.sims = 3000};
    for (int i = 0; i < 2; i++) {
      assert_int_equal(sit(&s[i], "connect-four", players[p], 0), ALEA_OK);
      assert_int_equal(alea_player_select(s[i].player, &budget, &moves[i]), ALEA_OK);
      alea_player_analyse(s[i].player, &found[i]);
      nothing_in_flight(&s[i]);
    }
    assert_int_equal(moves[0], moves[1]);
    assert_int_equal(found[0].count, found[1].count);
    for (size_t i = 0; i < found[0].count; i++) {
      assert_int_equal(found[0].choices[i].visits, found[1].choices[i].visits);
      assert_true(found[0].choices[i].value == found[1].choices[i].value);
    }
    assert_memory_equal(&s[0].player->stats, &s[1].player->stats, sizeof s[0].player->stats);
    for (int i = 0; i < 2; i++) rise(&s[i]);
  }
}

/* ---- games to their end ---- */

static bool wins(alea_cursor *cursor, const uint64_t *words, size_t count, const alea_move *joint,
                 uint32_t role) {
  bool terminal;
  int goal = 0;
  assert_int_equal(alea_cursor_load(cursor, words, count), ALEA_OK);
  assert_int_equal(alea_cursor_play(cursor, joint), ALEA_OK);
  assert_int_equal(alea_cursor_terminal(cursor, &terminal), ALEA_OK);
  if (terminal) assert_int_equal(alea_cursor_goal(cursor, role, &goal), ALEA_OK);
  return goal == 100;
}

/* A match against whoever plays the first legal move, in which a move that wins is made where
 * there is one, and the tree is kept from move to move. */
static void winning_moves(const char *game, const char *text) {
  seated s;
  alea_cursor *cursor;
  uint64_t words[16];
  uint32_t won = 0;
  bool terminal = false;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  assert_int_equal(sit(&s, game, text, 0), ALEA_OK);
  assert_int_equal(alea_cursor_new(s.opened.game, &mem, &cursor), ALEA_OK);
  while (!terminal) {
    alea_move joint[2], chosen;
    alea_list legal[2];
    size_t count;
    bool winning = false;
    alea_budget budget = {.sims = 2000};
    const uint64_t *at = alea_cursor_state(cursor, &count);
    assert_true(count <= 16);
    memcpy(words, at, count * sizeof *words);
    for (uint32_t r = 0; r < 2; r++)
      assert_int_equal(alea_cursor_legal(cursor, r, &legal[r]), ALEA_OK);
    alea_move tries[64];
    uint32_t try_count = legal[0].count;
    assert_true(try_count <= 64);
    memcpy(tries, legal[0].ids, try_count * sizeof *tries);
    joint[1] = legal[1].ids[0];
    for (uint32_t i = 0; i < try_count && !winning; i++) {
      joint[0] = tries[i];
      winning = wins(cursor, words, count, joint, 0);
    }
    assert_int_equal(alea_player_select(s.player, &budget, &chosen), ALEA_OK);
    nothing_in_flight(&s);
    joint[0] = chosen;
    if (winning) assert_true(wins(cursor, words, count, joint, 0));
    won += winning;
    assert_int_equal(alea_cursor_load(cursor, words, count), ALEA_OK);
    assert_int_equal(alea_cursor_play(cursor, joint), ALEA_OK);
    assert_int_equal(alea_cursor_terminal(cursor, &terminal), ALEA_OK);
    alea_observation seen = {.own = chosen, .joint = joint};
    assert_int_equal(alea_player_observe(s.player, &seen), ALEA_OK);
  }
  assert_int_equal(won, 1);
  assert_int_equal(s.account.most, 2);
  alea_cursor_free(cursor);
  assert_int_equal(mem.used, 0);
  rise(&s);
}

static void wins_are_found(void **state) {
  (void)state;
  winning_moves("tictactoe", "uct:batch=8,playouts=4");
  winning_moves("tictactoe", "uct:batch=8,playouts=4,cache=off");
  winning_moves("connect-four", "uct:batch=16,playouts=2");
  winning_moves("connect-four", "alea:playout=batch,batch=8");
}

/* ---- it ends early ---- */

/* By the clock, or because somebody says so, at any start: what is in flight counts. */
static void time_is_over(void **state) {
  (void)state;
  for (uint64_t at = 0; at < 8; at++) {
    seated s;
    alea_move move;
    atomic_bool stop = false;
    alea_budget budget = {.seconds = at == 0 ? 0.02 : 0, .stop = &stop};
    assert_int_equal(sit(&s, "connect-four", "uct:batch=8,playouts=4", 0), ALEA_OK);
    s.account.stop = &stop;
    s.account.stops_at = at;
    assert_int_equal(alea_player_select(s.player, &budget, &move), ALEA_OK);
    nothing_in_flight(&s);
    if (at > 0) assert_int_equal(s.account.starts, at);
    assert_int_equal(s.account.finishes, s.account.starts);
    assert_int_equal(root_visits(&s), s.account.leaves + s.player->stats.exact);
    rise(&s);
  }
}

/* A sampler that fails: nothing of what came later is in the tree. */
static void sampler_fails(void **state) {
  (void)state;
  for (uint64_t at = 1; at < 8; at++) {
    seated s;
    alea_move move;
    alea_budget budget = {.sims = 4000};
    assert_int_equal(sit(&s, "connect-four", "uct:batch=8,playouts=4", 0), ALEA_OK);
    s.account.fails_at = at;
    assert_int_equal(alea_player_select(s.player, &budget, &move), ALEA_SYSTEM);
    nothing_in_flight(&s);
    assert_int_equal(s.account.finishes, at + 1); /* and the one beside it */
    assert_int_equal(root_visits(&s), s.account.leaves + s.player->stats.exact);
    s.account.fails_at = 0; /* it goes on */
    assert_int_equal(alea_player_select(s.player, &budget, &move), ALEA_OK);
    nothing_in_flight(&s);
    rise(&s);
  }
}

/* A sampler that plays at once from some batch on. */
static void background_is_lost(void **state) {
  (void)state;
  for (uint64_t at = 1; at < 8; at++) {
    seated s;
    alea_move move;
    alea_budget budget = {.sims = 4000};
    assert_int_equal(sit(&s, "connect-four", "uct:batch=8,playouts=4", 0), ALEA_OK);
    s.account.loses_at = at;
    assert_int_equal(alea_player_select(s.player, &budget, &move), ALEA_OK);
    nothing_in_flight(&s);
    assert_int_equal(s.account.finishes, at - 1);
    assert_int_equal(s.player->stats.sims, budget.sims);
    assert_int_equal(root_visits(&s), s.account.leaves + s.player->stats.exact);
    rise(&s);
  }
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  static const char *const players[] = {"uct:batch=4,playouts=2", "grave:ref=1,batch=4,playouts=2"};
  for (size_t p = 0; p < 2; p++) {
    bool failed = true;
    for (uint64_t n = 1; failed; n += 1 + n / 40) {
      seated s;
      alea_move move;
      alea_budget budget = {.sims = 600};
      alea_status status = sit(&s, "connect-four", players[p], n);
      if (status == ALEA_OK) {
        status = alea_player_select(s.player, &budget, &move);
        nothing_in_flight(&s);
      }
      failed = s.mem.fail_in == 0;
      assert_true(status == ALEA_OK || (failed && status == ALEA_SYSTEM));
      rise(&s);
    }
  }
}

/* ---- a batch by itself ---- */

static void start_and_finish_are_run(void **state) {
  (void)state;
  enum { LEAVES = 3 };
  alea_opened opened;
  alea_mem mem;
  account counts = {0};
  alea_leaf_batch batches[3]; /* two in flight, and one that is run */
  alea_rng rng, same;
  open_game(&opened, "tictactoe");
  alea_mem_init(&mem, 0);
  alea_rng_seed(&rng, 5);
  alea_rng_seed(&same, 5);
  maker with = {opened.game, &counts};
  alea_player_setup setup = {.game = opened.game, .mem = &mem}, plain = setup;
  setup.sampler = make_background;
  setup.sampler_context = &with;
  alea_leaf_batch_init(&batches[0], &setup);
  alea_leaf_batch_init(&batches[2], &plain);
  assert_int_equal(alea_leaf_batch_open(&batches[0], &setup, &rng), ALEA_OK);
  assert_int_equal(alea_leaf_batch_open(&batches[2], &plain, &same), ALEA_OK);
  alea_leaf_batch_share(&batches[1], &batches[0], 1);
  for (int i = 0; i < 3; i++)
    assert_int_equal(alea_leaf_batch_reserve(&batches[i], LEAVES), ALEA_OK);
  alea_sample_options options = {0};
  for (int i = 0; i < 2; i++) {
    for (uint32_t k = 0; k < LEAVES; k++) alea_leaf_batch_add(&batches[i], NULL, 0, 40 + k);
    assert_int_equal(alea_leaf_batch_start(&batches[i], &options), ALEA_OK);
    assert_true(batches[i].in_flight);
  }
  for (int i = 0; i < 2; i++) {
    assert_int_equal(alea_leaf_batch_finish(&batches[i]), ALEA_OK);
    assert_int_equal(alea_leaf_batch_finish(&batches[i]), ALEA_OK); /* nothing happens */
    alea_leaf_batch_begin(&batches[2]);
    for (uint32_t k = 0; k < LEAVES; k++) alea_leaf_batch_add(&batches[2], NULL, 0, 40 + k);
    assert_int_equal(alea_leaf_batch_start(&batches[2], &options), ALEA_OK);
    assert_false(batches[2].in_flight);
    assert_int_equal(alea_leaf_batch_finish(&batches[2]), ALEA_OK);
    for (uint32_t k = 0; k < LEAVES; k++) {
      float one[2], two[2];
      assert_int_equal(alea_leaf_batch_rewards(&batches[i], k, one), 40 + k);
      assert_int_equal(alea_leaf_batch_rewards(&batches[2], k, two), 40 + k);
      assert_memory_equal(one, two, sizeof one);
    }
  }
  assert_int_equal(counts.finishes, 2);
  for (int i = 3; i-- > 0;) alea_leaf_batch_clear(&batches[i]);
  assert_int_equal(mem.used, 0);
  alea_opened_clear(&opened);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(simulations),
                                     cmocka_unit_test(same_seed_same_search),
                                     cmocka_unit_test(wins_are_found),
                                     cmocka_unit_test(time_is_over),
                                     cmocka_unit_test(sampler_fails),
                                     cmocka_unit_test(background_is_lost),
                                     cmocka_unit_test(every_allocation_may_fail),
                                     cmocka_unit_test(start_and_finish_are_run)};
  return cmocka_run_group_tests_name("background", tests, NULL, NULL);
}
