/* Lines that a person types. */
#include "cli/lines.h"

#include <ctype.h>
#include <errno.h>
#include <histedit.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

enum { HISTORY_LINES = 200, MOST_SHOWN = 60, LOOK_MS = 50 };

static const int caught[] = {SIGINT, SIGTERM, SIGHUP};
enum { CAUGHT = sizeof caught / sizeof *caught };

struct alea_cli_lines {
  alea_mem *mem;
  alea_cli_completer *complete;
  void *context;
  alea_text line;   /* the last line read */
  alea_text prompt; /* of the line being read */
  alea_text words;  /* completions; scratch */
  EditLine *editor; /* NULL: the input is no terminal */
  History *history;
  struct sigaction before[CAUGHT];
};

static atomic_bool interrupted, ended;

atomic_bool *alea_cli_lines_interrupted(void) { return &interrupted; }

bool alea_cli_lines_ended(void) { return atomic_load(&ended); }

static void interrupt(int signal) {
  if (signal != SIGINT) atomic_store(&ended, true);
  atomic_store(&interrupted, true);
}

bool alea_cli_lines_are_typed(const alea_cli_lines *lines) { return lines->editor != NULL; }

/* ---- the editor ---- */

static alea_cli_lines *lines_of(EditLine *editor) {
  void *data = NULL;
  el_get(editor, EL_CLIENTDATA, &data);
  return data;
}

static char *prompt_of(EditLine *editor) {
  /* libedit only reads it. */
  return (char *)(uintptr_t)alea_text_string(&lines_of(editor)->prompt);
}

/* The next character, 0 at the end of the input.  A signal that comes just before
 * a read would be lost; so nothing is read until there is something. */
static int read_character(EditLine *editor, wchar_t *character) {
  (void)editor;
  mbstate_t state = {0};
  for (;;) {
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    if (atomic_load(&interrupted)) {
      errno = EINTR;
      return -1;
    }
    if (poll(&input, 1, LOOK_MS) <= 0) continue;
    char byte;
    ssize_t length = read(STDIN_FILENO, &byte, 1);
    if (length < 0 && errno == EINTR) continue;
    if (length <= 0) return (int)length;
    size_t result = mbrtowc(character, &byte, 1, &state);
    if (result == (size_t)-2) continue; /* there is more of it */
    if (result == (size_t)-1) *character = L'?';
    return 1;
  }
}

/* How many bytes all the words share; 'count' words, each ended by a newline. */
static size_t common_length(const char *words, size_t *count) {
  size_t common = strcspn(words, "\n");
  *count = 0;
  for (const char *word = words; *word != '\0'; word += strcspn(word, "\n") + 1, ++*count) {
    size_t same = 0, length = strcspn(word, "\n");
    while (same < common && same < length && word[same] == words[same]) same++;
    common = same;
  }
  return common;
}

static void show_words(const char *words, size_t count) {
  size_t shown = 0;
  putchar('\n');
  for (const char *word = words; *word != '\0' && shown < MOST_SHOWN; shown++) {
    int length = (int)strcspn(word, "\n");
    printf("%.*s%s", length, word, shown % 4 == 3 ? "\n" : "  ");
    word += length + 1;
  }
  printf("%s\n", count > shown ? "..." : "");
}

/* The tab key: completes as far as all words agree, or shows them. */
static unsigned char complete(EditLine *editor, int key) {
  (void)key;
  alea_cli_lines *lines = lines_of(editor);
  const LineInfo *info = el_line(editor);
  alea_text typed;
  alea_text_init(&typed, lines->mem);
  alea_text_add(&typed, info->buffer, (size_t)(info->cursor - info->buffer));
  alea_text_truncate(&lines->words, 0);
  lines->complete(lines->context, alea_text_string(&typed), &lines->words);
  const char *words = alea_text_string(&lines->words);
  size_t count, common = common_length(words, &count), length = typed.length;
  unsigned char result = CC_ERROR;
  if (common > length) {
    alea_text_truncate(&typed, 0);
    alea_text_add(&typed, words + length, common - length);
    if (el_insertstr(editor, alea_text_string(&typed)) == 0) result = CC_REFRESH;
  } else if (count > 1) {
    show_words(words, count);
    result = CC_REDISPLAY;
  }
  alea_text_clear(&typed);
  return result;
}

