/*
 * The requests to a process that forks a child for each of them, and the answers. It never opens a file of a task and reads
 * no byte from a child: it learns the exit status, so a child taken over by its file can lie about its own task and about no
 * other.
 *
 * Requests on stdin, one a line, fields separated by tabs:
 *   convert  ID  SECONDS  SECONDS_OF_WORK  MEGABYTES  MEGABYTES_OF_ONE_FILE
 *   cancel   ID
 * Answers on stdout, one JSON object a line, exactly one "done" for every "convert":
 *   {"event":"ready"}
 *   {"event":"done","id":S,"status":S}       by then the child is dead and its files are final
 *     status: ok, box-failed, crashed, timeout, cancelled, refused (nothing was started), or what the program calls it
 * End of stdin ends the process and its children.
 */
#define _GNU_SOURCE
#include "fork-loop.h"
#include "office-box.h"
#include <dirent.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_CHILDREN = 32 };

struct child {
  char id[ID_SIZE];
  pid_t pid;
  int pidfd;
  double deadline;
  const char *killed;
};

static struct fork_loop program;
static struct child children[MAX_CHILDREN];
static int child_count;
static char inbox[65536]; /* requests not yet handled */
static size_t inbox_used;

static double now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void answer(const char *id, const char *status) {
  dprintf(1, "{\"event\":\"done\",\"id\":\"%s\",\"status\":\"%s\"}\n", id, status);
}

/* Ids are the supervisor's, never a user's. */
static int take_id(char *to, const char *from) {
  static const char good[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
  size_t length = from ? strlen(from) : 0;
  if (!length || length >= ID_SIZE || strspn(from, good) != length) return 0;
  memcpy(to, from, length + 1);
  return 1;
}

static int take_number(long *to, const char *from) {
  *to = from ? atol(from) : 0;
  return *to > 0 && *to < 1 << 20;
}

static void start(struct task *task, char *rest) {
  int sane = take_number(&task->seconds, strsep(&rest, "\t")) && take_number(&task->cpu_seconds, strsep(&rest, "\t")) &&
    take_number(&task->megabytes, strsep(&rest, "\t")) && take_number(&task->file_megabytes, strsep(&rest, "\t"));
  if (!sane || child_count == MAX_CHILDREN) return answer(task->id, "refused");
  pid_t parent = getpid(), pid = fork();
  if (pid == 0) {
    explicit_bzero(inbox, sizeof inbox); /* what the parent knows of other tasks */
    explicit_bzero(children, sizeof children);
    program.run(task, parent);
    _exit(EXIT_BOX);
  }
  int pidfd = pid < 0 ? -1 : (int)syscall(SYS_pidfd_open, pid, 0);
  if (pidfd < 0) {
    if (pid > 0) kill(pid, SIGKILL), waitpid(pid, NULL, 0);
    return answer(task->id, "refused");
  }
  struct child *child = &children[child_count++];
  *child = (struct child){ .pid = pid, .pidfd = pidfd, .deadline = now_ms() + (double)task->seconds * 1e3 };
  strcpy(child->id, task->id);
}

static void stop(struct child *child, const char *why) {
  /* Not reaped yet, so the number is still its own. */
  if (!child->killed) child->killed = why, kill(child->pid, SIGKILL);
}

static void handle(char *line) {
  struct task task = { 0 };
  char *verb = strsep(&line, "\t"), *id = strsep(&line, "\t");
  if (!take_id(task.id, id)) return;
  if (!strcmp(verb, "convert")) start(&task, line);
  if (!strcmp(verb, "cancel"))
    for (int i = 0; i < child_count; i++)
      if (!strcmp(children[i].id, task.id)) stop(&children[i], "cancelled");
}

static const char *outcome(const struct child *child, int status) {
  if (child->killed) return child->killed;
  if (WIFSIGNALED(status)) return WTERMSIG(status) == SIGXCPU ? "timeout" : "crashed";
  switch (WEXITSTATUS(status)) {
    case 0: return "ok";
    case EXIT_BOX: return "box-failed";
    default: return program.failure(WEXITSTATUS(status));
  }
}

static void reap(struct child *child) {
  int status;
  if (waitpid(child->pid, &status, WNOHANG) != child->pid) return;
  answer(child->id, outcome(child, status));
  close(child->pidfd);
  *child = children[--child_count];
}

static void read_requests(void) {
  ssize_t got = read(0, inbox + inbox_used, sizeof inbox - inbox_used);
  /* The supervisor is gone, or sent a line without end; children follow by PR_SET_PDEATHSIG. */
  if (got <= 0) _exit(0);
  inbox_used += (size_t)got;
  for (char *end; (end = memchr(inbox, '\n', inbox_used));) {
    size_t length = (size_t)(end - inbox) + 1;
    *end = 0;
    handle(inbox);
    memmove(inbox, inbox + length, inbox_used -= length);
    explicit_bzero(inbox + inbox_used, length);
  }
}

void serve(const struct fork_loop *loop) {
  program = *loop;
  dprintf(1, "{\"event\":\"ready\"}\n");
  for (;;) {
    struct pollfd wait[MAX_CHILDREN + 1] = { { .fd = 0, .events = POLLIN } };
    double next = now_ms() + 60e3;
    for (int i = 0; i < child_count; i++) {
      wait[i + 1] = (struct pollfd){ .fd = children[i].pidfd, .events = POLLIN };
      if (!children[i].killed && children[i].deadline < next) next = children[i].deadline;
    }
    double pause = next - now_ms();
    poll(wait, (nfds_t)child_count + 1, pause > 0 ? (int)pause + 1 : 0);
    for (int i = child_count - 1; i >= 0; i--) {
      if (now_ms() > children[i].deadline) stop(&children[i], "timeout");
      if (wait[i + 1].revents) reap(&children[i]);
    }
    if (wait[0].revents) read_requests();
  }
}

int threads(void) {
  int found = 0;
  DIR *tasks = opendir("/proc/self/task");
  for (struct dirent *entry; tasks && (entry = readdir(tasks));) found += entry->d_name[0] != '.';
  if (tasks) closedir(tasks);
  return found;
}
