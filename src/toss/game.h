#ifndef ALEA_TOSS_GAME_H
#define ALEA_TOSS_GAME_H

/* Internals of the interpreter, shared by game.c and cursor.c. */

#include "toss/ids.h"
#include "toss/rules.h"
#include "toss/toss.h"

enum {
  ALEA_TOSS_QUANTILES = 16, /* equally likely values of a random bound */
  ALEA_TOSS_MOST_TOKENS = 65536,
  ALEA_TOSS_MOST_SETS = 4096, /* sets of matches of one label */
  ALEA_TOSS_MOST_KEY = 1024,
};

/* First words of keys that are not names: waiting, a token of chance, the
 * location, an element where these come and go, the value of function 0 and those that follow. */
#define ALEA_TOSS_KEY_NOOP 0xfffffffeu
#define ALEA_TOSS_KEY_CHANCE 0xfffffffdu
#define ALEA_TOSS_KEY_LOCATION 0xfffffffcu
#define ALEA_TOSS_KEY_ELEMENT 0xfffffffbu
#define ALEA_TOSS_KEY_FUNCTION 0x80000000u
/* Marks a value that is not a grid point: the low bits number it
 * (alea_toss_value_point). */
#define ALEA_TOSS_POINT_VALUE 0x80000000u

/* The key of a move is {alias, elements of the matches..., points...}: one point
 * per parameter, and one for the time if it is chosen. */
typedef struct alea_toss_game {
  alea_game game;
  alea_mem *mem;
  alea_toss_file *file;
  alea_toss_rules *rules;
  alea_toss_ids *ids; /* space 0: fluents; 1 + r: moves of role r; last: values of parameters */
  uint32_t player_count;
  const char **role_text, **role_spelling;
  alea_arena texts;
  uint32_t *tokens; /* per location: equally likely moves of chance */
} alea_toss_game;

static inline const alea_toss_game *alea_toss_of(const alea_game *game) {
  return (const alea_toss_game *)(const void *)game;
}

alea_status alea_toss_cursor_new(const alea_toss_game *game, alea_mem *mem, alea_cursor **cursor);

/* The number of grid points of an interval. */
uint32_t alea_toss_grid_size(const alea_toss_interval *interval);
/* The value of a grid point between the ends 'low' and 'high'. */
double alea_toss_grid_value(const alea_toss_interval *interval, uint32_t point, double low,
                            double high);
/* The point for a value between the ends, on the grid if possible; UINT32_MAX
 * if there is none, or if out of memory.  And the value of a point off the
 * grid. */
uint32_t alea_toss_value_point(const alea_toss_game *game, const alea_toss_interval *interval,
                               double value);
double alea_toss_point_value(const alea_toss_game *game, uint32_t point);
/* Whether an interval has fixed ends, and whether players may choose any number
 * of it: lists of moves then show only some of them. */
static inline bool alea_toss_is_fixed(const alea_toss_interval *v) {
  return v->low.random == ALEA_TOSS_NONE && v->high.random == ALEA_TOSS_NONE;
}
static inline bool alea_toss_is_continuous(const alea_toss_interval *v) {
  return alea_toss_is_fixed(v) && v->low.number < v->high.number && v->step <= 0;
}
/* Whether moves of a label name a time: where there is more than one. */
static inline bool alea_toss_time_chosen(const alea_toss_label *label) {
  return label->timed && alea_toss_is_fixed(&label->time) &&
         label->time.low.number < label->time.high.number;
}
/* The points of an interval that lists of moves show: 'count' from 'first' on.
 * Of a time without steps that is its upper end, or moves would be too many. */
void alea_toss_listed_points(const alea_toss_interval *interval, uint32_t *first, uint32_t *count);
uint32_t alea_toss_label_randoms(const alea_toss_location *location, uint32_t players);
/* The common denominator of the probabilities at a location. */
uint32_t alea_toss_denominator(const alea_toss_file *file, uint32_t location);
/* The targets of the labels (label index per player, NONE waits); never NULL in
 * a checked file. */
