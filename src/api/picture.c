/* Drawings of the public interface. */
#include "alea/draw.h"
#include "api/core.h"
#include "draw/sketch.h"

struct alea_picture {
  alea_mem mem;
  alea_ruleset *rules;
  alea_drawing *drawing;
  alea_listing listing;
  alea_text text;
};

alea_status alea_picture_new(alea_picture **picture, alea_ruleset *rules) {
  *picture = NULL;
  alea_picture *made = alea_api_new(sizeof *made, 0);
  if (made == NULL) return ALEA_SYSTEM;
  made->rules = alea_ruleset_share(rules);
  alea_listing_init(&made->listing, &made->mem);
  alea_text_init(&made->text, &made->mem);
  const alea_opened *opened = &rules->opened;
  alea_sketch_subject subject = {alea_text_string(&opened->source), opened->program, opened->net,
                                 opened->rewriting};
  alea_cursor *cursor = NULL;
  alea_status status = alea_cursor_new(opened->game, &made->mem, &cursor);
  if (status == ALEA_OK) status = alea_sketch_new(&made->drawing, &subject, cursor, &made->mem);
  alea_cursor_free(cursor);
  if (status == ALEA_OK)
    *picture = made;
  else
    alea_picture_free(made);
  return status;
}

void alea_picture_free(alea_picture *picture) {
  if (picture == NULL) return;
  alea_drawing_free(picture->drawing);
  alea_listing_clear(&picture->listing);
  alea_text_clear(&picture->text);
  alea_ruleset_free(picture->rules);
  alea_api_free(picture, sizeof *picture);
}

/* The fluents of the state go to the listing; false: they cannot be drawn. */
static bool look_at(alea_picture *picture, alea_state *state) {
  alea_text_clear(&picture->text);
  return alea_state_rules(state) == picture->rules &&
         alea_listing_fluents(&picture->listing, alea_api_cursor(state)) == ALEA_OK;
}

static const char *lend(const alea_picture *picture, alea_status status) {
  return status == ALEA_OK && !picture->text.failed ? alea_text_string(&picture->text) : NULL;
}

const char *alea_picture_text(alea_picture *picture, alea_state *state, bool ascii) {
  if (!look_at(picture, state)) return NULL;
  return lend(picture, alea_drawing_text(picture->drawing, picture->listing.items.data,
                                         picture->listing.items.count, ascii, ALEA_LEGEND_ALL,
                                         &picture->text));
}

const char *alea_picture_svg(alea_picture *picture, alea_state *state, const char *title) {
  if (!look_at(picture, state)) return NULL;
  return lend(
      picture,
      alea_drawing_svg(picture->drawing, picture->listing.items.data, picture->listing.items.count,
                       title != NULL ? title : picture->rules->label, &picture->text));
}
