// Kernels compiled for a model's sizes and launched by the driver.
#pragma once

#include <compare>
#include <map>
#include <string>
#include <vector>

#include "base/gpu/driver.hpp"

namespace trl::runtime {

/// Values of a file's macros.
using Macros = std::map<std::string, std::string>;

/// The files of all folders named device/, by name.
const std::map<std::string, std::string>& device_texts();

/// The source of a kernel: a file of a device/ and its macros.
struct KernelSource {
  std::string file;
  Macros macros;
  auto operator<=>(const KernelSource&) const = default;
};

/// Compiles for an architecture such as "sm_90". `log` gets the compiler's report on registers. Throws
/// std::runtime_error with its messages.
std::string compile_device(const KernelSource& source, const std::string& architecture,
                           std::string* log = nullptr);

/// The properties of a GPU.
struct Gpu {
  int capability = 0;  // 90 for 9.0
  int multiprocessors = 0;
  int shared_memory = 0;  // the most bytes that a block may have

  /// The GPU of the current context. Throws gpu::CudaError.
  static Gpu here();
  /// The compiler's name for it.
  std::string architecture() const;
};

/// A kernel of a loaded module.
class Kernel {
 public:
  /// The kernel of `module`, with the `threads` and `shared_bytes` that it declares; threads a block may be
  /// given where it declares none.
  Kernel(CUmodule module, const char* name, int threads = 0);

  struct Grid {
    int x = 1, y = 1, z = 1;
    int cluster = 1;     // blocks along x that form a cluster
    bool early = false;  // may start before the previous kernel has ended (common.cuh, programmatic launch)
  };

  /// `parameters` is the kernel's one parameter, a struct.
  template <typename T>
  void launch(CUstream stream, const Grid& grid, const T& parameters) const {
    launch_with(stream, grid, &parameters);
  }

  int threads() const { return threads_; }
  int shared_bytes() const { return shared_bytes_; }
  /// How many blocks a multiprocessor takes at once.
  int blocks_at_once() const;
  /// How many clusters of so many blocks the GPU takes at once.
  int clusters_at_once(int blocks) const;

 private:
  void launch_with(CUstream stream, const Grid& grid, const void* parameters) const;

  CUfunction function_ = nullptr;
  int threads_ = 0, shared_bytes_ = 0;
};

/// Compiled modules of this process, by source: a worker that samples with one model many times compiles
/// once. Not to be used by two threads at once.
class Modules {
 public:
  static Modules& shared();

  /// Compiles the missing kernels, on several threads, and loads them into the current context.
  void prepare(const std::vector<KernelSource>& sources);
  CUmodule module(const KernelSource& source);

 private:
  std::map<KernelSource, CUmodule> loaded_;
};

}  // namespace trl::runtime
