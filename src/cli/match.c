/* alea match: plays matches between players. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/human.h"
#include "cli/interrupt.h"
#include "match/runner.h"
#include "minimax/endgame.h"
#include "net/http_client.h"

/* clang-format off */
#define OPTIONS(row)                                                                      \
  row(texts, player, "", 0, 0, "P", "a player, http://host:port or human, one per role in role order; role random needs none") \
  row(real, start, "0", 0, 1e6, "S", "seconds before the first move")                     \
  row(real, time, "0", 0, 1e6, "S", "seconds per move; 1 where no simulations are given") \
  row(integer, sims, "0", 0, 9e15, "N", "simulations per move, in place of time or besides") \
  row(integer, nodes, "0", 0, 9e15, "N", "the same in positions of a minimax search, ten to a simulation") \
  row(flag, cpu, "", 0, 0, "", "the clock is CPU time")                                   \
  row(real, grace, "1", 0, 1e6, "S", "seconds a move may be late, as ggp-base has it")    \
  row(integer, seed, "1", 0, 9e18, "N", "seed of everything random")                      \
  row(integer, matches, "1", 1, 1e9, "N", "matches to play, with seeds N, N+1, ...")      \
  row(flag, rotate, "", 0, 0, "", "shift the players by one role after each match")       \
  row(integer, step_cap, "1000", 1, 1e9, "N", "steps after which a match is aborted")     \
  row(flag, draw, "", 0, 0, "", "draw every position")                                    \
  row(flag, ascii, "", 0, 0, "", "no box-drawing characters")                             \
  row(choice, color, "auto", 0, 0, ALEA_CHOICE_WORDS(ALEA_CLI_COLOURS), "whether what is new on the board is coloured") \
  row(flag, json, "", 0, 0, "", "print each record as one JSON object")                   \
  row(text, eval, "", 0, 0, "FILE", "evaluation from 'alea learn' for toss players that name none") \
  ALEA_OPEN_OPTIONS(row)
/* clang-format on */
ALEA_OPTION_TABLE(OPTIONS)

static const alea_command command = {
    .name = "match",
    .operands = "GAME",
    .summary = "plays matches between players; prints records",
    .details =
        "'alea players' lists the players.  Same seed, same --sims or --nodes: the same bytes.\n"
        "Ctrl-C aborts the match, and so does --step-cap; what was played until then is printed,\n"
        "exit status 4.",
    .example = "alea match tictactoe --player uct --player random --sims 1000 --seed 3",
    .options = rows,
    .option_count = sizeof rows / sizeof *rows,
    .least_operands = 1,
    .most_operands = 1,
};

/* Results of one player over all matches. */
typedef struct match_tally {
  uint64_t matches, wins, draws, losses; /* a win: no other player got as much */
  double goals, squares;
} match_tally;

typedef struct match_table {
  alea_cli_session *session;
  const values *v;
  alea_cli_drawing art;
  match_tally tallies[ALEA_OPTION_TEXTS];
  uint64_t completed, faults, aborted, steps;
  uint64_t capped;      /* of those aborted: at --step-cap */
  alea_cli_seats seats; /* people, and how to reach players over HTTP */
} match_table;

static alea_status show_step(void *context, alea_cursor *cursor, const alea_move *joint,
                             const alea_record *record) {
  match_table *t = context;
  alea_text *out = &t->session->out;
  bool over = false;
  if (joint != NULL) alea_cli_drawing_step(&t->art, joint, record);
  alea_status status = alea_cursor_terminal(cursor, &over);
  bool drawn = alea_cli_shows(record, cursor->game, over, t->v->draw);
  if (status == ALEA_OK && drawn) status = alea_cli_drawing_draw(&t->art, cursor);
  if (drawn) alea_text_char(out, '\n');
  return status == ALEA_OK ? alea_cli_write(out) : status;
}

/* ---- tallies ---- */

static void add_player(match_tally *sum, const alea_record *record, uint32_t role) {
  int own = record->goals[role], best = -1;
  for (uint32_t r = 0; r < record->roles; r++)
    if (r != role && (int)r != record->random_role && record->goals[r] > best)
      best = record->goals[r];
  sum->matches++;
  sum->goals += own;
  sum->squares += (double)own * own;
  if (best < 0) best = 99; /* a single player: 100 is a win */
  if (own > best) sum->wins++;
  if (own == best) sum->draws++;
  if (own < best) sum->losses++;
}

