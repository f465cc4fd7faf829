/* The player `mac-ucb-sym` ([SYM16 §4], D30): positions that a symmetry of the
 * game maps to each other are solved and sampled once. */
#include "play/classes.h"
#include "play/mac.h"

#define OPTIONS(row) ALEA_MAC_OPTIONS(row, "0.5", "sound")
typedef alea_mac_values values;
static const alea_option rows[] = {OPTIONS(ALEA_OPTION_ROW)};

static alea_status init(alea_player *player) {
  return alea_mac_player_init(player, ALEA_STAGE_MAC);
}

const alea_player_class alea_player_mac_ucb_sym = {
    .name = "mac-ucb-sym",
    .summary = "the same with symmetries: 50 % solving, 25 % sampling, 25 % symmetry",
    ALEA_MAC_PLAYER_MEMBERS,
};
