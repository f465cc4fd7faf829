/* A player inside a program of its own: thinks in a second thread, is asked for
 * its opinion meanwhile, and is stopped as soon as it has one.
 *
 *   cc embed_player.c $(pkg-config --cflags --libs alea) -pthread -o embed_player */
#include <alea/alea.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static alea_move chosen = ALEA_NO_MOVE;

static void *think(void *agent) {
  alea_agent_budget budget = {.size = sizeof budget, .seconds = 10};
  alea_agent_think(agent, &budget, &chosen);
  return NULL;
}

int main(void) {
  alea_ruleset *rules;
  alea_agent *agent;
  if (alea_ruleset_open(&rules, "connect-four", NULL, NULL) != ALEA_OK) return ALEA_SYSTEM;
  alea_agent_options options = {.size = sizeof options, .role = 0, .seed = 1};
  if (alea_agent_new(&agent, rules, "uct:c=1", &options, NULL) != ALEA_OK) return ALEA_SYSTEM;

  pthread_t thread;
  if (pthread_create(&thread, NULL, think, agent) != 0) return ALEA_SYSTEM;
  alea_choice choices[16];
  alea_agent_report report = {.size = sizeof report};
  size_t count;
  do { /* until it has looked at every move a few hundred times */
    struct timespec pause = {.tv_nsec = 20000000};
    nanosleep(&pause, NULL);
    count = alea_agent_analysis(agent, choices, 16, &report);
  } while (count == 0 || report.sims < 2000);
  alea_agent_stop(agent);
  pthread_join(thread, NULL);

  char text[64];
  for (size_t i = 0; i < count && i < 16; i++) {
    alea_ruleset_move_text(rules, 0, choices[i].move, text, sizeof text);
    printf("%-10s %5.1f\n", text, choices[i].value);
  }
  alea_ruleset_move_text(rules, 0, chosen, text, sizeof text);
  printf("plays %s\n", text);
  alea_agent_free(agent);
  alea_ruleset_free(rules);
  return 0;
}
