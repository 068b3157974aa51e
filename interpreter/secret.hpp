#pragma once
// Secrets from which inputs are drawn. Whoever knows a secret can look for answers that only pass for its
// inputs.
#include <string>

namespace trl::interpreter {

/// 32 bytes of the system's randomness as hexadecimal digits. Throws UserError if the system gives none.
std::string random_secret();

}  // namespace trl::interpreter
