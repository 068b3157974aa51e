#pragma once
// Takes rights away from a sandboxed process before it runs its command.
#include "verifier/sandbox/options.hpp"

namespace trl::runtime::sandbox {

/// Sets limits of address space, open files, file size and processes, and disables core files.
void set_limits(const SandboxOptions& options);

/// Drops all capabilities, except CAP_SYS_ADMIN in this user namespace if the command makes nested
/// namespaces. Then sets no_new_privs and installs the system-call filter. If the kernel refuses a step,
/// returns false and sets errno.
bool drop_privileges(const SandboxOptions& options);

/// Closes every file descriptor except 0, 1 and 2.
void close_descriptors();

/// Returns the complete environment of the command: a few fixed variables and `options.environment`.
std::vector<std::string> make_environment(const SandboxOptions& options);

}  // namespace trl::runtime::sandbox
