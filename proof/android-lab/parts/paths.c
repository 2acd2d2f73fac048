/* LD_PRELOAD library: a device's own file system for adbd, its shells and its apps. A path below one of PREFIXES is looked up in the
 * folder that LAB_ROOT names. No chroot, so no privileges are needed. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <unistd.h>

static const char *PREFIXES[] = {"/data", "/sdcard", "/storage", "/mnt/sdcard", NULL};

static const char *mapped(const char *path, char *room) {
  const char *root = getenv("LAB_ROOT");
  if (!root || !path) return path;
  for (int i = 0; PREFIXES[i]; i++) {
    size_t n = strlen(PREFIXES[i]);
    if (!strncmp(path, PREFIXES[i], n) && (path[n] == '/' || !path[n])) {
      if (snprintf(room, PATH_MAX, "%s%s", root, path) >= PATH_MAX) return path;
      return room;
    }
  }
  return path;
}
#define REAL(name) static __typeof__(name) *real; if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)
#define MAP char room[PATH_MAX]; path = mapped(path, room)
#define MODE mode_t mode = 0; if (flags & (O_CREAT | O_TMPFILE)) { va_list a; va_start(a, flags); mode = va_arg(a, mode_t); va_end(a); }

int open(const char *path, int flags, ...) { REAL(open); MODE MAP; return real(path, flags, mode); }
int open64(const char *path, int flags, ...) { REAL(open64); MODE MAP; return real(path, flags, mode); }
int openat(int at, const char *path, int flags, ...) { REAL(openat); MODE MAP; return real(at, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { REAL(openat64); MODE MAP; return real(at, path, flags, mode); }
int __open_2(const char *path, int flags) { return open(path, flags); }
int __open64_2(const char *path, int flags) { return open64(path, flags); }
int __openat_2(int at, const char *path, int flags) { return openat(at, path, flags); }
int __openat64_2(int at, const char *path, int flags) { return openat64(at, path, flags); }
int creat(const char *path, mode_t mode) { REAL(creat); MAP; return real(path, mode); }
int creat64(const char *path, mode_t mode) { REAL(creat64); MAP; return real(path, mode); }
FILE *fopen(const char *path, const char *how) { REAL(fopen); MAP; return real(path, how); }
FILE *fopen64(const char *path, const char *how) { REAL(fopen64); MAP; return real(path, how); }
int stat(const char *path, struct stat *s) { REAL(stat); MAP; return real(path, s); }
int stat64(const char *path, struct stat64 *s) { REAL(stat64); MAP; return real(path, s); }
int lstat(const char *path, struct stat *s) { REAL(lstat); MAP; return real(path, s); }
int lstat64(const char *path, struct stat64 *s) { REAL(lstat64); MAP; return real(path, s); }
int fstatat(int at, const char *path, struct stat *s, int f) { REAL(fstatat); MAP; return real(at, path, s, f); }
int fstatat64(int at, const char *path, struct stat64 *s, int f) { REAL(fstatat64); MAP; return real(at, path, s, f); }
int statx(int at, const char *path, int f, unsigned m, struct statx *s) { REAL(statx); MAP; return real(at, path, f, m, s); }
int statvfs(const char *path, struct statvfs *s) { REAL(statvfs); MAP; return real(path, s); }
int access(const char *path, int mode) { REAL(access); MAP; return real(path, mode); }
int faccessat(int at, const char *path, int mode, int f) { REAL(faccessat); MAP; return real(at, path, mode, f); }
int mkdir(const char *path, mode_t mode) { REAL(mkdir); MAP; return real(path, mode); }
int mkdirat(int at, const char *path, mode_t mode) { REAL(mkdirat); MAP; return real(at, path, mode); }
int rmdir(const char *path) { REAL(rmdir); MAP; return real(path); }
int unlink(const char *path) { REAL(unlink); MAP; return real(path); }
int unlinkat(int at, const char *path, int f) { REAL(unlinkat); MAP; return real(at, path, f); }
int chmod(const char *path, mode_t mode) { REAL(chmod); MAP; return real(path, mode); }
int fchmodat(int at, const char *path, mode_t mode, int f) { REAL(fchmodat); MAP; return real(at, path, mode, f); }
/* Owners mean nothing here: adbd gives its files to the shell user. */
int chown(const char *path, uid_t u, gid_t g) { (void)path; (void)u; (void)g; return 0; }
int lchown(const char *path, uid_t u, gid_t g) { (void)path; (void)u; (void)g; return 0; }
int fchown(int fd, uid_t u, gid_t g) { (void)fd; (void)u; (void)g; return 0; }
int chdir(const char *path) { REAL(chdir); MAP; return real(path); }
int truncate(const char *path, off_t n) { REAL(truncate); MAP; return real(path, n); }
int utimes(const char *path, const struct timeval t[2]) { REAL(utimes); MAP; return real(path, t); }
int utimensat(int at, const char *path, const struct timespec t[2], int f) { REAL(utimensat); MAP; return real(at, path, t, f); }
ssize_t readlink(const char *path, char *b, size_t n) { REAL(readlink); MAP; return real(path, b, n); }
ssize_t readlinkat(int at, const char *path, char *b, size_t n) { REAL(readlinkat); MAP; return real(at, path, b, n); }
ssize_t getxattr(const char *path, const char *n, void *v, size_t s) { REAL(getxattr); MAP; return real(path, n, v, s); }
ssize_t lgetxattr(const char *path, const char *n, void *v, size_t s) { REAL(lgetxattr); MAP; return real(path, n, v, s); }
ssize_t listxattr(const char *path, char *l, size_t s) { REAL(listxattr); MAP; return real(path, l, s); }
ssize_t llistxattr(const char *path, char *l, size_t s) { REAL(llistxattr); MAP; return real(path, l, s); }
DIR *opendir(const char *path) { REAL(opendir); MAP; return real(path); }
int symlink(const char *to, const char *path) { REAL(symlink); MAP; return real(to, path); }
int rename(const char *path, const char *to) {
  REAL(rename); MAP; char other[PATH_MAX]; return real(path, mapped(to, other));
}
int renameat(int at, const char *path, int into, const char *to) {
  REAL(renameat); MAP; char other[PATH_MAX]; return real(at, path, into, mapped(to, other));
}
int renameat2(int at, const char *path, int into, const char *to, unsigned f) {
  REAL(renameat2); MAP; char other[PATH_MAX]; return real(at, path, into, mapped(to, other), f);
}
