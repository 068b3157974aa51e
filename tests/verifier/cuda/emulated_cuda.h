// Enough of CUDA to run generated kernels on a CPU, thread by thread. Blocks run one after another; a block's
// threads are fibers, each of which runs until it has to wait for the others.
#pragma once

#include <ucontext.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

struct dim3 {
  unsigned x = 1, y = 1, z = 1;
};

namespace c10 {
using Half = _Float16;
}

inline dim3 threadIdx, blockIdx, blockDim, gridDim;

#define __global__ static
#define __device__ static
#define __shared__ static

namespace emulated {

enum class Waits { not_at_all, for_warp, for_block, no_more };

struct Fiber {
  ucontext_t context;
  Waits waits;
  dim3 index;
  std::vector<char> stack = std::vector<char>(64 << 10);
};

inline std::vector<Fiber> fibers;
inline std::size_t running, threads;
inline ucontext_t scheduler;
inline const std::function<void()>* body;
inline float exchanged[1024];
/// The memory of `extern __shared__` variables.
inline std::vector<float> dynamic_shared;

inline void wait(Waits what) {
  Fiber& fiber = fibers[running];
  fiber.waits = what;
  swapcontext(&fiber.context, &scheduler);
}

inline void enter() {
  (*body)();
  wait(Waits::no_more);
}

/// Resumes threads that wait for each other, if all remaining ones of first … last wait for the same thing;
/// returns whether they do.
inline bool release(std::size_t first, std::size_t last, Waits what) {
  bool some = false;
  for (std::size_t i = first; i < last; ++i) {
    if (fibers[i].waits == Waits::no_more) continue;
    if (fibers[i].waits != what) return false;
    some = true;
  }
  for (std::size_t i = first; i < last && some; ++i)
    if (fibers[i].waits == what) fibers[i].waits = Waits::not_at_all;
  return some;
}

inline void run_block() {
  for (std::size_t i = 0; i < threads; ++i) {
    Fiber& fiber = fibers[i];
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.data();
    fiber.context.uc_stack.ss_size = fiber.stack.size();
    fiber.context.uc_link = nullptr;
    makecontext(&fiber.context, enter, 0);
    fiber.waits = Waits::not_at_all;
    const auto n = static_cast<unsigned>(i);
    fiber.index = {n % blockDim.x, n / blockDim.x % blockDim.y, n / (blockDim.x * blockDim.y)};
  }
  for (;;) {
    for (running = 0; running < threads; ++running)
      if (fibers[running].waits == Waits::not_at_all) {
        threadIdx = fibers[running].index;
        swapcontext(&scheduler, &fibers[running].context);
      }
    bool goes_on = false;
    for (std::size_t warp = 0; warp < threads; warp += 32)
      goes_on |= release(warp, std::min(warp + 32, threads), Waits::for_warp);
    if (goes_on || release(0, threads, Waits::for_block)) continue;
    for (std::size_t i = 0; i < threads; ++i)
      if (fibers[i].waits != Waits::no_more) std::abort();  // some threads wait for a barrier that others never reach
    return;
  }
}

inline void launch(dim3 grid, dim3 block, std::size_t shared_bytes, const std::function<void()>& kernel) {
  gridDim = grid, blockDim = block, body = &kernel;
  threads = std::size_t{block.x} * block.y * block.z;
  if (fibers.size() < threads) fibers.resize(threads);
  for (unsigned y = 0; y < grid.y; ++y)
    for (unsigned x = 0; x < grid.x; ++x) {
      blockIdx = {x, y, 0};
      dynamic_shared.assign(shared_bytes / sizeof(float) + 1, NAN);
      run_block();
    }
}

/// An address in a buffer that converts to any pointer type that a kernel takes.
struct Pointer {
  char* at;
  template <typename T>
  operator T*() const {
    return reinterpret_cast<T*>(at);
  }
};

}  // namespace emulated

inline void __syncthreads() { emulated::wait(emulated::Waits::for_block); }

inline float __shfl_xor_sync(unsigned, float value, int lanes) {
  const std::size_t own = emulated::running;
  emulated::exchanged[own] = value;
  emulated::wait(emulated::Waits::for_warp);
  const float other = emulated::exchanged[own ^ static_cast<std::size_t>(lanes)];
  emulated::wait(emulated::Waits::for_warp);
  return other;
}

inline float rsqrtf(float value) { return 1.0f / std::sqrt(value); }
