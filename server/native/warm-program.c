/*
 * warm-program: keeps a program at its very beginning, and lets it go on in a child for every task.
 *
 * Loaded before a program (LD_PRELOAD) whose start is mostly the loading of its libraries: ffprobe has two hundred. By the
 * time it would call main, everything is loaded; this takes the place of the C library's caller of main, and waits. Every
 * request forks; the child shuts itself in (office-box.c: its own files only, no network, no processes, no signals), reads
 * its arguments, and calls the program's main as if it had just been started. The parent never calls it, opens no file of
 * a task and reads no byte from a child: it learns the exit status.
 *
 *   LD_PRELOAD=warm-program.so PROGRAM --warm TASKS_DIR HOME_DIR     absolute paths; HOME_DIR empty and ours alone
 *
 * Without those arguments the program starts as ever, and so does whatever starts it.
 *
 * TASKS_DIR/ID/ holds the input and an `order` when a request arrives. The order is words NAME=VALUE, each ended by NUL:
 *   stdout   bare name of the file in out/ that standard output goes to; without it, to the log
 *   args     the arguments behind the program's name, one a line; the working directory is the task's
 * The child adds out/ (results), log (messages), tmp/ and profile/ (scratch).
 *
 * Requests and answers are those of fork-loop.c, with the further status failed, for any exit code but 0.
 */
#define _GNU_SOURCE
#include "fork-loop.h"
#include "office-box.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_ARGS = 256, MAX_FILES = 256 };

typedef int entry(int, char **, char **);
typedef int starter(entry *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

/* What the C library's caller of main was given. */
struct beginning {
  starter *start;
  entry *program;
  void (*init)(void), (*fini)(void), (*unload)(void);
  void *stack;
  char *name;
};

static struct beginning held;
static const char *tasks_dir, *home_dir;

/* ---- A child ---- */

static char *word(char *words, size_t length, const char *name) {
  size_t size = strlen(name);
  for (char *at = words; at < words + length; at += strlen(at) + 1)
    if (!strncmp(at, name, size) && at[size] == '=') return at + size + 1;
  return NULL;
}

/* Read inside the box, from the child's own folder: the parent need not know what is asked. */
static int read_order(char **args) {
  static char words[65536];
  int file = open("order", O_RDONLY | O_CLOEXEC), count = 0;
  ssize_t got = file < 0 ? -1 : read(file, words, sizeof words - 1);
  if (got <= 0) _exit(EXIT_BOX);
  close(file);
  char *rest = word(words, (size_t)got, "args"), *output = word(words, (size_t)got, "stdout");
  args[count++] = held.name;
  while (rest && count < MAX_ARGS) args[count++] = strsep(&rest, "\n");
  args[count] = NULL;
  if (!output) return count;
  char path[NAME_MAX + 8];
  snprintf(path, sizeof path, "out/%s", output);
  int out = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (out < 0 || dup2(out, 1) < 0) _exit(EXIT_BOX);
  close(out);
  return count;
}

static void run_child(const struct task *task, pid_t parent) {
  static char *args[MAX_ARGS + 1];
  char task_dir[PATH_MAX];
  snprintf(task_dir, sizeof task_dir, "%s/%s", tasks_dir, task->id);
  struct box box = { parent, task_dir, "/usr/share/none", home_dir, task->cpu_seconds, task->megabytes, task->file_megabytes };
  enter_box(&box);
  int count = read_order(args);
  held.start(held.program, count, args, held.init, held.fini, held.unload, held.stack);
  /* It does not come back: the C library exits with what main answers. */
}

static const char *failure(int exit_code) {
  (void)exit_code;
  return "failed";
}

/* ---- In the place of the C library ---- */

static void hold(char **argv) {
  tasks_dir = argv[2], home_dir = argv[3];
  prctl(PR_SET_DUMPABLE, 0); /* no ptrace, no /proc/PID/mem, no core file: neither here nor in the children */
  signal(SIGPIPE, SIG_IGN);
  unsetenv("LD_PRELOAD");
  /* Every child goes through all there may be. */
  struct rlimit files = { MAX_FILES, MAX_FILES };
  if (setrlimit(RLIMIT_NOFILE, &files)) _exit(1);
  /* What every child has a copy of: see office-box.c. */
  if (chdir(home_dir) || mkdir("tmp", 0700) || mkdir("profile", 0700) || mkdir("profile/user", 0700)) _exit(1);
  if (threads() != 1) _exit(1); /* some libraries start one when they are loaded */
  if (!can_box()) _exit(EXIT_BOX);
  serve(&(struct fork_loop){ run_child, failure });
}

/* The only name that anything else may see: a library may have any other of its own. */
__attribute__((visibility("default"))) int __libc_start_main(entry *program, int argc, char **argv, void (*init)(void), void (*fini)(void),
  void (*unload)(void), void *stack) {
  /* ISO C knows no way from a pointer to data to one to a function. */
  union { void *found; starter *start; } next = { dlsym(RTLD_NEXT, "__libc_start_main") };
  if (!next.found) _exit(1);
  if (argc == 4 && !strcmp(argv[1], "--warm")) {
    held = (struct beginning){ next.start, program, init, fini, unload, stack, argv[0] };
    hold(argv);
  }
  return next.start(program, argc, argv, init, fini, unload, stack);
}
