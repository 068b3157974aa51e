#pragma once
// System-call filters, as classic BPF: what a sandboxed process may never ask of the kernel.
#include <linux/filter.h>

#include <string>
#include <vector>

namespace trl::runtime::sandbox {

enum class Profile {
  /// For a command that needs no namespaces of its own: the compiler.
  plain,
  /// For the recorder: may still make the namespaces of the candidates that it forks.
  nesting,
  /// For a candidate: besides, no process, no thread, no other program, no shared memory.
  candidate,
};

/// The filter of a profile. What is refused fails with EPERM; new processes fail with EAGAIN, as if at a
/// limit; a foreign architecture's calls end the process.
std::vector<sock_filter> make_filter(Profile profile);

/// Installs the filter for this process and its descendants; no_new_privs must be set. False with errno.
bool install(const std::vector<sock_filter>& filter);

/// Lower-case hexadecimal of the filter's bytes, for a process that installs it later.
std::string to_hex(const std::vector<sock_filter>& filter);

}  // namespace trl::runtime::sandbox
