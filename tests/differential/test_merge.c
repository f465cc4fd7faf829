/* Merged rules say what the rules say: in states of random plays every atom
 * has the value of the literal that stands for it, and of its merged bodies. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_all.h"
#include "ground/atoms.h"
#include "match/open.h"
#include "symmetry/merge.h"

enum { STATES = 30, MOST_INSTANCES = 20000 };

typedef struct tally {
  unsigned games, merged;
} tally;

static bool body_holds(const alea_merged_rules *m, const alea_merged_body *body,
                       const uint8_t *values) {
  for (uint32_t k = 0; k < body->count; k++)
    if (!alea_atoms_holds(values, m->lits.data[body->first + k])) return false;
  return true;
}

static bool defined(const alea_merged_rules *m, alea_atom atom, const uint8_t *values) {
  for (uint32_t i = 0; i < m->body_count[atom]; i++)
    if (body_holds(m, &m->bodies.data[m->first_body[atom] + i], values)) return true;
  return false;
}

static void check_state(const alea_merged_rules *m, const uint8_t *values) {
  const alea_ground *g = m->ground;
  for (uint32_t a = alea_atoms_first_derived(g); a < g->atom_count; a++) {
    assert_int_equal(alea_atoms_holds(values, m->meaning[a]), values[a]);
    if (m->meaning[a] == 2 * a) assert_int_equal(defined(m, a, values), values[a]);
  }
}

static void check_ground(const alea_ground *ground, alea_mem *mem, tally *sum) {
  alea_merged_rules merged;
  alea_atoms atoms;
  alea_atom_walker walker;
  assert_int_equal(alea_merged_rules_init(&merged, ground, mem), ALEA_OK);
  assert_int_equal(alea_atoms_init(&atoms, ground, mem), ALEA_OK);
  assert_true(alea_atom_walker_init(&walker, &atoms, 5));
  for (int i = 0; i < STATES; i++) {
    alea_atom_walker_step(&walker);
    check_state(&merged, walker.values);
  }
  for (uint32_t a = alea_atoms_first_derived(ground); a < ground->atom_count; a++)
    sum->merged += merged.meaning[a] != 2 * a;
  sum->games++;
  alea_atom_walker_clear(&walker);
  alea_atoms_clear(&atoms);
  alea_merged_rules_clear(&merged);
}

static void check_game(const char *path, bool plain, tally *sum) {
  alea_mem mem;
  alea_diag diag;
  alea_text text;
  alea_program *program = NULL;
  alea_ground *ground = NULL;
  alea_ground_options few = {.plain = plain, .max_instances = MOST_INSTANCES};
  alea_mem_init(&mem, 0);
  alea_diag_init(&diag, &mem);
  alea_text_init(&text, &mem);
  assert_int_equal(alea_open_file(path, &text, &diag), ALEA_OK);
  assert_int_equal(
      alea_program_new(&program, alea_text_string(&text), text.length, path, NULL, &mem, &diag),
      ALEA_OK);
  if (alea_ground_new(&ground, program, &few, &mem, &diag) == ALEA_OK)
    check_ground(ground, &mem, sum);
  alea_ground_free(ground);
  alea_program_free(program);
  alea_text_clear(&text);
  alea_diag_clear(&diag);
  assert_int_equal(mem.used, 0);
}

static int is_rulesheet(const struct dirent *entry) {
  return strstr(entry->d_name, ".kif") != NULL;
}

static void merged_rules_say_the_same(void **state) {
  (void)state;
  struct dirent **entries;
  int count = scandir(ALEA_SOURCE_DIR "/games", &entries, is_rulesheet, alphasort);
  tally sum = {0};
  assert_true(count > 0);
  for (int i = 0; i < count; i++) {
    char path[1024];
    snprintf(path, sizeof path, ALEA_SOURCE_DIR "/games/%s", entries[i]->d_name);
    free(entries[i]);
    for (int plain = 0; plain < 2; plain++) check_game(path, plain, &sum);
  }
  free(entries);
  print_message("%u ground programs, %u atoms merged\n", sum.games, sum.merged);
  assert_true(sum.games > 40 && sum.merged > 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(merged_rules_say_the_same)};
  return cmocka_run_group_tests_name("merge", tests, NULL, NULL);
}
