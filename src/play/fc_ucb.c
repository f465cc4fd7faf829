/* The player `fc-ucb` ([MACUCB16 §5.1]): stages solved whole by forward
 * checking, chance not split off. */
#include "play/classes.h"
#include "play/mac.h"

#define OPTIONS(row) ALEA_MAC_OPTIONS(row, "0.9", "off")
typedef alea_mac_values values;
static const alea_option rows[] = {OPTIONS(ALEA_OPTION_ROW)};

static alea_status init(alea_player *player) { return alea_mac_player_init(player, ALEA_STAGE_FC); }

const alea_player_class alea_player_fc_ucb = {
    .name = "fc-ucb",
    .summary = "mac-ucb with forward checking alone in place of MAC",
    ALEA_MAC_PLAYER_MEMBERS,
};
