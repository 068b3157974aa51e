// Preloaded (LD_PRELOAD) into trl and its worker, this makes the disk fail at the K-th change of files under
// a folder:
//   FAILING_DISK_UNDER=DIR      the folder
//   FAILING_DISK_AT=K           counted over all processes; 0 lets none fail
//   FAILING_DISK_COUNTER=FILE   a file outside DIR with the count, 8 bytes
//   FAILING_DISK_HOW=once       the K-th change fails
//   FAILING_DISK_HOW=on         it and all later ones fail; of the first write, half is written, as on a full
//   disk FAILING_DISK_HOW=kill       the process that makes the K-th change is killed before it
//   FAILING_DISK_ERRNO=N        the errno of failing changes; by default ENOSPC
//   FAILING_DISK_OF=reads       counts reads of files instead of changes; with FAILING_DISK_HOW=end, the K-th
//                               read finds the end of its file
//   FAILING_DISK_FILE_SYSTEM=N  what statfs says the file system is: 26985 is NFS
// Changes are creating files, write, fsync, rename, ftruncate and mkdir in all their forms. Removals never
// fail.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

template <typename Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

struct Wish {
  std::string under, how, of;
  unsigned long at = 0;
  int error = ENOSPC;
  std::atomic<unsigned long>* count = nullptr;
};

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

const Wish& wish() {
  static const Wish made = [] {
    Wish wanted{environment("FAILING_DISK_UNDER"), environment("FAILING_DISK_HOW"),
                environment("FAILING_DISK_OF")};
    wanted.at = std::strtoul(environment("FAILING_DISK_AT").c_str(), nullptr, 10);
    if (const auto error = environment("FAILING_DISK_ERRNO"); !error.empty())
      wanted.error = std::atoi(error.c_str());
    const int file =
        real<int(const char*, int, ...)>("open")(environment("FAILING_DISK_COUNTER").c_str(), O_RDWR);
    void* memory = file < 0 ? MAP_FAILED : ::mmap(nullptr, 8, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file >= 0) ::close(file);
    if (memory != MAP_FAILED) wanted.count = static_cast<std::atomic<unsigned long>*>(memory);
    return wanted;
  }();
  return made;
}

bool under(const char* path) {
  if (!path) return false;
  if (*path == '/') return std::strncmp(path, wish().under.c_str(), wish().under.size()) == 0;
  char here[PATH_MAX];
  return ::getcwd(here, sizeof here) && (std::string(here) + "/" + path).rfind(wish().under, 0) == 0;
}

bool under(int descriptor) {
  char path[PATH_MAX] = {};
  const auto link = "/proc/self/fd/" + std::to_string(descriptor);
  return ::readlink(link.c_str(), path, sizeof path - 1) > 0 && under(static_cast<const char*>(path));
}

enum class Fate { passes, fails, gets_half_through };

/// Counts one change (or one read) and decides what happens to it.
Fate fate(bool read = false) {
  const Wish& wanted = wish();
  if (!wanted.count || (wanted.of == "reads") != read) return Fate::passes;
  const auto number = ++*wanted.count;
  if (wanted.at == 0 || number < wanted.at) return Fate::passes;
  if (wanted.how == "kill" && number == wanted.at) ::kill(::getpid(), SIGKILL);
  if ((wanted.how == "once" || wanted.how == "end") && number > wanted.at) return Fate::passes;
  return wanted.how == "on" && number == wanted.at ? Fate::gets_half_through : Fate::fails;
}

template <typename Place>
bool refused(Place place) {
  const int before = errno;
  const bool fails = under(place) && fate() != Fate::passes;
  errno = fails ? wish().error : before;
  return fails;
}

/// Whether opening this path would create a file.
bool creates(const char* path, bool wanted) { return wanted && ::access(path, F_OK) != 0; }

