/* Principal variation search. */
#include <math.h>
#include <stdlib.h>

#include "minimax/alpha_beta_core.h"

enum {
  QUIET_PLIES = 8,   /* at the end of lines, of moves that change much */
  LATE = 3,          /* moves from which on less depth will do */
  REDUCED_DEPTH = 3, /* the least at which it is reduced */
  CHANCE_MOVES = 24, /* of chance that are looked at */
  OWN_MOVES = 8,     /* that are looked at below the root among several others */
  MERIT = 1 << 11,   /* of a move's history, that counts in it */
  PASS_DEPTH = 3,    /* the least at which passing is tried */
  PASS_LESS = 2,     /* depth that it saves */
  AUDIT_PASS = 32,   /* how rarely what is left out is looked at all the same */
  LEAST_LOOKS = 32,  /* looks before they count */
  MOST_LOOKS = 512,  /* from which on older ones count half */
};

static const double LESS_FIRST = 0.3, LESS_SLOWLY = 2.2; /* reductions of late moves */
static const double PASS_WRONG = 0.03;                   /* share of looks, at most */

/* ---- audits ---- */

static bool is_due(ab_audit *audit, uint32_t every) {
  if (audit->due-- > 0) return false;
  audit->due = every - 1;
  return true;
}

static void note_look(ab_audit *audit, bool wrong) {
  audit->looks++;
  audit->wrong += wrong;
  if (audit->looks < MOST_LOOKS) return;
  audit->looks /= 2;
  audit->wrong /= 2;
}

static bool is_trusted(const ab_audit *audit, double share) {
  return audit->looks >= LEAST_LOOKS && audit->wrong <= share * audit->looks;
}

/* ---- choices ---- */

/* The value of the position behind the joint move of 'ply'. */
static int32_t search_next(alea_alpha_beta *ab, uint32_t ply, int depth, int32_t alpha,
                           int32_t beta) {
  ab_step(ab, ply);
  return ab_search(ab, ply + 1, depth, alpha, beta);
}

/* A position that waits for its choosers, from the k-th on. */
typedef struct ab_choice {
  uint32_t ply, k;
  int depth;
  alea_move first; /* of the first chooser, by the table; ALEA_NO_MOVE: none */
  int32_t score;   /* behind the move that is set, where it is the only chooser's */
} ab_choice;

static int32_t search_choice(alea_alpha_beta *ab, ab_choice at, int32_t alpha, int32_t beta);

static int32_t search_rest(alea_alpha_beta *ab, ab_choice at, int depth, int32_t alpha,
                           int32_t beta) {
  if (at.k + 1 == ab->plies[at.ply].choosers)
    return search_next(ab, at.ply, depth - 1, alpha, beta);
  return search_choice(ab, (ab_choice){at.ply, at.k + 1, depth, ALEA_NO_MOVE, 0}, alpha, beta);
}

/* The mean over moves of chance, evenly spaced where there are many. */
static int32_t search_chance(alea_alpha_beta *ab, ab_choice at, uint32_t role) {
  size_t first = ab_list_first(ab, at.ply, at.k), count = ab_list_end(ab, at.ply, at.k) - first;
  size_t looked = count < CHANCE_MOVES ? count : CHANCE_MOVES;
  int64_t sum = 0;
  ab->relaxed = true;
  for (size_t i = 0; i < looked && !ab->stopped; i++) {
    ab_joint(ab, at.ply)[role] = ab->moves.data[first + i * count / looked].move;
    int32_t value = search_rest(ab, at, at.depth, -AB_WIN, AB_WIN);
    /* a mean of certain wins and evaluations: as good as an evaluation can be */
    if (value > AB_MOST_EVAL) value = 20 * ALEA_EVAL_UNIT;
    if (value < -AB_MOST_EVAL) value = -20 * ALEA_EVAL_UNIT;
    sum += value;
  }
  return (int32_t)(sum / (int64_t)looked);
}

/* Whether the move that is set changes the evaluation much. */
static bool is_loud(const alea_alpha_beta *ab, ab_choice at) {
  return ab_is_alone(ab, at.ply) && abs(at.score - ab->plies[at.ply].score) > ab->eval->loud;
}

/* By how much less deep the i-th move is looked at: the more, the later it comes, the
 * deeper the search is and the worse the move did elsewhere, unless it changes much. */
