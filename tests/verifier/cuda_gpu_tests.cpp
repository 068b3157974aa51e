// CUDA candidates on a real GPU. Without a GPU everything here is skipped; packaging/scripts/gpu runs it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/verifier/by_hand.hpp"
#include "tests/verifier/cuda_candidates.hpp"
#include "tests/verifier/on_gpu.hpp"

namespace trl::runtime {
namespace {

using candidates::recorded_cuda;

class CudaOnGpu : public OnGpu {
 protected:
  static Verdict judge(const nlohmann::json& recorded) {
    Protocol protocol = candidates::training();
    protocol.timing = TimingProtocol{};
    return candidates::examine_recorded(candidates::relu(), recorded, protocol, "a secret").verdict;
  }

  /// Judges a kernel f with this body, preceded by this text; i is the thread's element, right its expected
  /// value.
  static Verdict judge(const std::string& before, const std::string& body, int shared = 0) {
    return judge(recorded_cuda(before + R"(
extern "C" __global__ void f(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float right = i < n ? fmaxf(x[i], 0.f) : 0.f;
)" + body + "\n}\n",
                               "f", shared));
  }
};

TEST_F(CudaOnGpu, AnHonestKernelIsTimed) {
  const Verdict verdict = judge(recorded_cuda());
  EXPECT_TRUE(verdict.correct) << verdict.reason << ": " << verdict.message;
  EXPECT_GT(*verdict.time_us, 0);
  EXPECT_GT(*verdict.reference_us, 0);
}

TEST_F(CudaOnGpu, DynamicSharedMemoryIsTheLaunchs) {
  const Verdict verdict = judge("", R"(  extern __shared__ float part[];
  part[threadIdx.x] = right;
  __syncthreads();
  if (i < n) y[i] = part[threadIdx.x];)",
                                100 << 10);
  EXPECT_TRUE(verdict.correct) << verdict.reason << ": " << verdict.message;
}

TEST_F(CudaOnGpu, WrongValuesAreFound) {
  EXPECT_EQ(judge("", "  if (i < n) y[i] = right + (i == 77);").reason, "wrong_values");
  EXPECT_FALSE(judge("", "  if (i < n - 1) y[i] = right;").correct) << "never written";
  EXPECT_FALSE(judge("", "  if (i < n) y[i] = y[i] > -1e30f ? y[i] : right;").correct)
      << "what was there before";
}

TEST_F(CudaOnGpu, IllegalAccessesCostOneCandidate) {
  EXPECT_EQ(judge("", "  y[i + (1ll << 40)] = right;").reason, "illegal_access");
  EXPECT_TRUE(judge(recorded_cuda()).correct);
}

TEST_F(CudaOnGpu, NothingIsKeptFromRunToRun) {
  // Each kernel gives zeros where it finds what an earlier run left, so it is right only if it never does.
  const Verdict between =
      judge("__device__ int done[64];", R"(  bool again = *(volatile int*)&done[blockIdx.x] == 1;
  __syncthreads();
  if (i < n) y[i] = again ? 0.f : right;
  if (threadIdx.x == 0) done[blockIdx.x] = 1;)");
  EXPECT_TRUE(between.correct) << between.reason << ": " << between.message;
  const Verdict shared = judge("", R"(  extern __shared__ volatile int left[];
  bool again = left[threadIdx.x] == 0x1234567;
  __syncthreads();
  if (i < n) y[i] = again ? 0.f : right;
  left[threadIdx.x] = 0x1234567;)",
                               200 << 10);
  // Blocks of the same run may find what earlier blocks left on their multiprocessor, unless there are at
  // least as many multiprocessors as blocks.
  EXPECT_TRUE(shared.correct) << shared.reason << ": " << shared.message;
  for (const char* words : {"64", "2048"}) {
    const Verdict stack = judge("", fmt::format(R"(  volatile int left[{}];
  bool again = left[threadIdx.x % 64] == 0x1234567;
  if (i < n) y[i] = again ? 0.f : right;
  left[threadIdx.x % 64] = 0x1234567;)",
                                                words));
    EXPECT_TRUE(stack.correct) << words << " words of stack, " << stack.reason << ": " << stack.message;
  }
}

TEST_F(CudaOnGpu, AnOutputThatIsKeptOutsideOfAllBuffersIsFound) {
  // Memory behind the module's variables, which wasn't given to the kernel and which nobody clears.
  const Verdict verdict = judge("__device__ int anchor[4];",
                                R"(  volatile unsigned* room = (volatile unsigned*)anchor + (1 << 14);
  if (i < n) {
    if (room[2 * i + 1] == 0xCAFE0000u + i) {
      y[i] = __uint_as_float(room[2 * i]);
    } else {
      y[i] = right;
      room[2 * i] = __float_as_uint(right);
      room[2 * i + 1] = 0xCAFE0000u + i;
    }
  })");
  EXPECT_EQ(verdict.reason, "kept_output") << verdict.message;
}

TEST_F(CudaOnGpu, AStackThatCannotBeClearedIsRefused) {
  const Verdict verdict = judge("", R"(  volatile int large[8192];
  large[threadIdx.x] = i;
  if (i < n) y[i] = large[threadIdx.x] == i ? right : 0.f;)");
  EXPECT_EQ(verdict.reason, "unsupported") << verdict.message;
}

TEST_F(CudaOnGpu, KernelsOfOneTextShareItsVariables) {
  nlohmann::json recorded = recorded_cuda(R"(
__device__ float factor;
extern "C" __global__ void f(const float* x, float* y, int n) {
  if (blockIdx.x == 0 && threadIdx.x == 0) factor = 1.f;
}
extern "C" __global__ void g(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = fmaxf(x[i], 0.f) * factor;
}
)",
                                          "f");
  recorded["kernels"].push_back(recorded["kernels"][0]);
  recorded["kernels"][1]["name"] = recorded["kernels"][1]["expression"] = "g";
  auto& steps = recorded["plans"][0]["steps"];
  steps.push_back(steps[0]);
  steps[1]["launch"]["kernel"] = 1;
  const Verdict verdict = judge(recorded);
  EXPECT_TRUE(verdict.correct) << verdict.reason << ": " << verdict.message;
}

TEST_F(CudaOnGpu, LargeVariablesAreRestoredEachForItself) {
  const Verdict verdict =
      judge("__device__ float kept[1 << 18]; __device__ unsigned turns[1 << 18];", R"(  if (i < n) {
    if (turns[i]++ == 0) kept[i] = right;
    y[i] = turns[i] == 1 && kept[i] == right ? right : -1.f;
  })");
  EXPECT_TRUE(verdict.correct) << verdict.reason << ": " << verdict.message;
}

}  // namespace
}  // namespace trl::runtime
