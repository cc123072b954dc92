/*
 * What a child of office-zygote would try once its document has taken it over. Test code, linked only with -DATTACK_TEST.
 * A document whose text is "ATTACK name [id of a neighbour's task]" runs the attack of that name in its child, after the
 * box was closed. Each attack writes a report as its result: a line "HOLE ..." for everything that was not refused, and
 * "tried N" at the end.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static int holes, tried;
static char victim[80]; /* handed to us: a real attacker would have to guess 128 bits */
static FILE *report;

static void note(const char *what, long result) {
  tried++;
  if (result >= 0) holes++, fprintf(report, "HOLE %s\n", what);
}

#define TRY(what, expression) note(what, (long)(expression))

static const char *in(const char *directory, const char *name) {
  static char path[4096];
  snprintf(path, sizeof path, "%s%s%s", directory, *name ? "/" : "", name);
  return path;
}

static void files(const char *tasks, const char *home) {
  char theirs[4096], v[4200];
  snprintf(theirs, sizeof theirs, "%s/%s", tasks, victim);
  TRY("list the tasks", open(tasks, O_RDONLY | O_DIRECTORY));
  static const char *names[] = { "in.docx", "order", "log", "tmp", "out", "" };
  for (int i = 0; i < 6; i++) TRY("open a neighbour's file", open(in(theirs, names[i]), O_RDONLY));
  snprintf(v, sizeof v, "%s/in.docx", theirs);
  TRY("write a neighbour's input", open(v, O_WRONLY));
  TRY("truncate a neighbour's input", truncate(v, 0));
  TRY("chmod a neighbour's input", fchmodat(AT_FDCWD, v, 0400, 0));
  TRY("chmod a neighbour's input by the box's own", chmod(v, 0400));
  TRY("change the times of a neighbour's input", utimensat(AT_FDCWD, v, NULL, 0));
  TRY("set an attribute of a neighbour's input", syscall(SYS_setxattr, v, "user.a", "b", 1, 0));
  TRY("rename a neighbour's input to here", rename(v, "out/stolen"));
  TRY("link a neighbour's input to here", link(v, "out/stolen"));
  TRY("leave a link to a neighbour's input", symlink(v, "out/stolen"));
  TRY("leave a link to /etc/shadow", symlink("/etc/shadow", "out/shadow"));
  TRY("delete a neighbour's input", unlink(v));
  TRY("watch files", inotify_init1(0));
  TRY("make a neighbour's output", open(in(theirs, "out/out.pdf"), O_WRONLY | O_CREAT, 0666));
  TRY("chmod a neighbour's folder", fchmodat(AT_FDCWD, theirs, 0700, 0));
  TRY("rename a neighbour's folder", rename(theirs, "out/x"));
  TRY("make a task", mkdir(in(tasks, "evil"), 0777));
  TRY("write its own input", open("in.docx", O_WRONLY));
  TRY("replace its own out/", rename("out", "out2"));
  rename("out2", "out"); /* the report lies there */
  TRY("write to its own task's folder", open("x", O_WRONLY | O_CREAT, 0666));
  TRY("leave a pipe", mkfifo("out/fifo", 0666));
  TRY("write to the profile", open(in(home, "profile/user/registrymodifications.xcu"), O_WRONLY | O_APPEND));
  TRY("write beside the profile", open(in(home, "profile/user/evil.xcu"), O_WRONLY | O_CREAT, 0666));
  TRY("list the parent's home", open(home, O_RDONLY | O_DIRECTORY));
  TRY("write to the parent's temporary files", open(in(home, "tmp/x"), O_WRONLY | O_CREAT, 0666));
  TRY("write to /tmp", open("/tmp/evil", O_WRONLY | O_CREAT, 0666));
  TRY("list /tmp", open("/tmp", O_RDONLY | O_DIRECTORY));
  TRY("write to shared memory", open("/dev/shm/evil", O_WRONLY | O_CREAT, 0666));
  TRY("read the parent's environment", open("/proc/1/environ", O_RDONLY));
  TRY("open its own memory", open("/proc/self/mem", O_RDWR));
  TRY("list /proc", open("/proc", O_RDONLY | O_DIRECTORY));
  TRY("list /", open("/", O_RDONLY | O_DIRECTORY));
  TRY("make a file in memory", memfd_create("x", 0));
  TRY("mount", syscall(SYS_mount, "x", "out", "tmpfs", 0, 0));
  TRY("change its root", chroot("."));
  TRY("leave its folder", chdir(".."));
}

static void network(const char *port) {
  struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port)) };
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  TRY("make a socket", fd);
  TRY("call out", connect(fd, (struct sockaddr *)&to, sizeof to));
  for (int i = 0; i < 256; i++)
    if (!connect(i, (struct sockaddr *)&to, sizeof to)) TRY("call out on an inherited socket", 0);
  TRY("make a socket of IPv6", socket(AF_INET6, SOCK_DGRAM, 0));
  TRY("make a unix socket", socket(AF_UNIX, SOCK_STREAM, 0));
  TRY("make a pair of sockets", socketpair(AF_UNIX, SOCK_STREAM, 0, (int[2]){ 0 }));
  TRY("make a netlink socket", socket(AF_NETLINK, SOCK_RAW, 0));
  TRY("io_uring", syscall(425, 8, (char[256]){ 0 }));
}

