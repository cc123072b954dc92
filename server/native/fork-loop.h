/* A process that only forks: a child for every request. See fork-loop.c. */
#pragma once
#include <sys/types.h>

enum { ID_SIZE = 64 };

struct task {
  char id[ID_SIZE];
  long seconds, cpu_seconds, megabytes, file_megabytes;
};

struct fork_loop {
  void (*run)(const struct task *task, pid_t parent); /* in the child, which it never leaves */
  const char *(*failure)(int exit_code);              /* the status for what is neither 0 nor EXIT_BOX */
};

/* Says that it is ready, and answers requests until there are no more. */
void serve(const struct fork_loop *loop);

/* How many threads there are: a fork copies one, and every lock as it is held by the others. */
int threads(void);
