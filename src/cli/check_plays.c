/* Plays that show what is wrong with a rulesheet, for `alea check`. */
#include "cli/check_plays.h"

#include <string.h>

#include "gdl/classify.h"
#include "gdl/report.h"

/* Seconds are CPU time, so that a busy machine finds what an idle one does; by
 * the clock on the wall the search may take so many times as long, and making
 * the network, too. */
static const double network_share = 3, patience = 10;
/* What the limits of alea_witness_limits_init are made for. */
static const double usual_seconds = 0.3;
enum { SHOWN_LINES = 24 };

/* A network if it can be made in time, otherwise the prover. */
static alea_status open_rules(alea_check_plays *plays, const char *name, const char *text,
                              size_t length, double seconds, size_t memory) {
  alea_open_options options = {
      .engine = ALEA_ENGINE_NET, .ground_seconds = network_share * seconds, .memory = memory};
  plays->is_open = true;
  if (alea_open_is_toss(name)) {
    options.engine = ALEA_ENGINE_AUTO;
    return alea_open(&plays->opened, name, &options, NULL);
  }
  alea_status status = alea_open_rules(&plays->opened, name, text, length, &options, NULL, NULL);
  if (status != ALEA_LIMIT) return status;
  alea_opened_clear(&plays->opened);
  options.engine = ALEA_ENGINE_PROVER;
  return alea_open_rules(&plays->opened, name, text, length, &options, NULL, NULL);
}

alea_status alea_check_plays_find(alea_check_plays *plays, const char *name, const char *text,
                                  size_t length, double seconds, size_t memory) {
  alea_status status = open_rules(plays, name, text, length, seconds, memory);
  if (status != ALEA_OK) return status == ALEA_SYSTEM ? status : ALEA_OK;
  alea_opened *opened = &plays->opened;
  alea_witness_limits limits;
  alea_witness_limits_init(&limits, seconds > usual_seconds ? seconds / usual_seconds : 1);
  alea_deadline deadline = alea_deadline_in(patience * seconds);
  deadline.thread_at = alea_clock_thread() + seconds;
  limits.deadline = &deadline;
  bool rules = opened->program != NULL;
  if (rules && !alea_find_horizon(&limits.horizon, opened->program, &opened->mem))
    return ALEA_SYSTEM;
  /* One question about real numbers may take longer than all of them should. */
  if (!rules) opened->mem.deadline = &deadline;
  status = alea_witness_find(&plays->found, opened->game, &limits, &opened->mem);
  opened->mem.deadline = NULL;
  /* The memory limit ends the search as time does. */
  return status == ALEA_SYSTEM && memory == 0 ? status : ALEA_OK;
}

void alea_check_plays_clear(alea_check_plays *plays) {
  if (!plays->is_open) return;
  if (plays->found.mem != NULL) alea_witnesses_clear(&plays->found);
  alea_opened_clear(&plays->opened);
}

static bool is_said(const alea_diag *diag, alea_code code) {
  for (size_t i = 0; i < diag->entries.count; i++)
    if (strcmp(diag->entries.data[i].code, alea_code_text(code)) == 0) return true;
  return false;
}

/* Whether the rules by themselves were found to cause this. */
static bool is_explained(alea_witness_kind kind, const alea_diag *diag) {
  bool no_goal = is_said(diag, ALEA_CODE_NO_GOAL) || is_said(diag, ALEA_CODE_ROLE_WITHOUT_GOAL);
  bool no_end = is_said(diag, ALEA_CODE_NO_TERMINAL);
  switch (kind) {
    case ALEA_WITNESS_NOT_PLAYABLE:
      return is_said(diag, ALEA_CODE_NO_LEGAL) || is_said(diag, ALEA_CODE_ROLE_WITHOUT_LEGAL);
    case ALEA_WITNESS_ENDLESS: return no_end;
    case ALEA_WITNESS_NO_GOAL: return no_goal;
    case ALEA_WITNESS_NEVER_WON:
      return no_goal || no_end || is_said(diag, ALEA_CODE_NO_LEGAL) ||
             is_said(diag, ALEA_CODE_NEVER_APPLIES) || is_said(diag, ALEA_CODE_GOAL_VALUE);
    default: return false;
  }
}

