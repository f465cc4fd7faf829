/* Evaluations as files. */
#include "minimax/eval_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "game/playout.h"
#include "propnet/propnet.h"

enum {
  PRINT_PLAYS = 4,
  PRINT_STEPS = 200,
  SCORES_PER_LINE = 16,               /* of the short form */
  MOST_SCORE = 1000 * ALEA_EVAL_UNIT, /* of a fluent */
  MOST_TEXT = 64 << 20,               /* bytes of a file */
};
static const char first_line[] = "alea-evaluation 2", older_line[] = "alea-evaluation 1",
                  short_line[] = "alea-evaluation 3";

alea_status alea_eval_file_text(const char *path, alea_text *text, alea_mem *mem,
                                alea_text *message) {
  char buffer[4096];
  FILE *file = fopen(path, "rb");
  for (size_t n; file != NULL && text->length <= MOST_TEXT &&
                 (n = fread(buffer, 1, sizeof buffer, file)) > 0;) {
    alea_text_add(text, buffer, n);
  }
  int error = errno;
  bool good = file != NULL && !ferror(file);
  if (file != NULL) fclose(file);
  if (!good) {
    if (message != NULL)
      alea_text_format(message, "evaluation %s cannot be read: %s", path, strerror(error));
    return ALEA_SYSTEM;
  }
  if (text->failed) return alea_mem_lack(mem);
  if (text->length > MOST_TEXT) {
    if (message != NULL)
      alea_text_format(message, "evaluation %s is larger than %d MiB", path, MOST_TEXT >> 20);
    return ALEA_INPUT;
  }
  if (strlen(alea_text_string(text)) == text->length) return ALEA_OK;
  if (message != NULL)
    alea_text_format(message, "evaluation %s has a byte 0, so it is no text", path);
  return ALEA_INPUT;
}

/* ---- the fingerprint ---- */

static uint64_t join_text(uint64_t hash, const char *text) {
  return alea_hash_join(hash, alea_hash_bytes(text, strlen(text)));
}

alea_status alea_eval_fingerprint(const alea_game *game, alea_mem *mem, uint64_t *number) {
  const alea_net *net = alea_net_of_game(game);
  alea_cursor *cursor;
  alea_rng rng;
  uint64_t hash = 0;
  if (net == NULL) return ALEA_USAGE;
  for (uint32_t r = 0; r < net->role_count; r++) hash = join_text(hash, net->role_text[r]);
  for (uint32_t m = 0; m < net->move_count; m++) hash = join_text(hash, net->move_text[m]);
  for (uint32_t f = 0; f < net->fluent_count; f++) hash = join_text(hash, net->fluent_text[f]);
  alea_rng_seed_stream(&rng, 1, 0);
  alea_status status = alea_cursor_new(game, mem, &cursor);
  for (uint32_t i = 0; status == ALEA_OK && i < PRINT_PLAYS; i++) {
    alea_playout playout;
    status = alea_cursor_reset(cursor);
    if (status == ALEA_OK) status = alea_playout_run(cursor, &rng, PRINT_STEPS, &playout);
    size_t count;
    const uint64_t *words = alea_cursor_state(cursor, &count);
    for (size_t w = 0; w < count; w++) hash = alea_hash_join(hash, words[w]);
    for (uint32_t r = 0; status == ALEA_OK && r < net->role_count; r++) {
      int goal = 0;
      status = alea_cursor_goal(cursor, r, &goal);
      hash = alea_hash_join(hash, (uint64_t)(goal + 1));
    }
  }
  if (status == ALEA_OK) alea_cursor_free(cursor);
  *number = hash;
  return status;
}

/* ---- writing ---- */

void alea_eval_file_begin(alea_text *out, uint64_t fingerprint) {
  alea_text_format(out, "%s\nrules %016" PRIx64 "\n", first_line, fingerprint);
}

static void put_head(alea_text *out, const char *word, const alea_linear_eval *eval) {
  alea_text_format(out, "%s %" PRIu32 " plays %" PRIu64 " games %" PRIu64, word, eval->role,
                   eval->plays, eval->games);
  alea_text_format(out, " base %" PRId32 " loud %" PRId32 "\n", eval->base, eval->loud);
}

