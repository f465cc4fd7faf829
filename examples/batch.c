/* 100,000 games of connect four at once: red plays the middle while it can,
 * everybody else at random.
 *
 *   cc batch.c $(pkg-config --cflags --libs alea) -o batch */
#include <alea/alea.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 100000 };

int main(void) {
  alea_ruleset *rules;
  alea_batch *batch;
  alea_batch_options options = {.size = sizeof options, .seed = 1};
  if (alea_ruleset_open(&rules, "connect-four", NULL, NULL) != ALEA_OK ||
      alea_batch_new(&batch, rules, COUNT, &options) != ALEA_OK)
    return ALEA_SYSTEM;
  uint32_t roles = alea_ruleset_role_count(rules), width = alea_batch_move_width(batch);
  alea_move middle = alea_ruleset_move_find(rules, 0, "(drop 4)");
  int32_t *actions = malloc(sizeof *actions * COUNT * roles);
  float *rewards = malloc(sizeof *rewards * COUNT * roles);
  uint8_t *flags = malloc(COUNT), *legal = malloc((size_t)COUNT * width);
  if (actions == NULL || rewards == NULL || flags == NULL || legal == NULL) return ALEA_SYSTEM;
  alea_batch_arrays out = {
      .size = sizeof out, .flags = flags, .rewards = rewards, .legal = legal};

  double sum = 0;
  uint64_t steps = 0;
  alea_status status = alea_batch_look(batch, &out);
  while (status == ALEA_OK && alea_batch_playing(batch) > 0) {
    steps += alea_batch_playing(batch);
    for (size_t i = 0; i < COUNT; i++)
      for (uint32_t r = 0; r < roles; r++)
        actions[i * roles + r] =
            r == 0 && legal[i * width + middle] ? (int32_t)middle : ALEA_BATCH_RANDOM;
    status = alea_batch_step(batch, actions, &out);
    for (size_t i = 0; i < COUNT; i++) sum += rewards[i * roles];
  }
  printf("%llu steps; red scores %.1f on average\n", (unsigned long long)steps, sum / COUNT);
  free(actions);
  free(rewards);
  free(flags);
  free(legal);
  alea_batch_free(batch);
  alea_ruleset_free(rules);
  return status;
}
