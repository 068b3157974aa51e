#pragma once
// Runs a launch plan on the GPU. The plan's buffers lie between guard zones, and its steps run on one stream.
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

/// Thrown for a candidate's forbidden action and for a launch that failed. `kind` is the reason in the
/// verdict.
struct Finding : std::runtime_error {
  Finding(std::string kind_text, const std::string& message, int at_line = 0)
      : std::runtime_error(message), kind(std::move(kind_text)), line(at_line) {}
  std::string kind;
  int line;
};

/// Thrown if the GPU has no memory left for a plan, because other programs have it.
struct NoMemory : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// GPU memory that is reused for the next candidate, so that candidates don't wait for allocations. The arena
/// isn't much larger than the requested size, since all of it is overwritten between runs.
class Arena {
 public:
  ~Arena();
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  /// Returns the address, divisible by 256, of `bytes` bytes. Memory from earlier calls must not be used
  /// afterwards. Throws NoMemory.
  CUdeviceptr take(std::size_t bytes);
  std::size_t size() const { return size_; }

 private:
  CUdeviceptr base_ = 0;
  std::size_t size_ = 0;
};

/// Pinned memory of the host that is reused, as GPU memory is by Arena. It never shrinks.
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

/// A kernel of a launch plan that is loaded on the GPU.
struct LoadedKernel {
  CUfunction function = nullptr;
  std::string name;
  unsigned threads = 0;       ///< threads per block; 0 for kernels in CUDA, whose launches specify the number
  unsigned shared = 0;        ///< bytes of dynamic shared memory
  unsigned most_threads = 0;  ///< maximum threads per block for which there are enough registers
  std::size_t stack = 0;      ///< bytes of stack per thread
};

/// A range of global variables of loaded kernels, at address `at`, with its contents at load time.
struct Globals {
  CUdeviceptr at = 0;
  std::vector<std::byte> initial;
};

/// The GPU as the runner uses it: the stream for all work, the runner's own kernels (framework.cu), and
/// memory that plans share.
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
  /// Returns the first `count` CUDA events of a list, which grows if necessary; all calls share these events.
  std::span<const CUevent> events(std::size_t count);
  const std::string& name() const { return name_; }
  /// The version of CUDA that the driver supports, in CUDA's encoding: 12040 for 12.4.
  int cuda_version() const { return cuda_version_; }
  std::size_t l2_bytes() const { return l2_bytes_; }
  std::int64_t memory_bytes() const { return memory_bytes_; }
  void wait() const { check(driver().cuStreamSynchronize(stream_), "waiting for the GPU"); }

 private:
  std::string name_;
  int cuda_version_ = 0;
  std::size_t l2_bytes_ = 0;
  std::int64_t memory_bytes_ = 0;
  CUstream stream_ = nullptr;
  CUfunction fill_ = nullptr, copy_ = nullptr, changed_ = nullptr, mask_ = nullptr, demote_ = nullptr,
             occupy_ = nullptr;
  CUfunction scrub_ = nullptr, scrub_small_stack_ = nullptr, scrub_large_stack_ = nullptr;
  unsigned multiprocessors_ = 0, shared_bytes_ = 0, resident_threads_ = 0;
  Arena arena_;
  HostArena host_arena_;
  std::vector<CUevent> events_;
};

/// Where another process finds a plan's memory.
struct SharedMemory {
  CUipcMemHandle handle{};
  std::size_t bytes = 0;             ///< size of the whole memory
  std::vector<std::size_t> inputs;   ///< the byte at which each input begins
  std::vector<std::size_t> outputs;  ///< the byte at which each output lies after `show_output`
};

class DevicePlan {
 public:
  /// Checks each launch against the parameters that its cubin declares. Throws Finding ("bad_plan"). If
  /// `inputs` is empty, another process writes the inputs to the plan's memory (`shared`), and only that
  /// process can tell whether a kernel has changed them.
  DevicePlan(Device& device, const runtime::Plan& plan, std::vector<LoadedKernel> kernels,
             std::span<const Globals> globals, std::vector<std::span<const std::byte>> inputs,
             std::size_t flush_bytes);

