// Tests that go through very many cases take a sample of them in a usual run, and all of them in
// `./trl test --thorough`.
#pragma once

#include <cstddef>
#include <cstdlib>

namespace trl {

/// Whether this is a thorough run, which sets TRL_LONG_TESTS.
inline bool long_tests() { return std::getenv("TRL_LONG_TESTS") != nullptr; }

/// The step from one case to the next: 1 in a thorough run, else `usual`.
template <typename Count>
Count step_of_cases(Count usual) {
  return long_tests() ? Count{1} : usual;
}

}  // namespace trl
