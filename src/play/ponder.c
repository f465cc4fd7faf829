/* Pondering beside whoever waits. */
#include "play/ponder.h"

static void *work(void *argument) {
  alea_ponder *p = argument;
  /* What goes wrong will go wrong again when the player is asked to move. */
  (void)alea_player_ponder(p->player, p->own, &p->stop);
  return NULL;
}

void alea_ponder_start(alea_ponder *p, alea_player *player, alea_move own) {
  if (player == NULL || player->class->ponder == NULL) return;
  p->player = player;
  p->own = own;
  atomic_store(&p->stop, false);
  p->running = pthread_create(&p->thread, NULL, work, p) == 0;
}

void alea_ponder_stop(alea_ponder *p) {
  if (!p->running) return;
  atomic_store(&p->stop, true);
  pthread_join(p->thread, NULL);
  p->running = false;
}