static int reduction(const alea_alpha_beta *ab, ab_choice at, size_t i) {
  bool last = at.k + 1 == ab->plies[at.ply].choosers;
  if (!last || i < LATE || at.depth < REDUCED_DEPTH) return 0;
  if (is_loud(ab, at)) return 0;
  uint32_t role = ab_chooser(ab, at.ply, at.k);
  int32_t merit = ab->history[role][ab_joint(ab, at.ply)[role]];
  int less = (int)(LESS_FIRST + log(at.depth) * log((double)i) / LESS_SLOWLY);
  less += merit < -MERIT ? 1 : merit > MERIT ? -1 : 0;
  return less < 0 ? 0 : less > at.depth - 2 ? at.depth - 2 : less;
}

/* The value for the chooser, whose bounds are 'lo' and 'hi', of the move that is
 * set: a late move has to show with less depth, and any but the first with an
 * empty window, that it is worth a closer look. */
static int32_t try_move(alea_alpha_beta *ab, ab_choice at, int32_t sign, size_t i, int32_t lo,
                        int32_t hi) {
  int less = reduction(ab, at, i);
  int32_t value = lo + 1;
#define LOOK(depth, low, high) \
  (sign * search_rest(ab, at, (depth), sign > 0 ? (low) : -(high), sign > 0 ? (high) : -(low)))
  if (less > 0) value = LOOK(at.depth - less, lo, lo + 1);
  if (i > 0 && value > lo && !ab->stopped) value = LOOK(at.depth, lo, lo + 1);
  if (i == 0 || (value > lo && value < hi && !ab->stopped)) value = LOOK(at.depth, lo, hi);
#undef LOOK
  return value;
}

/* Whether the answer to a move at the last depth need not be asked for: the other may
 * stay with the evaluation there, which is no more than 'lo', unless the move wins. */
static bool is_futile(const alea_alpha_beta *ab, ab_choice at, alea_move move, int32_t score,
                      int32_t lo) {
  return at.depth == 1 && at.ply > 0 && score + ab->eval->network.drift <= lo &&
         ab_is_alone(ab, at.ply) && ab->credits[ab_chooser(ab, at.ply, 0)][move] == 0;
}

/* How many moves are looked at.  Where each of several others makes one move, nothing refutes a
 * move of the role, so that all would have to be tried: fewer are followed further. */
static size_t width(const alea_alpha_beta *ab, ab_choice at, int32_t sign) {
  bool several = ab->others != NULL && ab->others->mem != NULL;
  return several && at.ply > 0 && sign > 0 && ab_is_alone(ab, at.ply) ? OWN_MOVES : SIZE_MAX;
}

/* The k-th chooser of the position takes the best for itself. */
static int32_t search_choice(alea_alpha_beta *ab, ab_choice at, int32_t alpha, int32_t beta) {
  uint32_t role = ab_chooser(ab, at.ply, at.k);
  size_t first = ab_list_first(ab, at.ply, at.k), end = ab_list_end(ab, at.ply, at.k);
  if ((int)role == ab->setup->game->random_role) return search_chance(ab, at, role);
  int32_t sign = role == ab->setup->role ? 1 : -1, best = -AB_WIN - 1;
  int32_t lo = sign > 0 ? alpha : -beta, hi = sign > 0 ? beta : -alpha;
  alea_move good = ALEA_NO_MOVE;
  /* the move of the table is tried before the others are put in order */
  size_t order = at.k > 0 ? end : ab_put_first(ab, at.ply, at.first) ? first + 1 : first;
  size_t most = width(ab, at, sign);
  for (size_t i = first; i < end; i++) {
    if (i - first >= most) {
      ab->shallow = true;
      break;
    }
    if (i == order) ab_order(ab, at.ply, at.depth, i);
    if (ab->stopped) return sign * best;
    if (i >= order) ab_bring(ab, i, end);
    alea_move move = ab_joint(ab, at.ply)[role] = ab->moves.data[i].move;
    at.score = ab->moves.data[i].score;
    int32_t score = sign * at.score;
    if (i >= order && is_futile(ab, at, move, score, lo)) {
      ab->shallow = true;
      if (score > best) best = score;
      continue;
    }
    int32_t value = try_move(ab, at, sign, i - first, lo, hi);
    if (ab->stopped) return sign * best;
    if (value > best) {
      best = value;
      if (value > lo || good == ALEA_NO_MOVE) good = move;
      if (at.ply == 0 && at.k == 0 && (value > lo || i == first))
        ab->best = move, ab->best_value = sign * value;
    }
    if (value > lo) lo = value;
    if (lo < hi) continue;
    ab_praise(ab, at.ply, role, first, i, at.depth);
    break;
  }
  if (at.k == 0) {
    ab_bound bound = sign * best >= beta    ? AB_AT_LEAST
                     : sign * best <= alpha ? AB_AT_MOST
                                            : AB_EXACT;
    ab_store(ab, at.ply, ab->shallow ? at.depth : AB_COMPLETE, sign * best, bound, good);
  }
  return sign * best;
}

