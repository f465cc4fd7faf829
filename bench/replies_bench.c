/* Which second discs of connect four (7 x 6) keep the value, by perfect play: an oracle
 * written apart from the program, on bit boards (bench/convergence.md).
 *
 *   replies_bench [FIRST [REPLY]]     columns 1 to 7; without them, all that is asked
 *
 * One line per question: first disc, reply, and whether the reply keeps the value of the
 * position for who makes it.  The values after the first disc are those of bench/connect.md
 * (1, 2: lost for who made it, 3: a draw, 4: won; 5 to 7 by symmetry), so that one question
 * per reply is enough. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { COLUMNS = 7, ROWS = 6, TALL = ROWS + 1, TABLE_BITS = 26 };

#define BOTTOM UINT64_C(0x0040810204081) /* the lowest cell of every column */
#define BOARD (BOTTOM * ((1u << ROWS) - 1))

static uint64_t *table; /* questions and, in their lowest bits, answers */
static uint64_t positions;

/* Cells that would make a line for who has 'own', where 'mask' is taken. */
static uint64_t lines(uint64_t own, uint64_t mask) {
  uint64_t cells = (own << 1) & (own << 2) & (own << 3);
  for (int d = TALL - 1; d <= TALL + 1; d++) {
    uint64_t up = (own << d) & (own << 2 * d), down = (own >> d) & (own >> 2 * d);
    cells |= up & (own << 3 * d);
    cells |= up & (own >> d);
    cells |= down & (own << d);
    cells |= down & (own >> 3 * d);
  }
  return cells & (BOARD ^ mask);
}

static uint64_t mirror(uint64_t cells) {
  uint64_t turned = 0;
  for (int c = 0; c < COLUMNS; c++)
    turned |= (cells >> c * TALL & ((1u << TALL) - 1)) << (COLUMNS - 1 - c) * TALL;
  return turned;
}

/* One number for a position and its mirror image. */
static uint64_t name_of(uint64_t own, uint64_t mask) {
  uint64_t name = own + mask + BOTTOM, other = mirror(name);
  return name < other ? name : other;
}

/* Moves of who has 'own' that do not lose at once, best ones first. */
static int list(uint64_t own, uint64_t mask, uint64_t *moves) {
  uint64_t threats = lines(own ^ mask, mask), legal = (mask + BOTTOM) & BOARD;
  uint64_t forced = legal & threats;
  if ((forced & (forced - 1)) != 0) return 0;
  if (forced != 0) legal = forced;
  legal &= ~(threats >> 1);
  int ranks[COLUMNS], count = 0;
  for (int i = 0; i < COLUMNS; i++) {
    int column = COLUMNS / 2 + (i % 2 == 0 ? i / 2 : -(i + 1) / 2);
    uint64_t move = legal & (UINT64_C(0x3f) << column * TALL);
    if (move == 0) continue;
    int rank = __builtin_popcountll(lines(own | move, mask | move)), at = count++;
    for (; at > 0 && ranks[at - 1] < rank; at--)
      ranks[at] = ranks[at - 1], moves[at] = moves[at - 1];
    ranks[at] = rank, moves[at] = move;
  }
  return count;
}

static uint64_t *entry_of(uint64_t name) {
  return &table[(name * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - TABLE_BITS)];
}

/* Whether who is to move, and cannot win at once, gets at least 'goal': 0 is a draw, 1 a win. */
static bool gets(uint64_t own, uint64_t mask, int goal) {
  uint64_t moves[COLUMNS], name = name_of(own, mask), *entry = entry_of(name);
  uint64_t question = name << 2 | (uint64_t)goal << 1;
  positions++;
  if (mask == BOARD) return goal == 0;
  if ((*entry & ~UINT64_C(1)) == question) return *entry & 1;
  bool answer = false;
  int count = list(own, mask, moves);
  for (int i = 0; !answer && i < count; i++) answer = !gets(own ^ mask, mask | moves[i], 1 - goal);
  *entry = question | answer;
  return answer;
}

/* Asks whether a reply to the first disc keeps the value. */
static void ask(int first, int reply) {
  uint64_t red = UINT64_C(1) << (first - 1) * TALL, yellow = UINT64_C(1) << (reply - 1) * TALL;
  if (first == reply) yellow <<= 1;
  int goal = first == 3 ? 1 : 0; /* for red, which a good reply denies it */
  bool keeps = first == 4 || !gets(red, red | yellow, goal);
  printf("%d %d %s %llu\n", first, reply, keeps ? "keeps" : "loses", (unsigned long long)positions);
  fflush(stdout);
}

int main(int count, char **words) {
  int first = count > 1 ? atoi(words[1]) : 0, reply = count > 2 ? atoi(words[2]) : 0;
  table = calloc((size_t)1 << TABLE_BITS, sizeof *table);
  if (table == NULL || first < 0 || first > 4 || reply < 0 || reply > COLUMNS) return 1;
  for (int f = 1; f <= 4; f++)
    for (int r = 1; r <= COLUMNS; r++)
      if ((first == 0 || f == first) && (reply == 0 || r == reply)) ask(f, r);
  free(table);
  return 0;
}
