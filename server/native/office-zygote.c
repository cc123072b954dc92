/*
 * office-zygote: one warm LibreOffice, one locked-up child for each document.
 *
 * LibreOfficeKit is started once in its single-threaded mode ("unipoll") and warmed with sample documents. Every request
 * forks; the child shuts itself in (office-box.c: its own files only, no network, no processes, no signals), reads its
 * order, converts one document and exits. The parent never opens a file of a task and reads no byte from a child: it
 * learns the exit status, so a child taken over by its document can lie about its own task and about no other.
 *
 *   office-zygote PROGRAM_DIR TASKS_DIR HOME_DIR [WARM_UP_DOCUMENT...]     absolute paths; HOME_DIR empty and ours alone
 *
 * TASKS_DIR/ID/ holds the input and an `order` when a request arrives. The order is words NAME=VALUE, each ended by NUL:
 *   input, output   bare names
 *   load, password  options of the import, and what opens the document
 *   format, options how LibreOfficeKit saves it, or:
 *   save            the arguments of LibreOffice's own "save as", in JSON, for what LibreOfficeKit has no name for or
 *                   whose options it spoils (it leaves out empty ones and puts spaces between the others)
 * The child adds out/ (results), log (messages), tmp/ and profile/ (scratch).
 *
 * Requests and answers are those of fork-loop.c, with the further statuses load-failed, save-failed and password.
 */
#define _GNU_SOURCE
#define LOK_USE_UNSTABLE_API
#include "fork-loop.h"
#include "office-box.h"
#include <LibreOfficeKit/LibreOfficeKitInit.h>
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { EXIT_LOAD = 10, EXIT_SAVE = 11, EXIT_PASSWORD = 13 };

struct order {
  const char *input, *output, *format, *options, *save, *load, *password;
};

static const char *program_dir, *tasks_dir, *home_dir;
static char **warm_up;
static LibreOfficeKit *office;
static int is_child;

/* ---- Converting ---- */

/* Of LibreOfficeKitEnums.h, which is C++ in Debian 12. */
#define LOK_CALLBACK_DOCUMENT_PASSWORD 20
#define LOK_CALLBACK_DOCUMENT_PASSWORD_TO_MODIFY 21
#define LOK_FEATURE_DOCUMENT_PASSWORD (1ull << 0)
#define LOK_FEATURE_DOCUMENT_PASSWORD_TO_MODIFY (1ull << 1)

static const char *loading;  /* the address of the document, as LibreOfficeKit knows it */
static const char *password; /* null when there is none, or it was tried already */
static int password_asked;

/*
 * Asked when a document is protected, and again when what we said was wrong: then the answer is to give up. The question
 * of old Word files names another address, with which an answer would crash.
 */
static void on_event(int type, const char *payload, void *data) {
  (void)payload, (void)data;
  if (type != LOK_CALLBACK_DOCUMENT_PASSWORD && type != LOK_CALLBACK_DOCUMENT_PASSWORD_TO_MODIFY) return;
  /* One that only guards changes is no reason not to read. */
  if (type == LOK_CALLBACK_DOCUMENT_PASSWORD) password_asked = 1;
  office->pClass->setDocumentPassword(office, loading, password);
  password = NULL;
}

/* Of a chosen sheet the name becomes a part of the file's: then it is the only one, and gets the name it should have. */
static int find_saved(const char *output) {
  if (!access(output, F_OK)) return 1;
  DIR *list = opendir("out");
  int found = 0;
  for (struct dirent *entry; list && !found && (entry = readdir(list));)
    found = entry->d_name[0] != '.' && !renameat(dirfd(list), entry->d_name, AT_FDCWD, output);
  if (list) closedir(list);
  return found;
}

static int save(LibreOfficeKitDocument *document, const char *to, const struct order *order) {
  if (!*order->save) return document->pClass->saveAs(document, to, order->format, *order->options ? order->options : NULL);
  document->pClass->postUnoCommand(document, ".uno:SaveAs", order->save, 0);
  return find_saved(order->output);
}

static int convert(const struct order *order) {
  char from[3 * PATH_MAX], to[3 * PATH_MAX], load[4200];
  snprintf(from, sizeof from, "file://%s", order->input);
  snprintf(to, sizeof to, "file://%s", order->output);
  snprintf(load, sizeof load, "%s%sBatch=true,Language=en-US,MacroSecurityLevel=3,EnableMacrosExecution=false", order->load,
    *order->load ? "," : "");
  loading = from;
  password = *order->password ? order->password : NULL;
  LibreOfficeKitDocument *document = office->pClass->documentLoadWithOptions(office, from, load);
  int saved = document && save(document, to, order);
  if (!saved) dprintf(2, "%s: %s\n", document ? "save" : "load", office->pClass->getError(office));
  if (document && !is_child) document->pClass->destroy(document); /* a child just exits */
  return saved ? 0 : document ? EXIT_SAVE : password_asked ? EXIT_PASSWORD : EXIT_LOAD;
}

/* ---- A child ---- */

static const char *word(const char *words, size_t length, const char *name) {
  size_t size = strlen(name);
  for (const char *at = words; at < words + length; at += strlen(at) + 1)
    if (!strncmp(at, name, size) && at[size] == '=') return at + size + 1;
  return "";
}