void alea_check_plays_report(alea_check_plays *plays, alea_severity severity, alea_diag *diag) {
  size_t kept = 0, first = diag->entries.count;
  bool explained[ALEA_WITNESS_KIND_COUNT];
  for (int kind = 0; kind < ALEA_WITNESS_KIND_COUNT; kind++)
    explained[kind] = is_explained((alea_witness_kind)kind, diag);
  for (size_t i = 0; i < plays->found.list.count; i++) {
    alea_witness *witness = &plays->found.list.data[i];
    if (explained[witness->kind]) {
      alea_vec_clear(plays->found.mem, &witness->moves);
      continue;
    }
    alea_witness_report(witness, plays->opened.game, plays->opened.program, severity, diag);
    plays->found.list.data[kept++] = *witness;
  }
  plays->found.list.count = kept;
  /* Places are those of the program, which goes first. */
  for (size_t i = first; i < diag->entries.count; i++)
    diag->entries.data[i].place.file = plays->opened.label;
}

void alea_check_plays_print(const alea_check_plays *plays, alea_text *out) {
  for (size_t i = 0; i < plays->found.list.count; i++) {
    const alea_witness *witness = &plays->found.list.data[i];
    if (witness->kind == ALEA_WITNESS_NEVER_WON) continue;
    alea_text_format(out, "play to [%s]:%s\n", alea_witness_code(witness->kind),
                     witness->steps == 0 ? " the initial position" : "");
    alea_witness_print(witness, plays->opened.game, "  ", SHOWN_LINES, out);
    if (witness->steps > SHOWN_LINES)
      alea_text_format(out, "  ; and %u more: --play FILE writes them all\n",
                       witness->steps - SHOWN_LINES);
  }
}

void alea_check_plays_json(const alea_check_plays *plays, alea_json *json, alea_mem *mem) {
  if (!plays->is_open) return;
  alea_text line;
  alea_text_init(&line, mem);
  alea_json_key(json, "plays");
  alea_json_open(json, '[');
  for (size_t i = 0; i < plays->found.list.count; i++) {
    const alea_witness *witness = &plays->found.list.data[i];
    if (witness->kind == ALEA_WITNESS_NEVER_WON) continue;
    alea_json_open(json, '{');
    alea_json_put_string(json, "code", alea_witness_code(witness->kind));
    if (witness->kind != ALEA_WITNESS_ENDLESS)
      alea_json_put_string(json, "role", plays->opened.game->role_text[witness->role]);
    if (witness->cycle) alea_json_put_count(json, "cycle_at", witness->cycle_at);
    alea_json_key(json, "moves");
    alea_json_open(json, '[');
    for (uint32_t t = 0; t < witness->steps; t++) {
      alea_witness one = {.steps = 1};
      one.moves.data = witness->moves.data + (size_t)t * plays->opened.game->role_count;
      alea_text_truncate(&line, 0);
      alea_witness_print(&one, plays->opened.game, "", 0, &line);
      alea_text_truncate(&line, line.length - 1);
      alea_json_string(json, alea_text_string(&line));
    }
    alea_json_close(json, ']');
    alea_json_close(json, '}');
  }
  alea_json_close(json, ']');
  alea_text_clear(&line);
}

void alea_check_plays_moves(const alea_check_plays *plays, alea_text *out) {
  for (size_t i = 0; i < plays->found.list.count; i++) {
    const alea_witness *witness = &plays->found.list.data[i];
    if (witness->kind == ALEA_WITNESS_NEVER_WON) continue;
    if (out->length > 0) alea_text_put(out, "---\n");
    alea_text_format(out, "; %s\n", alea_witness_code(witness->kind));
    alea_witness_print(witness, plays->opened.game, "", 0, out);
  }
}
