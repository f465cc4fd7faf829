#ifndef ALEA_PLAY_CLASSES_H
#define ALEA_PLAY_CLASSES_H

/* Every player of this folder; a new one is a row here and a file. */

#include "play/player.h"

#define ALEA_PLAYER_CLASSES(row)                                                               \
  row(alea) row(ab) row(uct) row(grave) row(cfr) row(mac_ucb) row(mac_ucb_75) row(mac_ucb_sym) \
      row(fc_ucb) row(sancho_like) row(mc) row(toss_uct_eval) row(toss_uct) row(toss_mc)       \
          row(random) row(legal)

#define ALEA_PLAYER_DECLARE(name) extern const alea_player_class alea_player_##name;
ALEA_PLAYER_CLASSES(ALEA_PLAYER_DECLARE)
#undef ALEA_PLAYER_DECLARE

#endif
