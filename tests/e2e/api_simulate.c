/* Plays a game at random through the public interface and prints what `alea simulate` prints:
 * one JSON object per state on standard output, one joint move per line into a file.
 *
 *   api_simulate GAME SEED STEPS MOVES-FILE */
#include <alea/alea.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_texts(const char *const *texts, size_t count) {
  for (size_t i = 0; i < count; i++) printf("%s\"%s\"", i > 0 ? "," : "", texts[i]);
}

static int by_text(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void print_legal(alea_state *state, uint32_t role) {
  alea_ruleset *rules = alea_state_rules(state);
  size_t count;
  const alea_move *legal = alea_state_legal(state, role, &count);
  char **texts = calloc(count + 1, sizeof *texts);
  for (size_t i = 0; texts != NULL && i < count; i++) {
    size_t length = alea_ruleset_move_text(rules, role, legal[i], NULL, 0);
    texts[i] = malloc(length + 1);
    if (texts[i] == NULL) exit(ALEA_SYSTEM);
    alea_ruleset_move_text(rules, role, legal[i], texts[i], length + 1);
  }
  if (texts == NULL) exit(ALEA_SYSTEM);
  qsort(texts, count, sizeof *texts, by_text);
  print_texts((const char *const *)texts, count);
  for (size_t i = 0; i < count; i++) free(texts[i]);
  free(texts);
}

/* The members of an object per role. */
static void print_state(alea_state *state) {
  alea_ruleset *rules = alea_state_rules(state);
  uint32_t roles = alea_ruleset_role_count(rules);
  size_t count;
  const char *const *fluents = alea_state_fluents(state, &count);
  printf("{\"step\":%u,\"state\":[", alea_state_depth(state));
  print_texts(fluents, count);
  printf("],\"terminal\":%s,\"goals\":[", alea_state_terminal(state) ? "true" : "false");
  for (uint32_t r = 0; r < roles; r++) printf("%s%d", r > 0 ? "," : "", alea_state_goal(state, r));
  printf("],\"legal\":[");
  for (uint32_t r = 0; r < roles; r++) {
    printf("%s[", r > 0 ? "," : "");
    print_legal(state, r);
    printf("]");
  }
  printf("],\"sees\":[");
  for (uint32_t r = 0; r < roles; r++) {
    const char *const *percepts = alea_state_percepts(state, r, &count);
    printf("%s[", r > 0 ? "," : "");
    print_texts(percepts, count);
    printf("]");
  }
  printf("]}\n");
}

static void print_moves(alea_state *state, FILE *file) {
  alea_ruleset *rules = alea_state_rules(state);
  const alea_move *joint = alea_state_last(state);
  for (uint32_t r = 0; r < alea_ruleset_role_count(rules); r++) {
    char text[4096];
    alea_ruleset_move_text(rules, r, joint[r], text, sizeof text);
    fprintf(file, "%s%s", r > 0 ? " " : "", text);
  }
  fprintf(file, "\n");
}

int main(int argc, char **argv) {
  alea_ruleset *rules;
  alea_state *state;
  if (argc != 5) return ALEA_USAGE;
  FILE *file = fopen(argv[4], "w");
  if (file == NULL) return ALEA_SYSTEM;
  alea_status status = alea_ruleset_open(&rules, argv[1], NULL, NULL);
  if (status == ALEA_OK) status = alea_state_new(&state, rules, strtoull(argv[2], NULL, 10));
  if (status != ALEA_OK) return status;
  print_state(state);
  for (long step = strtol(argv[3], NULL, 10); step > 0 && !alea_state_terminal(state); step--) {
    status = alea_state_step(state, NULL);
    if (status != ALEA_OK) return status;
    print_moves(state, file);
    print_state(state);
  }
  alea_state_free(state);
  alea_ruleset_free(rules);
  return fclose(file) == 0 ? 0 : ALEA_SYSTEM;
}
