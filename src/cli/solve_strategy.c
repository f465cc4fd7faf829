/* alea solve: the strategy of a strategic network. */
#include "cli/solve_strategy.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static alea_status draw(const alea_cli_strategy *wanted, const alea_strategy *strategy) {
  alea_text svg;
  alea_text_init(&svg, wanted->mem);
  alea_strategy_svg(strategy, &svg);
  alea_status status = svg.failed ? alea_mem_lack(wanted->mem) : ALEA_OK;
  if (status == ALEA_OK) {
    FILE *file = fopen(wanted->svg, "wb");
    bool good = file != NULL && fwrite(svg.data, 1, svg.length, file) == svg.length;
    if (file != NULL && fclose(file) != 0) good = false;
    if (!good)
      status = (alea_status)alea_cli_fail(ALEA_SYSTEM, "cannot write '%s': %s", wanted->svg,
                                          strerror(errno));
  }
  alea_text_clear(&svg);
  return status;
}

static alea_status show(const alea_cli_strategy *wanted, const alea_strategic *strategic,
                        alea_strategic_walk *walk) {
  alea_strategy strategy;
  alea_strategy_init(&strategy, strategic, wanted->mem);
  alea_status status = alea_strategy_grow(&strategy, walk, wanted->depth);
  const char *side = strategy.exists ? "existential" : "universal";
  if (status == ALEA_OK && wanted->print && wanted->json) {
    alea_text_format(wanted->out, ",\"side\":\"%s\",\"strategy\":", side);
    alea_strategy_json(&strategy, wanted->out);
  } else if (status == ALEA_OK && wanted->print) {
    alea_text_format(wanted->out, "the %s side wins:\n", side);
    alea_strategy_print(&strategy, wanted->out);
  }
  if (status == ALEA_OK && wanted->svg != NULL) status = draw(wanted, &strategy);
  if (status == ALEA_LIMIT && strategy.nodes.count >= 1000000)
    alea_cli_fail(ALEA_LIMIT, "the strategy has more than 1,000,000 nodes (less with --depth)");
  alea_strategy_clear(&strategy);
  return status;
}

static alea_status verify(const alea_cli_strategy *wanted, const alea_strategic *strategic,
                          alea_strategic_walk *walk) {
  uint64_t positions, plays;
  alea_text why;
  alea_text_init(&why, wanted->mem);
  alea_status status = alea_strategy_verify(strategic, walk, &positions, &plays, &why);
  if (status == ALEA_NO) {
    alea_cli_fail(ALEA_SYSTEM, "the strategy does not win: %s", alea_text_string(&why));
    status = ALEA_SYSTEM;
  } else if (status == ALEA_OK && wanted->json) {
    alea_text_format(wanted->out, ",\"verified\":{\"positions\":%" PRIu64 ",\"ends\":%" PRIu64 "}",
                     positions, plays);
  } else if (status == ALEA_OK) {
    alea_text_format(wanted->out,
                     "verified against every answer: %" PRIu64 " positions, %" PRIu64 " ends\n",
                     positions, plays);
  }
  alea_text_clear(&why);
  return status;
}

alea_status alea_cli_show_strategy(const alea_cli_strategy *wanted, const alea_strategic *strategic,
                                   const alea_strategic_options *options) {
  alea_strategic_walk *walk;
  if (!wanted->print && !wanted->verify && wanted->svg == NULL) return ALEA_OK;
  alea_status status = alea_strategic_walk_new(&walk, strategic, options);
  if (status == ALEA_OK && (wanted->print || wanted->svg != NULL))
    status = show(wanted, strategic, walk);
  if (status == ALEA_OK && wanted->verify) status = verify(wanted, strategic, walk);
  alea_strategic_walk_free(walk);
  return status;
}
