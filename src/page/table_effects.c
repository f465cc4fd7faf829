/* What the moves of a person would change, and on whose board.
 *
 * Names of moves do not always tell which cells they touch: `(run 3 5)` may mean two dice
 * and `(sow 3)` a place.  So each move is made, and the page is told what holds afterwards and
 * did not before.  Where others choose at the same time they make their first moves, and what
 * the person could do otherwise is compared.  The true position is needed for that, so nothing
 * is told in games with `sees`.
 *
 * In such games several boards may have a cell of one name, one board for each role, and a shot
 * at `e 5` means that of the other.  That is read out of the rules alone: what `(shoot ?x ?y)`
 * makes true names who shoots, or does not. */
#include <string.h>

#include "game/position.h"
#include "page/table.h"

enum { MOST_MOVES = 48, MOST_AIMS = 32 };

/* The first moves of the others; '*alone' if none of them has a choice. */
static alea_status fill_joint(alea_page_table *t, uint32_t role, alea_move *joint, bool *alone) {
  *alone = true;
  for (uint32_t r = 0; r < t->game->role_count; r++) {
    alea_list legal;
    if (r == role) continue;
    alea_status status = alea_cursor_legal(t->cursor, r, &legal);
    if (status != ALEA_OK) return status;
    *alone = *alone && legal.count == 1;
    if (legal.count > 0) joint[r] = legal.ids[0];
  }
  return ALEA_OK;
}

/* Whether a sorted list has a text; '*at' goes along it, for texts that are sorted, too. */
static bool has(const alea_listing *list, const char *text, size_t *at) {
  while (*at < list->items.count && strcmp(list->items.data[*at], text) < 0) (*at)++;
  return *at < list->items.count && strcmp(list->items.data[*at], text) == 0;
}

/* What is in 'after' and in neither of the others. */
static void put_new(const alea_listing *before, const alea_listing *other,
                    const alea_listing *after, alea_json *json) {
  size_t b = 0, o = 0;
  alea_json_open(json, '[');
  for (size_t a = 0; a < after->items.count; a++) {
    const char *text = after->items.data[a];
    if (!has(before, text, &b) && !has(other, text, &o)) alea_json_string(json, text);
  }
  alea_json_close(json, ']');
}

/* The position after a joint move; the cursor returns to 'here'. */
static alea_status list_after(alea_page_table *t, const alea_move *joint, const alea_u64s *here,
                              alea_listing *after) {
  alea_status status = alea_cursor_play(t->cursor, joint);
  if (status == ALEA_OK) status = alea_listing_fluents(after, t->cursor);
  if (status == ALEA_OK) status = alea_cursor_load(t->cursor, here->data, here->count);
  return status;
}

/* Where others choose, too, what a move changes is what another move of this role would not: what
 * they do is left out, and what each of the moves does. */
static alea_status put_all(alea_page_table *t, uint32_t role, const alea_u32s *moves,
                           alea_move *joint, bool alone, alea_json *json) {
  alea_listing before, others[2];
  alea_u64s here = {0};
  alea_listing_init(&before, &t->mem);
  for (size_t i = 0; i < 2; i++) alea_listing_init(&others[i], &t->mem);
  alea_status status = alea_position_keep(&here, t->cursor, &t->mem);
  if (status == ALEA_OK) status = alea_listing_fluents(&before, t->cursor);
  for (size_t i = 0; status == ALEA_OK && !alone && i < 2 && i < moves->count; i++) {
    joint[role] = moves->data[i];
    status = list_after(t, joint, &here, &others[i]);
  }
  alea_json_open(json, '[');
  for (size_t i = 0; status == ALEA_OK && i < moves->count; i++) {
    joint[role] = moves->data[i];
    status = list_after(t, joint, &here, &t->listing);
    if (status == ALEA_OK) put_new(&before, &others[i == 0], &t->listing, json);
  }
  alea_json_close(json, ']');
  alea_vec_clear(&t->mem, &here);
  for (size_t i = 0; i < 2; i++) alea_listing_clear(&others[i]);
  alea_listing_clear(&before);
  return status;
}

