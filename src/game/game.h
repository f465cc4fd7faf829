#ifndef ALEA_GAME_GAME_H
#define ALEA_GAME_GAME_H

/* The game interface: what every engine offers and every player uses.
 *
 * A game is immutable and may be shared by threads.  A cursor stands at one
 * position of the game and moves about; it belongs to one thread.  A player
 * cannot tell which engine is underneath.
 *
 * Positions are compared and stored as words: alea_cursor_state gives the
 * position as an array of 64-bit words, two positions are equal exactly when
 * their words are, and alea_cursor_load returns to one.  The number of words
 * is constant for some engines and not for others.
 *
 * Moves, fluents and percepts are small numbers.  Moves are numbered from 0
 * separately for each role, and an engine that discovers them during play
 * (the prover) numbers new ones upward; a number never changes its meaning
 * during the life of a game.  A number can be turned into text and back, and
 * into a term: whoever asks for terms gives a table of its own
 * (base/terms.h), for one thread, in which equal terms are one number; the
 * game keeps no pointer to it. */

#include "alea/game.h"
#include "base/diag.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/status.h"
#include "base/terms.h"

typedef struct alea_game alea_game;
typedef struct alea_cursor alea_cursor;
#define ALEA_NO_PERCEPT UINT32_MAX

typedef struct alea_list {
  const uint32_t *ids; /* owned by the cursor; valid until it changes */
  uint32_t count;
} alea_list;

static inline bool alea_list_has(alea_list list, uint32_t id) {
  for (uint32_t i = 0; i < list.count; i++)
    if (list.ids[i] == id) return true;
  return false;
}

/* What an engine implements; players use the functions below.  Contracts are
 * those of the function of the same name. */
typedef struct alea_game_class {
  const char *engine; /* "prover", "net", ... */
  void (*free)(alea_game *game);
  alea_status (*cursor_new)(const alea_game *game, alea_mem *mem, alea_cursor **cursor);
  uint32_t (*move_count)(const alea_game *game, uint32_t role);
  void (*move_text)(const alea_game *game, uint32_t role, alea_move move, bool spelling,
                    alea_text *out);
  alea_term (*move_term)(const alea_game *game, uint32_t role, alea_move move, alea_terms *terms);
  alea_move (*move_find)(const alea_game *game, uint32_t role, const char *text);
  void (*fluent_text)(const alea_game *game, uint32_t fluent, bool spelling, alea_text *out);
  alea_term (*fluent_term)(const alea_game *game, uint32_t fluent, alea_terms *terms);
  void (*percept_text)(const alea_game *game, uint32_t percept, bool spelling, alea_text *out);
  uint32_t (*percept_find)(const alea_game *game, const char *text);
  /* NULL where the engine decides everything. */
  void (*notes)(const alea_game *game, alea_diag *diag);
} alea_game_class;

typedef struct alea_cursor_class {
  void (*free)(alea_cursor *cursor);
  alea_status (*reset)(alea_cursor *cursor);
  alea_status (*load)(alea_cursor *cursor, const uint64_t *words, size_t count);
  const uint64_t *(*state)(alea_cursor *cursor, size_t *count);
  uint64_t (*hash)(alea_cursor *cursor);
  alea_status (*fluents)(alea_cursor *cursor, alea_list *list);
  alea_status (*terminal)(alea_cursor *cursor, bool *terminal);
  alea_status (*goal)(alea_cursor *cursor, uint32_t role, int *goal);
  alea_status (*legal)(alea_cursor *cursor, uint32_t role, alea_list *list);
  alea_status (*play)(alea_cursor *cursor, const alea_move *joint);
  alea_status (*percepts)(alea_cursor *cursor, uint32_t role, alea_list *list);
  /* NULL where everything legal is listed. */
  alea_status (*admits)(alea_cursor *cursor, uint32_t role, alea_move move, bool *admits);
  /* Whether a move is on the list of legal ones, for engines that know it without making
   * the list; else NULL. */
  alea_status (*lists)(alea_cursor *cursor, uint32_t role, alea_move move, bool *lists);
} alea_cursor_class;

/* Engines embed these as the first member of their own structs. */
struct alea_game {
  const alea_game_class *class;
  uint32_t role_count;
  const char *const *role_text;     /* lower case, in joint-move order */
  const char *const *role_spelling; /* as written */
  int random_role;                  /* the role played by chance, or -1 */
  bool has_sees;                    /* players learn by percepts only */
};

struct alea_cursor {
  const alea_cursor_class *class;
  const alea_game *game; /* borrowed */
};

/* ---- games ---- */

static inline void alea_game_free(alea_game *game) { /* NULL is a no-op. */
  if (game != NULL) game->class->free(game);
}
/* A cursor at the initial position.  It allocates from 'mem' (one thread's),
 * is owned by the caller and must go before the game. */
