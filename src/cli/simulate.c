/* alea simulate: applies given joint moves and prints every state. */
#include "cli/interrupt.h"
#include "cli/session.h"
#include "game/listing.h"
#include "game/stuck.h"
#include "match/moves.h"

/* clang-format off */
#define OPTIONS(row)                                                                     \
  row(text, moves, "", 0, 0, "FILE", "joint moves, one per line; - is standard input")   \
  row(flag, json, "", 0, 0, "", "print one JSON object per state")                       \
  ALEA_OPEN_OPTIONS(row)
/* clang-format on */
ALEA_OPTION_TABLE(OPTIONS)

static const alea_command command = {
    .name = "simulate",
    .operands = "GAME",
    .summary = "applies given joint moves and prints every state",
    .details =
        "A joint move is a line with one move per role, in role order, as GDL text:\n"
        "(mark 1 1) noop.  A line --- goes back to the initial state.  Without --moves\n"
        "only the initial state is printed.",
    .example = "echo '(mark 1 1) noop' | alea simulate tictactoe --moves - --json",
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .least_operands = 1,
    .most_operands = 1,
};

static void put_list(alea_json *json, const alea_listing *listing) {
  alea_json_open(json, '[');
  for (size_t i = 0; i < listing->items.count; i++) alea_json_string(json, listing->items.data[i]);
  alea_json_close(json, ']');
}

/* Prints one state; asks the cursor as it goes. */
typedef struct printer {
  alea_cli_session *session;
  alea_listing listing;
  uint64_t step;
  bool terminal;
} printer;

static alea_status json_goals(printer *p, alea_json *json) {
  alea_cursor *cursor = p->session->cursor;
  alea_json_key(json, "goals");
  alea_json_open(json, '{');
  for (uint32_t role = 0; role < cursor->game->role_count; role++) {
    int goal;
    alea_status status = alea_cursor_goal(cursor, role, &goal);
    if (status != ALEA_OK) return status;
    if (goal < 0) continue;
    alea_json_key(json, cursor->game->role_text[role]);
    alea_json_integer(json, goal);
  }
  alea_json_close(json, '}');
  return ALEA_OK;
}

/* No move is legal once the game is over. */
static alea_status json_legal(printer *p, alea_json *json) {
  alea_cursor *cursor = p->session->cursor;
  alea_json_key(json, "legal");
  alea_json_open(json, '{');
  for (uint32_t role = 0; role < cursor->game->role_count; role++) {
    p->listing.items.count = 0;
    alea_status status = p->terminal ? ALEA_OK : alea_listing_legal(&p->listing, cursor, role);
    if (status != ALEA_OK) return status;
    alea_json_key(json, cursor->game->role_text[role]);
    put_list(json, &p->listing);
  }
  alea_json_close(json, '}');
  return ALEA_OK;
}

static alea_status json_sees(printer *p, alea_json *json) {
  alea_cursor *cursor = p->session->cursor;
  alea_json_key(json, "sees");
  alea_json_open(json, '{');
  bool any = cursor->game->has_sees && p->step > 0;
  for (uint32_t role = 0; any && role < cursor->game->role_count; role++) {
    alea_status status = alea_listing_percepts(&p->listing, cursor, role);
    if (status != ALEA_OK) return status;
    alea_json_key(json, cursor->game->role_text[role]);
    put_list(json, &p->listing);
  }
  alea_json_close(json, '}');
  return ALEA_OK;
}

/* Percepts come first: other questions to the cursor must not disturb them. */
static alea_status print_json(printer *p) {
  alea_text *out = &p->session->out;
  alea_json json;
  alea_json_start(&json, out);
  alea_json_open(&json, '{');
  alea_json_put_count(&json, "step", p->step);
  alea_status status = alea_listing_fluents(&p->listing, p->session->cursor);
  if (status != ALEA_OK) return status;
  alea_json_key(&json, "state");
  put_list(&json, &p->listing);
  if ((status = json_legal(p, &json)) != ALEA_OK) return status;
  alea_json_put_bool(&json, "terminal", p->terminal);
  if ((status = json_goals(p, &json)) != ALEA_OK) return status;
  if ((status = json_sees(p, &json)) != ALEA_OK) return status;
  alea_json_close(&json, '}');
  alea_text_char(out, '\n');
  return ALEA_OK;
}

