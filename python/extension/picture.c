/* Pictures of positions. */
#include "binding.h"

PyTypeObject *alea_py_picture;

typedef struct picture_object {
  part_object part;
  alea_picture *picture;
} picture_object;

static void drop_picture(part_object *part) {
  picture_object *own = (picture_object *)part;
  alea_picture_free(own->picture);
  own->picture = NULL;
}

static PyObject *picture_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
  static char *names[] = {"game", NULL};
  game_object *game;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!:Picture", names, alea_py_game, &game))
    return NULL;
  picture_object *own = alea_py_part(type, game, drop_picture);
  if (own == NULL) return NULL;
  alea_status status = alea_picture_new(&own->picture, game->rules);
  if (status == ALEA_OK) return (PyObject *)own;
  Py_DECREF((PyObject *)own);
  return alea_py_fail(status, NULL, "the game cannot be drawn: %s", alea_status_text(status));
}

/* draw(state, ascii, title): text if 'title' is None, else SVG. */
static PyObject *picture_draw(PyObject *self, PyObject *args) {
  picture_object *own = (picture_object *)self;
  state_object *state;
  const char *title;
  int ascii;
  if (!PyArg_ParseTuple(args, "O!pz:draw", alea_py_state, &state, &ascii, &title)) return NULL;
  if (own->part.use != PART_FREE) return alea_py_closed(&own->part);
  if (state->part.use != PART_FREE) return alea_py_closed(&state->part);
  const char *drawn = title == NULL ? alea_picture_text(own->picture, state->state, ascii != 0)
                                    : alea_picture_svg(own->picture, state->state, title);
  if (drawn != NULL) return PyUnicode_FromString(drawn);
  return alea_py_fail(ALEA_USAGE, NULL, "only a state of the same Game can be drawn");
}

bool alea_py_add_picture(PyObject *module) {
  static PyMethodDef methods[] = {
      {"draw", picture_draw, METH_VARARGS, NULL},
      {NULL, NULL, 0, NULL},
  };
  static PyType_Slot slots[] = {
      {Py_tp_new, (void *)picture_new},
      {Py_tp_dealloc, (void *)alea_py_part_dealloc},
      {Py_tp_traverse, (void *)alea_py_part_traverse},
      {Py_tp_methods, methods},
      {0, NULL},
  };
  static PyType_Spec spec = {"alea._alea.Picture", sizeof(picture_object), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, slots};
  return alea_py_add_type(module, &alea_py_picture, &spec, "Picture");
}
