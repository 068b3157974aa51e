#pragma once
// Cryptography that makes inputs unpredictable until a candidate is sealed (its kernels and plans fixed by a
// hash).
#include <string>
#include <string_view>

#include "runtime/random.hpp"

namespace trl::runtime {

/// SHA-256 as 64 lower-case hexadecimal digits.
std::string sha256(std::string_view text);

/// The key of a trial's inputs, or of its programs' order: the first 8 bytes of HMAC-SHA256(secret,
/// "{seal}/{purpose}"). `seal` is the hash of the candidate's kernels and plans, so the inputs are
/// unpredictable until those are fixed.
RandomKey input_key(std::string_view secret, std::string_view seal, std::string_view purpose);

/// 32 random bytes of the system as hexadecimal digits. Throws std::system_error where there are none.
std::string random_secret();

}  // namespace trl::runtime
