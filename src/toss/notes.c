/* Notes about a game: kept once each, told in the order of the file. */
#include "toss/notes.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NOTES = 64, LONGEST_FORMULA = 100 };

typedef struct noted {
  alea_toss_note note;
  uint32_t where, line, column;
  double time;
  uint64_t count;
  const alea_toss_label *label; /* NULL: 'note' says what it is */
} noted;

struct alea_toss_notes {
  alea_mem *mem;
  const alea_toss_file *file;
  pthread_mutex_t mutex;
  noted list[MOST_NOTES];
  size_t count;
};

alea_toss_notes *alea_toss_notes_new(const alea_toss_file *file, alea_mem *mem) {
  alea_toss_notes *notes = alea_mem_zalloc(mem, sizeof *notes);
  if (notes == NULL) return NULL;
  notes->mem = mem;
  notes->file = file;
  pthread_mutex_init(&notes->mutex, NULL);
  return notes;
}

void alea_toss_notes_free(alea_toss_notes *notes) {
  if (notes == NULL) return;
  pthread_mutex_destroy(&notes->mutex);
  alea_mem_free(notes->mem, notes, sizeof *notes);
}

static void keep(alea_toss_notes *notes, noted n) {
  pthread_mutex_lock(&notes->mutex);
  size_t i = 0;
  while (i < notes->count && (notes->list[i].note != n.note || notes->list[i].line != n.line ||
                              notes->list[i].column != n.column))
    i++;
  if (i == notes->count && i < MOST_NOTES) notes->list[notes->count++] = n;
  if (i < notes->count) notes->list[i].count++;
  pthread_mutex_unlock(&notes->mutex);
}

static bool is_of_node(alea_toss_note note) { return note <= ALEA_TOSS_NOTE_EXPANSION; }

void alea_toss_notes_add(alea_toss_notes *notes, alea_toss_note note, uint32_t where, double time) {
  if (notes == NULL || where == ALEA_TOSS_NONE) return;
  noted n = {.note = note, .where = where, .time = time};
  if (is_of_node(note)) {
    n.line = notes->file->nodes.data[where].line;
    n.column = notes->file->nodes.data[where].column;
  } else {
    n.line = notes->file->rules.data[where].line;
    n.column = notes->file->rules.data[where].column;
  }
  keep(notes, n);
}

void alea_toss_notes_add_label(alea_toss_notes *notes, const alea_toss_label *label) {
  if (notes == NULL) return;
  keep(notes, (noted){.note = ALEA_TOSS_NOTE_LIMIT,
                      .line = label->line,
                      .column = label->column,
                      .label = label});
}

/* ---- telling ---- */

/* The formula as text, cut where it is long. */
static const char *formula_text(const alea_toss_notes *notes, uint32_t node, alea_text *out) {
  alea_toss_print_node(notes->file, node, out);
  if (out->length > LONGEST_FORMULA) {
    out->length = LONGEST_FORMULA;
    out->data[LONGEST_FORMULA] = '\0';
    alea_text_put(out, " ...");
  }
  return alea_text_string(out);
}

static void tell_formula(const alea_toss_notes *notes, const noted *n, alea_place place,
                         alea_diag *diag) {
  alea_text text;
  alea_text_init(&text, notes->mem);
  const char *formula = formula_text(notes, n->where, &text);
  if (n->note == ALEA_TOSS_NOTE_UNDECIDED) {
    alea_diag_warn(
        diag, place, "undecided",
        "whether '%s' holds was not decided (%llu time%s), so it counted as not certain: "
        "make its numbers fewer or its terms simpler",
        formula, (unsigned long long)n->count, n->count == 1 ? "" : "s");
  } else if (n->note == ALEA_TOSS_NOTE_LIMIT) {
    alea_diag_error(diag, place, "too-large",
                    "whether '%s' holds is too large a question: quantify fewer sets, or over a "
                    "smaller structure",
                    formula);
  } else {
    alea_diag_error(diag, place, "too-large",
                    "with its definitions written out, '%s' is too large to compile: nest fewer "
                    "defined relations",
                    formula);
  }
  alea_text_clear(&text);
}

static void tell_rule(const alea_toss_notes *notes, const noted *n, alea_place place,
                      alea_diag *diag) {
  const char *name = alea_toss_text(notes->file, notes->file->rules.data[n->where].name);
  switch (n->note) {
    case ALEA_TOSS_NOTE_LOST:
      alea_diag_warn(diag, place, "no-solution",
                     "the equations of rule '%s' have no solution that could be followed beyond "
                     "time %.15g, where the move ended (%llu time%s): bound the time, or stop it "
                     "earlier by 'inv'",
                     name, n->time, (unsigned long long)n->count, n->count == 1 ? "" : "s");
      break;
    case ALEA_TOSS_NOTE_EQUATIONS:
      alea_diag_error(diag, place, "too-large",
                      "the equations of rule '%s' have too many terms; sum over fewer elements",
                      name);
      break;
    case ALEA_TOSS_NOTE_EXACT:
      alea_diag_error(diag, place, "too-large",
                      "rule '%s' embeds a relation with too many tuples over its left side: draw "
                      "fewer elements, or leave the relation out of 'emb'",
                      name);
      break;
    default:
      alea_diag_error(diag, place, "too-large",
                      "rule '%s' makes more elements than a structure of this game can have", name);
  }
}

static int compare(const void *a, const void *b) {
  const noted *x = a, *y = b;
  if (x->line != y->line) return x->line < y->line ? -1 : 1;
  if (x->column != y->column) return x->column < y->column ? -1 : 1;
  return (int)x->note - (int)y->note;
}

void alea_toss_notes_report(alea_toss_notes *notes, alea_diag *diag) {
  if (notes == NULL) return;
  pthread_mutex_lock(&notes->mutex);
  if (notes->count > 1) qsort(notes->list, notes->count, sizeof *notes->list, compare);
  for (size_t i = 0; i < notes->count; i++) {
    const noted *n = &notes->list[i];
    alea_place place = {notes->file->file, n->line, n->column};
    if (n->label != NULL) {
      alea_diag_error(diag, place, "too-large",
                      "the label '%s' has more moves at once than can be listed: give its "
                      "intervals fewer points, or its rule a stricter 'pre'",
                      alea_toss_text(notes->file, n->label->alias));
    } else if (is_of_node(n->note)) {
      tell_formula(notes, n, place, diag);
    } else {
      tell_rule(notes, n, place, diag);
    }
  }
  pthread_mutex_unlock(&notes->mutex);
}
