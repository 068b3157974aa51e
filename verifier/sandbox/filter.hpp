#pragma once
// System-call filters, which allow a sandboxed process only the calls of a list. They are classic BPF
// programs, made by libseccomp.
#include <linux/filter.h>

#include <string>
#include <vector>

namespace trl::runtime::sandbox {

enum class Profile {
  /// For a command that makes no namespaces. It may start programs and use socket pairs between its own
  /// processes. The filter also applies to all processes that it starts.
  plain,
  /// For a service whose zygote (a process that forks a child for each request) makes namespaces. Like
  /// `plain`, plus the calls that the forked children need.
  nesting,
  /// For a child process that compiles one kernel. Like `plain`, since it starts the compiler's programs.
  compiler,
  /// For a candidate. It can't create a process, thread, pipe or shared memory, can't start a program, and
  /// can't observe the activity of other processes.
  candidate,
  /// For a child of trl-executor. It may compute, create threads, and use the sockets that it already has. It
  /// can't use files, processes, signals, new descriptors or executable memory.
  executor,
};

/// Makes the filter of a profile. A call that isn't allowed fails with:
/// - EPERM by default;
/// - ENOSYS if the call is newer than the table, or if a C library works without it on kernels that lack it;
/// - EAGAIN if a candidate tries to create a process, as at a limit.
///
/// A call of a foreign architecture ends the process. Making a filter takes about a millisecond. Throws
/// std::system_error if there is no memory or no file descriptor for it.
std::vector<sock_filter> make_filter(Profile profile);

/// Installs the filter for this process and its descendants. The process must have set no_new_privs. On
/// failure returns false and sets errno.
bool install(const std::vector<sock_filter>& filter);

/// Returns the bytes of the filter as lower-case hexadecimal digits, for a process that installs the filter
/// later.
std::string to_hex(const std::vector<sock_filter>& filter);

}  // namespace trl::runtime::sandbox
