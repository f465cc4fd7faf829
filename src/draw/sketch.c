/* Learning to draw a game: a few random plays, and the fluents of the
 * network. */
#include "draw/sketch.h"

#include "base/clock.h"
#include "draw/core.h"
#include "draw/structure.h"
#include "gdl/header_comment.h"

enum { PLAYS = 3, POSITIONS_PER_PLAY = 60, MOST_FLUENTS = 20000 };
/* Limits the CPU time for learning with slow engines; a busy machine does not change what is
 * learned. */
static const double most_seconds = 2;

static alea_status random_step(alea_cursor *cursor, alea_rng *rng, alea_move *joint, bool *over) {
  alea_status status = alea_cursor_terminal(cursor, over);
  for (uint32_t role = 0; status == ALEA_OK && !*over && role < cursor->game->role_count; role++) {
    alea_list list;
    status = alea_cursor_legal(cursor, role, &list);
    if (status != ALEA_OK) break;
    if (list.count == 0) {
      *over = true;
    } else {
      joint[role] = list.ids[alea_rng_below(rng, list.count)];
    }
  }
  return status != ALEA_OK || *over ? status : alea_cursor_play(cursor, joint);
}

static alea_status learn_plays(alea_drawing *drawing, alea_cursor *cursor, alea_listing *listing,
                               alea_move *joint) {
  alea_rng rng;
  alea_rng_seed(&rng, 1);
  double start = alea_clock_thread();
  alea_status status = ALEA_OK;
  for (int play = 0; status == ALEA_OK && play < PLAYS; play++) {
    bool over = false;
    status = alea_cursor_reset(cursor);
    for (int i = 0; status == ALEA_OK && !over && i < POSITIONS_PER_PLAY; i++) {
      status = alea_listing_fluents(listing, cursor);
      if (status != ALEA_OK) break;
      status = alea_drawing_learn(drawing, listing->items.data, listing->items.count);
      if (status == ALEA_OK) status = random_step(cursor, &rng, joint, &over);
      if (alea_clock_thread() - start > most_seconds) over = true;
    }
    if (alea_clock_thread() - start > most_seconds) break;
  }
  return status == ALEA_OK ? alea_cursor_reset(cursor) : status;
}

static alea_status follow_hints(alea_drawing *drawing, const alea_sketch_subject *subject,
                                alea_mem *mem) {
  alea_text hints;
  alea_text_init(&hints, mem);
  alea_status status = ALEA_OK;
  if (alea_header_comment(subject->source, "draw", &hints)) {
    status = hints.failed ? ALEA_SYSTEM : alea_drawing_hint(drawing, alea_text_string(&hints));
  }
  alea_text_clear(&hints);
  return status;
}

static alea_status learn(alea_drawing *drawing, const alea_sketch_subject *subject,
                         alea_cursor *cursor, alea_mem *mem) {
  bool is_graph = drawing->structure != NULL && !alea_structure_has_board(drawing->structure);
  if (is_graph) return ALEA_OK;
  size_t size = cursor->game->role_count * sizeof(alea_move);
  alea_move *joint = alea_mem_alloc(mem, size);
  if (joint == NULL) return ALEA_SYSTEM;
  alea_listing listing;
  alea_listing_init(&listing, mem);
  alea_status status = learn_plays(drawing, cursor, &listing, joint);
  alea_listing_clear(&listing);
  alea_mem_free(mem, joint, size);
  uint32_t fluents = subject->net != NULL ? subject->net->fluent_count : 0;
  if (fluents > MOST_FLUENTS) fluents = 0;
  for (uint32_t i = 0; status == ALEA_OK && i < fluents; i++) {
    status = alea_drawing_learn_possible(drawing, subject->net->fluent_text[i]);
  }
  if (status == ALEA_OK && subject->program != NULL) {
    status = alea_drawing_learn_order(drawing, subject->program);
  }
  for (uint32_t r = 0; status == ALEA_OK && r < cursor->game->role_count; r++) {
    status = alea_drawing_learn_role(drawing, cursor->game->role_text[r]);
  }
  if (status == ALEA_OK) status = follow_hints(drawing, subject, mem);
  return status == ALEA_OK ? alea_drawing_settle(drawing) : status;
}

alea_status alea_sketch_new(alea_drawing **drawing, const alea_sketch_subject *subject,
                            alea_cursor *cursor, alea_mem *mem) {
  *drawing = alea_drawing_new(mem);
  if (*drawing == NULL) return ALEA_SYSTEM;
  alea_status status = subject->rewriting != NULL
                           ? alea_drawing_use_structure(*drawing, subject->rewriting)
                           : ALEA_OK;
  if (status == ALEA_OK) status = learn(*drawing, subject, cursor, mem);
  if (status == ALEA_OK) return ALEA_OK;
  alea_drawing_free(*drawing);
  *drawing = NULL;
  return status;
}