static void put_patterns(alea_text *out, const alea_eval_patterns *patterns) {
  for (size_t i = 0; patterns->live && i < patterns->classes.count; i++) {
    const alea_eval_pattern_class *it = &patterns->classes.data[i];
    for (uint32_t k = 1; k <= it->length; k++)
      alea_text_format(out, "pattern %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRId32 "\n", it->role,
                       it->length, k, patterns->counts.data[it->first_count + k].score);
  }
}

static void put_units(alea_text *out, const int16_t *units) {
  for (int u = 0; u < ALEA_NETWORK_UNITS; u++) alea_text_format(out, " %d", units[u]);
  alea_text_put(out, "\n");
}

static void put_network(alea_text *out, const alea_eval_network *network) {
  if (network->mem == NULL) return;
  alea_text_format(out, "network %d rest %" PRId32 " drift %" PRId32 "\n", ALEA_NETWORK_UNITS,
                   network->rest, network->drift);
  for (uint32_t f = 0; network->image != NULL && f < network->fluent_count; f++) {
    if (f % SCORES_PER_LINE == 0) alea_text_format(out, "images %" PRIu32, f);
    alea_text_format(out, " %" PRIu32, network->image[f]);
    bool last = f % SCORES_PER_LINE == SCORES_PER_LINE - 1 || f + 1 == network->fluent_count;
    if (last) alea_text_put(out, "\n");
  }
  alea_text_put(out, "bias");
  put_units(out, network->bias);
  alea_text_put(out, "worth");
  put_units(out, network->out);
  for (uint32_t f = 0; f < network->fluent_count; f++) {
    int any = 0;
    for (int u = 0; u < ALEA_NETWORK_UNITS; u++) any |= network->weights[f][u];
    if (any == 0) continue;
    alea_text_format(out, "weights %" PRIu32, f);
    put_units(out, network->weights[f]);
  }
}

void alea_eval_file_add(alea_text *out, const alea_linear_eval *eval) {
  const alea_net *net = alea_net_of_game(eval->game);
  put_head(out, "role", eval);
  for (uint32_t f = 0; f < net->fluent_count; f++)
    if (eval->scores[f] != 0)
      alea_text_format(out, "fluent %" PRIu32 " %" PRId32 " %s\n", f, eval->scores[f],
                       net->fluent_text[f]);
  put_patterns(out, &eval->patterns);
  put_network(out, &eval->network);
}

void alea_eval_file_begin_short(alea_text *out, uint64_t fingerprint, const alea_game *game) {
  alea_text_format(out, "%s\nrules %016" PRIx64 "\nfluents %" PRIu32 "\n", short_line, fingerprint,
                   alea_net_of_game(game)->fluent_count);
}

void alea_eval_file_add_short(alea_text *out, const alea_linear_eval *eval, bool both) {
  uint32_t fluents = alea_net_of_game(eval->game)->fluent_count;
  put_head(out, both ? "both" : "role", eval);
  for (uint32_t first = 0; first < fluents; first += SCORES_PER_LINE) {
    uint32_t end = first; /* of those that count */
    for (uint32_t f = first; f < fluents && f < first + SCORES_PER_LINE; f++)
      if (eval->scores[f] != 0) end = f + 1;
    if (end == first) continue;
    alea_text_format(out, "scores %" PRIu32, first);
    for (uint32_t f = first; f < end; f++) alea_text_format(out, " %" PRId32, eval->scores[f]);
    alea_text_put(out, "\n");
  }
  put_patterns(out, &eval->patterns);
  put_network(out, &eval->network);
}

/* ---- reading ---- */

typedef struct eval_reader {
  alea_linear_eval *eval;
  const alea_net *net;
  const char *path, *at; /* 'at': the rest of the text */
  uint32_t line;
  bool own, found; /* in the section of the role; there was one */
  bool turned;     /* it is of the other role */
  alea_text *message;
} eval_reader;

static alea_status refuse(const eval_reader *r, const char *why) {
  if (r->message != NULL)
    alea_text_format(r->message, "evaluation %s:%" PRIu32 ": %s", r->path, r->line, why);
  return ALEA_INPUT;
}

