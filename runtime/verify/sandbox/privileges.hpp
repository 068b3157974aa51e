#pragma once
// What a sandboxed process gives up before it runs its command.
#include "runtime/verify/sandbox/options.hpp"

namespace trl::runtime::sandbox {

/// Address space, files, file size, processes, no core files.
void set_limits(const SandboxOptions& options);

/// Drops every capability, but CAP_SYS_ADMIN of this user namespace when the command nests namespaces; sets
/// no_new_privs; installs the system-call filter. False with errno when the kernel refuses.
bool drop_privileges(const SandboxOptions& options);

/// Closes every descriptor but 0, 1 and 2.
void close_descriptors();

/// The command's whole environment: a few fixed names and `options.environment`.
std::vector<std::string> make_environment(const SandboxOptions& options);

}  // namespace trl::runtime::sandbox