static size_t steps_of(const alea_record *record) {
  return record->states.count > 0 ? record->states.count - 1 : 0;
}

static void add_record(match_table *t, const alea_record *record, uint32_t rotate) {
  t->faults += record->faults;
  t->steps += steps_of(record);
  if (!record->completed) {
    t->aborted++;
    t->capped += steps_of(record) == (size_t)t->v->step_cap;
    return;
  }
  t->completed++;
  for (uint32_t r = 0, index = 0; r < record->roles; r++) {
    if ((int)r == record->random_role) continue;
    add_player(&t->tallies[(index++ + rotate) % t->v->player.count], record, r);
  }
}

/* ---- printing ---- */

static void print_result(match_table *t, const alea_record *record) {
  alea_text *out = &t->session->out;
  if (record->completed)
    alea_text_put(out, "result:");
  else
    alea_text_format(out, "aborted at step %zu:", steps_of(record));
  for (uint32_t r = 0; r < record->roles; r++) {
    if ((int)r == record->random_role) continue;
    alea_text_format(out, "  %s (%s)", record->role_names[r], record->players[r]);
    if (record->completed) alea_text_format(out, " %d", record->goals[r]);
  }
  alea_text_char(out, '\n');
  for (uint32_t r = 0; r < record->roles; r++)
    if (record->notes[r] != NULL)
      alea_text_format(out, "  %s: %s\n", record->role_names[r], record->notes[r]);
  for (size_t i = 0; i < record->errors.count; i++) {
    if (record->errors.data[i][0] == '\0') continue;
    alea_text_format(out, "  fault at step %zu of %s: %s\n", i / record->roles,
                     record->role_names[i % record->roles], record->errors.data[i]);
  }
}

/* Mean goal with its 95 % interval, wins, draws, losses. */
static void print_tallies(match_table *t) {
  alea_text *out = &t->session->out;
  for (size_t i = 0; i < t->v->player.count; i++) {
    const match_tally *sum = &t->tallies[i];
    double n = (double)sum->matches, mean = n > 0 ? sum->goals / n : 0;
    double spread = n > 1 ? (sum->squares - n * mean * mean) / (n - 1) : 0;
    double error = n > 1 ? 1.96 * sqrt((spread > 0 ? spread : 0) / n) : 0;
    alea_text_format(out, "%-24s %6.2f ± %.2f   %llu won, %llu drawn, %llu lost\n",
                     t->v->player.items[i], mean, error, (unsigned long long)sum->wins,
                     (unsigned long long)sum->draws, (unsigned long long)sum->losses);
  }
  if (t->faults + t->aborted > 0) {
    alea_text_format(out, "%llu faults, %llu matches aborted\n", (unsigned long long)t->faults,
                     (unsigned long long)t->aborted);
  }
}

static alea_status one_match(match_table *t, uint64_t index) {
  const values *v = t->v;
  alea_match_options options = {
      .players = v->player.items,
      .player_count = v->player.count,
      .rotate = v->rotate ? (uint32_t)(index % (v->player.count > 0 ? v->player.count : 1)) : 0,
      .sims = v->sims > 0 ? (uint64_t)v->sims : alea_endgame_sims((uint64_t)v->nodes),
      .start = v->start,
      .time = v->sims == 0 && v->nodes == 0 && v->time <= 0 ? 1 : v->time,
      .grace = v->grace,
      .clock = v->cpu ? ALEA_CLOCK_CPU : ALEA_CLOCK_WALL,
      .seed = (uint64_t)v->seed + index,
      .step_cap = (uint32_t)v->step_cap,
      .engine = (alea_engine)v->engine,
      .remote = alea_cli_seat_open,
      .remote_context = &t->seats,
      .evaluation = v->eval,
      .stop = t->seats.humans.stop,
  };
  bool watch = !v->json && v->matches == 1;
  alea_record record;
  alea_record_init(&record, &t->session->mem);
  alea_status status = alea_match_run(&record, &t->session->opened, &options,
                                      watch ? show_step : NULL, t, &t->session->diag);
  bool stuck = status == ALEA_INPUT && record.aborted;
  if (status == ALEA_OK || stuck) {
    add_record(t, &record, options.rotate);
    if (v->json) {
      alea_record_json(&record, &t->session->out);
      alea_text_char(&t->session->out, '\n');
    } else if (watch || record.faults > 0) {
      print_result(t, &record);
    }
    alea_status written = alea_cli_write(&t->session->out);
    if (status == ALEA_OK) status = written;
  }
  alea_record_clear(&record);
  return status;
}