/* The next line, without its end, into 'line'; false: there is none, or it is too
 * long for anything that can be meant. */
static bool next_line(eval_reader *r, char *line, size_t size) {
  size_t length = strcspn(r->at, "\n");
  r->line++;
  if (*r->at == '\0' || length >= size) return false;
  memcpy(line, r->at, length);
  line[length] = '\0';
  r->at += length + (r->at[length] == '\n');
  return true;
}

/* Takes 'word' and a number off the line.  One that is too large stays so. */
static bool take_number(const char **at, const char *word, int64_t *number) {
  size_t length = strlen(word);
  if (strncmp(*at, word, length) != 0) return false;
  char *end;
  *number = strtoll(*at + length, &end, 10);
  bool there = end > *at + length;
  *at = end;
  return there;
}

static bool is_score(int64_t number) { return number <= MOST_SCORE && number >= -MOST_SCORE; }

/* The section of a role, or with 'both' of two. */
static alea_status read_role(eval_reader *r, const char *line, bool both) {
  int64_t role, plays, games, base, loud;
  if (!take_number(&line, both ? "both " : "role ", &role) ||
      !take_number(&line, " plays ", &plays) || !take_number(&line, " games ", &games) ||
      !take_number(&line, " base ", &base) || !take_number(&line, " loud ", &loud) || *line != '\0')
    return refuse(r, "expected 'role N plays N games N base N loud N', or 'both N' and so on");
  if (role < 0 || role >= r->net->role_count) return refuse(r, "the game has no such role");
  if (!is_score(base) || !is_score(loud) || loud < 0 || plays < 0 || games < 0)
    return refuse(r, "a number is out of range");
  if (both && r->net->role_count != 2) return refuse(r, "the game has not two roles");
  r->own = both || (uint32_t)role == r->eval->role;
  if (!r->own) return ALEA_OK;
  if (r->found) return refuse(r, "the role is there twice");
  r->found = true;
  r->turned = (uint32_t)role != r->eval->role;
  r->eval->shares = both;
  r->eval->plays = (uint64_t)plays;
  r->eval->games = (uint64_t)games;
  r->eval->base = (int32_t)base;
  r->eval->loud = (int32_t)loud;
  return ALEA_OK;
}

static alea_status read_fluent(eval_reader *r, const char *line) {
  int64_t fluent, score;
  if (!take_number(&line, "fluent ", &fluent) || !take_number(&line, " ", &score) || *line != ' ')
    return refuse(r, "expected 'fluent NUMBER SCORE NAME'");
  if (fluent < 0 || fluent >= r->net->fluent_count) return refuse(r, "the game has no such fluent");
  if (strcmp(line + 1, r->net->fluent_text[fluent]) != 0)
    return refuse(r, "the fluent of this number has another name");
  if (!is_score(score)) return refuse(r, "a number is out of range");
  if (r->own) r->eval->scores[fluent] = (int32_t)score;
  return ALEA_OK;
}

static alea_status read_pattern(eval_reader *r, const char *line) {
  uint32_t role, length, held;
  int32_t score;
  int end = 0;
  if (sscanf(line, "pattern %" SCNu32 " %" SCNu32 " %" SCNu32 " %" SCNd32 "%n", &role, &length,
             &held, &score, &end) != 4 ||
      line[end] != '\0')
    return refuse(r, "expected 'pattern ROLE LENGTH HELD SCORE'");
  if (score > MOST_SCORE || score < -MOST_SCORE) return refuse(r, "a number is out of range");
  alea_eval_patterns *patterns = &r->eval->patterns;
  for (size_t i = 0; i < patterns->classes.count; i++) {
    const alea_eval_pattern_class *it = &patterns->classes.data[i];
    if (it->role != role || it->length != length || held < 1 || held > length) continue;
    if (r->own) patterns->counts.data[it->first_count + held].score = score;
    if (r->own) patterns->live = true;
    return ALEA_OK;
  }
  return refuse(r, "the rules of the game have no such pattern");
}

