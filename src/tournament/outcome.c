/* Serialization of the outcomes of units. */
#include "tournament/outcome.h"

#include <string.h>

double alea_unit_outcome_score(const alea_unit_outcome *outcome) {
  if (!outcome->completed) return -1;
  int32_t first = -1, least = 101, best = -1;
  for (uint32_t r = 0; r < outcome->roles; r++) {
    const alea_unit_outcome_seat *seat = &outcome->seats[r];
    if (seat->entrant == 0) first = seat->goal;
    if (seat->entrant == 0 && seat->goal < least) least = seat->goal;
    if (seat->entrant == 1 && seat->goal > best) best = seat->goal;
  }
  if (best < 0) return least >= 100 ? 1 : 0;
  return first > best ? 1 : first == best ? 0.5 : 0;
}

/* ---- writing ---- */

static void put_u64(alea_text *out, uint64_t number) {
  char bytes[8];
  for (int i = 0; i < 8; i++) bytes[i] = (char)(number >> (8 * i));
  alea_text_add(out, bytes, sizeof bytes);
}

static void put_real(alea_text *out, double number) {
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  put_u64(out, bits);
}

static void put_text(alea_text *out, const char *text) {
  size_t length = strlen(text);
  put_u64(out, length);
  alea_text_add(out, text, length + 1);
}

static void put_seat(alea_text *out, const alea_unit_outcome_seat *seat) {
  put_text(out, seat->role);
  put_text(out, seat->player);
  put_u64(out, (uint64_t)(int64_t)seat->entrant);
  put_u64(out, (uint64_t)(int64_t)seat->goal);
  put_real(out, seat->seconds);
  put_text(out, seat->statistics);
}

void alea_unit_outcome_pack(const alea_unit_outcome *outcome, alea_text *bytes) {
  put_u64(bytes, outcome->unit);
  put_u64(bytes, (uint64_t)outcome->status);
  put_text(bytes, outcome->message);
  put_text(bytes, outcome->engine);
  put_text(bytes, outcome->host);
  put_text(bytes, outcome->version);
  put_u64(bytes, (uint64_t)outcome->started);
  put_real(bytes, outcome->seconds);
  put_real(bytes, outcome->cpu_seconds);
  put_u64(bytes, outcome->roles);
  put_u64(bytes, outcome->steps);
  put_u64(bytes, outcome->faults);
  put_u64(bytes, outcome->completed);
  for (uint32_t r = 0; r < outcome->roles; r++) put_seat(bytes, &outcome->seats[r]);
  for (size_t i = 0; i < (size_t)outcome->steps * outcome->roles; i++) {
    put_text(bytes, outcome->moves[i].move);
    put_text(bytes, outcome->moves[i].error);
    put_real(bytes, outcome->moves[i].seconds);
  }
  for (uint32_t r = 0; r < outcome->roles; r++) put_text(bytes, outcome->start_errors[r]);
}

/* ---- reading ---- */

typedef struct input {
  const char *at;
  size_t left;
  bool bad; /* the input was malformed; reads then give 0 and "" */
} input;

static uint64_t get_u64(input *in) {
  uint64_t number = 0;
  if (in->left < 8) in->bad = true;
  if (in->bad) return 0;
  for (int i = 0; i < 8; i++) number |= (uint64_t)(unsigned char)in->at[i] << (8 * i);
  in->at += 8;
  in->left -= 8;
  return number;
}

static double get_real(input *in) {
  uint64_t bits = get_u64(in);
  double number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

static const char *get_text(input *in) {
  uint64_t length = get_u64(in);
  if (in->bad || length >= in->left || memchr(in->at, '\0', length + 1) != in->at + length) {
    in->bad = true;
    return "";
  }
  const char *text = in->at;
  in->at += length + 1;
  in->left -= length + 1;
  return text;
}

static void get_head(input *in, alea_unit_outcome *outcome) {
  outcome->unit = get_u64(in);
  outcome->status = (alea_status)get_u64(in);
  outcome->message = get_text(in);
  outcome->engine = get_text(in);
  outcome->host = get_text(in);
  outcome->version = get_text(in);
  outcome->started = (int64_t)get_u64(in);
  outcome->seconds = get_real(in);
  outcome->cpu_seconds = get_real(in);
  outcome->roles = (uint32_t)get_u64(in);
  outcome->steps = (uint32_t)get_u64(in);
  outcome->faults = (uint32_t)get_u64(in);
  outcome->completed = get_u64(in) != 0;
}

static void get_seat(input *in, alea_unit_outcome_seat *seat) {
  seat->role = get_text(in);
  seat->player = get_text(in);
  seat->entrant = (int32_t)get_u64(in);
  seat->goal = (int32_t)get_u64(in);
  seat->seconds = get_real(in);
  seat->statistics = get_text(in);
}

static void get_lists(input *in, alea_unit_outcome *outcome) {
  for (uint32_t r = 0; r < outcome->roles; r++) get_seat(in, &outcome->seats[r]);
  for (size_t i = 0; i < (size_t)outcome->steps * outcome->roles; i++) {
    outcome->moves[i].move = get_text(in);
    outcome->moves[i].error = get_text(in);
    outcome->moves[i].seconds = get_real(in);
  }
  for (uint32_t r = 0; r < outcome->roles; r++) outcome->start_errors[r] = get_text(in);
}

alea_status alea_unit_outcome_unpack(alea_unit_outcome *outcome, const char *bytes, size_t length,
                                     alea_arena *arena) {
  *outcome = (alea_unit_outcome){0};
  input in = {.at = bytes, .left = length};
  get_head(&in, outcome);
  size_t moves = (size_t)outcome->steps * outcome->roles;
  /* A list cannot have more items than there are bytes. */
  if (in.bad || outcome->roles > in.left || moves > in.left) return ALEA_INPUT;
  outcome->seats = alea_arena_alloc(arena, outcome->roles * sizeof *outcome->seats);
  outcome->moves = alea_arena_alloc(arena, moves * sizeof *outcome->moves);
  outcome->start_errors = alea_arena_alloc(arena, outcome->roles * sizeof *outcome->start_errors);
  if (outcome->seats == NULL || outcome->moves == NULL || outcome->start_errors == NULL)
    return alea_mem_lack(arena->mem);
  get_lists(&in, outcome);
  return in.bad || in.left != 0 ? ALEA_INPUT : ALEA_OK;
}
