/* The standings of an event. */
#include "cli/standings.h"

/* Rank by points; entrants with equal points keep the order of the file. */
static size_t entrant_at(const alea_standing *standings, size_t count, size_t rank) {
  for (size_t i = 0; i < count; i++) {
    size_t better = 0;
    for (size_t j = 0; j < count; j++)
      better += standings[j].score > standings[i].score ||
                (j < i && standings[j].score == standings[i].score);
    if (better == rank) return i;
  }
  return 0; /* not reached: every rank has an entrant */
}

void alea_cli_standings_text(const alea_progress *p, alea_text *out) {
  size_t count = p->plan->players.count;
  alea_text_format(out, "%4s  %-28s %8s %8s %7s %9s  %s\n", "rank", "entrant", "points", "matches",
                   "faults", "forfeits", "now");
  for (size_t rank = 0; rank < count; rank++) {
    size_t i = entrant_at(p->standings, count, rank);
    const alea_standing *s = &p->standings[i];
    alea_text_format(out, "%4zu  ", rank + 1);
    alea_text_format(out, "%-28.28s %8.1f %8llu %7llu %9llu  ", p->plan->players.data[i].name,
                     s->score, (unsigned long long)s->matches, (unsigned long long)s->faults,
                     (unsigned long long)s->forfeits);
    if (s->playing > 0) alea_text_format(out, "%u", s->playing);
    alea_text_char(out, '\n');
  }
}

void alea_cli_standings_json(const alea_tournament_plan *plan, const alea_standing *standings,
                             alea_json *json) {
  size_t count = plan->players.count;
  alea_json_open(json, '[');
  for (size_t rank = 0; rank < count; rank++) {
    size_t i = entrant_at(standings, count, rank);
    const alea_standing *s = &standings[i];
    alea_json_open(json, '{');
    alea_json_put_string(json, "entrant", plan->players.data[i].name);
    alea_json_put_string(json, "player", plan->players.data[i].text);
    alea_json_put_real(json, "points", s->score);
    alea_json_put_count(json, "matches", s->matches);
    alea_json_put_count(json, "faults", s->faults);
    alea_json_put_count(json, "forfeits", s->forfeits);
    alea_json_put_count(json, "playing", s->playing);
    alea_json_close(json, '}');
  }
  alea_json_close(json, ']');
}

void alea_cli_event_json(const alea_progress *p, alea_text *out) {
  alea_json json;
  size_t pairings = p->plan->pairings.count;
  alea_json_start(&json, out);
  alea_json_open(&json, '{');
  alea_json_put_string(&json, "name", p->plan->name);
  alea_json_put_count(&json, "matches", p->total);
  alea_json_put_count(&json, "done", p->done);
  alea_json_put_count(&json, "failed", p->failed);
  alea_json_put_count(&json, "round",
                      pairings > 0 ? p->plan->pairings.data[pairings - 1].round : 0);
  alea_json_put_real(&json, "seconds", p->seconds);
  if (p->plan->winner != ALEA_TOURNAMENT_PLAN_NOBODY)
    alea_json_put_string(&json, "winner", p->plan->players.data[p->plan->winner].name);
  alea_json_key(&json, "standings");
  alea_cli_standings_json(p->plan, p->standings, &json);
  alea_json_close(&json, '}');
}
