/* Stands in for libFuzzer: runs a fuzz target over the files of folders.
 * A folder that does not exist counts as empty. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* 1 when the file was run. */
static int replay(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) return 0;
  size_t capacity = 1u << 20, size = 0;
  uint8_t *data = malloc(capacity);
  if (data != NULL) size = fread(data, 1, capacity, file);
  fclose(file);
  /* An exact-size copy, so that a sanitizer sees reads past the end. */
  uint8_t *exact = malloc(size != 0 ? size : 1);
  if (data == NULL || exact == NULL) abort();
  for (size_t i = 0; i < size; i++) exact[i] = data[i];
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
