/* Opening and closing the session of a command. */
#include "cli/session.h"

#include <assert.h>
#include <stdio.h>

#include "cli/interrupt.h"

static void print_new(alea_cli_session *session) {
  alea_diag rest = session->diag;
  rest.entries.data += session->printed;
  rest.entries.count -= session->printed;
  if (session->diag.entries.count > session->printed) alea_cli_print_brief(&rest);
  session->printed = session->diag.entries.count;
}

alea_status alea_cli_open(alea_cli_session *session, const char *game,
                          const alea_open_options *options) {
  *session = (alea_cli_session){0};
  alea_mem_init(&session->mem, 0);
  alea_diag_init(&session->diag, &session->mem);
  alea_text_init(&session->out, &session->mem);
  alea_cli_progress *progress = alea_cli_progress_start("reading the rules", 0);
  alea_status status = alea_open(&session->opened, game, options, &session->diag);
  alea_cli_progress_stop(progress);
  print_new(session);
  if (status == ALEA_OK) {
    status = alea_cursor_new(session->opened.game, &session->opened.mem, &session->cursor);
  }
  return status;
}

atomic_bool *alea_cli_session_catch(alea_cli_session *session) {
  atomic_bool *stop = alea_cli_catch_stop();
  session->stop = (alea_deadline){.stop = stop};
  session->mem.deadline = session->opened.mem.deadline = &session->stop;
  return stop;
}

/* What stayed undecided while it was played is told in full. */
static bool tell_notes(alea_cli_session *session) {
  alea_diag notes;
  alea_diag_init(&notes, &session->mem);
  if (session->opened.game != NULL) alea_game_notes(session->opened.game, &notes);
  alea_cli_print_codes(&notes);
  bool errors = notes.errors > 0;
  alea_diag_clear(&notes);
  return errors;
}

int alea_cli_close(alea_cli_session *session, alea_status status) {
  bool explained = session->diag.errors > 0;
  print_new(session);
  explained |= tell_notes(session);
  if (status == ALEA_LIMIT && !explained && alea_cli_stopped()) {
    (void)alea_cli_tell_stopped(status, "before the end; what was found so far is printed");
  } else if (status == ALEA_LIMIT && !explained) {
    bool memory = session->mem.hit_limit || session->opened.mem.hit_limit;
    alea_cli_fail(status, "%s: %s", session->opened.label,
                  memory ? "needs more memory than --memory allows; a larger value, or 0, raises it"
                         : "a limit of the options was reached: time, depth or size; --help names "
                           "them with their defaults");
  } else if (alea_status_exit(status) > ALEA_NO && !explained) {
    alea_cli_fail(status, "%s: %s", session->opened.label, alea_status_text(status));
  }
  alea_text_clear(&session->out);
  alea_diag_clear(&session->diag);
  alea_cursor_free(session->cursor);
  alea_opened_clear(&session->opened);
  /* All memory must have been freed, whatever happened. */
  assert(session->mem.used == 0 && session->opened.mem.used == 0);
  return (int)status;
}
