/* Records of matches: spelling, what ggp-base's reader needs, XML, signatures. */
#include <jansson.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "game/listing.h"
#include "match/runner.h"
#include "match/signature.h"
#include "match/stored_record.h"

static const char rules[] =
    "(role Red) (role Blue) (init (cellHolds 1 Empty)) (init (cellHolds 2 Empty)) (init (turnOf "
    "Red))"
    "(next1 Red Blue) (next1 Blue Red)"
    "(<= (legal ?p (putMark ?c)) (true (turnOf ?p)) (true (cellHolds ?c Empty)))"
    "(<= (legal ?p noOp) (role ?p) (not (true (turnOf ?p))))"
    "(<= (next (cellHolds ?c ?p)) (does ?p (putMark ?c)))"
    "(<= (next (cellHolds ?c ?x)) (true (cellHolds ?c ?x)) (distinct ?x Empty))"
    "(<= (next (cellHolds ?c Empty)) (true (cellHolds ?c Empty)) (not (taken ?c)))"
    "(<= (taken ?c) (does ?p (putMark ?c)))"
    "(<= (next (turnOf ?q)) (true (turnOf ?p)) (next1 ?p ?q))"
    "(<= open (true (cellHolds ?c Empty))) (<= terminal (not open))"
    "(<= (goal ?p 50) (role ?p))";

static void play_record(alea_opened *opened, alea_record *record, double clock, alea_text *json) {
  static const char *const players[] = {"random", "legal"}, *const names[] = {"A", "B \"b\" </x>"};
  alea_open_options open = {.engine = ALEA_ENGINE_NET};
  assert_int_equal(alea_open_rules(opened, "odd name/x", rules, strlen(rules), &open, NULL, NULL),
                   ALEA_OK);
  alea_match_options options = {.players = players,
                                .player_count = 2,
                                .names = names,
                                .sims = 10,
                                .time = clock,
                                .seed = 4,
                                .event = "Cup",
                                .step_cap = 100};
  assert_int_equal(alea_match_run(record, opened, &options, NULL, NULL, NULL), ALEA_OK);
  alea_record_json(record, json);
}

/* The states of a record, replayed by the prover from its moves, term by term. */
static void replay(const json_t *record, alea_mem *mem) {
  alea_opened opened;
  alea_open_options open = {.engine = ALEA_ENGINE_PROVER};
  alea_cursor *cursor;
  alea_listing listing;
  alea_text state;
  const json_t *moves = json_object_get(record, "moves");
  assert_int_equal(alea_open_rules(&opened, "x", rules, strlen(rules), &open, NULL, NULL), ALEA_OK);
  assert_int_equal(alea_cursor_new(opened.game, mem, &cursor), ALEA_OK);
  alea_listing_init(&listing, mem);
  listing.spelling = true;
  alea_text_init(&state, mem);
  for (size_t step = 0; step <= json_array_size(moves); step++) {
    alea_text_truncate(&state, 0);
    alea_text_put(&state, "( ");
    assert_int_equal(alea_listing_fluents(&listing, cursor), ALEA_OK);
    for (size_t i = 0; i < listing.items.count; i++)
      alea_text_format(&state, "%s ", listing.items.data[i]);
    alea_text_char(&state, ')');
    assert_string_equal(json_string_value(json_array_get(json_object_get(record, "states"), step)),
                        state.data);
    alea_move joint[2];
    alea_list legal;
    for (uint32_t r = 0; step < json_array_size(moves) && r < 2; r++) {
      const char *text = json_string_value(json_array_get(json_array_get(moves, step), r));
      assert_int_equal(alea_cursor_legal(cursor, r, &legal), ALEA_OK);
      assert_true(alea_list_has(legal, joint[r] = alea_game_move_find(opened.game, r, text)));
    }
    if (step < json_array_size(moves)) assert_int_equal(alea_cursor_play(cursor, joint), ALEA_OK);
  }
  alea_text_clear(&state);
  alea_listing_clear(&listing);
  alea_cursor_free(cursor);
  alea_opened_clear(&opened);
}

static const char *text_of(const json_t *record, const char *key) {
  return json_string_value(json_object_get(record, key));
}

