#pragma once
// Takes rights away from a sandboxed process before it runs its command.
#include "verifier/sandbox/options.hpp"

namespace trl::runtime::sandbox {

/// Sets limits of address space, open files, file size and processes, and disables core files.
void set_limits(const SandboxOptions& options);

/// Drops all capabilities, except CAP_SYS_ADMIN of this user namespace when the command makes nested
/// namespaces; sets no_new_privs; installs the system-call filter. Returns false with errno set when the
/// kernel refuses.
bool drop_privileges(const SandboxOptions& options);

/// Closes every file descriptor except 0, 1 and 2.
void close_descriptors();

/// The command's complete environment: a few fixed variables and `options.environment`.
std::vector<std::string> make_environment(const SandboxOptions& options);

}  // namespace trl::runtime::sandbox
