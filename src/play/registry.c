/* The players by name, and the strings that name them. */
#include <pthread.h>
#include <string.h>

#include "base/suggest.h"
#include "game/time_manager.h"
#include "play/classes.h"

enum {
#define ROW(name) +1
  OWN_COUNT = 0 ALEA_PLAYER_CLASSES(ROW)
#undef ROW
};

/* The one list that a program can add to (docs/DECISIONS.md, D98).  A class is
 * written before the count that includes it, and never changes: readers need no
 * lock. */
static const alea_player_class *classes[OWN_COUNT + ALEA_PLAYER_GUESTS] = {
#define ROW(name) &alea_player_##name,
    ALEA_PLAYER_CLASSES(ROW)
#undef ROW
};
static atomic_size_t class_count = OWN_COUNT;
static pthread_mutex_t adding = PTHREAD_MUTEX_INITIALIZER;

const alea_player_class *const *alea_player_classes(size_t *count) {
  *count = atomic_load_explicit(&class_count, memory_order_acquire);
  return classes;
}

alea_status alea_player_add_class(const alea_player_class *added) {
  alea_status status = ALEA_OK;
  pthread_mutex_lock(&adding);
  size_t count = atomic_load_explicit(&class_count, memory_order_relaxed);
  for (size_t i = 0; i < count; i++)
    if (strcmp(classes[i]->name, added->name) == 0) status = ALEA_USAGE;
  if (status == ALEA_OK && count == sizeof classes / sizeof *classes) status = ALEA_LIMIT;
  if (status == ALEA_OK) {
    classes[count] = added;
    atomic_store_explicit(&class_count, count + 1, memory_order_release);
  }
  pthread_mutex_unlock(&adding);
  return status;
}

const char *alea_proof_text(alea_proof proof) {
  switch (proof) {
    case ALEA_PROOF_WIN: return "win";
    case ALEA_PROOF_LOSS: return "loss";
    case ALEA_PROOF_EXACT: return "exact";
    case ALEA_PROOF_NONE: break;
  }
  return NULL;
}

static const alea_player_class *find_class(const char *name, alea_text *message) {
  alea_suggestion suggestion;
  size_t count;
  const alea_player_class *const *all = alea_player_classes(&count);
  alea_suggest_start(&suggestion, name);
  for (size_t i = 0; i < count; i++) {
    if (strcmp(all[i]->name, name) == 0) return all[i];
    alea_suggest_offer(&suggestion, all[i]->name);
  }
  alea_text_format(message, "no player is called '%s'", name);
  if (suggestion.nearest != NULL) {
    alea_text_format(message, "; did you mean '%s'?", suggestion.nearest);
  } else {
    alea_text_put(message, " ('alea players' lists them)");
  }
  return NULL;
}

/* Cuts `key=value` pieces off 'at' and stores them.  The text changes. */
static alea_status read_options(const alea_player_class *class, void *values, char *at,
                                alea_text *message) {
  while (at != NULL && *at != '\0') {
    char *next = strchr(at, ',');
    if (next != NULL) *next++ = '\0';
    char *value = strchr(at, '=');
    if (value != NULL) *value++ = '\0';
    size_t start = message->length;
    alea_text_format(message, "player '%s': ", class->name);
    alea_status status =
        alea_options_set(class->options, class->option_count, values, at, value, message);
    if (status != ALEA_OK) return status;
    alea_text_truncate(message, start);
    at = next;
  }
  return ALEA_OK;
}

/* A player as read from its string, not yet set up. */
static alea_status make_player(alea_player **made, const char *text, alea_mem *mem,
                               alea_text *message) {
  *made = NULL;
  size_t size = 2 * (strlen(text) + 1);
  char *spec = alea_mem_zalloc(mem, size);
  if (spec == NULL) return alea_mem_lack(mem);
  strcpy(spec, text);
  strcpy(spec + size / 2, text);
  char *options = strchr(spec, ':');
  if (options != NULL) *options++ = '\0';
  const alea_player_class *class = find_class(spec, message);
  alea_player *player = class != NULL ? alea_mem_zalloc(mem, class->size) : NULL;
  if (player == NULL) {
    alea_mem_free(mem, spec, size);
    return class != NULL ? alea_mem_lack(mem) : ALEA_USAGE;
  }
  *player = (alea_player){.class = class, .spec = spec, .spec_size = size};
  player->text = spec + size / 2;
  player->setup.mem = mem;
  *made = player;
  player->values = alea_mem_zalloc(mem, class->values_size);
  if (player->values == NULL) return alea_mem_lack(mem);
  if (class->reads_text) return ALEA_OK;
  alea_options_defaults(class->options, class->option_count, player->values);
  return read_options(class, player->values, options, message);
}