static void ggp_base_can_replay(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  char tokens[2][40];
  for (int clocked = 0; clocked < 3; clocked++) {
    alea_opened opened;
    alea_record record;
    alea_text json;
    alea_record_init(&record, &mem);
    alea_text_init(&json, &mem);
    play_record(&opened, &record, clocked > 0 ? 5 : 0, &json);
    json_t *read = json_loads(json.data, 0, NULL);
    assert_non_null(read);
    assert_non_null(strstr(json.data, "(cellHolds 1 Empty)"));
    assert_non_null(strstr(json.data, "\"(putMark "));
    assert_string_equal(text_of(read, "gameMetaURL"), "http://alea.invalid/games/odd%20name%2Fx/");
    assert_string_equal(text_of(read, "tournamentNameFromHost"), "Cup");
    assert_int_equal(json_number_value(json_object_get(read, "previewClock")), -1);
    const json_t *names = json_object_get(read, "playerNamesFromHost");
    assert_string_equal(json_string_value(json_array_get(names, 1)), "B \"b\" </x>");
    const char *token = text_of(read, "randomToken");
    assert_int_equal(strlen(token), 32);
    assert_int_equal(
        strspn(token, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"), 32);
    /* With a clock two matches of one seed are two matches. */
    if (clocked > 0) strcpy(tokens[clocked - 1], token);
    replay(read, &mem);
    json_decref(read);
    alea_text_clear(&json);
    alea_record_clear(&record);
    alea_opened_clear(&opened);
  }
  assert_string_not_equal(tokens[0], tokens[1]);
  assert_int_equal(mem.used, 0);
}

/* ---- records of others ---- */

static const char xml[] =
    "<?xml version=\"1.0\"?><match><matchId>m</matchId><herstory><state><fact><relation>cellHolds"
    "</relation><argument>1</argument></fact></state></herstory><history><move><action><relation>"
    "putMark</relation><argument>1</argument></action><action>noOp</action></move>"
    "<move><action>noOp</action><action><relation>f</relation><argument><relation>g</relation>"
    "<argument>a</argument><argument>b</argument></argument></action></move></history></match>";

static void reads_xml(void **state) {
  (void)state;
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_stored_record record;
  assert_int_equal(alea_stored_record_read(&record, xml, strlen(xml), "x", &mem, NULL), ALEA_OK);
  assert_int_equal(record.moves.count, 2);
  assert_int_equal(record.moves.data[0].count, 2);
  assert_string_equal(record.moves.data[0].texts[0], "(putMark 1)");
  assert_string_equal(record.moves.data[0].texts[1], "noOp");
  assert_string_equal(record.moves.data[1].texts[1], "(f (g a b))");
  alea_stored_record_clear(&record);
  assert_int_equal(mem.used, 0);
}

/* Every failing allocation is a status. */
static void reads_without_memory(void **state) {
  (void)state;
  static const char json[] = "{\"moves\":[[\"(mark 1 1)\",\"noop\"],[\"noop\",\"a\"]]}";
  const char *const texts[] = {xml, json};
  for (size_t i = 0; i < 2; i++) {
    alea_status status = ALEA_SYSTEM;
    for (uint64_t n = 1; status != ALEA_OK; n++) {
      alea_mem mem;
      alea_mem_init(&mem, 0);
      mem.fail_in = n;
      alea_stored_record record;
      status = alea_stored_record_read(&record, texts[i], strlen(texts[i]), "x", &mem, NULL);
      assert_true(status == ALEA_OK || status == ALEA_SYSTEM);
      alea_stored_record_clear(&record);
      assert_int_equal(mem.used, 0);
      assert_true(n < 1000);
    }
  }
}

static void refuses_what_is_no_record(void **state) {
  (void)state;
  static const char *const texts[] = {
      "<!DOCTYPE match [<!ENTITY a \"x\">]><match><history>"
      "<move><action>&a;</action></move></history></match>",
      "",
      "<",
      "<match/>",
      "<a><history/></a>",
      "{",
      "[]",
      "{}",
      "{\"moves\":7}",
      "{\"moves\":[7]}",
      "{\"moves\":[[7]]}",
      "<match><history><move><action><argument>a</argument>"
      "</action></move></history></match>"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    alea_mem mem;
    alea_mem_init(&mem, 0);
    alea_diag diag;
    alea_diag_init(&diag, &mem);
    alea_stored_record record;
    alea_status status =
        alea_stored_record_read(&record, texts[i], strlen(texts[i]), "x", &mem, &diag);
    if (status != ALEA_INPUT || diag.errors == 0) fail_msg("'%s' was read", texts[i]);
    alea_stored_record_clear(&record);
    alea_diag_clear(&diag);
    assert_int_equal(mem.used, 0);
  }
}

/* ---- signatures ---- */

static void put_key(char *out, unsigned char *der, int length) {
  assert_true(length > 0);
  out[0] = '0';
  (void)EVP_EncodeBlock((unsigned char *)out + 1, der, length);
  OPENSSL_free(der);
}

typedef struct key_pair {
  EVP_PKEY *key;
  char public[4000], secret[8000], file[13000];
} key_pair;

static void make_keys(key_pair *k) {
  unsigned char *der = NULL, *raw = NULL;
  k->key = EVP_RSA_gen(1024);
  assert_non_null(k->key);
  int length = i2d_PUBKEY(k->key, &der);
  put_key(k->public, der, length);
  PKCS8_PRIV_KEY_INFO *info = EVP_PKEY2PKCS8(k->key);
  length = i2d_PKCS8_PRIV_KEY_INFO(info, &raw);
  PKCS8_PRIV_KEY_INFO_free(info);
  put_key(k->secret, raw, length);
  snprintf(k->file, sizeof k->file, "{\"PK\":\"%s\", \"SK\":\"%s\"}", k->public, k->secret);
}

/* What ggp-base would sign, written out by hand; %s is the public key. */
static const char unsigned_record[] =
    "{\"b\":[1,-2.50,0.0001,1234567.5,25000000.0,true,null],\"a\":{\"z\":\"q\\\"\\\\</x>/y\","
    "\"k\":\"\\u0001\\n\\u00e9\\u2028\"}}";
static const char canonical[] =
    "{\"a\":{\"k\":\"\\u0001\\n\xc3\xa9\\u2028\",\"z\":\"q\\\"\\\\<\\/x>/y\"},"
    "\"b\":[1,-2.5,1.0E-4,1234567.5,2.5E7,true,null],\"matchHostPK\":\"%s\"}";

static void signs_as_ggp_base(void **state) {
  (void)state;
  key_pair k;
  make_keys(&k);
  alea_mem mem;
  alea_mem_init(&mem, 0);
  alea_text record;
  alea_text_init(&record, &mem);
  alea_text_put(&record, unsigned_record);
  assert_int_equal(alea_signature_check(record.data, record.length), ALEA_SIGNATURE_NONE);
  assert_int_equal(alea_signature_add(&record, k.file, strlen(k.file), "keys", NULL), ALEA_OK);
  assert_int_equal(alea_signature_check(record.data, record.length), ALEA_SIGNATURE_GOOD);
  json_t *read = json_loads(record.data, 0, NULL);
  const char *text = text_of(read, "matchHostSignature");
  assert_memory_equal(text, "A0", 2);
  unsigned char bytes[1000];
  char form[5000];
  int count = EVP_DecodeBlock(bytes, (const unsigned char *)text + 2, (int)strlen(text) - 2);
  assert_true(count >= 128);
  snprintf(form, sizeof form, canonical, k.public);
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  assert_int_equal(EVP_DigestVerifyInit(context, NULL, EVP_sha1(), NULL, k.key), 1);
  assert_int_equal(EVP_DigestVerify(context, bytes, 128, (const unsigned char *)form, strlen(form)),
                   1);
  EVP_MD_CTX_free(context);
  json_decref(read);
  /* Any other record has another signature. */
  char *changed = strstr(record.data, "-2.50");
  changed[1] = '3';
  assert_int_equal(alea_signature_check(record.data, record.length), ALEA_SIGNATURE_WRONG);
  changed[1] = '2';
  strstr(record.data, "matchHostSignature")[0] = 'n';
  assert_int_equal(alea_signature_check(record.data, record.length), ALEA_SIGNATURE_WRONG);
  alea_text_clear(&record);
  EVP_PKEY_free(k.key);
  assert_int_equal(mem.used, 0);
}

static void refuses_bad_keys(void **state) {
  (void)state;
  key_pair k, other;
  make_keys(&k);
  make_keys(&other);
  char mixed[13000];
  snprintf(mixed, sizeof mixed, "{\"PK\":\"%s\", \"SK\":\"%s\"}", k.public, other.secret);
  const char *const files[] = {"", "{}", "{\"PK\":\"0\",\"SK\":\"0\"}",
                               "{\"PK\":\"0AAAA\",\"SK\":\"0AAAA\"}", mixed};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    alea_mem mem;
    alea_mem_init(&mem, 0);
    alea_text record;
    alea_text_init(&record, &mem);
    alea_text_put(&record, "{\"a\":1}");
    assert_int_equal(alea_signature_add(&record, files[i], strlen(files[i]), "keys", NULL),
                     ALEA_INPUT);
    assert_string_equal(record.data, "{\"a\":1}");
    alea_text_clear(&record);
  }
  EVP_PKEY_free(k.key);
  EVP_PKEY_free(other.key);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ggp_base_can_replay),  cmocka_unit_test(reads_xml),
      cmocka_unit_test(reads_without_memory), cmocka_unit_test(refuses_what_is_no_record),
      cmocka_unit_test(signs_as_ggp_base),    cmocka_unit_test(refuses_bad_keys),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
