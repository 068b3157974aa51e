#include "verifier/sandbox/filesystem.hpp"

#include <fcntl.h>
#include <linux/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>

// In some C libraries <sys/mount.h> clashes with <linux/mount.h>; only these few declarations are needed.
extern "C" int mount(const char*, const char*, const char*, unsigned long, const void*);
extern "C" int umount2(const char*, int);

namespace trl::runtime::sandbox {
namespace {

constexpr unsigned long ms_rdonly = 1, ms_nosuid = 2, ms_nodev = 4, ms_noexec = 8, ms_remount = 32,
                        ms_bind = 4096, ms_rec = 16384, ms_private = 1 << 18;
constexpr int mnt_detach = 2;

[[noreturn]] void refuse(const std::string& step) {
  throw Refused("cannot " + step + ": " + std::strerror(errno));
}

void make_folder(const std::string& path) {
  for (std::size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1))
    mkdir(path.substr(0, slash).c_str(), 0755);
  if (mkdir(path.c_str(), 0755) != 0 && errno != EEXIST) refuse("make the folder " + path);
}

void make_file(const std::string& path, const std::string& text = "") {
  std::size_t slash = path.rfind('/');
  if (slash > 0) make_folder(path.substr(0, slash));
  int fd = open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
  if (fd < 0) refuse("make the file " + path);
  if (write(fd, text.data(), text.size()) != static_cast<ssize_t>(text.size())) refuse("write " + path);
  close(fd);
}

// Binds `from` (a resolved path in the old root) to `to` in the new root and locks the whole subtree.
void bind(const std::string& from, const std::string& to, bool devices) {
  struct stat info {};
  if (stat(from.c_str(), &info) != 0) refuse("find " + from);
  if (S_ISDIR(info.st_mode))
    make_folder(to);
  else
    make_file(to);
  if (mount(from.c_str(), to.c_str(), nullptr, ms_bind | ms_rec, nullptr) != 0) refuse("bind " + to);
  mount_attr attributes{};
  attributes.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | (devices ? 0 : MOUNT_ATTR_NODEV);
  if (syscall(442 /* mount_setattr */, AT_FDCWD, to.c_str(), 0x8000 /* AT_RECURSIVE */, &attributes,
              sizeof attributes) != 0)
    refuse("make " + to + " read-only");
}

// Returns a path with all its links resolved; empty if that fails. Must be called before pivot_root, since
// absolute links would lead into the new root afterwards.
std::string resolve(const std::string& path) {
  char real[PATH_MAX];
  return realpath(path.c_str(), real) ? real : "";
}

// Makes a system folder available. A link (such as /lib → usr/lib) is created again; a folder is bound.
void bind_system(const char* path) {
  const std::string old = std::string("/old") + path, fresh = std::string("/new") + path;
  struct stat info {};
  if (lstat(old.c_str(), &info) != 0) return;
  if (S_ISLNK(info.st_mode)) {
    char target[PATH_MAX];
    ssize_t length = readlink(old.c_str(), target, sizeof target - 1);
    if (length < 0) refuse(std::string("read the link ") + path);
    target[length] = 0;
    std::size_t slash = fresh.rfind('/');
    make_folder(fresh.substr(0, slash));
    if (symlink(target, fresh.c_str()) != 0 && errno != EEXIST) refuse(std::string("link ") + path);
    return;
  }
  bind(old, fresh, false);
}

void mount_tmpfs(const char* path, const std::string& options, unsigned long flags) {
  if (mount("tmpfs", path, "tmpfs", flags, options.c_str()) != 0)
    refuse(std::string("mount a tmpfs on ") + path);
}

}  // namespace

void enter_private_root(const SandboxOptions& options) {
  struct Named {
    std::string given, real;
  };
  std::vector<Named> named;
  for (const std::string& path : options.read) {
    std::string real = resolve(path);
    if (real.empty()) throw Refused("cannot read " + path + ": " + std::strerror(errno));
    named.push_back({path, real});
  }
  if (mount(nullptr, "/", nullptr, ms_rec | ms_private, nullptr) != 0) refuse("keep mounts private");
  mount_tmpfs("/tmp", "mode=755,size=1m", ms_nosuid | ms_nodev);
  mkdir("/tmp/old", 0755);
  mkdir("/tmp/new", 0755);
  if (syscall(SYS_pivot_root, "/tmp", "/tmp/old") != 0) refuse("change the root");
  if (chdir("/") != 0) refuse("enter the root");
  mount_tmpfs("/new", "mode=755,size=4m", ms_nosuid | ms_nodev);

  for (const char* path :
       {"/usr", "/lib", "/lib32", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/alternatives"})
    bind_system(path);
  for (const Named& one : named) {
    struct stat info {};
    const std::string fresh = "/new" + one.real;
    // Nothing is needed for a path inside a folder that is bound already.
    if (stat(fresh.c_str(), &info) != 0) bind("/old" + one.real, fresh, false);
    if (one.given != one.real && lstat(("/new" + one.given).c_str(), &info) != 0) {
      std::size_t slash = one.given.rfind('/');
      if (slash > 0) make_folder("/new" + one.given.substr(0, slash));
      if (symlink(one.real.c_str(), ("/new" + one.given).c_str()) != 0) refuse("link " + one.given);
    }
  }
  for (const char* device : {"/dev/null", "/dev/zero", "/dev/urandom"})
    bind(std::string("/old") + device, std::string("/new") + device, true);
  make_file("/new/etc/passwd", "candidate:x:1000:1000::" + options.writable() + ":/bin/false\n");
  make_file("/new/etc/group", "candidate:x:1000:\n");
  make_folder("/new/proc");
  const std::string writable = "/new" + options.writable();
  make_folder(writable);
  // /proc is useful but not necessary: where the machine masks parts of its own /proc, it can't be mounted
  // and stays empty.
  [[maybe_unused]] int proc =
      mount("proc", "/new/proc", "proc", ms_nosuid | ms_nodev | ms_noexec, "subset=pid") == 0
          ? 0
          : mount("proc", "/new/proc", "proc", ms_nosuid | ms_nodev | ms_noexec, nullptr);
  mount_tmpfs(
      writable.c_str(),
      "mode=1777,nr_inodes=16384,size=" + std::to_string(options.tmp_bytes == 0 ? 4096 : options.tmp_bytes),
      ms_nosuid | ms_nodev | ms_noexec);

  if (umount2("/old", mnt_detach) != 0) refuse("leave the old root");
  if (chdir("/new") != 0 || syscall(SYS_pivot_root, ".", ".") != 0 || umount2(".", mnt_detach) != 0 ||
      chdir("/") != 0)
    refuse("enter the new root");
  if (mount(nullptr, "/", nullptr, ms_remount | ms_bind | ms_rdonly | ms_nosuid | ms_nodev, nullptr) != 0)
    refuse("make the root read-only");
}

}  // namespace trl::runtime::sandbox
