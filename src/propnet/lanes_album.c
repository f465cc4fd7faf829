/* Pages of positions. */
#include "propnet/lanes_album.h"

#include <string.h>

#include "base/hash.h"

bool ALEA_LANES_FN(album_init)(alea_lanes_album *album, uint32_t fluent_count, alea_mem *mem) {
  *album = (alea_lanes_album){.fluent_count = fluent_count, .every = 1};
  album->word_count = ((size_t)fluent_count + 63) / 64;
  album->words = alea_mem_calloc(mem, album->word_count, sizeof *album->words);
  return album->words != NULL &&
         ALEA_LANES_FN(block_init)(&album->pages, (size_t)ALEA_SAMPLE_KEPT * fluent_count, mem);
}

void ALEA_LANES_FN(album_clear)(alea_lanes_album *album, alea_mem *mem) {
  alea_mem_free(mem, album->words, album->word_count * sizeof *album->words);
  ALEA_LANES_FN(block_clear)(&album->pages, mem);
}

void ALEA_LANES_FN(album_begin)(alea_lanes_album *album, uint32_t every) {
  album->every = every > 0 ? every : 1;
  album->taken = 0;
}

static alea_lane_word *page(const alea_lanes_album *album, uint64_t number) {
  return album->pages.words + number % ALEA_SAMPLE_KEPT * album->fluent_count;
}

void ALEA_LANES_FN(album_take)(alea_lanes_album *album, const alea_lane_word *fluents) {
  memcpy(page(album, album->taken++), fluents, album->fluent_count * sizeof *fluents);
}

void ALEA_LANES_FN(album_end)(alea_lanes_album *album, alea_lane_word lanes, uint64_t step) {
  for (uint32_t lane; (lane = alea_lane_pop(&lanes)) < ALEA_LANES;) album->ended[lane] = step;
}

/* Puts the position of a lane together. */
static void read_position(const alea_lanes_album *album, const alea_lane_word *fluents,
                          uint32_t lane) {
  memset(album->words, 0, album->word_count * sizeof *album->words);
  for (uint32_t f = 0; f < album->fluent_count; f++)
    album->words[f / 64] |= (fluents[f].part[lane / 64] >> (lane % 64) & 1) << (f % 64);
}

void ALEA_LANES_FN(album_show)(alea_lanes_album *album, const alea_sample_watcher *watcher,
                               uint32_t lane, uint64_t started, const alea_lane_word *fluents,
                               const uint8_t *goals) {
  uint64_t first = (started + album->every - 1) / album->every;
  uint64_t end = (album->ended[lane] + album->every - 1) / album->every;
  if (first + ALEA_SAMPLE_KEPT < album->taken) first = album->taken - ALEA_SAMPLE_KEPT;
  uint32_t count = first < end ? (uint32_t)(end - first) : 0, most = watcher->per_game;
  uint64_t lot = alea_hash_mix(++album->shown);
  for (uint32_t i = 0; i < most && i < count; i++) {
    uint64_t number = first + alea_sample_shown(i, count, most, lot);
    read_position(album, page(album, number), lane);
    watcher->saw(watcher->context, album->words, goals, false);
  }
  read_position(album, fluents, lane);
  watcher->saw(watcher->context, album->words, goals, true);
}
