#pragma once
// Derives random keys that are unpredictable until a candidate is committed: until its kernels and plans are
// fixed by a hash, the commitment.
#include <string>
#include <string_view>

#include "base/support/random.hpp"

namespace trl::runtime {

/// Derives a key from "{commitment}/{purpose}" and the secret. `commitment` is the hash of the candidate's
/// kernels and plans. `purpose` tells apart keys for inputs, for the order of programs, and so on.
inline RandomKey input_key(std::string_view secret, std::string_view commitment, std::string_view purpose) {
  return secret_key(secret, std::string(commitment) + "/" + std::string(purpose));
}

}  // namespace trl::runtime