  /// Copies the inputs to the GPU, fills all other memory of the plan (guards, temporaries, outputs) with the
  /// byte `pattern`, resets global variables, and overwrites shared memory, registers and stacks.
  /// Asynchronous.
  void prepare(std::uint8_t pattern);
  /// Like `prepare`, but leaves the inputs as they are on the GPU. Asynchronous.
  void prepare_again(std::uint8_t pattern);
  SharedMemory shared() const;
  /// Copies the outputs, each contiguous, to the places that `shared` names, and waits for the GPU.
  void show_output();
  /// Overwrites the outputs' copy that show_output() made, so that no later run can read it there.
  /// Asynchronous.
  void hide_output();
  /// Replaces the bytes of an input from byte `begin` on by other bytes. Asynchronous.
  void overwrite(std::size_t input, std::size_t begin, std::span<const std::byte> bytes);
  /// Restores the original values of `bytes` bytes of an input from byte `begin` on. Asynchronous.
  void restore(std::size_t input, std::size_t begin, std::size_t bytes);
  /// Removes the plan's memory from the L2 cache. It resets the priority of the plan's cache lines to the
  /// ordinary one, then writes and reads other memory at least twice as large as the cache. Asynchronous.
  void flush();
  /// Runs the plan's steps in order. With `launches` false, the candidate's kernels are left out. With
  /// `wait`, the function waits after each launch, and throws Finding for a launch that fails.
  void run(bool launches, bool wait);
  /// Returns the elements of all outputs in order, each output at its offset in Plan::packed_offsets.
  std::vector<std::byte> output();
  /// Copies the output (output_bytes() bytes) to `host`, pinned memory. Asynchronous. The copy, and the
  /// packed output that stays on the GPU, are masked by the one-time pad of `key` (pad.hpp), so that no later
  /// run can copy the output. `sum`, also in pinned memory, receives a checksum of the output under
  /// `sum_key`: equal outputs have equal checksums.
  /// If `host` is null, the copy is left out.
  void output_to(std::byte* host, std::uint64_t key, std::uint64_t sum_key, std::uint64_t* sum);
  /// Removes the one-time pad of `key` from the packed output on the GPU, and waits for the GPU.
  void unmask_on_gpu(std::uint64_t key);
  /// Removes the one-time pad of `key` from a copy that output_to() made.
  static void unmask(std::span<std::byte> output, std::uint64_t key);
  std::size_t output_bytes() const;
  /// Waits for the GPU, then looks for a write to a guard zone or to an input. Returns a description of it;
  /// none when there was no such write. `pattern` is the byte with which the guards were filled.
  std::optional<std::string> damage(std::uint8_t pattern);
  /// Whether the write that damage() found was to an input.
  bool input_changed() const { return input_changed_; }

 private:
  struct Place {
    CUdeviceptr data = 0;
    std::size_t bytes = 0, padded = 0;
  };
  struct Launch {
    const runtime::LaunchStep* step = nullptr;
    std::vector<std::vector<std::byte>> values;  // the bytes of each parameter's value
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
  void mask(std::uint64_t key, std::uint64_t sum_key);
  void restore_globals();

  Device& device_;
  const runtime::Plan& plan_;
  std::vector<LoadedKernel> kernels_;
  std::span<const Globals> globals_;
  std::vector<std::span<const std::byte>> inputs_;
  std::vector<Place> places_;
  // The ranges (address, bytes) of the plan's memory without the inputs and the packed output.
  std::vector<std::pair<CUdeviceptr, std::size_t>> between_;
  std::vector<Launch> launches_;             // in the order of the plan's launch steps
  std::vector<std::size_t> packed_offsets_;  // the offset of each output in the packed output, and its size
  CUdeviceptr base_ = 0, packed_at_ = 0, staging_ = 0, found_ = 0, flush_at_ = 0;
  std::size_t flush_bytes_ = 0;
  std::size_t stack_ = 0;  // bytes of stack per thread of the CUDA kernel that needs most
  bool input_changed_ = false;
};

}  // namespace trl::runner
