// A test that needs a GPU of compute capability 9.0 or later, and is skipped without.
#pragma once

#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "ground/error.hpp"
#include "runtime/decode/kernels.hpp"
#include "runtime/model/accelerator.hpp"

namespace trl::runtime::testing {

class GpuTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::access("/dev/nvidiactl", F_OK) != 0) GTEST_SKIP() << "no GPU: there is no NVIDIA driver here";
    try {
      gpu_ = open_device("cuda");
    } catch (const UserError& error) {
      GTEST_SKIP() << "no GPU: " << error.what();
    }
    at::zeros({1}, gpu_);
    if (decode::Gpu::here().capability < 90) GTEST_SKIP() << "this GPU's compute capability is below 9.0";
  }

  c10::Device gpu_ = at::kCPU;
};

}  // namespace trl::runtime::testing