/// The number of bytes to write of `size`: all, half, or -1 with errno set.
ssize_t taken(int descriptor, std::size_t size) {
  const int before = errno;
  const auto what = under(descriptor) ? fate() : Fate::passes;
  errno = before;
  if (what == Fate::passes) return static_cast<ssize_t>(size);
  if (what == Fate::gets_half_through && size > 1) return static_cast<ssize_t>(size / 2);
  errno = wish().error;
  return -1;
}

}  // namespace

#define OPEN(NAME)                                                                \
  int NAME(const char* path, int flags, ...) {                                    \
    va_list rest;                                                                 \
    va_start(rest, flags);                                                        \
    const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
    va_end(rest);                                                                 \
    if (creates(path, flags & O_CREAT) && refused(path)) return -1;               \
    return real<int(const char*, int, ...)>(#NAME)(path, flags, mode);            \
  }
#define FOPEN(NAME)                                                               \
  FILE* NAME(const char* path, const char* mode) {                                \
    if (creates(path, std::strpbrk(mode, "wa")) && refused(path)) return nullptr; \
    return real<FILE*(const char*, const char*)>(#NAME)(path, mode);              \
  }
#define PWRITE(NAME)                                                                                  \
  ssize_t NAME(int descriptor, const void* bytes, size_t size, off_t offset) {                        \
    const ssize_t count = taken(descriptor, size);                                                    \
    if (count < 0) return -1;                                                                         \
    return real<ssize_t(int, const void*, size_t, off_t)>(#NAME)(descriptor, bytes,                   \
                                                                 static_cast<size_t>(count), offset); \
  }
#define ON_DESCRIPTOR(NAME)                   \
  int NAME(int descriptor) {                  \
    if (refused(descriptor)) return -1;       \
    return real<int(int)>(#NAME)(descriptor); \
  }
#define TRUNCATE(NAME)                                     \
  int NAME(int descriptor, off_t size) noexcept {          \
    if (refused(descriptor)) return -1;                    \
    return real<int(int, off_t)>(#NAME)(descriptor, size); \
  }

extern "C" {

OPEN(open)
OPEN(open64)
FOPEN(fopen)
FOPEN(fopen64)
PWRITE(pwrite)
PWRITE(pwrite64)
ON_DESCRIPTOR(fsync)
ON_DESCRIPTOR(fdatasync)
TRUNCATE(ftruncate)
TRUNCATE(ftruncate64)

ssize_t read(int descriptor, void* bytes, size_t size) {
  const int before = errno;
  const bool fails = under(descriptor) && fate(true) != Fate::passes;
  errno = fails ? wish().error : before;
  if (fails) return wish().how == "end" ? 0 : -1;
  return real<ssize_t(int, void*, size_t)>("read")(descriptor, bytes, size);
}

ssize_t write(int descriptor, const void* bytes, size_t size) {
  const ssize_t count = taken(descriptor, size);
  if (count < 0) return -1;
  return real<ssize_t(int, const void*, size_t)>("write")(descriptor, bytes, static_cast<size_t>(count));
}

ssize_t writev(int descriptor, const iovec* parts, int count) {
  if (refused(descriptor)) return -1;
  return real<ssize_t(int, const iovec*, int)>("writev")(descriptor, parts, count);
}

ssize_t sendfile(int out, int in, off_t* offset, size_t size) noexcept {
  if (refused(out)) return -1;
  return real<ssize_t(int, int, off_t*, size_t)>("sendfile")(out, in, offset, size);
}

int rename(const char* from, const char* to) noexcept {
  if (refused(to)) return -1;
  return real<int(const char*, const char*)>("rename")(from, to);
}

int statfs(const char* path, struct statfs* system) noexcept {
  const int failed = real<int(const char*, struct statfs*)>("statfs")(path, system);
  if (const auto type = environment("FAILING_DISK_FILE_SYSTEM"); !failed && !type.empty())
    system->f_type = std::atol(type.c_str());
  return failed;
}

int mkdir(const char* path, mode_t mode) noexcept {
  if (refused(path)) return -1;
  return real<int(const char*, mode_t)>("mkdir")(path, mode);
}
}
