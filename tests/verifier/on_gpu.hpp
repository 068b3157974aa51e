#pragma once
// Helpers for tests with a GPU, a real one or a stand-in.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "base/support/error.hpp"
#include "tests/verifier/candidates.hpp"

namespace trl::runtime {

/// Tests on a real GPU, which the worker slot of `candidates` uses; skipped where there is none.
class OnGpu : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    try {
      gpu_ = std::make_shared<ExclusiveGpu>(find_installation());
      gpu_->ready();
    } catch (const UserError& error) {
      gpu_.reset(), why_ = error.what();
    }
  }
  static void TearDownTestSuite() { gpu_.reset(); }
  void SetUp() override {
    if (!gpu_) GTEST_SKIP() << "no GPU: " << why_;
    candidates::verifier().set_gpu(gpu_);
  }

 private:
  static inline std::shared_ptr<ExclusiveGpu> gpu_;
  static inline std::string why_;
};

#ifdef TRL_FAKE_GPU
/// Gives the worker slot of `candidates` the stand-ins for runner and baseline. Returns a protocol that times
/// by them.
inline Protocol with_stand_in() {
  Installation installation = find_installation();
  installation.runner = TRL_FAKE_GPU "/runner.py";
  installation.scripts = TRL_FAKE_GPU;
  candidates::verifier().set_gpu(std::make_shared<ExclusiveGpu>(installation));
  Protocol protocol = candidates::training();
  protocol.timing = TimingProtocol{};
  return protocol;
}
#endif

}  // namespace trl::runtime
