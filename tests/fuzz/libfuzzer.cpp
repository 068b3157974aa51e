// libFuzzer's entry point for a target, which TRL_FUZZ_TARGET names.
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  trl::language::fuzz::TRL_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  return 0;
}
