/* A play as one SVG document: a group for each position, shown in turn. */
#include <string.h>

#include "draw/picture.h"

struct alea_film {
  alea_drawing *drawing;
  ALEA_VEC(alea_canvas) frames;
};

alea_film *alea_film_new(alea_drawing *drawing) {
  alea_film *film = alea_mem_zalloc(drawing->mem, sizeof *film);
  if (film != NULL) film->drawing = drawing;
  return film;
}

void alea_film_free(alea_film *film) {
  if (film == NULL) return;
  alea_mem *mem = film->drawing->mem;
  for (size_t i = 0; i < film->frames.count; i++) alea_canvas_clear(&film->frames.data[i]);
  alea_vec_clear(mem, &film->frames);
  alea_mem_free(mem, film, sizeof *film);
}

alea_status alea_film_add(alea_film *film, const char *const *fluents, size_t count) {
  alea_canvas frame;
  alea_canvas_init(&frame, film->drawing->mem);
  alea_status status = alea_drawing_put(film->drawing, fluents, count, &frame);
  if (status == ALEA_OK && alea_vec_push(film->drawing->mem, &film->frames, frame)) return ALEA_OK;
  alea_canvas_clear(&frame);
  return status != ALEA_OK ? status : ALEA_SYSTEM;
}

/* The last position stays a little longer. */
static const double pause_seconds = 2;

/* A frame is visible during its part of the cycle; all begin at once, each as
 * if it had run for a while.  Where nothing moves, the last is shown. */
static void put_motion(const alea_film *film, double seconds, alea_text *out) {
  double total = seconds * (double)film->frames.count + pause_seconds;
  double part = 100 * seconds / total, last = 100 * (seconds + pause_seconds) / total;
  alea_text_format(out,
                   "<style>\n"
                   ".alea-frame{visibility:hidden;animation:alea-frame %.2fs step-end infinite}\n"
                   ".alea-final{visibility:visible;animation-name:alea-final}\n"
                   "@keyframes alea-frame{0%%{visibility:visible}%.3f%%,100%%{visibility:hidden}}\n"
                   "@keyframes alea-final{0%%{visibility:visible}%.3f%%,100%%{visibility:hidden}}\n"
                   "@media(prefers-reduced-motion:reduce){.alea-frame{animation:none}}\n"
                   "</style>\n",
                   total, part, last);
}

/* Whether all frames have the same cells below, so that those are drawn once. */
static bool share_ground(const alea_film *film) {
  const alea_canvas *frames = film->frames.data;
  for (size_t i = 1; i < film->frames.count; i++) {
    if (strcmp(alea_text_string(&frames[i].ground), alea_text_string(&frames[0].ground)) != 0)
      return false;
  }
  return true;
}

alea_status alea_film_svg(alea_film *film, const char *title, double seconds, alea_text *out) {
  alea_canvas whole = {0};
  size_t count = film->frames.count;
  for (size_t i = 0; i < count; i++) {
    const alea_canvas *frame = &film->frames.data[i];
    whole.inks |= frame->inks;
    whole.glyphs |= frame->glyphs;
    whole.classes |= frame->classes;
    if (frame->width > whole.width) whole.width = frame->width;
    if (frame->height > whole.height) whole.height = frame->height;
  }
  double total = seconds * (double)count + pause_seconds;
  bool shared = count > 0 && share_ground(film);
  alea_svg_open(out, &whole, film->drawing->theme, title);
  put_motion(film, seconds, out);
  if (shared) alea_text_put(out, alea_text_string(&film->frames.data[0].ground));
  for (size_t i = 0; i < count; i++) {
    alea_text_format(out, "<g class=\"alea-frame%s\" style=\"animation-delay:%.2fs\">\n",
                     i + 1 == count ? " alea-final" : "", (double)i * seconds - total);
    if (!shared) alea_text_put(out, alea_text_string(&film->frames.data[i].ground));
    alea_text_put(out, alea_text_string(&film->frames.data[i].body));
    alea_text_put(out, "</g>\n");
  }
  alea_svg_close(out);
  return out->failed ? ALEA_SYSTEM : ALEA_OK;
}
