/* Reading GGP messages. */
#include <stdlib.h>
#include <string.h>

#include "net/ggp.h"

enum { MOST_PARTS = 6 };

typedef struct ggp_read_parts {
  alea_slice list[MOST_PARTS]; /* the first ones; no message needs more */
  size_t count;                /* of all */
} ggp_read_parts;

/* The terms of a list. */
static void split(alea_slice inside, ggp_read_parts *p) {
  alea_slice term;
  for (p->count = 0; alea_slice_take(&inside, &term) == ALEA_SLICE_TERM; p->count++)
    if (p->count < MOST_PARTS) p->list[p->count] = term;
}

static alea_status wrong(const char **why, const char *text) {
  *why = text;
  return ALEA_INPUT;
}

static bool read_number(alea_slice term, double *number) {
  char digits[24], *end;
  if (term.length == 0 || term.length >= sizeof digits) return false;
  if (term.at[0] < '0' || term.at[0] > '9') return false;
  memcpy(digits, term.at, term.length);
  digits[term.length] = '\0';
  *number = strtod(digits, &end);
  return *end == '\0' && *number < 1e9;
}

static bool read_name(alea_slice term, alea_slice *name) {
  *name = term;
  return !alea_slice_is_list(term);
}

static alea_status read_start(alea_ggp_message *m, const ggp_read_parts *p, const char **why) {
  /* ggp-base accepts more than that. */
  if (p->count < 6) return wrong(why, "START takes an id, a role, rules and two clocks");
  if (!read_name(p->list[1], &m->id) || !read_name(p->list[2], &m->role))
    return wrong(why, "the id and the role of START are names");
  if (!alea_slice_is_list(p->list[3])) return wrong(why, "the rules of START are a list");
  m->rules = alea_slice_inside(p->list[3]);
  if (!read_number(p->list[4], &m->start_clock) || !read_number(p->list[5], &m->play_clock))
    return wrong(why, "the clocks of START are numbers of seconds");
  return ALEA_OK;
}

/* A list of moves or percepts, or NIL. */
static bool read_events(alea_ggp_message *m, alea_slice term) {
  if (alea_slice_is_nil(term)) return true;
  if (!alea_slice_is_list(term)) return false;
  m->has_events = true;
  m->events = alea_slice_inside(term);
  return true;
}

static alea_status read_turn(alea_ggp_message *m, const ggp_read_parts *p, const char **why) {
  m->has_turn = p->count == 5;
  if (p->count != 3 && p->count != 5)
    return wrong(why, "PLAY and STOP take an id and moves, or an id, a turn, a move and percepts");
  if (!read_name(p->list[1], &m->id)) return wrong(why, "the id of a match is a name");
  if (!read_events(m, p->list[p->count - 1]))
    return wrong(why, "PLAY and STOP end with a list, or with NIL");
  if (!m->has_turn) return ALEA_OK;
  if (!read_number(p->list[2], &m->turn)) return wrong(why, "the turn is a number");
  if (!alea_slice_is_nil(p->list[3])) m->own = p->list[3];
  return ALEA_OK;
}

static alea_status read_abort(alea_ggp_message *m, const ggp_read_parts *p, const char **why) {
  if (p->count != 2 || !read_name(p->list[1], &m->id))
    return wrong(why, "ABORT takes the id of a match");
  return ALEA_OK;
}

static alea_status read_preview(alea_ggp_message *m, const ggp_read_parts *p, const char **why) {
  if (p->count != 3 || !alea_slice_is_list(p->list[1]) || !read_number(p->list[2], &m->start_clock))
    return wrong(why, "PREVIEW takes rules and a clock");
  m->rules = alea_slice_inside(p->list[1]);
  return ALEA_OK;
}

static alea_status read_bare(alea_ggp_message *m, const ggp_read_parts *p, const char **why) {
  (void)m;
  return p->count == 1 ? ALEA_OK : wrong(why, "this message takes nothing else");
}

static const struct verb {
  const char *word;
  alea_ggp_kind kind;
  alea_status (*read)(alea_ggp_message *m, const ggp_read_parts *p, const char **why);
} verbs[] = {
    {"info", ALEA_GGP_INFO, read_bare},          {"ping", ALEA_GGP_PING, read_bare},
    {"start", ALEA_GGP_START, read_start},       {"play", ALEA_GGP_PLAY, read_turn},
    {"stop", ALEA_GGP_STOP, read_turn},          {"abort", ALEA_GGP_ABORT, read_abort},
    {"preview", ALEA_GGP_PREVIEW, read_preview},
};