const alea_toss_targets *alea_toss_edge_of(const alea_toss_file *file, uint32_t location,
                                           const uint32_t *labels);
/* The value of a distribution at a quantile 0..QUANTILES-1. */
double alea_toss_quantile(const alea_toss_random *random, uint32_t index);

/* Numbers that replace the parameters and the chosen time of a player's move. */
typedef struct alea_toss_numbers {
  bool given;
  double params[ALEA_TOSS_MOST_PARAMS];
  double time;
} alea_toss_numbers;

/* Plays with 'numbers', one for each player. */
alea_status alea_toss_cursor_play_with(alea_cursor *cursor, const alea_move *joint,
                                       const alea_toss_numbers *numbers);
/* Sets the numbers that the cursor plays with and expands (taylor.h) until they
 * are NULL again; borrowed. */
void alea_toss_cursor_use(alea_cursor *cursor, const alea_toss_numbers *numbers);
/* Moves of a player that differ in more than continuous numbers: the first of
 * each kind among the legal ones is appended. */
alea_status alea_toss_cursor_kinds(alea_cursor *cursor, uint32_t role, alea_u32s *moves);
/* The label of a role's move at the location of the cursor; NULL: none. */
const alea_toss_label *alea_toss_cursor_label(alea_cursor *cursor, uint32_t role, alea_move move);

/* The structure and the location of a cursor. */
const alea_toss_structure *alea_toss_cursor_structure(alea_cursor *cursor, uint32_t *location);
/* The correspondents of its elements before the last move: per element, NONE for
 * a new one; NULL if elements never come and go.  Valid until the next change. */
const uint32_t *alea_toss_cursor_origins(alea_cursor *cursor);
/* Resets a cursor to the start at 'location' and returns its structure, which the
 * caller fills before the cursor is used; NULL if out of memory. */
alea_toss_structure *alea_toss_cursor_begin(alea_cursor *cursor, uint32_t location);
/* The payoff of a player at the position, scaled to 0 to 1. */
alea_status alea_toss_cursor_payoff(alea_cursor *cursor, uint32_t role, double *payoff);

/* Appends the name of an element. */
void alea_toss_element_text(const alea_toss_file *file, uint32_t element, bool spelling,
                            alea_text *out);
void alea_toss_folded(const char *text, bool spelling, alea_text *out);

/* A rule to be applied. */
typedef struct alea_toss_act {
  uint32_t rule;
  const uint32_t *match;
  const alea_toss_label *label;
  double params[ALEA_TOSS_MOST_PARAMS];
  double time;
  bool dropped;
} alea_toss_act;

/* Applies acts together ([TOSS10 §2, §3]): continuous evolution to the first
 * time bound or failed invariant, then rewriting.  'scratch' has the signature
 * of 'structure', which is that of the env.  'origins', which may be NULL, says
 * of each element which one it was before; rewriting carries that on. */
alea_status alea_toss_apply(const alea_toss_rules *rules, alea_toss_env *env,
                            alea_toss_structure *structure, alea_toss_structure *scratch,
                            alea_toss_act *acts, size_t count, uint32_t *origins);
/* How continuous evolution ended: the time that passed, the act whose invariant
 * failed then, or SIZE_MAX, and whether the solution was lost before the time was
 * up (toss/enclosure.h). */
typedef struct alea_toss_flow_end {
  double elapsed;
  size_t broken;
  bool lost;
} alea_toss_flow_end;

/* Lets time pass by enclosing the solution of the summed equations; labels are
 * then intervals that contain it.  ALEA_LIMIT: the equations are too large. */
alea_status alea_toss_flow(const alea_toss_rules *rules, alea_toss_env *env,
                           alea_toss_structure *structure, const alea_toss_act *acts, size_t count,
                           double time, alea_toss_flow_end *end);

#endif