static void processes(void) {
  char *argv[] = { "/bin/true", NULL };
  TRY("execute a program", execve(argv[0], argv, NULL));
  TRY("execute by descriptor", syscall(SYS_execveat, AT_FDCWD, "/usr/bin/true", argv, NULL, 0));
  TRY("make a namespace", unshare(CLONE_NEWUSER));
  TRY("clone3", syscall(435, (char[88]){ 0 }, 88));
  TRY("leave the session", setsid());
  TRY("outlive its parent", prctl(PR_SET_PDEATHSIG, 0));
  TRY("be looked into again", prctl(PR_SET_DUMPABLE, 1));
  pid_t child = fork();
  if (child == 0) _exit(0);
  TRY("fork", child);
}

/* Everything short of killing: where a layer is missing, the neighbours must live to tell. */
static void neighbours(void) {
  pid_t self = getpid(), parent = getppid();
  char buffer[64];
  struct iovec local = { buffer, 64 }, remote = { (void *)&holes, 4 };
  for (pid_t p = parent; p < self + 20; p++) {
    if (p == self) continue;
    TRY("signal a process", kill(p, 0));
    TRY("signal a thread", syscall(SYS_tgkill, p, p, 0));
    TRY("hold a process", syscall(SYS_pidfd_open, p, 0));
    TRY("read a process", syscall(SYS_process_vm_readv, p, &local, 1, &remote, 1, 0));
    TRY("write a process", syscall(SYS_process_vm_writev, p, &local, 1, &remote, 1, 0));
    TRY("limit a process", prlimit(p, RLIMIT_CORE, &(struct rlimit){ 0, 0 }, NULL));
    TRY("slow a process down", setpriority(PRIO_PROCESS, (id_t)p, 1));
    static const char *names[] = { "mem", "environ", "maps", "fd", "oom_score_adj" };
    for (int i = 0; i < 5; i++) {
      char path[64];
      snprintf(path, sizeof path, "/proc/%d/%s", p, names[i]);
      TRY("look into a process", open(path, O_RDONLY));
    }
  }
  int ends[2];
  if (!pipe(ends)) TRY("have signals sent to the parent", fcntl(ends[0], F_SETOWN, parent));
  TRY("SysV shared memory", syscall(SYS_shmget, 1, 4096, 01666));
  TRY("raise its own limits", setrlimit(RLIMIT_AS, &(struct rlimit){ RLIM_INFINITY, RLIM_INFINITY }));
}

/* Every inherited descriptor: a forged answer is pushed into each. */
static void descriptors(void) {
  char forged[200];
  snprintf(forged, sizeof forged, "{\"event\":\"done\",\"id\":\"%s\",\"status\":\"ok\"}\n", victim);
  for (int fd = 0; fd < 256; fd++) {
    struct stat info;
    if (fd == fileno(report) || fstat(fd, &info)) continue;
    tried++;
    if (fd > 2 && write(fd, forged, strlen(forged)) > 0 && !S_ISCHR(info.st_mode)) TRY("write to an inherited file", 0);
    if (S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode)) TRY("reach somebody by an inherited pipe", 0);
  }
  dprintf(1, "%s", forged); /* which is its own log by now */
}

/* What makes the others' work hard. */
static void bomb(const char *kind) {
  static char block[1 << 20];
  char name[64];
  signal(SIGXFSZ, SIG_IGN);
  if (!strcmp(kind, "memory"))
    for (char *p; (p = mmap(0, 16 << 20, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) != MAP_FAILED;) memset(p, 1, 16 << 20);
  for (int i = 0; !strcmp(kind, "disk"); i++) {
    snprintf(name, sizeof name, "out/%d", i);
    int fd = open(name, O_WRONLY | O_CREAT, 0600);
    for (int k = 0; k < 64; k++)
      if (write(fd, block, sizeof block) < 0) break;
    close(fd);
  }
  if (!strcmp(kind, "spin"))
    for (;;) {}
  if (!strcmp(kind, "hang"))
    for (;;) sleep(100);
  if (!strcmp(kind, "crash")) raise(SIGSEGV);
  if (!strcmp(kind, "abort")) abort();
  if (!strcmp(kind, "lie")) _exit(0); /* claims success without a result */
}

int attack(const char *input, const char *tasks, const char *home) {
  char text[200] = "", name[80] = "";
  int fd = open(input, O_RDONLY);
  if (fd < 0 || read(fd, text, sizeof text - 1) < 0) return -1;
  close(fd);
  if (sscanf(text, "ATTACK %79s %79s", name, victim) < 1) return -1;
  report = fopen("out/out.pdf", "we");
  if (!report) return 1;
  if (!strcmp(name, "files")) files(tasks, home);
  else if (!strcmp(name, "network")) network(victim);
  else if (!strcmp(name, "processes")) processes();
  else if (!strcmp(name, "neighbours")) neighbours();
  else if (!strcmp(name, "descriptors")) descriptors();
  else bomb(name);
  fprintf(report, "tried %d\n", tried);
  fclose(report);
  return 0;
}
