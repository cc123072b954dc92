/* The box a child of office-zygote closes around itself before it looks at a document. See office-box.c. */
#pragma once
#include <sys/types.h>

enum { EXIT_BOX = 12 }; /* the box could not be closed; nothing was converted */

struct box {
  pid_t parent;            /* die with it */
  const char *task_dir;    /* becomes the working directory: readable; out/, tmp/ and profile/ are made, and may be changed */
  const char *program_dir; /* LibreOffice's: readable */
  const char *home_dir;    /* the parent's: only profile/ is readable */
  long cpu_seconds, megabytes, file_megabytes;
};

/* Returns inside the box, or exits with EXIT_BOX. */
void enter_box(const struct box *box);

/* Whether this kernel can close it at all. The parent must ask once it is warm: limits count from what it uses by then. */
int can_box(void);
