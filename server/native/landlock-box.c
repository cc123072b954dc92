/*
 * landlock-box: closes a box around itself with Landlock, seccomp and resource limits, then becomes the program.
 * For machines that allow no user namespaces. Needs no privileges; started by root it becomes somebody else first.
 *
 *   landlock-box FILTER_FD ORDERS_FD
 *
 * FILTER_FD holds a seccomp program. ORDERS_FD holds words ended by NUL, read to the end before anything is done:
 *
 *   read PATH     may be read and executed        write PATH    may be written too, but not executed
 *   socket PATH   unix sockets may be made in it  limit NAME SOFT HARD
 *   user UID      cd PATH      env NAME=VALUE     abi NUMBER (first: use no more of Landlock than that version has)
 *   run PROGRAM ARGUMENT...    (last)
 *
 * Fails closed: whatever goes wrong, the program is not started and the exit code is 125.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Headers older than the running kernel must not make the box weaker: numbers and layout are spelled out here. */
#define CALL_CREATE_RULESET 444
#define CALL_ADD_RULE 445
#define CALL_RESTRICT_SELF 446
#define ASK_VERSION 1u
#define RULE_PATH_BENEATH 1

#define FS_EXECUTE (1ull << 0)
#define FS_WRITE_FILE (1ull << 1)
#define FS_READ_FILE (1ull << 2)
#define FS_READ_DIR (1ull << 3)
#define FS_MAKE_CHAR (1ull << 6)
#define FS_MAKE_SOCK (1ull << 9)
#define FS_MAKE_BLOCK (1ull << 11)
#define FS_REFER (1ull << 13)
#define FS_TRUNCATE (1ull << 14)
#define FS_IOCTL_DEV (1ull << 15)
#define FS_FIRST ((1ull << 13) - 1)
#define FS_FOR_FILES (FS_EXECUTE | FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE | FS_IOCTL_DEV)
#define NET_BIND_AND_CONNECT 3ull
#define SCOPE_SOCKETS_AND_SIGNALS 3ull

struct ruleset {
  uint64_t fs, net, scoped;
};

struct path_rule {
  uint64_t allowed;
  int32_t parent;
} __attribute__((packed));

static void fail(const char *what, const char *about) {
  fprintf(stderr, "landlock-box: %s %s: %s\n", what, about, strerror(errno));
  _exit(125);
}

/* Everything there is to read, with a NUL behind it. */
static char *slurp(int fd, size_t *length) {
  size_t room = 1 << 16, used = 0;
  char *text = malloc(room + 1);
  for (;;) {
    if (!text) fail("out of", "memory");
    ssize_t got = read(fd, text + used, room - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("cannot read", "its orders");
    if (got == 0) break;
    used += (size_t)got;
    if (used == room) text = realloc(text, (room *= 2) + 1);
  }
  close(fd);
  text[used] = 0;
  *length = used;
  return text;
}

static long landlock_version(void) {
  long version = syscall(CALL_CREATE_RULESET, NULL, 0, ASK_VERSION);
  if (version < 1) fail("the kernel has no", "Landlock");
  return version;
}

static int make_ruleset(struct ruleset *rules, long version) {
  rules->fs = FS_FIRST | (version >= 2 ? FS_REFER : 0) | (version >= 3 ? FS_TRUNCATE : 0) | (version >= 5 ? FS_IOCTL_DEV : 0);
  rules->net = NET_BIND_AND_CONNECT;
  rules->scoped = SCOPE_SOCKETS_AND_SIGNALS;
  size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  long fd = syscall(CALL_CREATE_RULESET, rules, size, 0);
  if (fd < 0) fail("cannot make", "the ruleset");
  return (int)fd;
}

static void allow(int ruleset, const char *path, uint64_t allowed) {
  struct stat info;
  struct path_rule rule = {allowed, open(path, O_PATH | O_CLOEXEC)};
  if (rule.parent < 0 || fstat(rule.parent, &info)) fail("cannot open", path);
  if (!S_ISDIR(info.st_mode)) rule.allowed &= FS_FOR_FILES;
  if (syscall(CALL_ADD_RULE, ruleset, RULE_PATH_BENEATH, &rule, 0)) fail("cannot allow", path);
  close(rule.parent);
}

static rlim_t amount(const char *text) {
  return strcmp(text, "unlimited") == 0 ? RLIM_INFINITY : (rlim_t)strtoull(text, NULL, 10);
}

static void limit(const char *name, const char *soft, const char *hard) {
  static const struct {
    const char *name;
    int resource;
  } known[] = {{"as", RLIMIT_AS},       {"core", RLIMIT_CORE},     {"cpu", RLIMIT_CPU},
               {"fsize", RLIMIT_FSIZE}, {"nofile", RLIMIT_NOFILE}, {"nproc", RLIMIT_NPROC}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (strcmp(known[i].name, name) != 0) continue;
    struct rlimit wanted = {amount(soft), amount(hard)}, now;
    /* What was lower already stays: nobody but root may raise it. */
    if (getrlimit(known[i].resource, &now)) fail("cannot read limit", name);
    if (wanted.rlim_max > now.rlim_max) wanted.rlim_max = now.rlim_max;
    if (wanted.rlim_cur > wanted.rlim_max) wanted.rlim_cur = wanted.rlim_max;
    if (setrlimit(known[i].resource, &wanted)) fail("cannot limit", name);
    return;
  }
  errno = EINVAL;
  fail("unknown limit", name);
}

static void become(uid_t uid) {
  if (setgroups(0, NULL) || setresgid(uid, uid, uid) || setresuid(uid, uid, uid)) fail("cannot become", "the user");
}

static void close_box(int ruleset, char *filter, size_t length) {
  struct sock_fprog program = {(unsigned short)(length / sizeof(struct sock_filter)), (struct sock_filter *)filter};
  if (length == 0 || length % sizeof(struct sock_filter)) {
    errno = EINVAL;
    fail("no", "filter");
  }
  /* After the change of user, which clears it. */
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)) fail("cannot follow", "the server");
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) fail("cannot refuse", "privileges");
  if (syscall(CALL_RESTRICT_SELF, ruleset, 0)) fail("cannot close", "the box");
  close(ruleset);
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0)) fail("cannot load", "the filter");
}

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define IF(value, yes) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(value), yes, 0)
#define ANSWER(verdict) BPF_STMT(BPF_RET | BPF_K, verdict)

