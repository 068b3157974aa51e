#include "verifier/services/patience.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace trl::runtime {
namespace {

constexpr std::chrono::milliseconds between_looks{500};
// The most seconds of sleep that one look counts. If more time has passed since the last look, this process
// itself wasn't running.
constexpr double most_at_once = 2;

/// The fields of /proc/PID/stat for a process or thread.
struct Stat {
  char state = 0;
  pid_t parent = 0;
  double cpu = 0;  ///< seconds, with the seconds of children that have been waited for
};

bool read_stat(const std::string& file, Stat& stat) {
  char text[1024];
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const ssize_t count = read(descriptor, text, sizeof text);
  close(descriptor);
  if (count <= 0) return false;
  // The process's name stands between brackets and may hold any byte.
  std::string fields(text, static_cast<std::size_t>(count));
  const std::size_t name = fields.rfind(')');
  if (name == std::string::npos || name + 2 >= fields.size()) return false;
  fields.erase(0, name + 2);
  stat.state = fields[0];
  const char* at = fields.c_str() + 1;
  static const double tick = 1.0 / static_cast<double>(sysconf(_SC_CLK_TCK));
  stat.cpu = 0;
  constexpr int parent = 4, first_time = 14, last_time = 17;  // numbers of fields, from 1
  for (int field = parent; field <= last_time; ++field) {
    char* end = nullptr;
    const long long number = std::strtoll(at, &end, 10);
    if (end == at) return false;
    at = end;
    if (field == parent) stat.parent = static_cast<pid_t>(number);
    if (field >= first_time) stat.cpu += static_cast<double>(number) * tick;
  }
  return true;
}

/// Calls `visit` with each number that names an entry of a folder.
template <typename Visit>
bool for_each_number(const std::string& folder, Visit visit) {
  DIR* const entries = opendir(folder.c_str());
  if (entries == nullptr) return false;
  while (const dirent* entry = readdir(entries))
    if (const int number = std::atoi(entry->d_name); number > 0) visit(number);
  closedir(entries);
  return true;
}

bool busy(const Stat& stat) { return stat.state == 'R' || stat.state == 'D'; }

bool has_busy_thread(pid_t process) {
  bool found = false;
  const std::string threads = "/proc/" + std::to_string(process) + "/task/";
  for_each_number(threads, [&](int thread) {
    Stat stat;
    found = found || (read_stat(threads + std::to_string(thread) + "/stat", stat) && busy(stat));
  });
  return found;
}

}  // namespace

Patience::Look Patience::look_at(pid_t process) {
  std::map<pid_t, Stat> all;
  Look look;
  look.known = for_each_number("/proc",
                               [&](int pid) {
                                 Stat stat;
                                 if (read_stat("/proc/" + std::to_string(pid) + "/stat", stat))
                                   all[pid] = stat;
                               }) &&
               all.contains(process);
  std::vector<pid_t> family{process};
  for (std::size_t i = 0; look.known && i < family.size(); ++i) {
    look.cpu += all[family[i]].cpu;
    look.busy = look.busy || has_busy_thread(family[i]);
    for (const auto& [pid, stat] : all)
      if (stat.parent == family[i]) family.push_back(pid);
  }
  return look;
}

bool Patience::over() {
  const auto now = Clock::now();
  const double passed = std::chrono::duration<double>(now - at_).count();
  if (now - at_ >= between_looks) {
    const Look look = look_at(process_);
    if (begun_ < 0) begun_ = std::max(0.0, look.cpu - passed), last_.cpu = begun_;
    const double computed = std::max(0.0, look.cpu - last_.cpu);
    if (!look.known || !look.busy) asleep_ += std::clamp(passed - computed, 0.0, most_at_once);
    last_ = look;
    at_ = now;
  }
  return asleep_ >= limits_.asleep || last_.cpu - std::max(begun_, 0.0) >= limits_.computing;
}

WaitLimit Patience::wait_limit(std::function<bool()> cancelled) {
  WaitLimit wait_limit;
  wait_limit.cancelled = [this, cancelled = std::move(cancelled)] {
    return over() || (cancelled && cancelled());
  };
  return wait_limit;
}

}  // namespace trl::runtime
