#pragma once
// Cryptography that makes inputs unpredictable until a candidate is sealed (its kernels and plans fixed by a
// hash).
#include <string_view>

#include "ground/random.hpp"

namespace trl::runtime {

/// The key of a trial's inputs, or of its programs' order: that of "{seal}/{purpose}" under the secret.
/// `seal` is the hash of the candidate's kernels and plans, so nobody can know them before those are fixed.
RandomKey input_key(std::string_view secret, std::string_view seal, std::string_view purpose);

}  // namespace trl::runtime
