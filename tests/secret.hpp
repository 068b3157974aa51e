// The secret of a test.
#pragma once

#include <cstdlib>
#include <string>

namespace trl {

/// Returns $TRL_TEST_SECRET, which `tests/secrets` sets to a random secret, or `otherwise` if it isn't set.
inline std::string test_secret(const std::string& otherwise) {
  const char* given = std::getenv("TRL_TEST_SECRET");
  return given ? given : otherwise;
}

}  // namespace trl
