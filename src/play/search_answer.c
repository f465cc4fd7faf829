/* What a search thinks of its root: the move to make, and an opinion of every
 * other. */
#include "play/search.h"

static alea_proof proof_of(const alea_search *s, float lo, float hi) {
  return s->options.exact ? alea_exact_proof(lo, hi) : ALEA_PROOF_NONE;
}

enum { LEAST_VISITS = 4 }; /* of an arm that is expected */

/* What is thought of the root; NULL: there is none. */
static const alea_node *opinion(const alea_search *s) {
  if (s->verdict != NULL) return s->verdict;
  return s->root != 0 ? alea_node_store_at(&s->store, s->root) : NULL;
}

/* Visits that are as good as more of them: at a root that tries its arms equally often means
 * decide, elsewhere none are. */
static uint32_t visits_enough(const alea_search *s, const alea_node *node, uint32_t role) {
  bool halved = s->patient && s->ranking.repeats && node->choosers == 1 && node == opinion(s);
  uint32_t most = 0;
  for (uint32_t a = node->firsts[role]; halved && a < node->firsts[role + 1]; a++)
    if (node->arms[a].visits > most) most = node->arms[a].visits;
  return halved ? most / 2 + 1 : UINT32_MAX;
}

/* Whether one arm is a better move than another. */
static bool is_better(const alea_arm *arm, const alea_arm *other, uint32_t enough) {
  if (arm->visits >= enough && other->visits >= enough)
    return alea_arm_mean(arm) > alea_arm_mean(other);
  return arm->visits > other->visits;
}

/* The best arm of a role: among arms that may be best, the most
 * visited; but an arm of known value is taken where that is no worse than
 * what the other promises. */
static uint32_t best_arm(const alea_search *s, const alea_node *root, uint32_t role) {
  uint32_t first = root->firsts[role], last = root->firsts[role + 1];
  uint32_t open = UINT32_MAX, known = UINT32_MAX, enough = visits_enough(s, root, role);
  for (uint32_t a = first; a < last; a++) {
    const alea_arm *arm = &root->arms[a];
    if (!s->options.exact || alea_arm_open(arm, root->lo[role])) {
      if (open == UINT32_MAX || is_better(arm, &root->arms[open], enough)) open = a;
    }
    const alea_arm *sure = known != UINT32_MAX ? &root->arms[known] : NULL;
    bool as_sure =
        sure != NULL && arm->lo >= sure->lo - ALEA_VALUE_TOLERANCE && arm->visits > sure->visits;
    if (sure == NULL || arm->lo > sure->lo + ALEA_VALUE_TOLERANCE || as_sure) known = a;
  }
  if (open == UINT32_MAX) return known;
  const alea_arm *sure = &root->arms[known], *hope = &root->arms[open];
  bool take_sure = s->options.exact && sure->lo > 0 && sure->lo >= alea_arm_mean(hope);
  return take_sure ? known : open;
}

alea_status alea_search_best(alea_search *search, alea_move *move) {
  const alea_node *root = opinion(search);
  if (root == NULL) return ALEA_NONE;
  uint32_t role = search->setup->role;
  if (root->terminal || root->firsts[role] == root->firsts[role + 1]) return ALEA_NONE;
  *move = root->moves[best_arm(search, root, role)];
  return ALEA_OK;
}

/* The arm that was tried for one of a role, which may be symmetric to it. */
static uint32_t tried_for(const alea_node *root, uint32_t role, uint32_t arm) {
  uint32_t first = root->firsts[role];
  bool symmetric = role == root->chooser && alea_node_is_symmetric(root, arm - first);
  return symmetric ? first + root->representatives[arm - first] : arm;
}

static uint32_t arm_of(const alea_node *root, uint32_t role, alea_move move) {
  uint32_t a = root->firsts[role];
  while (a < root->firsts[role + 1] && root->moves[a] != move) a++;
  return a;
}

bool alea_search_are_alike(const alea_search *search, alea_move a, alea_move b) {
  const alea_node *root = opinion(search);
  uint32_t role = search->setup->role;
  if (a == b || root == NULL || root->terminal) return a == b;
  uint32_t i = arm_of(root, role, a), j = arm_of(root, role, b), end = root->firsts[role + 1];
  return i < end && j < end && tried_for(root, role, i) == tried_for(root, role, j);
}

void alea_search_analyse(alea_search *search, alea_analysis *analysis) {
  const alea_node *root = opinion(search);
  if (root == NULL) return;
  uint32_t role = search->setup->role;
  search->choices.count = 0;
  if (root->terminal) return;
  for (uint32_t a = root->firsts[role]; a < root->firsts[role + 1]; a++) {
    const alea_arm *arm = &root->arms[tried_for(root, role, a)];
    alea_choice choice = {root->moves[a], arm->visits, 100.0 * (double)alea_arm_mean(arm),
                          proof_of(search, arm->lo, arm->hi)};
    if (arm->visits == 0 && choice.proof == ALEA_PROOF_NONE) choice.value = -1;
    if (!alea_vec_push(search->mem, &search->choices, choice)) break;
  }
  analysis->choices = search->choices.data;
  analysis->count = search->choices.count;
  analysis->proof = proof_of(search, root->lo[role], root->hi[role]);
  const alea_arm *best = &root->arms[best_arm(search, root, role)];
  if (best->visits > 0 || analysis->proof != ALEA_PROOF_NONE)
    analysis->value = 100.0 * (double)alea_arm_mean(best);
}

/* ---- the main line ---- */

/* The arm of a role that is expected; false where too little is known of it. */
static bool expect_arm(const alea_search *s, const alea_node *node, uint32_t role, alea_move given,
                       uint32_t *pick, bool *proved) {
  uint32_t first = node->firsts[role], count = node->firsts[role + 1] - first;
  if (count == 0) return false;
  uint32_t a = given == ALEA_NO_MOVE ? best_arm(s, node, role) : arm_of(node, role, given);
  if (a >= first + count) return false;
  const alea_arm *arm = &node->arms[a];
  bool exact = s->options.exact && alea_arm_is_exact(arm);
  *pick = a - first;
  if (count > 1 && !exact) *proved = false;
  return count == 1 || exact || arm->visits >= LEAST_VISITS || given != ALEA_NO_MOVE;
}

bool alea_search_expect(const alea_search *search, alea_cursor *cursor, alea_move *joint,
                        bool *proved) {
  const alea_game *game = search->setup->game;
  alea_node_id id = alea_node_store_find(&search->store, cursor);
  if (id == 0 || game->role_count > ALEA_LINE_ROLES) return false;
  const alea_node *node = alea_node_store_at(&search->store, id);
  uint32_t picks[ALEA_LINE_ROLES] = {0};
  int chance = game->random_role;
  if (node->terminal) return false;
  for (uint32_t r = 0; r < game->role_count; r++)
    if ((int)r != chance && !expect_arm(search, node, r, joint[r], &picks[r], proved)) return false;
  if (chance >= 0 && joint[chance] == ALEA_NO_MOVE)
    alea_node_store_commonest(&search->store, node, (uint32_t)chance, picks);
  for (uint32_t r = 0; r < game->role_count; r++)
    if (joint[r] == ALEA_NO_MOVE) joint[r] = node->moves[node->firsts[r] + picks[r]];
  return true;
}
