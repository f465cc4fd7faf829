/* Plays one random game to its end and shows it.
 *
 *   cc playout.c $(pkg-config --cflags --libs alea) -o playout && ./playout reversi 7 */
#include <alea/alea.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  alea_ruleset *rules;
  alea_diagnostics *found;
  alea_status status = alea_ruleset_open(&rules, argc > 1 ? argv[1] : "connect-four", NULL, &found);
  for (size_t i = 0; i < alea_diagnostics_count(found); i++)
    fprintf(stderr, "%s\n", alea_diagnostics_at(found, i)->message);
  alea_diagnostics_free(found);
  if (status != ALEA_OK) return status;

  alea_state *state;
  alea_picture *picture;
  if (alea_state_new(&state, rules, argc > 2 ? strtoull(argv[2], NULL, 10) : 1) != ALEA_OK ||
      alea_picture_new(&picture, rules) != ALEA_OK)
    return ALEA_SYSTEM;
  status = alea_state_playout(state, 0);
  printf("%safter %u steps:", alea_picture_text(picture, state, true), alea_state_depth(state));
  for (uint32_t role = 0; role < alea_ruleset_role_count(rules); role++)
    printf(" %s %d", alea_ruleset_role_name(rules, role), alea_state_goal(state, role));
  printf("\n");

  alea_picture_free(picture);
  alea_state_free(state);
  alea_ruleset_free(rules);
  return status;
}
