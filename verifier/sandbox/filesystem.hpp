#pragma once
// Builds the file system that a sandboxed command sees.
#include <stdexcept>
#include <string>

#include "verifier/sandbox/options.hpp"

namespace trl::runtime::sandbox {

/// Thrown when the machine refuses a step of the isolation. what() is one line with the system's reason.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Must be called in new user, mount and pid namespaces. Makes `/` a read-only tmpfs that holds the system's
/// libraries and the paths of `options.read` (read-only, no set-uid, no devices), a private /tmp,
/// /dev/{null,zero,urandom} and a /proc of this pid namespace. Nothing else of the old root stays reachable.
/// Throws Refused.
void enter_private_root(const SandboxOptions& options);

}  // namespace trl::runtime::sandbox