/* Scores of the short form. */
static alea_status read_scores(eval_reader *r, const char *line) {
  int64_t fluent, score;
  if (!take_number(&line, "scores ", &fluent)) return refuse(r, "expected 'scores FIRST SCORE...'");
  for (; *line != '\0'; fluent++) {
    if (!take_number(&line, " ", &score)) return refuse(r, "expected 'scores FIRST SCORE...'");
    if (fluent < 0 || fluent >= r->net->fluent_count)
      return refuse(r, "the game has no such fluent");
    if (!is_score(score)) return refuse(r, "a number is out of range");
    if (r->own) r->eval->scores[fluent] = (int32_t)score;
  }
  return ALEA_OK;
}

/* ---- networks ---- */

static const char wanted_units[] =
    "expected as many whole numbers from -32767 to 32767 as the network has units";

/* The rest of a line: a number for each unit. */
static alea_status read_units(eval_reader *r, const char *line, int16_t *units) {
  for (int u = 0; u < ALEA_NETWORK_UNITS; u++) {
    int64_t number;
    if (!take_number(&line, " ", &number) || number > INT16_MAX || number < -INT16_MAX)
      return refuse(r, wanted_units);
    units[u] = (int16_t)number;
  }
  return *line == '\0' ? ALEA_OK : refuse(r, wanted_units);
}

static alea_status read_network(eval_reader *r, const char *line) {
  int64_t units, rest, drift;
  if (!take_number(&line, "network ", &units) || !take_number(&line, " rest ", &rest) ||
      !take_number(&line, " drift ", &drift) || *line != '\0')
    return refuse(r, "expected 'network UNITS rest SCORE drift SCORE'");
  if (units != ALEA_NETWORK_UNITS) return refuse(r, "networks have 32 units");
  if (!is_score(rest) || !is_score(drift) || drift < 0)
    return refuse(r, "a number is out of range");
  if (!r->own) return ALEA_OK;
  alea_eval_network *network = &r->eval->network;
  if (network->mem != NULL) return refuse(r, "there are two networks");
  alea_status status = alea_eval_network_init(network, r->net->fluent_count, NULL, r->eval->mem);
  network->rest = (int32_t)rest;
  network->drift = (int32_t)drift;
  return status;
}

static alea_status read_images(eval_reader *r, const char *line) {
  alea_eval_network *network = &r->eval->network;
  int64_t fluent, image;
  if (!take_number(&line, "images ", &fluent))
    return refuse(r, "expected 'images FIRST FLUENT...'");
  for (; *line != '\0'; fluent++) {
    if (!take_number(&line, " ", &image)) return refuse(r, "expected 'images FIRST FLUENT...'");
    if (fluent < 0 || fluent >= r->net->fluent_count || image < 0 || image >= r->net->fluent_count)
      return refuse(r, "the game has no such fluent");
    if (!r->own) continue;
    if (!alea_eval_network_see(network)) return alea_mem_lack(r->eval->mem);
    network->image[fluent] = (uint32_t)image;
  }
  return ALEA_OK;
}

static alea_status read_weights(eval_reader *r, const char *line) {
  int64_t fluent;
  int16_t units[ALEA_NETWORK_UNITS];
  if (!take_number(&line, "weights ", &fluent))
    return refuse(r, "expected 'weights FLUENT WEIGHT...'");
  if (fluent < 0 || fluent >= r->net->fluent_count) return refuse(r, "the game has no such fluent");
  return read_units(r, line, r->own ? r->eval->network.weights[fluent] : units);
}

/* Whether a line is of a network; then it is read. */
static bool read_network_line(eval_reader *r, const char *line, alea_status *status) {
  alea_eval_network *network = &r->eval->network;
  int16_t units[ALEA_NETWORK_UNITS];
  bool bias = strncmp(line, "bias ", 5) == 0, worth = strncmp(line, "worth ", 6) == 0;
  bool images = strncmp(line, "images ", 7) == 0, weights = strncmp(line, "weights ", 8) == 0;
  if (strncmp(line, "network ", 8) == 0) return *status = read_network(r, line), true;
  if (!bias && !worth && !images && !weights) return false;
  if (r->own && network->mem == NULL)
    *status = refuse(r, "this belongs to a network, and there is no line 'network' before it");
  else if (images)
    *status = read_images(r, line);
  else if (weights)
    *status = read_weights(r, line);
  else
    *status = read_units(r, line + (bias ? 4 : 5),
                         !r->own ? units
                         : bias  ? network->bias
                                 : network->out);
  return true;
}

