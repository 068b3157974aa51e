// The secret of a test.
#pragma once

#include <cstdlib>
#include <string>

namespace trl {

/// TRL_TEST_SECRET, which `tests/secrets` sets to what no test knows, or else a fixed one.
inline std::string test_secret(const std::string& otherwise) {
  const char* given = std::getenv("TRL_TEST_SECRET");
  return given ? given : otherwise;
}

}  // namespace trl