static inline alea_status alea_cursor_new(const alea_game *game, alea_mem *mem,
                                          alea_cursor **cursor) {
  return game->class->cursor_new(game, mem, cursor);
}
/* Moves of 'role' are 0 .. count-1 for now; the prover may find more later. */
static inline uint32_t alea_game_move_count(const alea_game *game, uint32_t role) {
  return game->class->move_count(game, role);
}
static inline void alea_game_move_text(const alea_game *game, uint32_t role, alea_move move,
                                       bool spelling, alea_text *out) {
  game->class->move_text(game, role, move, spelling, out);
}
/* The move written as 'text' (any case, any spacing), or ALEA_NO_MOVE when
 * the role never has such a move. */
static inline alea_move alea_game_move_find(const alea_game *game, uint32_t role,
                                            const char *text) {
  return game->class->move_find(game, role, text);
}
static inline void alea_game_fluent_text(const alea_game *game, uint32_t fluent, bool spelling,
                                         alea_text *out) {
  game->class->fluent_text(game, fluent, spelling, out);
}
/* A move or a fluent as a term of the caller's table: functor and arguments,
 * the same as the text says.  ALEA_NO_TERM without memory. */
static inline alea_term alea_game_move_term(const alea_game *game, uint32_t role, alea_move move,
                                            alea_terms *terms) {
  return game->class->move_term(game, role, move, terms);
}
static inline alea_term alea_game_fluent_term(const alea_game *game, uint32_t fluent,
                                              alea_terms *terms) {
  return game->class->fluent_term(game, fluent, terms);
}
static inline void alea_game_percept_text(const alea_game *game, uint32_t percept, bool spelling,
                                          alea_text *out) {
  game->class->percept_text(game, percept, spelling, out);
}
/* The percept written as 'text' (any case, any spacing), or ALEA_NO_PERCEPT
 * when nobody is ever told that. */
static inline uint32_t alea_game_percept_find(const alea_game *game, const char *text) {
  return game->class->percept_find(game, text);
}

/* Appends what the game could not find out so far, in any of its cursors: each
 * with the place in the rules. */
static inline void alea_game_notes(const alea_game *game, alea_diag *diag) {
  if (game->class->notes != NULL) game->class->notes(game, diag);
}

/* ---- cursors ---- */

static inline void alea_cursor_free(alea_cursor *cursor) { /* NULL is a no-op. */
  if (cursor != NULL) cursor->class->free(cursor);
}
/* Back to the initial position. */
static inline alea_status alea_cursor_reset(alea_cursor *cursor) {
  return cursor->class->reset(cursor);
}
/* To the position that alea_cursor_state gave, of any cursor of this game. */
static inline alea_status alea_cursor_load(alea_cursor *cursor, const uint64_t *words,
                                           size_t count) {
  return cursor->class->load(cursor, words, count);
}
/* The position as words, valid until the cursor changes. */
static inline const uint64_t *alea_cursor_state(alea_cursor *cursor, size_t *count) {
  return cursor->class->state(cursor, count);
}
/* Equal positions have equal hashes; 64 good bits. */
static inline uint64_t alea_cursor_hash(alea_cursor *cursor) { return cursor->class->hash(cursor); }
/* The fluents that hold, in no particular order. */
static inline alea_status alea_cursor_fluents(alea_cursor *cursor, alea_list *list) {
  return cursor->class->fluents(cursor, list);
}
static inline alea_status alea_cursor_terminal(alea_cursor *cursor, bool *terminal) {
  return cursor->class->terminal(cursor, terminal);
}
/* The goal value 0..100 of 'role' here, the largest where several hold, or
 * -1 where none does.  Defined in every position, meant for terminal ones. */
static inline alea_status alea_cursor_goal(alea_cursor *cursor, uint32_t role, int *goal) {
  return cursor->class->goal(cursor, role, goal);
}
/* The legal moves of 'role', without duplicates, in an order that depends on
 * nothing but the game and the moves made since the last reset or load. */
static inline alea_status alea_cursor_legal(alea_cursor *cursor, uint32_t role, alea_list *list) {
  return cursor->class->legal(cursor, role, list);
}
/* Whether 'role' may play 'move' here.  Where a move has real parameters,
 * alea_cursor_legal lists a few values of them, and others are admitted. */
static inline alea_status alea_cursor_admits(alea_cursor *cursor, uint32_t role, alea_move move,
                                             bool *admits) {
  if (cursor->class->lists != NULL) return cursor->class->lists(cursor, role, move, admits);
  alea_list list;
  alea_status status = alea_cursor_legal(cursor, role, &list);
  *admits = status == ALEA_OK && alea_list_has(list, move);
  if (status != ALEA_OK || *admits || cursor->class->admits == NULL) return status;
  return cursor->class->admits(cursor, role, move, admits);
}
/* Plays one move per role, in role order.  The moves must be legal; an
 * engine may assert it and must not crash in release when they are not. */
static inline alea_status alea_cursor_play(alea_cursor *cursor, const alea_move *joint) {
  return cursor->class->play(cursor, joint);
}
/* What 'role' was told together with this position: the percepts of the last
 * alea_cursor_play, none after reset or load. */
static inline alea_status alea_cursor_percepts(alea_cursor *cursor, uint32_t role,
                                               alea_list *list) {
  return cursor->class->percepts(cursor, role, list);
}

#endif
