/*
 * The box of one document: Landlock for files, seccomp for everything else, resource limits. It needs no privileges and
 * no namespaces, so it is the same inside bubblewrap, in a container and on a bare machine. Two neighbours in their
 * boxes share a user, but not a file, a descriptor, a signal or a byte of memory they could write.
 *
 * Neither half is enough: Landlock alone lets a child chmod, signal by fcntl or prlimit its neighbours; seccomp alone
 * cannot tell one task's files from another's. What stays visible is stat() of a path one can name; the ids of tasks are
 * random and cannot be listed. office-attack.c tries all this, with and without each half.
 */
#define _GNU_SOURCE
#include "office-box.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
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

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void fail(const char *what) {
  dprintf(2, "box: %s: %s\n", what, strerror(errno));
  _exit(EXIT_BOX);
}

/* ---- Files ---- */

/* Headers older than the running kernel must not make the box weaker: numbers and layout are spelled out here. */
#define CALL_CREATE_RULESET 444
#define CALL_ADD_RULE 445
#define CALL_RESTRICT_SELF 446
#define ASK_VERSION 1u
#define RULE_PATH_BENEATH 1

#define FS_WRITE_FILE (1ull << 1)
#define FS_READ_FILE (1ull << 2)
#define FS_READ_DIR (1ull << 3)
#define FS_REMOVE_DIR (1ull << 4)
#define FS_REMOVE_FILE (1ull << 5)
#define FS_MAKE_DIR (1ull << 7)
#define FS_MAKE_REG (1ull << 8)
#define FS_REFER (1ull << 13)
#define FS_TRUNCATE (1ull << 14)
#define FS_IOCTL_DEV (1ull << 15)
#define FS_FIRST ((1ull << 13) - 1)
/* Never to execute: libraries are mapped, not executed. */
#define READ (FS_READ_FILE | FS_READ_DIR)
/* And no links, pipes, sockets or devices. */
#define CHANGE (READ | FS_WRITE_FILE | FS_TRUNCATE | FS_MAKE_REG | FS_REMOVE_FILE | FS_MAKE_DIR | FS_REMOVE_DIR)
#define NET_BIND_AND_CONNECT 3ull
#define SCOPE_SOCKETS_AND_SIGNALS 3ull

struct ruleset {
  uint64_t fs, net, scoped;
};

struct path_rule {
  uint64_t allowed;
  int32_t parent;
} __attribute__((packed));

static long landlock_version(void) { return syscall(CALL_CREATE_RULESET, NULL, 0, ASK_VERSION); }

static void permit(int rules, uint64_t handled, const char *path, uint64_t access) {
  struct path_rule rule = { access & handled, open(path, O_PATH | O_CLOEXEC) };
  struct stat info;
  if (rule.parent < 0) return; /* not on this system */
  if (!fstat(rule.parent, &info) && !S_ISDIR(info.st_mode)) rule.allowed &= FS_READ_FILE;
  if (syscall(CALL_ADD_RULE, rules, RULE_PATH_BENEATH, &rule, 0)) fail("landlock_add_rule");
  close(rule.parent);
}

static void confine_files(const struct box *box) {
  /* Not all of /usr: some keep their server there. */
  static const char *readable[] = { "/usr/lib", "/usr/lib64", "/usr/share", "/usr/local/share/fonts", "/etc/fonts",
    "/etc/ghostscript", "/etc/libreoffice", "/etc/ld.so.cache", "/var/cache/fontconfig", "/var/lib/ghostscript",
    "/var/lib/libreoffice", "/dev/urandom", "/dev/null", "." };
  static const char *changeable[] = { "out", "tmp", "profile" };
  long version = landlock_version();
  if (version < 1) fail("Landlock is not available");
  struct ruleset denied = {
    FS_FIRST | (version >= 2 ? FS_REFER : 0) | (version >= 3 ? FS_TRUNCATE : 0) | (version >= 5 ? FS_IOCTL_DEV : 0),
    version >= 4 ? NET_BIND_AND_CONNECT : 0,
    version >= 6 ? SCOPE_SOCKETS_AND_SIGNALS : 0,
  };
  size_t known = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  int rules = (int)syscall(CALL_CREATE_RULESET, &denied, known, 0);
  if (rules < 0) fail("landlock_create_ruleset");
  char path[PATH_MAX];
  for (size_t i = 0; i < COUNT(readable); i++) permit(rules, denied.fs, readable[i], READ);
  for (size_t i = 0; i < COUNT(changeable); i++) permit(rules, denied.fs, changeable[i], CHANGE);
  snprintf(path, sizeof path, "%s/..", box->program_dir);
  permit(rules, denied.fs, path, READ);
  snprintf(path, sizeof path, "%s/profile", box->home_dir);
  permit(rules, denied.fs, path, READ);
  if (syscall(CALL_RESTRICT_SELF, rules, 0)) fail("landlock_restrict_self");
  close(rules);
}

