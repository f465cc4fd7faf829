/* The player `mac-ucb` ([MACUCB16 §4]): MAC on
 * each stage, nine tenths of the effort on solving. */
#include "play/classes.h"
#include "play/mac.h"

#define OPTIONS(row) ALEA_MAC_OPTIONS(row, "0.9", "off")
typedef alea_mac_values values;
static const alea_option rows[] = {OPTIONS(ALEA_OPTION_ROW)};

static alea_status init(alea_player *player) {
  return alea_mac_player_init(player, ALEA_STAGE_MAC);
}

const alea_player_class alea_player_mac_ucb = {
    .name = "mac-ucb",
    .summary = "stages solved with MAC and sampled with UCB, 90 % of the effort on solving",
    ALEA_MAC_PLAYER_MEMBERS,
};
