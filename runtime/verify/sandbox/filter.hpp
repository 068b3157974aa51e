#pragma once
// System-call filters, as classic BPF: what a sandboxed process may ask of the kernel, and nothing else.
#include <linux/filter.h>

#include <string>
#include <vector>

namespace trl::runtime::sandbox {

enum class Profile {
  /// For a command that needs no namespaces of its own, and whatever it starts: programs of the system, and
  /// pairs of sockets between its own processes.
  plain,
  /// For a service with a zygote that makes namespaces: as `plain`, and those of the children that it forks.
  nesting,
  /// For a child that compiles one kernel: as `plain`, since it starts the compiler's programs.
  compiler,
  /// For a candidate: no process, thread, program, pipe or shared memory; nothing that tells of others.
  candidate,
};

/// The filter of a profile. What isn't allowed fails with EPERM; calls that a C library does without where a
/// kernel lacks them, and calls younger than the table, with ENOSYS; new processes of a candidate with
/// EAGAIN, as if at a limit; a foreign architecture's calls end the process.
std::vector<sock_filter> make_filter(Profile profile);

/// Installs the filter for this process and its descendants; no_new_privs must be set. False with errno.
bool install(const std::vector<sock_filter>& filter);

/// Lower-case hexadecimal of the filter's bytes, for a process that installs it later.
std::string to_hex(const std::vector<sock_filter>& filter);

}  // namespace trl::runtime::sandbox
