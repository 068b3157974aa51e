#pragma once
// A launch plan on the GPU: its buffers lie between guard zones, and its steps run on one stream.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/gpu/driver.hpp"
#include "verifier/plan/plan.hpp"

namespace trl::runner {

using gpu::check;
using gpu::CudaError;
using gpu::driver;
using gpu::Driver;

/// A candidate's forbidden action, or a launch that failed; `kind` is a verdict's reason.
struct Finding : std::runtime_error {
  Finding(std::string kind_text, const std::string& message, int at_line = 0)
      : std::runtime_error(message), kind(std::move(kind_text)), line(at_line) {}
  std::string kind;
  int line;
};

/// Memory of the GPU that is reused, so that no candidate waits for an allocation. Its size stays close to
/// the requested size, since all of it is overwritten between runs.
class Arena {
 public:
  ~Arena();
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  /// `bytes` bytes at an address divisible by 256; earlier contents are lost.
  CUdeviceptr take(std::size_t bytes);
  std::size_t size() const { return size_; }

 private:
  CUdeviceptr base_ = 0;
  std::size_t size_ = 0;
};

/// Pinned memory of the host, otherwise like Arena.
class HostArena {
 public:
  ~HostArena();
  HostArena() = default;
  HostArena(const HostArena&) = delete;
  HostArena& operator=(const HostArena&) = delete;
  std::byte* take(std::size_t bytes);

 private:
  void* base_ = nullptr;
  std::size_t size_ = 0;
};

/// A kernel of a plan, loaded.
struct LoadedKernel {
  CUfunction function = nullptr;
  std::string name;
  unsigned threads = 0;       ///< per block; 0: each launch specifies them (CUDA)
  unsigned shared = 0;        ///< bytes, dynamic
  unsigned most_threads = 0;  ///< the largest block for which there are enough registers
  std::size_t stack = 0;      ///< bytes per thread
};

/// Global variables of loaded kernels, and their contents at load time.
struct Globals {
  CUdeviceptr at = 0;
  std::vector<std::byte> initial;
};

/// The module of fill, copy and guard kernels (framework.cu), and the stream for all work.
class Device {
 public:
  Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  CUstream stream() const { return stream_; }
  CUfunction fill() const { return fill_; }
  CUfunction copy() const { return copy_; }
  CUfunction changed() const { return changed_; }
  CUfunction mask() const { return mask_; }
  CUfunction demote() const { return demote_; }
  CUfunction occupy() const { return occupy_; }
  /// Overwrites the shared memory and the registers of all multiprocessors, and `stack` bytes (at most
  /// `largest_stack`) of the stack of every thread that can run at once. Asynchronous.
  void scrub(std::size_t stack) const;
  static constexpr std::size_t small_stack = 1 << 10, largest_stack = 1 << 14;
  Arena& arena() { return arena_; }
  HostArena& host_arena() { return host_arena_; }
  /// `count` events, the same ones at each call.
  std::span<const CUevent> events(std::size_t count);
  const std::string& name() const { return name_; }
  /// The version of CUDA that the driver has, as CUDA counts it.
  int cuda_version() const { return cuda_version_; }
  std::size_t l2_bytes() const { return l2_bytes_; }
  void wait() const { check(driver().cuStreamSynchronize(stream_), "waiting for the GPU"); }

 private:
  std::string name_;
  int cuda_version_ = 0;
  std::size_t l2_bytes_ = 0;
  CUstream stream_ = nullptr;
  CUfunction fill_ = nullptr, copy_ = nullptr, changed_ = nullptr, mask_ = nullptr, demote_ = nullptr,
             occupy_ = nullptr;
  CUfunction scrub_ = nullptr, scrub_small_stack_ = nullptr, scrub_large_stack_ = nullptr;
  unsigned multiprocessors_ = 0, shared_bytes_ = 0, resident_threads_ = 0;
  Arena arena_;
  HostArena host_arena_;
  std::vector<CUevent> events_;
};

class DevicePlan {
 public:
  /// Checks each launch against the parameters that its cubin declares. Throws Finding ("bad_plan").
  DevicePlan(Device& device, const runtime::Plan& plan, std::vector<LoadedKernel> kernels,
             std::span<const Globals> globals, std::vector<std::span<const std::byte>> inputs,
             std::size_t flush_bytes);

