/* Mutations: mostly of the grammar's kind, now and then of tokens or bytes. */
#include "fuzz/mutate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "fuzz/keep.h"

static uint64_t noted_inputs, accepted_inputs;
static bool last_accepted;

#ifdef ALEA_LIBFUZZER
/* The fuzzer tells the rest when it ends. */
static void print_counts(void) {
  fprintf(stderr, "accepted: %.0f %%\n", 100.0 * (double)accepted_inputs / (double)noted_inputs);
}
#endif

void fuzz_note(bool accepted) {
#ifdef ALEA_LIBFUZZER
  if (noted_inputs == 0) atexit(print_counts);
#endif
  noted_inputs++;
  accepted_inputs += accepted;
  last_accepted = accepted;
}

void fuzz_counts(uint64_t *noted, uint64_t *accepted) {
  *noted = noted_inputs;
  *accepted = accepted_inputs;
}

/* ---- any change ---- */

static void change_byte(fuzz_text *text, alea_rng *rng) {
  fuzz_piece piece = {text->size > 0 ? alea_rng_below(rng, (uint32_t)text->size) : 0, 0};
  piece.length = text->size > 0 ? alea_rng_below(rng, 2) : 0;
  uint8_t byte = (uint8_t)alea_rng_below(rng, 256);
  fuzz_put(text, piece, &byte, alea_rng_below(rng, 4) > 0);
}

static void change_token(fuzz_text *text, const fuzz_tokens *tokens, alea_rng *rng) {
  uint32_t count = (uint32_t)tokens->count;
  fuzz_piece token = tokens->list[alea_rng_below(rng, count)];
  fuzz_piece other = tokens->list[alea_rng_below(rng, count)];
  if (fuzz_is_number(text, token)) {
    fuzz_change_number(text, token, 16, rng);
    return;
  }
  fuzz_piece piece = fuzz_piece_at(text, token), source = fuzz_piece_at(text, other);
  fuzz_piece before = {piece.at, 0};
  if (source.length > FUZZ_SPARE) source = other;
  switch (alea_rng_below(rng, 6)) {
    case 0: fuzz_put(text, piece, NULL, 0); return;
    case 1: fuzz_copy(text, before, source); return;
    case 2: fuzz_copy(text, before, piece); return; /* once more */
    default: break;
  }
  /* Like for like: a word for a word, a bracket for a bracket. */
  const uint8_t *data = text->data;
  bool alike = fuzz_is_word(data[piece.at]) == fuzz_is_word(data[source.at]) &&
               fuzz_closing(data[piece.at]) == fuzz_closing(data[source.at]);
  if (alike) fuzz_copy(text, piece, source);
}

/* One change that keeps to the grammar; false: none was found. */
static bool keep_grammar(fuzz_text *text, const fuzz_tokens *tokens, alea_rng *rng) {
  if (tokens->count == 0) return false;
  if (text->data[0] != '<') return fuzz_keep_words(text, tokens, rng);
  for (int i = 0; i < 1000; i++)
    if (fuzz_keep_xml(text, tokens, rng)) return true;
  return false;
}

size_t fuzz_mutate(uint8_t *data, size_t size, size_t most, unsigned seed) {
  static fuzz_tokens tokens; /* large; a fuzzer has one thread */
  fuzz_text text = {data, size, most};
  alea_rng rng;
  alea_rng_seed(&rng, seed);
  uint32_t kind = alea_rng_below(&rng, 32);
  fuzz_tokens_cut(&tokens, &text);
  bool done = kind > 1 && keep_grammar(&text, &tokens, &rng);
  for (int i = 0; i < 8 && !done && kind > 0 && tokens.count > 0; i++) {
    uint64_t before = alea_hash_bytes(text.data, text.size);
    change_token(&text, &tokens, &rng);
    done = alea_hash_bytes(text.data, text.size) != before;
  }
  if (!done) change_byte(&text, &rng);
  if (kind > 3) fuzz_keep_lengths(&text);
  return text.size;
}

/* ---- libFuzzer ---- */

/* libFuzzer changes an input several times, whether or not it was refused in
 * between, and takes refused ones into its collection where they reach something
 * new.  Changes of what is refused are mostly refused: seven of eight begin with
 * what was accepted last instead. */
enum { REFUSED_BITS = 20, MOST_KEPT = 1 << 16 };
static uint8_t refused[(1 << REFUSED_BITS) / 8];
static uint8_t accepted_bytes[MOST_KEPT], given_bytes[MOST_KEPT];
static size_t accepted_size, given_size;

static size_t refused_place(uint64_t hash, uint8_t *bit) {
  *bit = (uint8_t)(1 << (hash & 7));
  return (size_t)(hash >> 3) & (sizeof refused - 1);
}

/* What became of the input that was given last. */
static void learn_last(void) {
  if (given_size == 0) return;
  uint8_t bit;
  size_t place = refused_place(alea_hash_bytes(given_bytes, given_size), &bit);
  if (!last_accepted) refused[place] |= bit;
  if (!last_accepted) return;
  memcpy(accepted_bytes, given_bytes, given_size);
  accepted_size = given_size;
}

/* libFuzzer asks here for mutations. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  uint8_t bit;
  learn_last();
  size_t place = refused_place(alea_hash_bytes(data, size), &bit);
  if ((refused[place] & bit) != 0 && seed % 8 != 0 && accepted_size > 0 && accepted_size <= most) {
    memcpy(data, accepted_bytes, accepted_size);
    size = accepted_size;
  }
  size = fuzz_mutate(data, size, most, seed / 8);
  given_size = size <= MOST_KEPT ? size : 0;
  memcpy(given_bytes, data, given_size);
  return size;
}