/* ---- opening ---- */

static void catch_signals(alea_cli_lines *lines) {
  struct sigaction action = {.sa_handler = interrupt}; /* reading is not resumed */
  atomic_store(&interrupted, false);
  for (size_t i = 0; i < CAUGHT; i++) {
    sigaction(caught[i], NULL, &lines->before[i]);
    if (lines->before[i].sa_handler != SIG_IGN) sigaction(caught[i], &action, NULL);
  }
}

static void open_editor(alea_cli_lines *lines) {
  HistEvent event;
  catch_signals(lines);
  lines->editor = el_init("alea", stdin, stdout, stderr);
  lines->history = history_init();
  if (lines->editor == NULL) return;
  el_set(lines->editor, EL_CLIENTDATA, lines);
  el_set(lines->editor, EL_EDITOR, "emacs");
  el_set(lines->editor, EL_SIGNAL, 1);
  el_set(lines->editor, EL_GETCFN, read_character);
  el_set(lines->editor, EL_PROMPT, prompt_of);
  el_set(lines->editor, EL_ADDFN, "alea-complete", "completes a move", complete);
  el_set(lines->editor, EL_BIND, "\t", "alea-complete", NULL);
  if (lines->history == NULL) return;
  history(lines->history, &event, H_SETSIZE, HISTORY_LINES);
  history(lines->history, &event, H_SETUNIQUE, 1);
  el_set(lines->editor, EL_HIST, history, lines->history);
}

alea_cli_lines *alea_cli_lines_open(alea_mem *mem, alea_cli_completer *complete_line,
                                    void *context) {
  alea_cli_lines *lines = alea_mem_zalloc(mem, sizeof *lines);
  if (lines == NULL) return NULL;
  lines->mem = mem;
  lines->complete = complete_line;
  lines->context = context;
  alea_text_init(&lines->line, mem);
  alea_text_init(&lines->prompt, mem);
  alea_text_init(&lines->words, mem);
  if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)) open_editor(lines);
  return lines;
}

void alea_cli_lines_close(alea_cli_lines *lines) {
  if (lines == NULL) return;
  if (lines->editor != NULL) {
    el_end(lines->editor);
    for (size_t i = 0; i < CAUGHT; i++) sigaction(caught[i], &lines->before[i], NULL);
  }
  if (lines->history != NULL) history_end(lines->history);
  alea_text_clear(&lines->line);
  alea_text_clear(&lines->prompt);
  alea_text_clear(&lines->words);
  alea_mem_free(lines->mem, lines, sizeof *lines);
}

/* ---- reading ---- */

/* A line of any length from a pipe; false at the end of the input. */
static bool read_plain(alea_cli_lines *lines, const char *prompt) {
  fputs(prompt, stdout);
  fflush(stdout);
  int c = getchar();
  if (c == EOF) return false;
  for (; c != EOF && c != '\n'; c = getchar()) alea_text_char(&lines->line, (char)c);
  return true;
}

static bool read_typed(alea_cli_lines *lines, const char *prompt) {
  int length = 0;
  alea_text_truncate(&lines->prompt, 0);
  alea_text_put(&lines->prompt, prompt);
  const char *line = el_gets(lines->editor, &length);
  if (line == NULL || length <= 0) {
    putchar('\n');
    return false;
  }
  alea_text_add(&lines->line, line, (size_t)length);
  return true;
}

const char *alea_cli_lines_read(alea_cli_lines *lines, const char *prompt) {
  alea_text *line = &lines->line;
  HistEvent event;
  alea_text_truncate(line, 0);
  bool read = lines->editor != NULL ? read_typed(lines, prompt) : read_plain(lines, prompt);
  if (!read || line->failed) return NULL;
  size_t length = line->length;
  const char *start = alea_text_string(line);
  while (length > 0 && isspace((unsigned char)start[length - 1])) length--;
  alea_text_truncate(line, length);
  start = alea_text_string(line);
  if (lines->history != NULL && length > 0) history(lines->history, &event, H_ENTER, start);
  while (isspace((unsigned char)*start)) start++;
  return start;
}