  /// Gives inputs their values and fills everything else (guards, temporaries, the output) with the pattern;
  /// overwrites shared memory, registers and stacks. Asynchronous.
  void prepare(std::uint8_t pattern);
  /// The same without the inputs, as before each timed run. Asynchronous.
  void prepare_again(std::uint8_t pattern);
  /// Replaces a part of an input by other values, or restores it. Asynchronous.
  void overwrite(std::size_t input, std::size_t begin, std::span<const std::byte> bytes);
  void restore(std::size_t input, std::size_t begin, std::size_t bytes);
  /// Removes the plan's memory from the L2 cache: its lines get their ordinary priority, and memory behind
  /// the plan's, at least twice as large as the cache, is written and read. Asynchronous.
  void flush();
  /// Runs the steps in order. With `launches` false the candidate's kernels are left out. With `wait` it
  /// waits after each launch, so that an error can be assigned to it, and throws Finding for a launch that
  /// fails.
  void run(bool launches, bool wait);
  /// The elements of all outputs in order, packed as Plan::packed_offsets says.
  std::vector<std::byte> output();
  /// Copies the output, without waiting, to pinned memory of output_bytes(). There and on the GPU it is
  /// masked by a one-time pad of the key, so that no later run can copy it. `sum`, pinned too, gets a
  /// checksum under the other key: equal outputs have equal checksums.
  void output_to(std::byte* host, std::uint64_t key, std::uint64_t sum_key, std::uint64_t* sum);
  /// Removes the pad.
  static void unmask(std::span<std::byte> output, std::uint64_t key);
  std::size_t output_bytes() const;
  /// Describes a write to a guard zone or to an input, if there was one. Waits for the GPU.
  std::optional<std::string> damage(std::uint8_t pattern);
  /// Whether the damage that was found is to an input.
  bool input_changed() const { return input_changed_; }

 private:
  struct Place {
    CUdeviceptr data = 0;
    std::size_t bytes = 0, padded = 0;
  };
  struct Launch {
    const runtime::LaunchStep* step = nullptr;
    std::vector<std::vector<std::byte>> values;  // one per parameter
    std::vector<void*> pointers;
  };

  void bind(Launch& launch);
  std::vector<std::byte> bytes_of_struct(const runtime::StructArgument& argument) const;
  void check_block(const Launch& launch);
  void carry_out(const runtime::FillStep& fill);
  void carry_out(const runtime::CopyStep& copy);
  void carry_out(const runtime::AddressStep& address);
  CUdeviceptr address_of(const runtime::BufferArgument& place) const;
  void copy_view(const runtime::BufferView& to, CUdeviceptr to_base, const runtime::BufferView& from,
                 CUdeviceptr from_base);
  void start(Launch& launch, bool wait);
  void pack_output();
  void restore_globals();

  Device& device_;
  const runtime::Plan& plan_;
  std::vector<LoadedKernel> kernels_;
  std::span<const Globals> globals_;
  std::vector<std::span<const std::byte>> inputs_;
  std::vector<Place> places_;
  std::vector<std::pair<CUdeviceptr, std::size_t>> between_;  // all of the plan's memory except inputs
  std::vector<Launch> launches_;                              // in the order of the plan's launch steps
  std::vector<std::size_t> packed_offsets_;                   // of the outputs in one block, and its size
  CUdeviceptr base_ = 0, packed_at_ = 0, staging_ = 0, found_ = 0, flush_at_ = 0;
  std::size_t flush_bytes_ = 0;
  std::size_t stack_ = 0;  // the largest of any CUDA kernel, per thread
  bool input_changed_ = false;
};

}  // namespace trl::runner
