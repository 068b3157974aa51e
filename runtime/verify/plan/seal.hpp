#pragma once
// What makes inputs unknowable before a candidate is sealed.
#include <string>
#include <string_view>

#include "runtime/random.hpp"

namespace trl::runtime {

/// SHA-256 as 64 lower-case hexadecimal digits.
std::string sha256(std::string_view text);

/// The key of a trial's inputs, or of its programs' order: the first 8 bytes of HMAC-SHA256(secret,
/// "{seal}/{purpose}"). `seal` is the hash of the candidate's kernels and plans, so nobody can know them
/// before those are fixed.
RandomKey input_key(std::string_view secret, std::string_view seal, std::string_view purpose);

/// 32 bytes of the system's randomness as hexadecimal digits. Throws std::system_error where there are none.
std::string random_secret();

}  // namespace trl::runtime
