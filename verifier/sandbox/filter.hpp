#pragma once
// System-call filters in classic BPF, made by libseccomp, which allow a sandboxed process a list of calls and
// no others.
#include <linux/filter.h>

#include <string>
#include <vector>

namespace trl::runtime::sandbox {

enum class Profile {
  /// For a command that needs no namespaces of its own, and everything that it starts: programs of the
  /// system, and socket pairs between its own processes.
  plain,
  /// For a service with a zygote that makes namespaces: as `plain`, and the calls of the children that it
  /// forks.
  nesting,
  /// For a child that compiles one kernel: as `plain`, since it starts the compiler's programs.
  compiler,
  /// For a candidate: no new process, thread, program, pipe or shared memory, and nothing that reveals other
  /// processes' activity.
  candidate,
  /// For a child of trl-executor: computing, threads and the sockets that it has. No files, processes,
  /// signals,
  /// new descriptors or executable memory.
  executor,
};

/// Makes the filter of a profile. Calls that aren't allowed fail with EPERM. Calls that a C library can do
/// without where a kernel lacks them, and calls newer than the table, fail with ENOSYS. New processes of a
/// candidate fail with EAGAIN, as at a limit. Calls of a foreign architecture end the process. Takes a
/// millisecond or so, and throws std::system_error where there is no memory or no descriptor for it.
std::vector<sock_filter> make_filter(Profile profile);

/// Installs the filter for this process and its descendants; no_new_privs must be set. Returns false with
/// errno set on failure.
bool install(const std::vector<sock_filter>& filter);

/// The filter's bytes in lower-case hexadecimal digits, for a process that installs it later.
std::string to_hex(const std::vector<sock_filter>& filter);

}  // namespace trl::runtime::sandbox
