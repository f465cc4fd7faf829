/* Stands in for libFuzzer: runs a fuzz target over the files of folders.
 * A folder that does not exist counts as empty. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/load.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* 1 when the file was run. */
static int replay(const char *path) {
  size_t size;
  char *data = load_file(&size, "%s", path);
  if (data == NULL) return 0;
  /* An exact-size copy, so that a sanitizer sees reads past the end. */
  uint8_t *exact = malloc(size != 0 ? size : 1);
  if (exact == NULL) abort();
  memcpy(exact, data, size);
  free(data);
  LLVMFuzzerTestOneInput(exact, size);
  free(exact);
  return 1;
}

int main(int argc, char **argv) {
  int count = 0;
  for (int i = 1; i < argc; i++) {
    DIR *folder = opendir(argv[i]);
    if (folder == NULL) continue;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
      char path[4096];
      int length = snprintf(path, sizeof path, "%s/%s", argv[i], entry->d_name);
      if (entry->d_name[0] == '.' || length < 0 || (size_t)length >= sizeof path) continue;
      count += replay(path);
    }
    closedir(folder);
  }
  printf("%d inputs replayed\n", count);
  return 0;
}