/* ---- the end of lines ---- */

/* A move that is tried at the end of a line, because it changes the evaluation much or
 * has won before. */
static int32_t try_loud(alea_alpha_beta *ab, uint32_t ply, int depth, int32_t sign, ab_move move,
                        int32_t lo, int32_t hi) {
  uint32_t role = ab_chooser(ab, ply, 0);
  uint8_t *credit = &ab->credits[role][move.move];
  int32_t value = sign * lo;
  ab_joint(ab, ply)[role] = move.move;
  ab_step(ab, ply);
  if (*credit > 0) {
    ab_stand(ab, ply + 1);
    if (ab_ended(ab, ply + 1, &value)) return ab_note_end(ab, ply + 1, value), sign * value;
    --*credit;
  }
  if (sign * move.score + ab->eval->network.drift <= lo) return sign * value;
  return sign * ab_search(ab, ply + 1, depth - 1, sign > 0 ? lo : -hi, sign > 0 ? hi : -lo);
}

/* At the end of a line the chooser may stay with the evaluation, or make a move
 * that changes it more than usual. */
static int32_t search_loud(alea_alpha_beta *ab, uint32_t ply, int depth, int32_t alpha,
                           int32_t beta) {
  int32_t stay = ab->plies[ply].score;
  ab->shallow = true;
  if (!ab_is_alone(ab, ply) || depth <= -QUIET_PLIES || ab_all_trade(ab, ply)) return stay;
  int32_t sign = ab_chooser(ab, ply, 0) == ab->setup->role ? 1 : -1, best = sign * stay;
  int32_t lo = sign > 0 ? alpha : -beta, hi = sign > 0 ? beta : -alpha;
  if (best > lo) lo = best;
  if (lo >= hi) return stay;
  ab_keep_loud(ab, ply, lo);
  size_t end = ab_list_end(ab, ply, 0);
  for (size_t i = ab->plies[ply].first_move; i < end && lo < hi && !ab_is_over(ab); i++) {
    ab_bring(ab, i, end);
    int32_t value = try_loud(ab, ply, depth, sign, ab->moves.data[i], lo, hi);
    if (ab->stopped || value <= best) continue;
    best = value;
    if (best > lo) lo = best;
  }
  return sign * best;
}

/* ---- a position ---- */

/* Whether an entry answers a question. */
static bool is_answer(const ab_entry *entry, int depth, int32_t alpha, int32_t beta) {
  if (entry->depth < depth && !ab_is_proved(entry->value)) return false;
  switch (entry->bound) {
    case AB_EXACT: return true;
    case AB_AT_LEAST: return entry->value >= beta;
    case AB_AT_MOST: return entry->value <= alpha;
    case AB_NO_ENTRY: break;
  }
  return false;
}

typedef enum pass_result { PASS_UNTRIED, PASS_BELIEVED, PASS_AUDITED } pass_result;

/* Lets the only chooser pass, where it stands better than it needs. */
static pass_result try_pass(alea_alpha_beta *ab, uint32_t ply, int depth, int32_t alpha,
                            int32_t beta) {
  ab_audit *audit = &ab->turns.audit;
  if (!ab->passes || depth < PASS_DEPTH || beta - alpha > 1 || ab->plies[ply].passed ||
      !ab->turns.usable || !ab_is_alone(ab, ply))
    return PASS_UNTRIED;
  int32_t sign = ab_chooser(ab, ply, 0) == ab->setup->role ? 1 : -1;
  int32_t hi = sign > 0 ? beta : -alpha;
  if (sign * ab->plies[ply].score < hi || ab_is_proved(hi)) return PASS_UNTRIED;
  bool trusted = is_trusted(audit, PASS_WRONG), due = is_due(audit, AUDIT_PASS);
  if (!trusted && !due && audit->looks >= LEAST_LOOKS) return PASS_UNTRIED;
  if (!ab_pass(ab, ply)) return PASS_UNTRIED;
  int32_t value = sign * ab_search(ab, ply + 1, depth - 1 - PASS_LESS - depth / 4, alpha, beta);
  if (ab->stopped || value < hi || ab_is_proved(value)) return PASS_UNTRIED;
  return trusted && !due ? PASS_BELIEVED : PASS_AUDITED;
}

