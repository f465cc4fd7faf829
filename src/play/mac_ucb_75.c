/* The player `mac-ucb-75`: mac-ucb with the shares of the article on symmetries
 * ([SYM16 §5]). */
#include "play/classes.h"
#include "play/mac.h"

#define OPTIONS(row) ALEA_MAC_OPTIONS(row, "0.75", "off")
typedef alea_mac_values values;
static const alea_option rows[] = {OPTIONS(ALEA_OPTION_ROW)};

static alea_status init(alea_player *player) {
  return alea_mac_player_init(player, ALEA_STAGE_MAC);
}

const alea_player_class alea_player_mac_ucb_75 = {
    .name = "mac-ucb-75",
    .summary = "the same with 75 % on solving",
    ALEA_MAC_PLAYER_MEMBERS,
};
