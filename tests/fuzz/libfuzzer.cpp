// A target as libFuzzer calls it; TRL_FUZZ_TARGET names it.
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  trl::language::fuzz::TRL_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  return 0;
}