/* "3 of 10, 2-1": matches, and what each player has won of them. */
static void say_score(const match_table *t, alea_cli_progress *progress) {
  char score[80] = "";
  size_t length = 0, players = t->v->player.count;
  for (size_t i = 0; i < players && players > 1 && length + 24 < sizeof score; i++)
    length += (size_t)snprintf(score + length, sizeof score - length, "%s%llu", i > 0 ? "-" : ", ",
                               (unsigned long long)t->tallies[i].wins);
  if (players == 1 && t->tallies[0].matches > 0)
    snprintf(score, sizeof score, ", mean goal %.1f",
             t->tallies[0].goals / (double)t->tallies[0].matches);
  alea_cli_progress_say(progress, "%llu of %llu%s", (unsigned long long)t->completed,
                        (unsigned long long)t->v->matches, score);
}

static alea_status play_all(match_table *t) {
  const values *v = t->v;
  alea_status status = ALEA_OK;
  bool art = v->draw || (v->matches == 1 && !v->json);
  if (art) status = alea_cli_drawing_open(&t->art, t->session, v->ascii);
  if (art && status == ALEA_OK) alea_cli_drawing_use_colour(&t->art, (alea_cli_colour)v->color);
  atomic_bool *stop = alea_cli_session_catch(t->session);
  t->seats = (alea_cli_seats){{t->session, &t->art, stop}, {.stop = stop}};
  alea_cli_progress *progress = art ? NULL : alea_cli_progress_start("playing", 0);
  for (uint64_t i = 0; status == ALEA_OK && i < (uint64_t)v->matches && !alea_cli_stopped(); i++) {
    status = one_match(t, i);
    say_score(t, progress);
  }
  alea_cli_progress_stop(progress);
  if (status == ALEA_LIMIT && alea_cli_stopped()) status = ALEA_OK;
  if (status == ALEA_OK && !v->json && v->matches > 1) {
    print_tallies(t);
    status = alea_cli_write(&t->session->out);
  }
  if (t->completed == (uint64_t)v->matches) return status;
  if (status == ALEA_OK && t->capped > 0) {
    alea_diag_error(&t->session->diag, ((alea_place){0}), "step-cap",
                    "%llu of %llu matches were not over after %lld steps (the limit is --step-cap)",
                    (unsigned long long)t->capped, (unsigned long long)v->matches,
                    (long long)v->step_cap);
    status = ALEA_LIMIT;
  }
  return alea_cli_tell_stopped(status, "after %llu of %llu matches",
                               (unsigned long long)t->completed, (unsigned long long)v->matches);
}

int alea_cli_match(int argc, char **argv) {
  values v;
  int operands, result = alea_cli_begin(&command, &v, argc, argv, &operands);
  if (result >= 0) return result;
  alea_open_options options = ALEA_OPEN_OPTIONS_OF(&v);
  alea_cli_session session;
  alea_status status = alea_cli_open(&session, argv[1], &options);
  match_table t = {.session = &session, .v = &v};
  bool online = false;
  for (size_t i = 0; status == ALEA_OK && !online && i < v.player.count; i++) {
    if (strcmp(v.player.items[i], "human") == 0 && (v.matches > 1 || v.json)) {
      alea_diag_error(&session.diag, ((alea_place){0}), "human",
                      "a human plays one match, at a terminal, without --json");
      status = ALEA_USAGE;
    }
    if (strncmp(v.player.items[i], "http://", 7) != 0) continue;
    status = alea_http_global();
    online = status == ALEA_OK;
  }
  if (status == ALEA_OK) status = play_all(&t);
  if (online) alea_http_global_end();
  alea_cli_drawing_close(&t.art);
  return alea_cli_close(&session, status);
}