/* Frees what make_player made. */
static void unmake(alea_player *player) {
  alea_mem *mem = player->setup.mem;
  alea_mem_free(mem, player->values, player->class->values_size);
  alea_mem_free(mem, player->spec, player->spec_size);
  alea_mem_free(mem, player, player->class->size);
}

alea_status alea_player_check_file(const char *text, alea_mem *mem, alea_text *path, bool *written,
                                   alea_text *message) {
  alea_player *player;
  alea_status status = make_player(&player, text, mem, message);
  const char *file = NULL;
  *written = false;
  if (status == ALEA_OK && player->class->file != NULL) file = player->class->file(player, written);
  if (file != NULL) alea_text_put(path, file);
  if (player != NULL) unmake(player);
  return status == ALEA_OK && path->failed ? alea_mem_lack(mem) : status;
}

alea_status alea_player_check(const char *text, alea_mem *mem, alea_text *message) {
  alea_text path;
  bool written;
  alea_text_init(&path, mem);
  alea_status status = alea_player_check_file(text, mem, &path, &written, message);
  alea_text_clear(&path);
  return status;
}

alea_status alea_player_new(alea_player **player, const char *text, const alea_player_setup *setup,
                            alea_text *message) {
  alea_status status = make_player(player, text, setup->mem, message);
  if (status != ALEA_OK) {
    if (*player != NULL) unmake(*player);
    *player = NULL;
    return status;
  }
  (*player)->setup = *setup;
  alea_rng_seed_stream(&(*player)->rng, setup->seed, 0);
  (*player)->message = message;
  status = (*player)->class->init(*player);
  (*player)->message = NULL;
  if (status != ALEA_OK) {
    alea_player_free(*player);
    *player = NULL;
  }
  return status;
}

void alea_player_free(alea_player *player) {
  if (player == NULL) return;
  if (player->class->clear != NULL) player->class->clear(player);
  unmake(player);
}

/* ---- thinking ---- */

/* What a player does within a budget is cut where it stands when the time is
 * nearly over, even inside one question to the engine: the deadline stands in
 * its memory (base/mem.h) while the call lasts. */
static alea_deadline deadline_of(const alea_budget *budget) {
  if (budget->seconds <= 0) return (alea_deadline){.stop = budget->stop};
  return alea_budget_deadline(budget, ALEA_TIME_MANAGER_SHARE * budget->seconds);
}

alea_status alea_player_start(alea_player *player, const alea_budget *budget) {
  if (player->class->start == NULL) return ALEA_OK;
  alea_mem *mem = player->setup.mem;
  const alea_deadline *outer = mem->deadline;
  alea_deadline deadline = deadline_of(budget);
  mem->deadline = &deadline;
  alea_status status = player->class->start(player, budget);
  if (status == ALEA_LIMIT && alea_mem_late(mem)) status = ALEA_OK; /* the time is over */
  mem->deadline = outer;
  return status;
}

alea_status alea_player_select(alea_player *player, const alea_budget *budget, alea_move *move) {
  *move = ALEA_NO_MOVE;
  alea_mem *mem = player->setup.mem;
  const alea_deadline *outer = mem->deadline;
  alea_deadline deadline = deadline_of(budget);
  mem->deadline = &deadline;
  player->seconds = budget->seconds;
  alea_status status = player->class->select(player, budget, move);
  /* Players know a legal move before they begin to think; it counts where the
   * time is over in the midst of something. */
  if (status == ALEA_LIMIT && *move != ALEA_NO_MOVE && alea_mem_late(mem)) status = ALEA_OK;
  mem->deadline = outer;
  return status;
}

void alea_player_expect(alea_player *player, double seconds, uint64_t sims) {
  player->seconds = seconds;
  player->sims = sims;
}

/* A true position must be followed, however long it takes; a belief that is not
 * drawn in time is drawn when it is needed. */
alea_status alea_player_observe(alea_player *player, const alea_observation *observation) {
  alea_mem *mem = player->setup.mem;
  const alea_deadline *outer = mem->deadline;
  alea_deadline deadline = alea_mem_deadline_in(mem, player->seconds);
  if (player->setup.game->has_sees) mem->deadline = &deadline;
  alea_status status = player->class->observe(player, observation);
  mem->deadline = outer;
  return status;
}

void alea_player_analyse(alea_player *player, alea_analysis *analysis) {
  *analysis = (alea_analysis){.value = -1};
  if (player->class->analyse != NULL) player->class->analyse(player, analysis);
}

alea_status alea_player_ponder(alea_player *player, alea_move own, const atomic_bool *stop) {
  if (player->class->ponder == NULL) return ALEA_OK;
  alea_mem *mem = player->setup.mem;
  const alea_deadline *outer = mem->deadline;
  alea_deadline deadline = {.stop = stop};
  mem->deadline = &deadline;
  alea_status status = player->class->ponder(player, own, stop);
  mem->deadline = outer;
  return status;
}
