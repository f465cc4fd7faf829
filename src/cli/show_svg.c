/* Pictures of positions and plays. */
#include "cli/show_svg.h"

#include <stdio.h>
#include <string.h>

void alea_cli_pictures_open(alea_cli_pictures *pictures, alea_cli_drawing *art, const char *file) {
  *pictures = (alea_cli_pictures){.art = art, .file = file, .seconds = 1};
  alea_text_init(&pictures->out, &art->session->mem);
  alea_listing_init(&pictures->before, &art->session->mem);
  alea_listing_init(&pictures->now, &art->session->mem);
  alea_listing_init(&pictures->role_moves, &art->session->mem);
  alea_arena_init(&pictures->arena, &art->session->mem);
}

void alea_cli_pictures_close(alea_cli_pictures *pictures) {
  if (pictures->art == NULL) return;
  alea_text_clear(&pictures->out);
  alea_listing_clear(&pictures->before);
  alea_listing_clear(&pictures->now);
  alea_listing_clear(&pictures->role_moves);
  alea_vec_clear(&pictures->art->session->mem, &pictures->legal_moves);
  alea_arena_clear(&pictures->arena);
  alea_film_free(pictures->film);
}

alea_status alea_cli_picture_write(alea_cli_session *session, const char *name, alea_text *out) {
  if (strcmp(name, "-") == 0) return alea_cli_write(out);
  FILE *file = fopen(name, "wb");
  bool good = file != NULL && fwrite(out->data, 1, out->length, file) == out->length;
  if (file != NULL && fclose(file) != 0) good = false;
  alea_text_truncate(out, 0);
  if (!good)
    alea_diag_error(&session->diag, ((alea_place){name, 0, 0}), "cannot-write",
                    "cannot be written");
  return good ? ALEA_OK : ALEA_SYSTEM;
}

/* Whether somebody with these legal moves has the turn: more than one, or more than a name. */
static bool has_turn(const alea_listing *moves) {
  return moves->items.count > 1 ||
         (moves->items.count == 1 && strchr(moves->items.data[0], '(') != NULL);
}

/* Adds the moves of a role that has the turn. */
static alea_status add_moves(alea_cli_pictures *p, alea_cursor *cursor, uint32_t role) {
  alea_status status = alea_listing_legal(&p->role_moves, cursor, role);
  if (status != ALEA_OK || !has_turn(&p->role_moves)) return status;
  for (size_t i = 0; i < p->role_moves.items.count; i++) {
    const char *copy = alea_arena_strdup(&p->arena, p->role_moves.items.data[i],
                                         strlen(p->role_moves.items.data[i]));
    if (copy == NULL || !alea_vec_push(&p->art->session->mem, &p->legal_moves, copy))
      return ALEA_SYSTEM;
  }
  return ALEA_OK;
}

/* The position before, and the legal moves of all roles that have the turn. */
static alea_status set_marks(alea_cli_pictures *p, alea_cursor *cursor) {
  alea_drawing *drawing = p->art->drawing;
  alea_drawing_last(drawing, p->before.items.data,
                    p->last && p->count > 1 ? p->before.items.count : 0);
  p->legal_moves.count = 0;
  alea_arena_clear(&p->arena);
  bool over = true;
  alea_status status = p->legal ? alea_cursor_terminal(cursor, &over) : ALEA_OK;
  for (uint32_t r = 0; status == ALEA_OK && !over && r < cursor->game->role_count; r++)
    if ((int)r != cursor->game->random_role) status = add_moves(p, cursor, r);
  alea_drawing_legal(drawing, p->legal_moves.data, p->legal_moves.count);
  return status;
}

/* `board-%.svg` with a number of three digits at least. */
static void write_name(const char *pattern, uint32_t number, alea_text *out) {
  const char *sign = strchr(pattern, '%');
  alea_text_add(out, pattern, (size_t)(sign - pattern));
  alea_text_format(out, "%03u%s", number, sign + 1);
}

static alea_status draw_now(alea_cli_pictures *p) {
  return alea_drawing_svg(p->art->drawing, p->now.items.data, p->now.items.count,
                          p->art->session->opened.label, &p->out);
}

static alea_status write_picture(alea_cli_pictures *p) {
  alea_cli_session *session = p->art->session;
  alea_text name;
  alea_text_init(&name, &session->mem);
  write_name(p->file, p->count - 1, &name);
  alea_status status = name.failed ? ALEA_SYSTEM : ALEA_OK;
  if (status == ALEA_OK) status = draw_now(p);
  if (status == ALEA_OK) status = alea_cli_picture_write(session, alea_text_string(&name), &p->out);
  alea_text_clear(&name);
  return status;
}

static bool is_pattern(const char *file) { return strchr(file, '%') != NULL; }

/* What a role knows becomes the position that is drawn. */
static alea_status list_known(alea_cli_pictures *p, alea_knowledge *knowledge) {
  alea_status status = alea_knowledge_list(knowledge);
  if (status != ALEA_OK) return status;
  alea_listing own = p->now;
  p->now = knowledge->known;
  knowledge->known = own;
  alea_drawing_possible(p->art->drawing, knowledge->possible.items.data,
                        knowledge->possible.items.count);
  return ALEA_OK;
}

alea_status alea_cli_pictures_note(alea_cli_pictures *p, alea_cursor *cursor,
                                   alea_knowledge *knowledge) {
  alea_listing kept = p->before;
  p->before = p->now;
  p->now = kept;
  p->count++;
  alea_status status =
      knowledge != NULL ? list_known(p, knowledge) : alea_listing_fluents(&p->now, cursor);
  if (status != ALEA_OK || (!p->animate && !is_pattern(p->file))) return status;
  if (p->animate && p->film == NULL) {
    p->film = alea_film_new(p->art->drawing);
    if (p->film == NULL) return ALEA_SYSTEM;
  }
  status = set_marks(p, cursor);
  if (status == ALEA_OK && p->animate)
    return alea_film_add(p->film, p->now.items.data, p->now.items.count);
  return status == ALEA_OK ? write_picture(p) : status;
}

alea_status alea_cli_pictures_finish(alea_cli_pictures *p, alea_cursor *cursor) {
  alea_cli_session *session = p->art->session;
  if (p->film == NULL && is_pattern(p->file)) return ALEA_OK;
  alea_status status = set_marks(p, cursor);
  if (status == ALEA_OK)
    status = p->film != NULL ? alea_film_svg(p->film, session->opened.label, p->seconds, &p->out)
                             : draw_now(p);
  return status == ALEA_OK ? alea_cli_picture_write(session, p->file, &p->out) : status;
}
