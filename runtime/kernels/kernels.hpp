// Kernels compiled for a model's sizes and launched by the driver.
#pragma once

#include <compare>
#include <map>
#include <string>
#include <vector>

#include "base/gpu/driver.hpp"

namespace trl::runtime {

/// The values of a source file's macros, by the macros' names.
using Macros = std::map<std::string, std::string>;

/// The text of each file in the folders named device/ (CUDA sources), by file name.
const std::map<std::string, std::string>& device_texts();

/// The source of a kernel: a file in a folder named device/, and the values of its macros.
struct KernelSource {
  std::string file;
  Macros macros;
  auto operator<=>(const KernelSource&) const = default;
};

/// Compiles a source for an architecture such as "sm_90" and returns the machine code. `log` receives the
/// compiler's report on registers. Throws std::runtime_error with the compiler's messages.
std::string compile_device(const KernelSource& source, const std::string& architecture,
                           std::string* log = nullptr);

/// The properties of a GPU.
struct Gpu {
  int capability = 0;  // compute capability: 90 for 9.0
  int multiprocessors = 0;
  int shared_memory = 0;  // the most bytes of shared memory that a block may have

  /// The GPU of the current context. Throws gpu::CudaError.
  static Gpu here();
  /// The compiler's name for the GPU's architecture, such as "sm_90a".
  std::string architecture() const;
};

/// A kernel of a loaded module.
class Kernel {
 public:
  /// Finds the kernel `name` in `module`, which declares the kernel's shared memory in bytes and its threads
  /// per block. `threads`, if above 0, replaces the declared number of threads.
  Kernel(CUmodule module, const char* name, int threads = 0);

  struct Grid {
    int x = 1, y = 1, z = 1;
    int cluster = 1;     // blocks along x that form a cluster
    bool early = false;  // may start before the previous kernel has ended (common.cuh, programmatic launch)
  };

  /// Launches the kernel. `parameters` is its only parameter, a struct.
  template <typename T>
  void launch(CUstream stream, const Grid& grid, const T& parameters) const {
    launch_with(stream, grid, &parameters);
  }

  int threads() const { return threads_; }
  int shared_bytes() const { return shared_bytes_; }
  /// The number of blocks that a multiprocessor can run at the same time.
  int blocks_at_once() const;
  /// The number of clusters of `blocks` blocks that the GPU can run at the same time.
  int clusters_at_once(int blocks) const;

 private:
  void launch_with(CUstream stream, const Grid& grid, const void* parameters) const;

  CUfunction function_ = nullptr;
  int threads_ = 0, shared_bytes_ = 0;
};

/// The compiled modules of this process, by source. A worker that samples with the same model many times
/// compiles only once. Not to be used by two threads at once.
class Modules {
 public:
  static Modules& shared();

  /// Compiles the kernels that aren't compiled yet, on several threads, and loads them into the current
  /// context.
  void prepare(const std::vector<KernelSource>& sources);
  CUmodule module(const KernelSource& source);

 private:
  std::map<KernelSource, CUmodule> loaded_;
};

}  // namespace trl::runtime
