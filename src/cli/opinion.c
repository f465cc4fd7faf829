/* Opinions as text and JSON. */
#include "cli/opinion.h"

void alea_cli_opinion_text(double value, alea_proof proof, alea_text *out) {
  const char *word = alea_proof_text(proof);
  if (value >= 0) {
    alea_text_format(out, "%6.2f  %-5s  ", value, word != NULL ? word : "");
  } else {
    alea_text_format(out, "%6s  %-5s  ", "-", "");
  }
}

void alea_cli_opinion_value(double value, alea_json *json) {
  alea_json_key(json, "value");
  if (value < 0) {
    alea_json_null(json);
  } else {
    alea_json_real(json, value);
  }
}

void alea_cli_opinion_proof(alea_proof proof, alea_json *json) {
  alea_json_key(json, "proved");
  if (alea_proof_text(proof) == NULL) {
    alea_json_null(json);
  } else {
    alea_json_string(json, alea_proof_text(proof));
  }
}

void alea_cli_opinion_move(const alea_game *game, uint32_t role, alea_move move, const char *key,
                           alea_mem *mem, alea_json *json) {
  alea_text text;
  alea_text_init(&text, mem);
  alea_json_key(json, key);
  if (move == ALEA_NO_MOVE) {
    alea_json_null(json);
  } else {
    alea_game_move_text(game, role, move, true, &text);
    alea_json_string(json, alea_text_string(&text));
  }
  alea_text_clear(&text);
}