static alea_status read_line(eval_reader *r, const char *line) {
  alea_status status = ALEA_OK;
  if (read_network_line(r, line, &status)) return status;
  if (strncmp(line, "role ", 5) == 0) return read_role(r, line, false);
  if (strncmp(line, "both ", 5) == 0) return read_role(r, line, true);
  if (strncmp(line, "scores ", 7) == 0) return read_scores(r, line);
  return strncmp(line, "pattern ", 8) == 0 ? read_pattern(r, line) : read_fluent(r, line);
}

/* The fingerprint in a line 'rules FINGERPRINT'. */
static bool take_rules(const char *line, uint64_t *rules) {
  int end = 0;
  return sscanf(line, "rules %" SCNx64 "%n", rules, &end) == 1 && line[end] == '\0';
}

/* The line of the short form that says how many fluents there are. */
static alea_status read_size(eval_reader *r, char *line, size_t size) {
  int64_t fluents;
  const char *at = line;
  if (!next_line(r, line, size) || !take_number(&at, "fluents ", &fluents) || *at != '\0')
    return refuse(r, "expected 'fluents N'");
  return fluents == r->net->fluent_count ? ALEA_OK : refuse(r, "the game has not so many fluents");
}

static alea_status read_head(eval_reader *r, char *line, size_t size) {
  uint64_t rules, own;
  bool first = next_line(r, line, size), is_short = first && strcmp(line, short_line) == 0;
  if (!first || (!is_short && strcmp(line, first_line) != 0 && strcmp(line, older_line) != 0))
    return refuse(r,
                  "this is no evaluation of a GDL game ('alea learn GAME --out FILE' makes one)");
  if (!next_line(r, line, size) || !take_rules(line, &rules))
    return refuse(r, "expected 'rules FINGERPRINT'");
  alea_status status = alea_eval_fingerprint(r->eval->game, r->eval->mem, &own);
  if (status != ALEA_OK) return status;
  if (own != rules) return refuse(r, "it was learnt for other rules; learn it anew for this game");
  return is_short ? read_size(r, line, size) : ALEA_OK;
}

alea_eval_file_key alea_eval_file_key_of(const char *text) {
  alea_eval_file_key key = {0};
  if (strncmp(text, short_line, strlen(short_line)) != 0) return key;
  int read = sscanf(text + strlen(short_line), " rules %" SCNx64 " fluents %" SCNu32, &key.rules,
                    &key.fluents);
  return read == 2 ? key : (alea_eval_file_key){0};
}

static alea_status read_text(eval_reader *r) {
  char line[4096];
  alea_status status = read_head(r, line, sizeof line);
  while (status == ALEA_OK && *r->at != '\0') {
    if (!next_line(r, line, sizeof line)) return refuse(r, "the line is too long");
    status = read_line(r, line);
  }
  if (status == ALEA_OK && !r->found) return refuse(r, "the role that is played is not there");
  if (status == ALEA_OK && r->turned) {
    r->eval->role = 1 - r->eval->role;
    alea_linear_eval_turn(r->eval);
  }
  return status;
}

alea_status alea_eval_file_read_text(alea_linear_eval *eval, const char *name, const char *text,
                                     alea_text *message) {
  eval_reader reader = {.eval = eval, .path = name, .at = text, .message = message};
  reader.net = alea_net_of_game(eval->game);
  return read_text(&reader);
}

alea_status alea_eval_file_read(alea_linear_eval *eval, const char *path, alea_text *message) {
  alea_text text;
  alea_text_init(&text, eval->mem);
  alea_status status = alea_eval_file_text(path, &text, eval->mem, message);
  if (status == ALEA_OK)
    status = alea_eval_file_read_text(eval, path, alea_text_string(&text), message);
  alea_text_clear(&text);
  return status;
}
