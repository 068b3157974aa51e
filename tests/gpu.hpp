// Tests that need a GPU, and are skipped without.
#pragma once

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "base/support/error.hpp"
#include "runtime/model/accelerator.hpp"

namespace trl::runtime::testing {

/// Sets libtorch up before the first test, as trl-worker does when it starts.
class GpuEnvironment : public ::testing::Environment {
 public:
  void SetUp() override {
    ::setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", 1);
    load_cuda_where_there_is_a_gpu();
    at::set_num_threads(1);
  }
};
inline const auto* const gpu_environment = ::testing::AddGlobalTestEnvironment(new GpuEnvironment);

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