/* Landlock keeps signals inside since version 6. Before, only the own group and this very process may be signalled. */
static void keep_signals_inside(void) {
  struct sock_filter filter[] = {
      LOAD(nr),
      IF(SYS_kill, 6),
      IF(SYS_tgkill, 5),
      IF(SYS_tkill, 7),
      IF(SYS_rt_sigqueueinfo, 6),
      IF(SYS_rt_tgsigqueueinfo, 5),
      IF(424 /* pidfd_send_signal */, 4),
      ANSWER(SECCOMP_RET_ALLOW),
      LOAD(args[0]),
      IF(0, 2),
      IF(getpid(), 1),
      ANSWER(SECCOMP_RET_ERRNO | EPERM),
      ANSWER(SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0)) fail("cannot load", "the signal filter");
}

static char *next(char **at, char *end) {
  if (*at >= end) {
    errno = EINVAL;
    fail("its orders", "end too early");
  }
  char *word = *at;
  *at += strlen(word) + 1;
  return word;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    errno = EINVAL;
    fail("usage:", "landlock-box FILTER_FD ORDERS_FD");
  }
  size_t filter_length, length;
  char *filter = slurp(atoi(argv[1]), &filter_length), *orders = slurp(atoi(argv[2]), &length);
  char *at = orders, *end = orders + length, *directory = "/", *word;
  /* At most as many words as there are bytes. */
  char **environment = calloc(length + 1, sizeof *environment), **command = calloc(length + 1, sizeof *command);
  if (!environment || !command) fail("out of", "memory");
  size_t variables = 0, words = 0;
  uid_t uid = 0;

  long version = landlock_version();
  if (length > 4 && strcmp(at, "abi") == 0) {
    next(&at, end);
    long wanted = strtol(next(&at, end), NULL, 10);
    if (wanted >= 1 && wanted < version) version = wanted;
  }
  struct ruleset rules;
  int ruleset = make_ruleset(&rules, version);
  uint64_t may_read = FS_EXECUTE | FS_READ_FILE | FS_READ_DIR;
  uint64_t may_write = rules.fs & ~(FS_EXECUTE | FS_MAKE_CHAR | FS_MAKE_BLOCK | FS_IOCTL_DEV);
  char *limits[16][3];
  size_t limited = 0;

  while (strcmp(word = next(&at, end), "run") != 0) {
    if (strcmp(word, "read") == 0) allow(ruleset, next(&at, end), may_read);
    else if (strcmp(word, "write") == 0) allow(ruleset, next(&at, end), may_write);
    else if (strcmp(word, "socket") == 0) allow(ruleset, next(&at, end), FS_MAKE_SOCK);
    else if (strcmp(word, "user") == 0) uid = (uid_t)strtoul(next(&at, end), NULL, 10);
    else if (strcmp(word, "cd") == 0) directory = next(&at, end);
    else if (strcmp(word, "env") == 0) environment[variables++] = next(&at, end);
    else if (strcmp(word, "limit") == 0 && limited < 16) {
      for (int i = 0; i < 3; i++) limits[limited][i] = next(&at, end);
      limited++;
    } else {
      errno = EINVAL;
      fail("unknown order", word);
    }
  }
  while (at < end) command[words++] = next(&at, end);
  if (words == 0) {
    errno = EINVAL;
    fail("nothing", "to run");
  }

  if (chdir(directory)) fail("cannot enter", directory);
  if (uid != 0) become(uid);
  if (geteuid() == 0) {
    errno = EPERM;
    fail("will not run", "as root");
  }
  for (size_t i = 0; i < limited; i++) limit(limits[i][0], limits[i][1], limits[i][2]);
  close_box(ruleset, filter, filter_length);
  if (version < 6) keep_signals_inside();
  execve(command[0], command, environment);
  int code = errno == ENOENT ? 127 : 126;
  fprintf(stderr, "landlock-box: cannot start %s: %s\n", command[0], strerror(errno));
  return code;
}