static alea_status copy_moves(alea_page_table *t, uint32_t role, alea_u32s *moves) {
  alea_list legal;
  alea_status status = alea_cursor_legal(t->cursor, role, &legal);
  for (uint32_t i = 0; status == ALEA_OK && i < legal.count; i++)
    if (!alea_vec_push(&t->mem, moves, legal.ids[i])) status = ALEA_SYSTEM;
  return status;
}

alea_status alea_page_table_put_effects(alea_page_table *t, uint32_t role, alea_json *json) {
  bool alone = false;
  size_t bytes = t->game->role_count * sizeof(alea_move);
  alea_u32s moves = {0};
  alea_move *joint = alea_mem_calloc(&t->mem, t->game->role_count, sizeof *joint);
  alea_status status = joint != NULL ? copy_moves(t, role, &moves) : ALEA_SYSTEM;
  bool told = !t->game->has_sees && moves.count <= MOST_MOVES;
  if (status == ALEA_OK && told) status = fill_joint(t, role, joint, &alone);
  alea_json_key(json, "effects");
  if (status == ALEA_OK && told) {
    status = put_all(t, role, &moves, joint, alone, json);
  } else {
    alea_json_null(json);
  }
  alea_vec_clear(&t->mem, &moves);
  alea_mem_free(&t->mem, joint, bytes);
  return status;
}

/* ---- aims ---- */

/* Moves of one name: whether what they make true names who makes them, and whether there is
 * something that does not. */
typedef struct move_aim {
  alea_symbol name;
  bool own, other;
} move_aim;

static bool is_same(const alea_rule_node *a, const alea_rule_node *b) {
  return a->kind == b->kind && a->kind != ALEA_NODE_LIST && a->name == b->name;
}

static bool names(const alea_program *program, alea_rule_node_id fluent, alea_rule_node_id role) {
  const alea_rule_node *nodes = program->nodes.data;
  const alea_rule_node_id *args = alea_program_args(program, fluent);
  for (uint32_t i = 0; i < nodes[fluent].arg_count; i++)
    if (is_same(&nodes[args[i]], &nodes[role])) return true;
  return false;
}

/* Adds what a rule for `next` says of the moves in its body. */
static void read_rule(const alea_program *program, const alea_rule *rule, move_aim *aims,
                      size_t *count) {
  const alea_rule_node *nodes = program->nodes.data;
  alea_rule_node_id fluent = alea_program_args(program, rule->head)[0];
  if (nodes[fluent].kind != ALEA_NODE_LIST) return;
  for (uint32_t i = 0; i < rule->literal_count; i++) {
    const alea_literal *literal = &program->literals.data[rule->first_literal + i];
    const alea_rule_node *atom = &nodes[literal->atom];
    if (literal->kind != ALEA_LITERAL_TRUE || atom->name != ALEA_SYM_DOES || atom->arg_count != 2)
      continue;
    const alea_rule_node_id *does = alea_program_args(program, literal->atom);
    if (nodes[does[1]].kind != ALEA_NODE_LIST) continue;
    size_t at = 0;
    while (at < *count && aims[at].name != nodes[does[1]].name) at++;
    if (at == MOST_AIMS) return;
    if (at == *count) aims[(*count)++] = (move_aim){.name = nodes[does[1]].name};
    bool own = names(program, fluent, does[0]);
    aims[at].own |= own;
    aims[at].other |= !own;
  }
}

void alea_page_table_put_aims(alea_page_table *t, alea_json *json) {
  const alea_program *program = t->opened.program;
  move_aim aims[MOST_AIMS];
  size_t count = 0;
  for (size_t i = 0; program != NULL && i < program->rules.count; i++) {
    const alea_rule *rule = &program->rules.data[i];
    const alea_rule_node *head = &program->nodes.data[rule->head];
    if (head->name == ALEA_SYM_NEXT && head->arg_count == 1) read_rule(program, rule, aims, &count);
  }
  alea_json_key(json, "aims");
  alea_json_open(json, '{');
  for (size_t i = 0; i < count; i++)
    if (aims[i].own != aims[i].other)
      alea_json_put_string(json, alea_symbols_text(program->symbols, aims[i].name),
                           aims[i].own ? "own" : "other");
  alea_json_close(json, '}');
}
