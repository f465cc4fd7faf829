/* alea perft: counts sequences of joint moves. */
#include <inttypes.h>
#include <stdio.h>

#include "base/clock.h"
#include "cli/interrupt.h"
#include "cli/session.h"
#include "game/playout.h"

enum { DEEPEST = 200 };

/* clang-format off */
#define OPTIONS(row)                                                         \
  row(integer, depth, "4", 1, DEEPEST, "N", "longest sequence to count")     \
  row(real, seconds, "0", 0, 1e9, "S", "time limit; 0 is none")              \
  row(flag, json, "", 0, 0, "", "print one JSON object")                     \
  ALEA_OPEN_OPTIONS(row)
/* clang-format on */
ALEA_OPTION_TABLE(OPTIONS)

static const alea_command command = {
    .name = "perft",
    .operands = "GAME",
    .summary = "counts the sequences of joint moves",
    .details =
        "A terminal state has no continuation.  The time limit and Ctrl-C are exit status 4,\n"
        "a role without a legal move is exit status 3, after the counts that were complete.",
    .example = "alea perft tictactoe --depth 4",
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .least_operands = 1,
    .most_operands = 1,
};

/* Counts depth by depth, so that a limit leaves complete counts. */
static alea_status count(alea_cli_session *session, const values *v, uint64_t *counts,
                         uint32_t *done) {
  alea_deadline deadline = alea_deadline_in(v->seconds);
  deadline.stop = alea_cli_session_catch(session);
  alea_stuck stuck = {0};
  alea_status status = ALEA_OK;
  for (*done = 0; *done < v->depth; ++*done) {
    uint64_t now[DEEPEST];
    double start = alea_clock_wall();
    status = alea_perft_stuck(session->cursor, *done + 1, &deadline, now, &stuck, &session->mem);
    if (status == ALEA_OK)
      status =
          alea_stuck_report(&stuck, session->opened.game, session->opened.label, &session->diag);
    if (status == ALEA_LIMIT && !alea_cli_stopped() && alea_deadline_passed(&deadline))
      alea_diag_error(&session->diag, ((alea_place){0}), "time",
                      "time is up after %g s at depth %u (the limit is --seconds)", v->seconds,
                      *done + 1);
    if (status != ALEA_OK) break;
    counts[*done] = now[*done];
    if (v->json) continue;
    alea_text_format(&session->out, "depth %2u  %20" PRIu64 "  %9.3f s\n", *done + 1, counts[*done],
                     alea_clock_wall() - start);
    if ((status = alea_cli_write(&session->out)) != ALEA_OK) break;
  }
  return status;
}

static alea_status print_json(alea_cli_session *session, const uint64_t *counts, uint32_t done) {
  alea_json json;
  alea_json_start(&json, &session->out);
  alea_json_open(&json, '{');
  alea_json_put_string(&json, "game", session->opened.label);
  alea_json_key(&json, "counts");
  alea_json_open(&json, '[');
  for (uint32_t i = 0; i < done; i++) alea_json_count(&json, counts[i]);
  alea_json_close(&json, ']');
  alea_json_close(&json, '}');
  alea_text_char(&session->out, '\n');
  return alea_cli_write(&session->out);
}

int alea_cli_perft(int argc, char **argv) {
  values v;
  int operands, result = alea_cli_begin(&command, &v, argc, argv, &operands);
  if (result >= 0) return result;
  alea_open_options options = ALEA_OPEN_OPTIONS_OF(&v);
  alea_cli_session session;
  alea_status status = alea_cli_open(&session, argv[1], &options);
  if (status == ALEA_OK) {
    uint64_t counts[DEEPEST];
    uint32_t done = 0;
    alea_cli_progress *progress = alea_cli_progress_start("counting", v.seconds);
    status = count(&session, &v, counts, &done);
    alea_cli_progress_stop(progress);
    if (v.json && (status == ALEA_OK || status == ALEA_INPUT || status == ALEA_LIMIT)) {
      alea_status written = print_json(&session, counts, done);
      if (written != ALEA_OK) status = written;
    }
  }
  return alea_cli_close(&session, status);
}
