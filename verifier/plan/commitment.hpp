#pragma once
// Cryptography that makes inputs unpredictable until a candidate is committed (its kernels and plans fixed by
// a hash).
#include <string>
#include <string_view>

#include "base/support/random.hpp"

namespace trl::runtime {

/// Derives the key of a test case's inputs, or of its programs' order, from "{commitment}/{purpose}" and the
/// secret. `commitment` is the hash of the candidate's kernels and plans, so nobody can know the key before
/// they are fixed.
inline RandomKey input_key(std::string_view secret, std::string_view commitment, std::string_view purpose) {
  return secret_key(secret, std::string(commitment) + "/" + std::string(purpose));
}

}  // namespace trl::runtime
