#ifndef ALEA_GAME_H
#define ALEA_GAME_H

/* Games: rules that were read, checked and turned into an engine.
 *
 *   alea_ruleset *rules;
 *   if (alea_ruleset_open(&rules, "connect-four", NULL, NULL) != ALEA_OK) ...
 *   printf("%u roles\n", alea_ruleset_role_count(rules));
 *   alea_ruleset_free(rules);
 *
 * An alea_ruleset is immutable: any number of threads may use it at the same time
 * without locks of their own.  States, batches, players and drawings that are
 * made from it keep it alive; alea_ruleset_free gives up the caller's share.
 *
 * Roles, moves and fluents are small numbers.  Moves are numbered from 0
 * separately for each role.  With the engine "net" the numbers of moves and
 * fluents are fixed and depend on the rules alone; the other engines number
 * what they meet, and a number never changes its meaning. */

#include <stdbool.h>

#include "alea/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct alea_ruleset alea_ruleset;
typedef uint32_t alea_move;
#define ALEA_NO_MOVE UINT32_MAX
#define ALEA_NO_FLUENT UINT32_MAX

/* Zero in a field means its default. */
typedef struct alea_ruleset_options {
  size_t size;        /* sizeof(alea_ruleset_options) */
  const char *engine; /* "auto" (default), "net", "lanes", "prover" */
  double seconds;     /* limit for building the engine; default 60 */
  size_t memory;      /* limit of the game's memory in bytes; default 4 GiB */
  bool strict;        /* refuse rulesheets that are not valid GDL */
} alea_ruleset_options;

/* Opens a game that ships, by its name, or a rulesheet, by its path: GDL, or a
 * structure rewriting game if the name ends in .toss.  'options' and
 * 'diagnostics' may be NULL.  On failure '*rules' is NULL.  ALEA_USAGE: there is
 * no such game or engine.  ALEA_INPUT: the rules are wrong, and a diagnostic
 * says where.  ALEA_LIMIT: more time or memory was needed than allowed. */
ALEA_API alea_status alea_ruleset_open(alea_ruleset **rules, const char *name,
                                       const alea_ruleset_options *options,
                                       alea_diagnostics **diagnostics);
/* The same for rules in memory, which are copied.  'label' stands for the file
 * in diagnostics; the rules are those of a rewriting game if it ends in .toss. */
ALEA_API alea_status alea_ruleset_read(alea_ruleset **rules, const char *label, const char *text,
                                       size_t length, const alea_ruleset_options *options,
                                       alea_diagnostics **diagnostics);
/* One more share of the same rules, to be freed too. */
ALEA_API alea_ruleset *alea_ruleset_share(alea_ruleset *rules);
ALEA_API void alea_ruleset_free(alea_ruleset *rules); /* NULL is a no-op. */

/* The games that ship, by index in the order of their names; NULL beyond the
 * last.  A constant. */
ALEA_API const char *alea_shipped_name(size_t index);

/* ---- what a game is ---- */

/* The name or path by which it was opened. */
ALEA_API const char *alea_ruleset_label(const alea_ruleset *rules);
/* What plays it: "net", "prover" or "toss". */
ALEA_API const char *alea_ruleset_engine(const alea_ruleset *rules);

typedef enum alea_game_kind {
  ALEA_KIND_CHANCE = 1,    /* a role is played by chance */
  ALEA_KIND_PERCEPTS = 2,  /* players learn by percepts only (GDL-II) */
  ALEA_KIND_REWRITING = 4, /* a structure rewriting game */
  ALEA_KIND_NETWORK = 8,   /* has a network: fluents are bits, and batches are possible */
} alea_game_kind;
/* A sum of alea_game_kind. */
ALEA_API uint32_t alea_ruleset_kind(const alea_ruleset *rules);

ALEA_API uint32_t alea_ruleset_role_count(const alea_ruleset *rules);
/* As the rules spell it; NULL where there is no such role.  Lives as long as the
 * rules. */
ALEA_API const char *alea_ruleset_role_name(const alea_ruleset *rules, uint32_t role);
/* The role played by chance, or -1. */
ALEA_API int alea_ruleset_random_role(const alea_ruleset *rules);

/* ---- numbers and texts ----
 *
 * A call that writes a text takes a buffer of 'size' bytes, writes at most so
 * many with the terminating NUL, and returns the length of the whole text, as
 * snprintf does: at most size-1 when it fitted.  0: there is no such thing. */

/* Moves 0 .. count-1 of a role are known; all of them with a network. */
ALEA_API uint32_t alea_ruleset_move_count(const alea_ruleset *rules, uint32_t role);
/* The move as GDL text, in lower case. */
ALEA_API size_t alea_ruleset_move_text(const alea_ruleset *rules, uint32_t role, alea_move move,
                                       char *buffer, size_t size);
/* The move written so, in any case and spacing, or ALEA_NO_MOVE. */
ALEA_API alea_move alea_ruleset_move_find(const alea_ruleset *rules, uint32_t role,
                                          const char *text);

/* How many fluents the network has; 0 without one. */
ALEA_API uint32_t alea_ruleset_fluent_count(const alea_ruleset *rules);
/* A fluent as GDL text, in lower case, by its number in the network. */
ALEA_API size_t alea_ruleset_fluent_text(const alea_ruleset *rules, uint32_t fluent, char *buffer,
                                         size_t size);
/* The fluent written so, in any case and spacing, or ALEA_NO_FLUENT; always the
 * latter without a network. */
ALEA_API uint32_t alea_ruleset_fluent_find(const alea_ruleset *rules, const char *text);

/* How many percepts the network has; 0 without one. */
ALEA_API uint32_t alea_ruleset_percept_count(const alea_ruleset *rules);
/* A percept as GDL text, in lower case, by its number in the network. */
ALEA_API size_t alea_ruleset_percept_text(const alea_ruleset *rules, uint32_t percept, char *buffer,
                                          size_t size);

#ifdef __cplusplus
}
#endif

#endif
