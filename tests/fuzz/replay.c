/* Stands in for libFuzzer: runs a fuzz target over the files of folders, and with
 * --seconds S (--seed N) for so long over mutations of them.  A folder that does
 * not exist counts as empty.  An input that crashes is left in the file
 * `crash-input`. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/rng.h"
#include "fuzz/mutate.h"
#include "support/load.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_INPUTS = 4096, MOST_BYTES = 1 << 16 };

typedef struct fuzz_input {
  uint8_t *data;
  size_t size;
} fuzz_input;

static fuzz_input inputs[MOST_INPUTS];
static size_t input_count, good_count; /* those that the reader accepts come first */

/* Runs an exact-size copy, so that a sanitizer sees reads past the end. */
static void run(const uint8_t *data, size_t size) {
  uint8_t *exact = malloc(size != 0 ? size : 1);
  if (exact == NULL) abort();
  if (size > 0) memcpy(exact, data, size);
  LLVMFuzzerTestOneInput(exact, size);
  free(exact);
}

/* 1 when the file was run. */
static int replay(const char *path) {
  size_t size;
  char *data = load_file(&size, "%s", path);
  if (data == NULL) return 0;
  uint64_t noted, before, after;
  fuzz_counts(&noted, &before);
  run((const uint8_t *)data, size);
  fuzz_counts(&noted, &after);
  if (input_count == MOST_INPUTS || size > MOST_BYTES / 2) {
    free(data);
    return 1;
  }
  inputs[input_count++] = (fuzz_input){(uint8_t *)data, size};
  if (after > before) {
    fuzz_input other = inputs[good_count];
    inputs[good_count++] = inputs[input_count - 1];
    inputs[input_count - 1] = other;
  }
  return 1;
}

static int replay_folder(const char *name) {
  int count = 0;
  DIR *folder = opendir(name);
  if (folder == NULL) return 0;
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/%s", name, entry->d_name);
    if (entry->d_name[0] == '.' || length < 0 || (size_t)length >= sizeof path) continue;
    count += replay(path);
  }
  closedir(folder);
  return count;
}

static void save(const uint8_t *data, size_t size) {
  FILE *file = fopen("crash-input", "wb");
  if (file == NULL) return;
  fwrite(data, 1, size, file);
  fclose(file);
}

static void fuzz(double seconds, uint64_t seed) {
  static uint8_t data[MOST_BYTES];
  alea_rng rng;
  uint64_t runs = 0, noted, accepted, before, passed;
  fuzz_counts(&before, &passed);
  alea_rng_seed(&rng, seed);
  for (double end = alea_clock_wall() + seconds; alea_clock_wall() < end;) {
    /* Mostly what was accepted: its changes get further. */
    size_t among = good_count > 0 && alea_rng_below(&rng, 8) > 0 ? good_count : input_count;
    const fuzz_input *input = &inputs[alea_rng_below(&rng, (uint32_t)among)];
    size_t size = input->size;
    memcpy(data, input->data, size);
    /* One change after the other, until an input is refused. */
    uint64_t good = 0, now = 1;
    for (uint32_t i = 1 + alea_rng_below(&rng, 6); i > 0 && good != now; i--, runs++) {
      size = fuzz_mutate(data, size, sizeof data, (unsigned)alea_rng_next(&rng));
      save(data, size);
      fuzz_counts(&noted, &good);
      run(data, size);
      fuzz_counts(&noted, &now);
    }
  }
  remove("crash-input");
  fuzz_counts(&noted, &accepted);
  noted -= before, accepted -= passed;
  printf("%llu mutations, %.0f %% of them accepted by the reader\n", (unsigned long long)runs,
         noted > 0 ? 100.0 * (double)accepted / (double)noted : 0.0);
}

int main(int argc, char **argv) {
  double seconds = 0;
  uint64_t seed = 1;
  int count = 0;
  for (int i = 1; i < argc; i++) {
    bool option = i + 1 < argc && strncmp(argv[i], "--", 2) == 0;
    if (option && strcmp(argv[i], "--seconds") == 0)
      seconds = strtod(argv[++i], NULL);
    else if (option && strcmp(argv[i], "--seed") == 0)
      seed = strtoull(argv[++i], NULL, 10);
    else
      count += replay_folder(argv[i]);
  }
  printf("%d inputs replayed, %zu of them accepted\n", count, good_count);
  if (seconds > 0 && input_count > 0) fuzz(seconds, seed);
  for (size_t i = 0; i < input_count; i++) free(inputs[i].data);
  return 0;
}
