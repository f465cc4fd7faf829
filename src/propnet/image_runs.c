/* Runs of slots: counters that have an input in common lie beside each other.
 *
 * When a square of a chess board is left, 80 counters change.  Beside each other in blocks
 * of 64 they take two instructions, scattered 80 times thirteen.  A counter can lie in the run
 * of one of its inputs only: that with the most readers of which no other has taken them
 * comes first. */
#include "base/heap.h"
#include "propnet/image.h"

enum { LEAST_RUN = 6 };

/* A counter of a gate: that of the inputs from piece * ALEA_MOST_INPUTS on. */
typedef struct run_reader {
  uint32_t gate, piece;
} run_reader;

typedef struct runs_finder {
  alea_image *image;
  const alea_net *net;
  alea_mem *mem;
  uint32_t first, end; /* nodes */
  uint32_t nodes;
  uint32_t gate;       /* whose inputs are looked at */
  uint32_t *left;      /* per node: readers without a slot */
  uint32_t *row;       /* per node and one more: its readers, CSR */
  run_reader *readers; /* 'reader_count' of them */
  size_t reader_count;
  alea_u64s heap; /* readers << 32 | ~node, largest on top */
} runs_finder;

static uint32_t *slot_of(runs_finder *f, run_reader r) {
  return &f->image->slot_of[alea_image_counter_of(f->image, r.gate, r.piece * ALEA_MOST_INPUTS)];
}

static void each_gate(runs_finder *f, alea_image_visit visit) {
  const alea_net *net = f->net;
  for (uint32_t node = f->first; node < f->end; node++) {
    uint32_t gate = node - net->first_gate;
    if (f->image->folded[gate] != 0 ||
        (net->cycles.count > 0 && alea_net_part_of(net, node) != UINT32_MAX))
      continue;
    f->gate = gate;
    alea_image_each_input(f->image, gate, 0, net->gates[gate].input_count, visit, f);
  }
}

static void count_reader(void *context, const alea_image_input *input) {
  runs_finder *f = context;
  if (f->image->slot_of[input->counter] == ALEA_NO_SLOT) f->left[input->node]++;
}

static void write_reader(void *context, const alea_image_input *input) {
  runs_finder *f = context;
  if (f->image->slot_of[input->counter] != ALEA_NO_SLOT) return;
  uint32_t pieces = f->net->gate_count + f->image->piece_first[f->gate];
  run_reader reader = {f->gate, input->counter == f->gate ? 0 : input->counter - pieces};
  f->readers[f->row[input->node]++] = reader;
}

static void lose_reader(void *context, const alea_image_input *input) {
  ((runs_finder *)context)->left[input->node]--;
}

static bool find_readers(runs_finder *f) {
  each_gate(f, count_reader);
  for (uint32_t node = 0; node < f->nodes; node++) {
    f->row[node] = (uint32_t)f->reader_count;
    f->reader_count += f->left[node];
    uint64_t word = (uint64_t)f->left[node] << 32 | (uint32_t)~node;
    if (f->left[node] >= LEAST_RUN && !alea_vec_push(f->mem, &f->heap, word)) return false;
  }
  f->readers = alea_mem_calloc(f->mem, f->reader_count, sizeof *f->readers);
  if (f->readers == NULL) return false;
  each_gate(f,
            write_reader); /* moves the rows to their ends, which are the next ones' beginnings */
  alea_heap_make(&f->heap);
  return true;
}

/* Gives slots to the readers of 'node' that have none. */
static void place_run(runs_finder *f, uint32_t node, uint32_t *at) {
  for (uint32_t i = node == 0 ? 0 : f->row[node - 1]; i < f->row[node]; i++) {
    run_reader r = f->readers[i];
    if (*slot_of(f, r) != ALEA_NO_SLOT) continue;
    *slot_of(f, r) = (*at)++;
    uint32_t count = f->net->gates[r.gate].input_count, begin = r.piece * ALEA_MOST_INPUTS;
    uint32_t end = count - begin > ALEA_MOST_INPUTS ? begin + ALEA_MOST_INPUTS : count;
    alea_image_each_input(f->image, r.gate, begin, end, lose_reader, f);
  }
}

static void place_all(runs_finder *f, uint32_t *at) {
  while (f->heap.count > 0) {
    uint64_t top = f->heap.data[0];
    uint32_t node = ~(uint32_t)top, now = f->left[node];
    if (now == top >> 32) {
      alea_heap_pop(&f->heap);
      place_run(f, node, at);
    } else if (now >= LEAST_RUN) { /* others took some of its readers */
      alea_heap_lower_top(&f->heap, (uint64_t)now << 32 | (uint32_t)top);
    } else {
      alea_heap_pop(&f->heap);
    }
  }
}

bool alea_image_place_runs(alea_image *image, uint32_t first, uint32_t end, uint32_t *at,
                           alea_mem *mem) {
  const alea_net *net = image->net;
  runs_finder f = {.image = image, .net = net, .mem = mem, .first = first, .end = end};
  f.nodes = net->first_gate + net->gate_count;
  f.left = alea_mem_calloc(mem, f.nodes, sizeof *f.left);
  f.row = alea_mem_calloc(mem, f.nodes, sizeof *f.row);
  bool ok = f.left != NULL && f.row != NULL && find_readers(&f);
  if (ok) place_all(&f, at);
  alea_mem_free(mem, f.left, f.nodes * sizeof *f.left);
  alea_mem_free(mem, f.row, f.nodes * sizeof *f.row);
  alea_mem_free(mem, f.readers, f.reader_count * sizeof *f.readers);
  alea_vec_clear(mem, &f.heap);
  return ok;
}