static void text_list(alea_text *out, const char *title, const char *role,
                      const alea_listing *listing) {
  alea_text_format(out, "  %s%s%s:", title, role[0] != '\0' ? " " : "", role);
  for (size_t i = 0; i < listing->items.count; i++) {
    alea_text_format(out, " %s", listing->items.data[i]);
  }
  alea_text_char(out, '\n');
}

static alea_status text_role(printer *p, uint32_t role) {
  alea_cursor *cursor = p->session->cursor;
  const char *name = cursor->game->role_text[role];
  alea_status status = ALEA_OK;
  int goal;
  if (!p->terminal) {
    if ((status = alea_listing_legal(&p->listing, cursor, role)) != ALEA_OK) return status;
    text_list(&p->session->out, "legal", name, &p->listing);
  }
  if (cursor->game->has_sees && p->step > 0) {
    if ((status = alea_listing_percepts(&p->listing, cursor, role)) != ALEA_OK) return status;
    text_list(&p->session->out, "sees", name, &p->listing);
  }
  if ((status = alea_cursor_goal(cursor, role, &goal)) != ALEA_OK) return status;
  if (goal >= 0) alea_text_format(&p->session->out, "  goal %s: %d\n", name, goal);
  return ALEA_OK;
}

static alea_status print_text(printer *p) {
  alea_cursor *cursor = p->session->cursor;
  alea_text_format(&p->session->out, "step %llu%s\n", (unsigned long long)p->step,
                   p->terminal ? " (terminal)" : "");
  alea_status status = alea_listing_fluents(&p->listing, cursor);
  if (status == ALEA_OK) text_list(&p->session->out, "state", "", &p->listing);
  for (uint32_t role = 0; status == ALEA_OK && role < cursor->game->role_count; role++) {
    status = text_role(p, role);
  }
  return status;
}

static alea_status print_state(printer *p, bool json) {
  alea_status status = alea_cursor_terminal(p->session->cursor, &p->terminal);
  if (status == ALEA_OK) status = json ? print_json(p) : print_text(p);
  if (status == ALEA_OK) status = alea_cli_write(&p->session->out);
  return status;
}

static alea_status run(alea_cli_session *session, const values *v, alea_text *moves_text) {
  printer p = {.session = session};
  alea_stuck stuck = {0};
  alea_listing_init(&p.listing, &session->mem);
  alea_moves moves;
  alea_moves_init(&moves, alea_text_string(moves_text), v->moves);
  alea_moves_next next = ALEA_MOVES_RESET;
  alea_status status = ALEA_OK;
  (void)alea_cli_session_catch(session);
  while (status == ALEA_OK && next != ALEA_MOVES_END && !alea_cli_stopped()) {
    p.step = next == ALEA_MOVES_RESET ? 0 : p.step + 1;
    status = print_state(&p, v->json);
    if (status == ALEA_OK) status = alea_stuck_look(&stuck, session->cursor, (uint32_t)p.step);
    if (status != ALEA_OK) break;
    status = alea_moves_play(&moves, session->cursor, &next, &session->mem, &session->diag);
  }
  alea_listing_clear(&p.listing);
  if (next != ALEA_MOVES_END)
    status = alea_cli_tell_stopped(status, "after step %llu", (unsigned long long)p.step);
  if (status != ALEA_OK) return status;
  return alea_stuck_report(&stuck, session->opened.game, session->opened.label, &session->diag);
}

int alea_cli_simulate(int argc, char **argv) {
  values v;
  int operands, result = alea_cli_begin(&command, &v, argc, argv, &operands);
  if (result >= 0) return result;
  alea_open_options options = ALEA_OPEN_OPTIONS_OF(&v);
  alea_cli_session session;
  alea_status status = alea_cli_open(&session, argv[1], &options);
  /* Terms share their parts in the engine; written out they may be far larger. */
  session.mem.limit = options.memory;
  alea_text moves;
  alea_text_init(&moves, &session.mem);
  if (status == ALEA_OK && v.moves != NULL) {
    status = alea_open_file(v.moves, &moves, &session.diag);
  }
  if (status == ALEA_OK) status = run(&session, &v, &moves);
  if (status == ALEA_SYSTEM && session.mem.hit_limit) status = ALEA_LIMIT;
  alea_text_clear(&moves);
  return alea_cli_close(&session, status);
}
