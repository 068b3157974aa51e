#pragma once
// What tests of a GPU share: a real one, and what stands for one.
#include <gtest/gtest.h>

#include <memory>

#include "ground/error.hpp"
#include "tests/verify/candidates.hpp"

namespace trl::runtime {

/// Tests on a real GPU, which the lane of `candidates` has then; skipped where there is none.
class OnGpu : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    try {
      gpu_ = std::make_shared<GpuLane>(find_installation());
      gpu_->ready();
    } catch (const UserError&) {
      gpu_.reset();
    }
  }
  static void TearDownTestSuite() { gpu_.reset(); }
  void SetUp() override {
    if (!gpu_) GTEST_SKIP() << "no GPU here";
    candidates::lane().set_gpu(gpu_);
  }

 private:
  static inline std::shared_ptr<GpuLane> gpu_;
};

#ifdef TRL_FAKE_GPU
/// Gives the lane of `candidates` the stand-ins for runner and baseline; a protocol that has them time.
inline Protocol with_stand_in() {
  Installation installation = find_installation();
  installation.runner = TRL_FAKE_GPU "/runner.py";
  installation.scripts = TRL_FAKE_GPU;
  candidates::lane().set_gpu(std::make_shared<GpuLane>(installation));
  Protocol protocol = candidates::training();
  protocol.timing = TimingProtocol{};
  return protocol;
}
#endif

}  // namespace trl::runtime
