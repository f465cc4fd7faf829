/* The network without memory: fail the first allocation, then the second, and
 * so on, until building and playing need no more of them. */
#include "cmocka_all.h"
#include "propnet/propnet.h"
#include "support/ground_maker.h"

/* Something of everything: cycles, turns, percepts, factors, pairs. */
static const char GAME[] =
    "role w\nrole b\nfluent cw 1\nfluent cb 0\nfluent p 0\nfluent q 1\nfluent r 0\n"
    "move w noop\nmove w go\nmove w stay\nmove w jump\nmove b noop\nmove b go\nmove b stay\n"
    "next cw cb\nnext cb cw\n"
    "legal w noop cb\nlegal w go cw\nlegal w stay cw\nrule j cw p\nlegal w jump j\n"
    "legal b noop cw\nlegal b go cb\nlegal b stay cb\n"
    "rule n w:go\nrule n p w:stay\nrule n p b:stay\nrule n p q r w:jump\nnext p n\n"
    "rule nq p q\nrule nq p r\nrule nq p ~cw\nnext q nq\nrule nr p q w:go\nnext r nr\n"
    "rule x y p\nrule x q r\nrule y x q\nrule y p ~r\n"
    "goal w 100 x\ngoal w 0 y\ngoal b 50 y\nterminal x\n"
    "rule s p q b:go\nsees w moved s\nsees b turn cw\n";

static alea_status use(const alea_ground *ground, alea_net_aim aim, alea_mem *mem) {
  alea_net_options options = {.aim = aim};
  alea_net *net = NULL;
  alea_game *game = NULL;
  alea_cursor *cursor = NULL;
  alea_status status = alea_net_new(&net, ground, &options, mem, NULL);
  if (status == ALEA_OK) status = alea_net_game_new(&game, net, mem);
  if (status == ALEA_OK) status = alea_cursor_new(game, mem, &cursor);
  for (int step = 0; status == ALEA_OK && step < 4; step++) {
    alea_list list;
    alea_move joint[2];
    for (uint32_t role = 0; role < 2; role++) {
      status = alea_cursor_legal(cursor, role, &list);
      joint[role] = list.ids[0];
    }
    if (status == ALEA_OK) status = alea_cursor_play(cursor, joint);
    if (status == ALEA_OK) status = alea_cursor_percepts(cursor, 1, &list);
  }
  alea_cursor_free(cursor);
  alea_game_free(game);
  return status;
}

static void survives_every_failure(void **state) {
  (void)state;
  alea_mem own;
  alea_mem_init(&own, 0);
  alea_ground *ground = ground_from_text(GAME, &own);
  for (int aim = ALEA_NET_FEW_GATES; aim <= ALEA_NET_FEW_CHANGES; aim++) {
    bool failed = true;
    uint64_t n = 1;
    for (; failed; n++) {
      alea_mem mem;
      alea_mem_init(&mem, 0);
      mem.fail_in = n;
      alea_status status = use(ground, (alea_net_aim)aim, &mem);
      assert_int_equal(mem.used, 0);
      failed = mem.fail_in == 0; /* else there was no n-th allocation */
      assert_int_equal(status, failed ? ALEA_SYSTEM : ALEA_OK);
    }
    assert_true(n > 50);
  }
  alea_ground_free(ground);
  assert_int_equal(own.used, 0);
}

static void a_limit_is_a_limit(void **state) {
  (void)state;
  alea_mem own;
  alea_mem_init(&own, 0);
  alea_ground *ground = ground_from_text(GAME, &own);
  for (size_t limit = 1; limit < 100000; limit += 997) {
    alea_mem mem;
    alea_mem_init(&mem, limit);
    alea_status status = use(ground, ALEA_NET_FEW_GATES, &mem);
    assert_true(status == ALEA_OK || status == ALEA_LIMIT);
    assert_int_equal(mem.used, 0);
  }
  alea_ground_free(ground);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(survives_every_failure),
      cmocka_unit_test(a_limit_is_a_limit),
  };
  return cmocka_run_group_tests_name("propnet memory", tests, NULL, NULL);
}