/* Whether a position waits for one of several others.  They are not one opponent: to look at all
 * that they could do together against the role is neither what they will do nor what there is time
 * for. */
static bool is_of_others(const alea_alpha_beta *ab, uint32_t ply) {
  return ab->roles > 2 && ply > 0 && ab_is_alone(ab, ply) &&
         ab_chooser(ab, ply, 0) != ab->setup->role;
}

/* One of several others makes the move that looks best for itself, or worst for the role where it
 * is not known what the other wants; that takes no depth. */
static int32_t search_reply(alea_alpha_beta *ab, uint32_t ply, int depth, int32_t alpha,
                            int32_t beta) {
  size_t first = ab->plies[ply].first_move, end = ab_list_end(ab, ply, 0);
  ab->relaxed = ab->shallow = true;
  const alea_linear_eval *aim = alea_other_evals_of(ab->others, ab_chooser(ab, ply, 0));
  if (aim != NULL)
    ab_order_by(ab, ply, aim);
  else
    ab_order(ab, ply, 1, first);
  if (ab->stopped) return ab->plies[ply].score;
  ab_bring(ab, first, end);
  ab_joint(ab, ply)[ab_chooser(ab, ply, 0)] = ab->moves.data[first].move;
  return search_next(ab, ply, depth, alpha, beta);
}

/* The value of a position where somebody chooses, whose moves are listed. */
static int32_t search_listed(alea_alpha_beta *ab, uint32_t ply, int depth, alea_move first,
                             int32_t alpha, int32_t beta) {
  ab_note_turn(ab, ply);
  if (depth <= 0) return search_loud(ab, ply, depth, alpha, beta);
  if (is_of_others(ab, ply)) return search_reply(ab, ply, depth, alpha, beta);
  pass_result passed = try_pass(ab, ply, depth, alpha, beta);
  int32_t sign = ab_chooser(ab, ply, 0) == ab->setup->role ? 1 : -1;
  if (passed == PASS_BELIEVED) return ab->shallow = true, sign > 0 ? beta : alpha;
  int32_t value = search_choice(ab, (ab_choice){ply, 0, depth, first, 0}, alpha, beta);
  if (passed == PASS_AUDITED && !ab->stopped)
    note_look(&ab->turns.audit, sign > 0 ? value < beta : value > alpha);
  return value;
}

int32_t ab_search(alea_alpha_beta *ab, uint32_t ply, int depth, int32_t alpha, int32_t beta) {
  int32_t value, most = AB_WIN - (int32_t)ply;
  ab_entry entry = {.move = ALEA_NO_MOVE};
  if (ab_is_over(ab)) return 0;
  if (alpha >= most) return alpha; /* a sooner win is known */
  if (beta <= -most) return beta;
  if (ab_repeated(ab, ply, &value)) return ab->shallow = true, value;
  if (ab_find(ab, ply, &entry) && ply > 0 && is_answer(&entry, depth, alpha, beta))
    return ab->shallow |= entry.depth < AB_COMPLETE && !ab_is_proved(entry.value), entry.value;
  ab_stand(ab, ply);
  if (ab_ended(ab, ply, &value)) return ab_note_end(ab, ply, value), value;
  if (ply + 1 >= AB_MOST_PLY) return ab->shallow = true, ab->plies[ply].score;
  size_t moves = ab->moves.count;
  bool shallow = ab->shallow; /* is it so below this position, too? */
  ab->shallow = false;
  bool listed = ab_list(ab, ply);
  uint32_t choosers = ab->plies[ply].choosers;
  if (choosers > 1) ab->relaxed = true;
  if (!listed) {
    ab->shallow = true;
    value = ab->plies[ply].score;
  } else if (choosers == 0) {
    value = search_next(ab, ply, depth, alpha, beta); /* forced: no depth is lost */
  } else {
    value = search_listed(ab, ply, depth, entry.move, alpha, beta);
  }
  ab->moves.count = moves;
  ab->shallow = shallow || (ab->shallow && !ab_is_proved(value));
  return value;
}