/* Read inside the box, from the child's own folder: the parent need not know what is asked, nor any password. */
static struct order read_order(const char *task_dir) {
  static char words[65536], input[2 * PATH_MAX], output[2 * PATH_MAX];
  int file = open("order", O_RDONLY | O_CLOEXEC);
  ssize_t got = file < 0 ? -1 : read(file, words, sizeof words - 1);
  if (got <= 0) _exit(EXIT_BOX);
  close(file);
  size_t length = (size_t)got;
  snprintf(input, sizeof input, "%s/%s", task_dir, word(words, length, "input"));
  snprintf(output, sizeof output, "%s/out/%s", task_dir, word(words, length, "output"));
  return (struct order){ input, output, word(words, length, "format"), word(words, length, "options"),
    word(words, length, "save"), word(words, length, "load"), word(words, length, "password") };
}

#ifdef ATTACK_TEST /* tests only: a document that says "ATTACK name" runs that attack inside the box; -1 for any other */
int attack(const char *input, const char *tasks, const char *home);
#else
static int attack(const char *input, const char *tasks, const char *home) {
  (void)input, (void)tasks, (void)home;
  return -1;
}
#endif

static void run_child(const struct task *task, pid_t parent) {
  is_child = 1;
  char task_dir[PATH_MAX];
  snprintf(task_dir, sizeof task_dir, "%s/%s", tasks_dir, task->id);
  struct box box = { parent, task_dir, program_dir, home_dir, task->cpu_seconds, task->megabytes, task->file_megabytes };
  enter_box(&box);
  struct order order = read_order(task_dir);
  int attacked = attack(order.input, tasks_dir, home_dir);
  _exit(attacked >= 0 ? attacked : convert(&order));
}

static const char *failure(int exit_code) {
  switch (exit_code) {
    case EXIT_LOAD: return "load-failed";
    case EXIT_SAVE: return "save-failed";
    case EXIT_PASSWORD: return "password";
    default: return "crashed";
  }
}

/* ---- Getting warm ---- */

/* A sample is saved as the kind people send, then that as PDF: so both ways of the usual filters are loaded and used. */
static int warm(const char *sample) {
  const char *kind = strstr(sample, ".fods") ? "xlsx" : strstr(sample, ".fodp") ? "pptx" : "docx";
  char office_file[PATH_MAX], pdf[PATH_MAX];
  snprintf(office_file, sizeof office_file, "%s/warm-up.%s", home_dir, kind);
  snprintf(pdf, sizeof pdf, "%s/warm-up.pdf", home_dir);
  struct order first = { sample, office_file, kind, "", "", "", "" };
  struct order second = { office_file, pdf, "pdf", "", "", "", "" };
  return convert(&first) || convert(&second);
}

/*
 * A fork copies one thread, and every lock as it is held by the others. About a second after the last change LibreOffice
 * writes its settings in a thread of its own: a child born in that moment would wait for ever for what that thread holds.
 */
static int alone(void) {
  for (int tries = 0; tries < 200; tries++) {
    if (threads() == 1) return 1;
    poll(NULL, 0, 50);
  }
  return 0;
}

/* LibreOffice calls this from its event loop, and again while a document loads: then there is nothing to do. */
static int on_poll(void *entered, int microseconds) {
  (void)microseconds;
  if ((*(int *)entered)++) return 0;
  office->pClass->registerCallback(office, on_event, NULL);
  office->pClass->setOptionalFeatures(office, LOK_FEATURE_DOCUMENT_PASSWORD | LOK_FEATURE_DOCUMENT_PASSWORD_TO_MODIFY);
  for (; *warm_up; warm_up++)
    if (warm(*warm_up)) _exit(1);
  if (!can_box()) _exit(EXIT_BOX);
  if (!alone()) _exit(1);
  serve(&(struct fork_loop){ run_child, failure });
  return 0;
}

static void on_wake(void *entered) { (void)entered; }

/* A picture of the first page in OpenDocument files, for file managers: it takes three times as long as all else. */
static const char NO_THUMBNAIL[] =
  "<oor:items xmlns:oor=\"http://openoffice.org/2001/registry\">"
  "<item oor:path=\"/org.openoffice.Office.Common/Save/Document\">"
  "<prop oor:name=\"GenerateThumbnail\" oor:op=\"fuse\"><value>false</value></prop></item></oor:items>\n";

static int write_settings(void) {
  if (mkdir("profile", 0700) || mkdir("profile/user", 0700)) return -1;
  int file = open("profile/user/registrymodifications.xcu", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  ssize_t written = file < 0 ? -1 : write(file, NO_THUMBNAIL, sizeof NO_THUMBNAIL - 1);
  return file < 0 || close(file) || written != sizeof NO_THUMBNAIL - 1 ? -1 : 0;
}

int main(int argc, char **argv) {
  if (argc < 4) return fprintf(stderr, "usage: %s PROGRAM_DIR TASKS_DIR HOME_DIR [DOCUMENT...]\n", argv[0]), 2;
  program_dir = argv[1], tasks_dir = argv[2], home_dir = argv[3], warm_up = argv + 4;
  if (!can_box()) return fprintf(stderr, "this kernel has no Landlock\n"), EXIT_BOX;
  prctl(PR_SET_DUMPABLE, 0); /* no ptrace, no /proc/PID/mem, no core file: neither here nor in the children */
  signal(SIGPIPE, SIG_IGN);
  if (chdir(home_dir) || mkdir("tmp", 0700) || write_settings()) return perror(home_dir), 1;
  setenv("TMPDIR", "/proc/self/cwd/tmp", 1);
  setenv("SAL_LOK_OPTIONS", "unipoll", 1);
  office = lok_init_2(program_dir, "file:///proc/self/cwd/profile");
  if (!office) return fprintf(stderr, "LibreOffice does not start\n"), 1;
  static int entered; /* a null pointer in its place, and the callback would never run */
  office->pClass->runLoop(office, on_poll, on_wake, &entered);
  return 0;
}
