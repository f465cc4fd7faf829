/* Fuzz target of the protocol: any bytes are read as a message, and as rules
 * with percepts; what was understood is written and read again as the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/mutate.h"
#include "net/ggp.h"
#include "net/protocol_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MEMORY_LIMIT ((size_t)64 << 20)

/* Not assert: must hold in release builds too. */
static void require(bool condition, const char *what) {
  if (condition) return;
  fprintf(stderr, "not so: %s\n", what);
  abort();
}

static bool inside(alea_slice slice, const char *text, size_t size) {
  if (slice.length == 0) return true;
  return slice.at >= text && slice.at + slice.length <= text + size;
}

/* All terms of a slice, one after the other, lie in it and are whole. */
static size_t count_terms(alea_slice rest) {
  size_t count = 0;
  alea_slice term, again, more;
  const char *start = rest.at;
  size_t length = rest.length;
  while (alea_slice_take(&rest, &term) == ALEA_SLICE_TERM) {
    count++;
    require(term.length > 0 && inside(term, start, length), "a term lies in its text");
    again = term;
    require(alea_slice_take(&again, &more) == ALEA_SLICE_TERM && again.length == 0 &&
                more.length == term.length,
            "a term is one term");
    if (alea_slice_is_list(term))
      require(term.at[term.length - 1] == ')', "a list ends where it should");
  }
  return count;
}

static char *copy(alea_slice slice) {
  char *text = malloc(slice.length + 1);
  if (text == NULL) abort();
  if (slice.length > 0) memcpy(text, slice.at, slice.length);
  text[slice.length] = '\0';
  return text;
}

static bool same(alea_slice a, alea_slice b) {
  return a.length == b.length && (a.length == 0 || memcmp(a.at, b.at, a.length) == 0);
}

/* Comments swallow what is written behind them. */
static bool has_comment(alea_slice slice) {
  return slice.length > 0 && memchr(slice.at, ';', slice.length) != NULL;
}

static void round_trip(const alea_ggp_message *m, alea_mem *mem) {
  alea_text out;
  alea_text_init(&out, mem);
  alea_ggp_message again;
  const char *why = "";
  char *id = copy(m->id), *role = copy(m->role), *rules = copy(m->rules);
  char *own = copy(m->own), *events = copy(m->events);
  bool written = true;
  switch (m->kind) {
    case ALEA_GGP_INFO: alea_ggp_put_info(&out); break;
    case ALEA_GGP_ABORT: alea_ggp_put_abort(&out, id); break;
    case ALEA_GGP_START:
      alea_ggp_put_start(&out, id, role, rules, (unsigned)m->start_clock, (unsigned)m->play_clock);
      break;
    case ALEA_GGP_PLAY:
    case ALEA_GGP_STOP: {
      const char *verb = m->kind == ALEA_GGP_PLAY ? "PLAY" : "STOP";
      if (m->has_turn) alea_ggp_put_turn(&out, verb, id, (uint32_t)m->turn, own, events);
      if (!m->has_turn) alea_ggp_put_moves(&out, verb, id, events);
      break;
    }
    case ALEA_GGP_PING:
    case ALEA_GGP_PREVIEW: written = false; break;
  }
  if (written && !has_comment(m->rules) && !has_comment(m->events) && !out.failed) {
    alea_status status = alea_ggp_read(&again, alea_text_string(&out), out.length, &why);
    require(status == ALEA_OK && again.kind == m->kind, "what is written can be read");
    require(same(again.id, m->id) && same(again.role, m->role) && same(again.own, m->own),
            "names and moves come back as they were");
    require(count_terms(again.rules) == count_terms(m->rules) &&
                count_terms(again.events) == count_terms(m->events),
            "so do rules and events");
  }
  free(id), free(role), free(rules), free(own), free(events);
  alea_text_clear(&out);
}

/* Scrambled and back. */
static void scramble(alea_slice rules, alea_mem *mem) {
  alea_protocol_text wire;
  alea_protocol_text_options options = {.scramble = true, .seed = rules.length, .tell_all = true};
  alea_status status = alea_protocol_text_init(&wire, rules.at, rules.length, &options, mem, NULL);
  if (status == ALEA_OK) {
    alea_text there, back, once;
    alea_text_init(&there, mem);
    alea_text_init(&back, mem);
    alea_text_init(&once, mem);
    alea_protocol_text_decode(&wire, alea_text_string(&wire.rules), wire.rules.length, &once);
    alea_protocol_text_encode(&wire, alea_text_string(&once), once.length, &there);
    alea_protocol_text_decode(&wire, alea_text_string(&there), there.length, &back);
    require(there.failed || back.failed ||
                (strcmp(alea_text_string(&there), alea_text_string(&wire.rules)) == 0 &&
                 strcmp(alea_text_string(&once), alea_text_string(&back)) == 0),
            "there is a way back from every word");
    alea_text_clear(&there);
    alea_text_clear(&back);
    alea_text_clear(&once);
  }
  alea_protocol_text_clear(&wire);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *text = (const char *)data;
  alea_mem mem;
  alea_ggp_message m;
  const char *why = NULL;
  alea_mem_init(&mem, MEMORY_LIMIT);
  alea_status status = alea_ggp_read(&m, text, size, &why);
  fuzz_note(status == ALEA_OK);
  if (status == ALEA_OK) {
    require(inside(m.id, text, size) && inside(m.role, text, size) && inside(m.rules, text, size) &&
                inside(m.own, text, size) && inside(m.events, text, size),
            "a message borrows from its text");
    count_terms(m.rules);
    count_terms(m.events);
    round_trip(&m, &mem);
    if (m.rules.length > 0) scramble(m.rules, &mem);
  } else {
    require(status == ALEA_INPUT && why != NULL && why[0] != '\0', "a refusal says why");
  }
  alea_ggp_percepts sight = alea_ggp_look((alea_slice){text, size});
  require(!sight.all || (inside(sight.rule, text, size) && inside(sight.word, text, size)),
          "the rule is one of the rules");
  require(mem.used == 0, "nothing leaks");
  return 0;
}