/*
 * LibreOffice fixes the places of its profile and of its temporary directory when it starts. They are named by way of the
 * working directory (/proc/self/cwd), so that the same names lead every child to its own: an empty temporary directory,
 * and a profile of links to the parent's, which may only be read, with a temp/ of its own (fonts that are embedded in a
 * document are unpacked there).
 */
static void mirror(const char *home_dir, const char *directory, int by_link) {
  char theirs[PATH_MAX], ours[PATH_MAX];
  snprintf(theirs, sizeof theirs, "%s/%s", home_dir, directory);
  DIR *list = opendir(theirs);
  if (!list) fail(theirs);
  for (struct dirent *entry; (entry = readdir(list));) {
    const char *name = entry->d_name;
    if (name[0] == '.' || (by_link && !strcmp(name, "temp"))) continue;
    snprintf(theirs, sizeof theirs, "%s/%s/%s", home_dir, directory, name);
    snprintf(ours, sizeof ours, "%s/%s", directory, name);
    if (by_link ? symlink(theirs, ours) : mkdir(ours, 0700)) fail(ours);
  }
  closedir(list);
}

static void make_directories(const char *home_dir) {
  static const char *own[] = { "out", "tmp", "profile", "profile/user", "profile/user/temp" };
  for (size_t i = 0; i < COUNT(own); i++)
    if (mkdir(own[i], 0700)) fail(own[i]);
  mirror(home_dir, "tmp", 0);
  mirror(home_dir, "profile/user", 1);
}

/*
 * A child shares no open file with anyone. Control pipes, neighbours' pidfds and what LibreOffice may write become
 * /dev/null; what it reads of its installation is opened anew. Numbers are kept: LibreOffice remembers them, and one used
 * again would name the wrong file.
 */