alea_status alea_ggp_read(alea_ggp_message *message, const char *text, size_t length,
                          const char **why) {
  alea_slice rest = {text, length}, whole, more;
  ggp_read_parts p;
  *message = (alea_ggp_message){0};
  switch (alea_slice_take(&rest, &whole)) {
    case ALEA_SLICE_END: return wrong(why, "there is no message");
    case ALEA_SLICE_WRONG: return wrong(why, "the parentheses of the message do not match");
    case ALEA_SLICE_TERM: break;
  }
  if (alea_slice_take(&rest, &more) != ALEA_SLICE_END)
    return wrong(why, "there is something behind the message");
  bool list = alea_slice_is_list(whole);
  split(list ? alea_slice_inside(whole) : whole, &p);
  for (size_t i = 0; p.count > 0 && i < sizeof verbs / sizeof *verbs; i++) {
    if (!alea_slice_is(p.list[0], verbs[i].word)) continue;
    message->kind = verbs[i].kind;
    return verbs[i].read(message, &p, why);
  }
  return wrong(why, "this is none of INFO, START, PLAY, STOP, ABORT, PREVIEW");
}

/* ---- answers ---- */

alea_ggp_info alea_ggp_read_info(const char *text, size_t length) {
  alea_slice rest = {text, length}, whole, pair;
  alea_ggp_info info = {.busy = true};
  if (alea_slice_take(&rest, &whole) != ALEA_SLICE_TERM) return info;
  alea_slice status = whole;
  if (alea_slice_is_list(whole)) {
    status = (alea_slice){0};
    for (rest = alea_slice_inside(whole); alea_slice_take(&rest, &pair) == ALEA_SLICE_TERM;) {
      ggp_read_parts p = {0};
      if (alea_slice_is_list(pair)) split(alea_slice_inside(pair), &p);
      if (p.count != 2 || alea_slice_is_list(p.list[1])) continue;
      if (alea_slice_is(p.list[0], "name")) info.name = p.list[1];
      if (alea_slice_is(p.list[0], "status")) status = p.list[1];
    }
  }
  info.busy = !alea_slice_is(status, "available") && !alea_slice_is(status, "ready");
  return info;
}

/* ---- percepts in the rules ---- */

static bool is_variable(alea_slice term) { return term.length > 1 && term.at[0] == '?'; }

/* Is 'term' a list of 'count' terms that begins with 'word'? */
static bool is_call(alea_slice term, const char *word, size_t count, ggp_read_parts *p) {
  if (!alea_slice_is_list(term)) return false;
  split(alea_slice_inside(term), p);
  return p->count == count && alea_slice_is(p->list[0], word);
}

static bool tells_all(alea_slice rule, alea_slice *word) {
  ggp_read_parts whole, head, told, role, does;
  if (!is_call(rule, "<=", 4, &whole) || !is_call(whole.list[1], "sees", 3, &head)) return false;
  if (!alea_slice_is_list(head.list[2])) return false;
  split(alea_slice_inside(head.list[2]), &told);
  if (told.count != 3 || alea_slice_is_list(told.list[0]) || is_variable(told.list[0]))
    return false;
  bool swapped = is_call(whole.list[3], "role", 2, &role);
  if (!swapped && !is_call(whole.list[2], "role", 2, &role)) return false;
  if (!is_call(whole.list[swapped ? 2 : 3], "does", 3, &does)) return false;
  *word = told.list[0];
  alea_slice seer = head.list[1], doer = told.list[1], move = told.list[2];
  return is_variable(seer) && is_variable(doer) && is_variable(move) &&
         !alea_slice_same(seer, doer) && !alea_slice_same(seer, move) &&
         !alea_slice_same(doer, move) && alea_slice_same(role.list[1], seer) &&
         alea_slice_same(does.list[1], doer) && alea_slice_same(does.list[2], move);
}

/* Is it a fact or a rule about `sees`? */
static bool is_about_sees(alea_slice rule) {
  if (!alea_slice_is_list(rule)) return false;
  alea_slice inside = alea_slice_inside(rule), first;
  if (alea_slice_take(&inside, &first) != ALEA_SLICE_TERM) return false;
  if (!alea_slice_is(first, "<=")) return alea_slice_is(first, "sees");
  alea_slice head;
  if (alea_slice_take(&inside, &head) != ALEA_SLICE_TERM || !alea_slice_is_list(head)) return false;
  inside = alea_slice_inside(head);
  return alea_slice_take(&inside, &first) == ALEA_SLICE_TERM && alea_slice_is(first, "sees");
}

alea_ggp_percepts alea_ggp_look(alea_slice rules) {
  alea_ggp_percepts percepts = {0};
  size_t count = 0;
  for (alea_slice rule; alea_slice_take(&rules, &rule) == ALEA_SLICE_TERM;) {
    if (!is_about_sees(rule)) continue;
    percepts.sees = true;
    percepts.all = ++count == 1 && tells_all(rule, &percepts.word);
    percepts.rule = rule;
  }
  return percepts;
}
