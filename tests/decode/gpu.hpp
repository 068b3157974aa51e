// The base of tests that need a GPU of compute capability 9.0 or later; without one they are skipped.
#pragma once

#include "runtime/kernels/kernels.hpp"
#include "tests/gpu.hpp"

namespace trl::runtime::testing {

class DecodingGpuTest : public GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (IsSkipped()) return;
    at::zeros({1}, gpu_);
    if (Gpu::here().capability < 90) GTEST_SKIP() << "this GPU's compute capability is below 9.0";
  }
};

}  // namespace trl::runtime::testing
