// Kernels compile without a GPU: the compiler comes with torch.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "runtime/kernels/kernels.hpp"

namespace trl::runtime::testing {

/// Expects that a file compiles for sm_90a and that hardly any bytes are spilled out of registers.
inline void expect_compiles(const KernelSource& source) {
  std::string log;
  ASSERT_NO_THROW(EXPECT_FALSE(compile_device(source, "sm_90a", &log).empty())) << source.file;
  // ptxas reports the bytes that didn't fit into registers. A few bytes are allowed: they don't matter in a
  // kernel that is launched rarely.
  for (auto at = log.find("bytes spill stores"); at != std::string::npos;
       at = log.find("bytes spill stores", at + 1)) {
    const auto begin = log.rfind(',', at) + 1;
    EXPECT_LE(std::stoi(log.substr(begin, at - begin)), 128) << source.file << "\n" << log;
  }
}

}  // namespace trl::runtime::testing
