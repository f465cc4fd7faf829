/* Writing GGP messages, byte for byte as ggp-base does. */
#include "net/ggp.h"

void alea_ggp_put_rules(alea_text *out, alea_slice rules, const alea_ggp_percepts *percepts,
                        bool blind) {
  static const char nothing[] = "\n(<= (sees ?r nothing) (role ?r) (true never))";
  alea_slice cut = percepts->all ? percepts->rule : (alea_slice){rules.at + rules.length, 0};
  size_t before = (size_t)(cut.at - rules.at);
  alea_text_add(out, rules.at, before);
  alea_text_add(out, cut.at + cut.length, rules.length - before - cut.length);
  if (blind) alea_text_put(out, nothing);
}

void alea_ggp_put_info(alea_text *out) { alea_text_put(out, "( INFO )"); }

void alea_ggp_put_preview(alea_text *out, const char *rules, unsigned clock) {
  alea_text_put(out, "( PREVIEW ( ");
  alea_text_put(out, rules);
  alea_text_format(out, " ) %u )", clock);
}

void alea_ggp_put_start(alea_text *out, const char *id, const char *role, const char *rules,
                        unsigned start_clock, unsigned play_clock) {
  /* In pieces: rules may be longer than a formatted text can be. */
  alea_text_format(out, "( START %s %s ( ", id, role);
  alea_text_put(out, rules);
  alea_text_format(out, " ) %u %u)", start_clock, play_clock);
}

/* `(m1 m2 )`, or NIL. */
static void put_list(alea_text *out, const char *terms) {
  if (terms[0] == '\0') {
    alea_text_put(out, "NIL");
    return;
  }
  alea_text_char(out, '(');
  alea_text_put(out, terms);
  alea_text_put(out, " )");
}

void alea_ggp_put_moves(alea_text *out, const char *verb, const char *id, const char *moves) {
  alea_text_format(out, "( %s %s ", verb, id);
  put_list(out, moves);
  alea_text_put(out, " )");
}

void alea_ggp_put_turn(alea_text *out, const char *verb, const char *id, uint32_t turn,
                       const char *own, const char *percepts) {
  alea_text_format(out, "( %s %s %u ", verb, id, turn);
  alea_text_put(out, own[0] != '\0' ? own : "NIL");
  alea_text_char(out, ' ');
  put_list(out, percepts);
  alea_text_put(out, " )");
}

void alea_ggp_put_abort(alea_text *out, const char *id) {
  alea_text_format(out, "( ABORT %s )", id);
}

void alea_ggp_raise(alea_text *message) {
  for (size_t i = 0; i < message->length; i++) {
    char *c = &message->data[i];
    if (*c >= 'a' && *c <= 'z') *c = (char)(*c - 'a' + 'A');
  }
}
