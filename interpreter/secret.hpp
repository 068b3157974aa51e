#pragma once
// What inputs are drawn from: whoever knows it can look for answers whose inputs are kind to them.
#include <string>

namespace trl::interpreter {

/// 32 bytes of the system's randomness as hexadecimal digits. Throws UserError where there are none.
std::string random_secret();

}  // namespace trl::interpreter
