// Tests that need a GPU, and are skipped without.
#pragma once

#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "ground/error.hpp"
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
  }

  c10::Device gpu_ = at::kCPU;
};

}  // namespace trl::runtime::testing