static void drop_descriptors(void) {
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  int log = open("log", O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  long most = sysconf(_SC_OPEN_MAX);
  if (null < 0 || log < 0 || most < 0 || most > 1 << 16) fail("descriptors");
  /* Tried one after the other: the box around us may let nobody list those of a new process. */
  for (int fd = 0; fd < (int)most; fd++) {
    struct stat info;
    int anew = -1;
    if (fd == null || fd == log || fstat(fd, &info)) continue;
    if (fd > 2 && S_ISREG(info.st_mode) && (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY) {
      char path[40];
      snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
      anew = open(path, O_RDONLY | O_CLOEXEC);
    }
    int instead = anew >= 0 ? anew : fd == 1 || fd == 2 ? log : null;
    if (dup3(instead, fd, fd > 2 ? O_CLOEXEC : 0) < 0) fail("dup");
    if (anew >= 0) close(anew);
  }
  close(log);
  close(null);
}

/* ---- System calls ---- */

/*
 * What converting needs; anything else answers "not implemented", which the C library copes with. This also closes what
 * Landlock leaves open towards files and processes of the same user: chmod, utime, setxattr, truncate, inotify; kill,
 * prlimit, fcntl(F_SETOWN), ptrace.
 */
static const int allowed[] = {
  SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_pwrite64, SYS_lseek, SYS_close, SYS_dup, SYS_dup3,
  SYS_pipe2, SYS_ppoll, SYS_pselect6, SYS_openat, SYS_newfstatat, SYS_fstat, SYS_statx, SYS_statfs, SYS_fstatfs,
  SYS_faccessat, SYS_faccessat2, SYS_readlinkat, SYS_getcwd, SYS_getdents64, SYS_mkdirat, SYS_unlinkat, SYS_renameat2,
  SYS_ftruncate, SYS_fallocate, SYS_fadvise64, SYS_fsync, SYS_fdatasync, SYS_fchmod, SYS_umask,
  SYS_mmap, SYS_munmap, SYS_mprotect, SYS_mremap, SYS_madvise, SYS_brk, SYS_membarrier, SYS_futex,
  SYS_set_robust_list, SYS_rseq, SYS_set_tid_address, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn,
  SYS_rt_sigtimedwait, SYS_sigaltstack, SYS_restart_syscall, SYS_exit, SYS_exit_group,
  SYS_getpid, SYS_getppid, SYS_gettid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_uname, SYS_sysinfo,
  SYS_getrusage, SYS_times, SYS_getcpu, SYS_sched_yield, SYS_sched_getaffinity, SYS_sched_getparam,
  SYS_sched_getscheduler, SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday,
  SYS_getrandom,
#ifdef SYS_renameat
  SYS_renameat,
#endif
#ifdef __x86_64__ /* older spellings that the C library still uses there */
  SYS_open, SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_mkdir, SYS_rmdir, SYS_unlink, SYS_rename, SYS_getdents,
  SYS_dup2, SYS_pipe, SYS_poll, SYS_select, SYS_time, SYS_arch_prctl,
#endif
};

#ifdef __x86_64__
static const uint32_t architecture = AUDIT_ARCH_X86_64;
#else
static const uint32_t architecture = AUDIT_ARCH_AARCH64;
#endif

static struct sock_filter program[2 * COUNT(allowed) + 100];
static unsigned short program_length;

static void emit(unsigned short code, uint32_t k, unsigned char if_true, unsigned char if_false) {
  if (program_length == COUNT(program)) fail("seccomp program too long");
  program[program_length++] = (struct sock_filter){ code, if_true, if_false, k };
}

static void load(size_t offset) { emit(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0); }

/* Of an argument the low half: the calls looked at here take no more than an int. */
static void allow_if(int call, int argument, unsigned short test, uint32_t value) {
  emit(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 4);
  load(offsetof(struct seccomp_data, args) + 8 * (size_t)argument);
  emit(BPF_JMP | test | BPF_K, value, 0, 1);
  emit(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
  load(offsetof(struct seccomp_data, nr));
}

static void confine_calls(void) {
  load(offsetof(struct seccomp_data, arch));
  emit(BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0);
  emit(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS, 0, 0);
  load(offsetof(struct seccomp_data, nr));
  for (size_t i = 0; i < COUNT(allowed); i++) {
    emit(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)allowed[i], 0, 1);
    emit(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
  }
  /* Threads, never processes; clone3 hides its flags, is refused, and the C library takes this. */
  allow_if(SYS_clone, 0, BPF_JSET, CLONE_THREAD);
  allow_if(SYS_prctl, 0, BPF_JEQ, PR_SET_NAME);
  allow_if(SYS_tgkill, 0, BPF_JEQ, (uint32_t)getpid()); /* abort() */
  allow_if(SYS_prlimit64, 0, BPF_JEQ, 0);               /* its own limits, which can only be lowered */
  allow_if(SYS_fcntl, 1, BPF_JEQ, F_DUPFD_CLOEXEC);
  for (int command = F_DUPFD; command <= F_SETLKW; command++) allow_if(SYS_fcntl, 1, BPF_JEQ, (uint32_t)command);
  emit(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS, 0, 0);
  struct sock_fprog whole = { program_length, program };
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &whole)) fail("seccomp");
}

/*
 * LibreOffice changes the mode of a file it has just made for what it decrypted, by its name, and gives up when it cannot.
 * This takes the place of the C library's: what may be opened may be changed, so Landlock has its say.
 */
int chmod(const char *path, mode_t mode) {
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return -1;
  int result = fchmod(file, mode), why = errno;
  close(file);
  errno = why;
  return result;
}

/* ---- Limits, and all of it in order ---- */

static void limit_softly(int resource, rlim_t soft, rlim_t hard) {
  struct rlimit both = { soft, hard };
  if (setrlimit(resource, &both)) fail("setrlimit");
}

static void limit(int resource, rlim_t value) { limit_softly(resource, value, value); }

/* Asked by the parent, of which every child is a copy: it may not be able to ask for itself. */
static rlim_t address_space;

int can_box(void) {
  unsigned long pages = 0;
  FILE *file = fopen("/proc/self/statm", "re");
  int known = file && fscanf(file, "%lu", &pages) == 1;
  if (file) fclose(file);
  address_space = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
  return known && landlock_version() >= 1;
}

/* Counted over all processes of the user: the parent keeps a quarter, so that it can start others whatever a child does. */
static void limit_threads(void) {
  struct rlimit now;
  if (getrlimit(RLIMIT_NPROC, &now)) fail("getrlimit");
  limit(RLIMIT_NPROC, now.rlim_max / 4 * 3);
}

/* The attack test builds this file without a half of the box, to see that its attacks do get through then. */
#ifdef WITHOUT_LANDLOCK
#define confine_files(box) ((void)confine_files, (void)(box))
#endif
#ifdef WITHOUT_SECCOMP
#define confine_calls() ((void)confine_calls)
#endif

void enter_box(const struct box *box) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != box->parent) _exit(EXIT_BOX);
  if (chdir(box->task_dir)) fail(box->task_dir);
  make_directories(box->home_dir);
  drop_descriptors();
  /* SIGXCPU tells the reason; whoever does not mind it gets a second more. */
  limit_softly(RLIMIT_CPU, (rlim_t)box->cpu_seconds, (rlim_t)box->cpu_seconds + 1);
  limit(RLIMIT_AS, address_space + ((rlim_t)box->megabytes << 20));
  limit(RLIMIT_FSIZE, (rlim_t)box->file_megabytes << 20);
  limit(RLIMIT_NOFILE, 256);
  limit(RLIMIT_CORE, 0);
  limit_threads();
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) fail("no_new_privs");
  confine_files(box);
  confine_calls();
}
