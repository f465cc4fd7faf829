/* Running one command to its end. */
#include "page/job.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"

enum { PIECE = 65536, MOST_ERRORS = 65536 };
static const double forever = 3600; /* of one wait */
static const double parting_seconds = 5;
static const double stop_seconds = 0.1; /* until a job that is stopped notices */

typedef struct job_run {
  const alea_job *job;
  alea_launched process;
  size_t sent;
  bool shut;         /* the whole input was sent */
  bool silent, dumb; /* its output, its errors are over */
  alea_text *output, *errors;
} job_run;

static void send_more(job_run *r) {
  size_t left = r->job->length - r->sent;
  ssize_t sent = left == 0 ? 0
                           : send(r->process.talk, r->job->input + r->sent,
                                  left < PIECE ? left : PIECE, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent > 0) r->sent += (size_t)sent;
  /* A process may end without having read everything. */
  if (r->sent == r->job->length || (left > 0 && sent <= 0)) {
    shutdown(r->process.talk, SHUT_WR);
    r->shut = true;
  }
}

/* Appends what is there; false at the end. */
static bool read_more(int fd, alea_text *to) {
  char piece[PIECE];
  ssize_t got = read(fd, piece, sizeof piece);
  if (got > 0) alea_text_add(to, piece, (size_t)got);
  return got > 0;
}

/* What went wrong, or NULL while nothing has. */
static const char *step(job_run *r, double deadline) {
  double left = r->job->seconds > 0 ? deadline - alea_clock_wall() : forever;
  if (left <= 0) return "this took longer than the server allows";
  struct pollfd ends[2] = {
      {.fd = r->silent ? -1 : r->process.talk, .events = (short)(POLLIN | (r->shut ? 0 : POLLOUT))},
      {.fd = r->dumb ? -1 : r->process.errors, .events = POLLIN},
  };
  if (r->job->stop != NULL && left > stop_seconds) left = stop_seconds;
  if (poll(ends, 2, (int)(left * 1000) + 1) < 0) return NULL;
  if (!r->shut && (ends[0].revents & POLLOUT) != 0) send_more(r);
  if ((ends[0].revents & (POLLIN | POLLHUP | POLLERR)) != 0)
    r->silent = !read_more(r->process.talk, r->output);
  if (r->job->look != NULL && !r->output->failed) r->job->look(r->job->context, r->output);
  if ((ends[1].revents & (POLLIN | POLLHUP | POLLERR)) != 0)
    r->dumb = !read_more(r->process.errors, r->errors);
  if (r->output->length > r->job->most_bytes || r->errors->length > MOST_ERRORS)
    return "the answer is longer than the server allows";
  return NULL;
}

/* The exit status is behind a NUL at the end of the errors. */
static bool take_status(alea_text *errors, int *status) {
  size_t length = errors->length;
  if (length < 2 || errors->data[length - 2] != '\0') return false;
  *status = errors->data[length - 1];
  alea_text_truncate(errors, length - 2);
  return true;
}

static bool is_raised(const atomic_bool *flag) { return flag != NULL && atomic_load(flag); }
static bool is_stopped(const alea_job *job) { return is_raised(job->stop); }

/* Waits, not for long, until a process that ends has gone and has left its files to others. */
static void see_off(int errors) {
  char piece[4096];
  double end = alea_clock_wall() + parting_seconds;
  for (double left; (left = end - alea_clock_wall()) > 0;) {
    struct pollfd gone = {.fd = errors, .events = POLLIN};
    if (poll(&gone, 1, (int)(left * 1000) + 1) > 0 && read(errors, piece, sizeof piece) <= 0)
      return;
  }
}

/* Asks it to print what it has, and hears it out. */
static void part_from(job_run *r) {
  double deadline = alea_clock_wall() + r->job->patience;
  if (send(r->process.errors, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT) != 1) return;
  while (!(r->silent && r->dumb) && alea_clock_wall() < deadline && !is_raised(r->job->hurry))
    if (step(r, deadline) != NULL) return;
}

alea_status alea_job_run(alea_launcher *launcher, const alea_job *job, alea_text *output,
                         alea_text *errors, int *status) {
  job_run r = {.job = job, .output = output, .errors = errors};
  if (alea_launch(launcher, &job->limits, job->words, &r.process) != ALEA_OK) return ALEA_SYSTEM;
  const char *trouble = NULL;
  double deadline = alea_clock_wall() + job->seconds;
  while (trouble == NULL && !(r.silent && r.dumb) && !is_stopped(job)) trouble = step(&r, deadline);
  if (is_stopped(job) && job->patience > 0) part_from(&r);
  close(r.process.talk);
  if (!r.dumb) see_off(r.process.errors);
  close(r.process.errors);
  if (is_stopped(job)) {
    (void)take_status(errors, status); /* it may have ended in good order */
    return ALEA_NONE;
  }
  if (trouble == NULL && !take_status(errors, status))
    trouble = "the process was ended by its limit of memory or time, or by a fault";
  if (output->failed || errors->failed) return ALEA_SYSTEM;
  if (trouble == NULL) return ALEA_OK;
  alea_text_truncate(errors, 0);
  alea_text_put(errors, trouble);
  return ALEA_LIMIT;
}
