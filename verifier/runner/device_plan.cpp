#include "verifier/runner/device_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "verifier/runner/pad.hpp"

namespace trl::runner {
namespace {

using namespace trl::runtime;

constexpr std::size_t guard_bytes = 64 << 10, alignment = 256;
constexpr int max_rank = 8;

// Must match framework.cu.
struct DeviceView {
  CUdeviceptr base;
  long long strides[max_rank];
  int type;
};
struct DeviceShape {
  long long extents[max_rank];
  long long count;
  int rank;
};

std::size_t aligned(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

DeviceView device_view(const BufferView& view, CUdeviceptr base) {
  DeviceView out{base + static_cast<CUdeviceptr>(view.offset), {}, static_cast<int>(view.type)};
  std::copy(view.strides.begin(), view.strides.end(), out.strides);
  return out;
}

DeviceShape device_shape(const BufferView& view) {
  DeviceShape out{{}, view.elements(), static_cast<int>(view.shape.size())};
  std::copy(view.shape.begin(), view.shape.end(), out.extents);
  return out;
}

bool is_contiguous(const BufferView& view) {
  std::int64_t next = 1;
  for (std::size_t d = view.shape.size(); d-- > 0;) {
    if (view.shape[d] != 1 && view.strides[d] != next) return false;
    next *= view.shape[d];
  }
  return true;
}

/// A view of the same elements in order, contiguous from the beginning of a buffer.
BufferView contiguous(BufferView view) {
  view.offset = 0;
  std::int64_t next = 1;
  for (std::size_t d = view.shape.size(); d-- > 0;) {
    view.strides[d] = next;
    next *= view.shape[d];
  }
  return view;
}

template <typename... Arguments>
void start_framework(const Device& device, CUfunction function, std::int64_t count, Arguments... arguments) {
  constexpr unsigned threads = 256;
  CUlaunchConfig config{};
  config.gridDimX =
      static_cast<unsigned>(std::clamp<std::int64_t>((count + threads - 1) / threads, 1, 65536));
  config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = threads;
  config.blockDimY = config.blockDimZ = 1;
  config.hStream = device.stream();
  void* pointers[] = {&arguments...};
  check(driver().cuLaunchKernelEx(&config, function, pointers, nullptr), "a copy or fill between launches");
}

template <typename T>
std::vector<std::byte> bytes_of_value(T value) {
  std::vector<std::byte> out(sizeof value);
  std::memcpy(out.data(), &value, sizeof value);
  return out;
}

bool is_f8(ElementType type) { return type == ElementType::f8e4m3 || type == ElementType::f8e5m2; }

void refuse_f8(int line) {
  throw Finding("unsupported", "the wrapper converts or fills 8-bit floating-point tensors", line);
}

// Returns the reason that a verdict gives for a driver's error.
std::string kind_of(CUresult code) {
  switch (code) {
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
      return "illegal_access";
    case CUDA_ERROR_MISALIGNED_ADDRESS:
      return "misaligned";
    case CUDA_ERROR_ASSERT:
      return "device_assert";
    case CUDA_ERROR_OUT_OF_MEMORY:
      return "memory";
    default:
      return "gpu_error";
  }
}

extern "C" const char trl_framework_ptx[];
asm(".section .rodata\n.global trl_framework_ptx\ntrl_framework_ptx:\n.incbin \"" TRL_FRAMEWORK_PTX
    "\"\n.byte 0\n.previous\n");

}  // namespace

Arena::~Arena() {
  if (base_ != 0) driver().cuMemFree(base_);
}

CUdeviceptr Arena::take(std::size_t bytes) {
  constexpr std::size_t page = 2 << 20, slack = 64 << 20;
  if (bytes > size_ || size_ > bytes + 2 * slack) {
    if (base_ != 0) check(driver().cuMemFree(base_), "memory");
    base_ = size_ = 0;
    const std::size_t wanted = (bytes + (bytes >= slack ? slack / 4 : 0) + page - 1) / page * page;
    const CUresult result = driver().cuMemAlloc(&base_, wanted);
    if (result != CUDA_SUCCESS) base_ = 0;
    if (result == CUDA_ERROR_OUT_OF_MEMORY) {
      std::size_t free = 0, total = 0;
      check(driver().cuMemGetInfo(&free, &total), "the GPU's memory");
      throw NoMemory(fmt::format("{} MiB of its {} MiB are left, where {} are needed", free >> 20,
                                 total >> 20, wanted >> 20));
    }
    check(result, "memory for a plan");
    size_ = wanted;
  }
  return base_;
}

HostArena::~HostArena() {
  if (base_ != nullptr) driver().cuMemFreeHost(base_);
}

std::byte* HostArena::take(std::size_t bytes) {
  if (bytes > size_) {
    if (base_ != nullptr) check(driver().cuMemFreeHost(base_), "pinned memory");
    base_ = nullptr, size_ = 0;
    const std::size_t wanted = std::max(bytes, std::size_t{16} << 20);
    const CUresult result = driver().cuMemAllocHost(&base_, wanted);
    if (result != CUDA_SUCCESS) base_ = nullptr;
    check(result, "pinned memory");
    size_ = wanted;
  }
  return static_cast<std::byte*>(base_);
}

std::span<const CUevent> Device::events(std::size_t count) {
  while (events_.size() < count) {
    CUevent event = nullptr;
    check(driver().cuEventCreate(&event, CU_EVENT_DEFAULT), "an event");
    events_.push_back(event);
  }
  return std::span(events_).first(count);
}

Device::Device() {
  const Driver& cuda = driver();
  check(cuda.cuInit(0), "starting the CUDA driver");
  CUdevice device = 0;
  check(cuda.cuDeviceGet(&device, 0), "the first GPU");
  char name[256] = {};
  check(cuda.cuDeviceGetName(name, sizeof name, device), "the GPU's name");
  name_ = name;
  check(cuda.cuDriverGetVersion(&cuda_version_), "the driver's version");
  int l2 = 0;
  check(cuda.cuDeviceGetAttribute(&l2, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, device), "the L2 cache's size");
  l2_bytes_ = static_cast<std::size_t>(l2);
  CUcontext context = nullptr;
  check(cuda.cuDevicePrimaryCtxRetain(&context, device), "a context on the GPU");
  check(cuda.cuCtxSetCurrent(context), "a context on the GPU");
  check(cuda.cuStreamCreate(&stream_, CU_STREAM_NON_BLOCKING), "a stream");
  std::size_t free = 0, total = 0;
  check(cuda.cuMemGetInfo(&free, &total), "the GPU's memory");
  memory_bytes_ = static_cast<std::int64_t>(total);
  CUmodule module = nullptr;
  check(cuda.cuModuleLoadData(&module, trl_framework_ptx), "the copy and fill kernels");
  check(cuda.cuModuleGetFunction(&fill_, module, "trl_fill"), "trl_fill");
  check(cuda.cuModuleGetFunction(&copy_, module, "trl_copy"), "trl_copy");
  check(cuda.cuModuleGetFunction(&changed_, module, "trl_changed"), "trl_changed");
  check(cuda.cuModuleGetFunction(&mask_, module, "trl_mask"), "trl_mask");
  check(cuda.cuModuleGetFunction(&demote_, module, "trl_demote"), "trl_demote");
  check(cuda.cuModuleGetFunction(&occupy_, module, "trl_occupy"), "trl_occupy");
  check(cuda.cuModuleGetFunction(&scrub_, module, "trl_scrub"), "trl_scrub");
  check(cuda.cuModuleGetFunction(&scrub_small_stack_, module, "trl_scrub_small_stack"),
        "trl_scrub_small_stack");
  check(cuda.cuModuleGetFunction(&scrub_large_stack_, module, "trl_scrub_large_stack"),
        "trl_scrub_large_stack");
  int count = 0, bytes = 0, resident = 0;
  check(cuda.cuDeviceGetAttribute(&count, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device),
        "the number of multiprocessors");
  check(cuda.cuDeviceGetAttribute(&bytes, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, device),
        "the shared memory of a block");
  check(cuda.cuFuncSetAttribute(scrub_, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes), "trl_scrub");
  check(cuda.cuDeviceGetAttribute(&resident, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, device),
        "the threads of a multiprocessor");
  resident_threads_ = static_cast<unsigned>(resident);
  multiprocessors_ = static_cast<unsigned>(count);
  shared_bytes_ = static_cast<unsigned>(bytes);
}

void Device::scrub(std::size_t stack) const {
  CUlaunchConfig config{};
  config.gridDimX = multiprocessors_;
  config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = 1024;
  config.blockDimY = config.blockDimZ = 1;
  config.sharedMemBytes = shared_bytes_;
  config.hStream = stream_;
  int words = static_cast<int>(shared_bytes_ / sizeof(int));
  void* pointers[] = {&words};
  check(driver().cuLaunchKernelEx(&config, scrub_, pointers, nullptr), "clearing shared memory");
  if (stack == 0) return;
  config.blockDimX = 512;
  config.gridDimX = multiprocessors_ * (resident_threads_ / config.blockDimX);
  config.sharedMemBytes = 0;
  int word = 0x7B7B7B7B, at = 0;
  CUdeviceptr nowhere = 0;
  void* values[] = {&word, &at, &nowhere};
  check(driver().cuLaunchKernelEx(&config, stack <= small_stack ? scrub_small_stack_ : scrub_large_stack_,
                                  values, nullptr),
        "clearing the stacks");
}

DevicePlan::DevicePlan(Device& device, const Plan& plan, std::vector<LoadedKernel> kernels,
                       std::span<const Globals> globals, std::vector<std::span<const std::byte>> inputs,
                       std::size_t flush_bytes)
    : device_(device),
      plan_(plan),
      kernels_(std::move(kernels)),
      globals_(globals),
      inputs_(std::move(inputs)),
      flush_bytes_(flush_bytes) {
  packed_offsets_ = plan.packed_offsets();
  std::size_t staged = 0;
  for (const Step& step : plan.steps)
    if (const auto* copy = std::get_if<CopyStep>(&step);
        copy != nullptr && copy->to.buffer == copy->from.buffer)
      staged = std::max(staged, static_cast<std::size_t>(copy->to.elements() * bytes_of(copy->to.type)));

  std::size_t total = 0;
  for (const PlanBuffer& buffer : plan.buffers) {
    Place place{total + guard_bytes, static_cast<std::size_t>(buffer.bytes),
                aligned(static_cast<std::size_t>(buffer.bytes))};
    total = static_cast<std::size_t>(place.data) + place.padded + guard_bytes;
    places_.push_back(place);
  }
  // The runner's own memory lies behind the last guard.
  const std::size_t found = total, packed = found + aligned(2 * sizeof(std::uint64_t[2]) * places_.size()),
                    staging = packed + aligned(output_bytes()), flush = staging + aligned(staged);
  const CUdeviceptr base = base_ = device.arena().take(flush + flush_bytes);
  for (Place& place : places_) place.data += base;
  found_ = base + found, packed_at_ = base + packed, staging_ = base + staging, flush_at_ = base + flush;
  flush_bytes_ = flush_bytes > 0 ? device.arena().size() - flush : 0;
  CUdeviceptr begin = base;
  for (std::size_t i = 0; i < places_.size(); ++i)
    if (plan.buffers[i].input >= 0) {
      between_.emplace_back(begin, places_[i].data - begin);
      begin = places_[i].data + places_[i].bytes;
    }
  // The memory behind the last input is the packed output, which is masked by its pad except at its end.
  between_.emplace_back(begin, packed_at_ - begin);
  between_.emplace_back(packed_at_ + output_bytes(), flush_at_ - packed_at_ - output_bytes());

  for (const Step& step : plan.steps)
    if (const auto* launch = std::get_if<LaunchStep>(&step)) {
      launches_.push_back({launch, {}, {}});
      bind(launches_.back());
    }
  for (Launch& launch : launches_)
    for (auto& value : launch.values) launch.pointers.push_back(value.data());
}

CUdeviceptr DevicePlan::address_of(const BufferArgument& place) const {
  return places_[static_cast<std::size_t>(place.buffer)].data + static_cast<CUdeviceptr>(place.offset);
}

// A struct's bytes, with its pointers replaced by addresses on this GPU.
std::vector<std::byte> DevicePlan::bytes_of_struct(const StructArgument& argument) const {
  std::vector<std::byte> value(argument.bytes.size());
  std::memcpy(value.data(), argument.bytes.data(), value.size());
  for (const auto& [at, to] : argument.addresses) {
    const std::vector<std::byte> address = bytes_of_value(address_of(to));
    std::copy(address.begin(), address.end(), value.begin() + static_cast<std::ptrdiff_t>(at));
  }
  return value;
}

// Lays out the values of a kernel's parameters in the sizes that its cubin declares. Triton adds two pointers
// to scratch memory, which no kernel here uses.
void DevicePlan::bind(Launch& launch) {
  const LoadedKernel& kernel = kernels_[static_cast<std::size_t>(launch.step->kernel)];
  const auto bad = [&](const std::string& what) {
    throw Finding("bad_plan", "`" + kernel.name + "` " + what, launch.step->line);
  };
  std::vector<std::size_t> sizes;
  for (std::size_t i = 0, offset = 0, size = 0;
       driver().cuFuncGetParamInfo(kernel.function, i, &offset, &size) == CUDA_SUCCESS; ++i)
    sizes.push_back(size);
  const std::size_t given = launch.step->args.size(), added = kernel.threads > 0 ? 2 : 0;
  if (kernel.threads == 0) check_block(launch);
  if (sizes.size() < given || sizes.size() > given + added)
    bad(fmt::format("takes {} parameters, its launch has {}", sizes.size(), given));
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (i >= given) {
      if (sizes[i] != sizeof(CUdeviceptr)) bad("has a last parameter that is no pointer");
      launch.values.push_back(bytes_of_value(CUdeviceptr{0}));
      continue;
    }
    std::vector<std::byte> value = std::visit(
        [&](const auto& argument) {
          using T = std::decay_t<decltype(argument)>;
          if constexpr (std::is_same_v<T, BufferArgument>)
            return bytes_of_value(address_of(argument));
          else if constexpr (std::is_same_v<T, bool>)
            return bytes_of_value(static_cast<std::int64_t>(argument));
          else if constexpr (std::is_integral_v<T>)
            return bytes_of_value(static_cast<std::int64_t>(argument));
          else if constexpr (std::is_same_v<T, HalfArgument>)
            return bytes_of_value(argument.bits);
          else if constexpr (std::is_same_v<T, StructArgument>)
            return bytes_of_struct(argument);
          else
            return bytes_of_value(argument);
        },
        launch.step->args[i]);
    const PlanArgument& one = launch.step->args[i];
    const bool integer = std::holds_alternative<bool>(one) || std::holds_alternative<std::int32_t>(one) ||
                         std::holds_alternative<std::int64_t>(one);
    // Integers are copied in the parameter's size: little endian, two's complement.
    if (sizes[i] > value.size() || (!integer && sizes[i] != value.size()))
      bad(fmt::format("takes {} bytes as parameter {}, its launch has {}", sizes[i], i + 1, value.size()));
    if (integer) value.resize(sizes[i]);
    launch.values.push_back(std::move(value));
  }
}

// Checks that a CUDA launch's block, stack and shared memory are possible for its kernel.
void DevicePlan::check_block(const Launch& launch) {
  const LoadedKernel& kernel = kernels_[static_cast<std::size_t>(launch.step->kernel)];
  stack_ = std::max(stack_, kernel.stack);
  if (stack_ > Device::largest_stack)
    throw Finding("unsupported",
                  fmt::format("`{}` takes {} bytes of stack a thread; {} are cleared between runs, not more",
                              kernel.name, kernel.stack, Device::largest_stack),
                  launch.step->line);
  const auto& block = launch.step->block;
  const unsigned threads = block[0] * block[1] * block[2];
  if (threads == 0) throw Finding("bad_plan", "`" + kernel.name + "` is launched without a block");
  if (threads > kernel.most_threads)
    throw Finding("gpu_error",
                  fmt::format("`{}` has registers for {} threads a block, its launch has {}", kernel.name,
                              kernel.most_threads, threads),
                  launch.step->line);
  // Launches of one kernel come in any order, so its limit of shared memory is only ever raised.
  int limit = 0;
  check(driver().cuFuncGetAttribute(&limit, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, kernel.function),
        "a kernel's limits");
  if (launch.step->shared > static_cast<unsigned>(limit) &&
      driver().cuFuncSetAttribute(kernel.function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                  static_cast<int>(launch.step->shared)) != CUDA_SUCCESS)
    throw Finding(
        "gpu_error",
        fmt::format("`{}` needs {} bytes of dynamic shared memory, more than this GPU has beside its own",
                    kernel.name, launch.step->shared),
        launch.step->line);
}

void DevicePlan::prepare(std::uint8_t pattern) {
  const Driver& cuda = driver();
  if (inputs_.empty()) return prepare_again(pattern);
  check(cuda.cuMemsetD8Async(base_, pattern, flush_at_ - base_, device_.stream()), "poisoning");
  restore_globals();
  for (std::size_t i = 0; i < places_.size(); ++i)
    if (const int input = plan_.buffers[i].input; input >= 0) {
      const auto& bytes = inputs_[static_cast<std::size_t>(input)];
      if (!bytes.empty())
        check(cuda.cuMemcpyHtoDAsync(places_[i].data, bytes.data(), bytes.size(), device_.stream()),
              "inputs");
    }
  device_.scrub(stack_);
}

SharedMemory DevicePlan::shared() const {
  SharedMemory out;
  check(driver().cuIpcGetMemHandle(&out.handle, base_), "a handle of the plan's memory");
  out.bytes = device_.arena().size();
  for (std::size_t i = 0; i < places_.size(); ++i)
    if (const int input = plan_.buffers[i].input; input >= 0) {
      const auto number = static_cast<std::size_t>(input);
      out.inputs.resize(std::max(out.inputs.size(), number + 1));
      out.inputs[number] = places_[i].data - base_;
    }
  for (std::size_t i = 0; i < plan_.outputs.size(); ++i)
    out.outputs.push_back(packed_at_ - base_ + packed_offsets_[i]);
  return out;
}

void DevicePlan::show_output() {
  pack_output();
  device_.wait();
}

void DevicePlan::hide_output() {
  if (output_bytes() > 0)
    check(driver().cuMemsetD8Async(packed_at_, 0x5A, output_bytes(), device_.stream()), "poisoning");
}

void DevicePlan::prepare_again(std::uint8_t pattern) {
  for (const auto& [begin, bytes] : between_)
    if (bytes > 0) check(driver().cuMemsetD8Async(begin, pattern, bytes, device_.stream()), "poisoning");
  restore_globals();
  device_.scrub(stack_);
}

void DevicePlan::overwrite(std::size_t input, std::size_t begin, std::span<const std::byte> bytes) {
  for (std::size_t i = 0; i < places_.size(); ++i)
    if (plan_.buffers[i].input == static_cast<int>(input))
      check(driver().cuMemcpyHtoDAsync(places_[i].data + begin, bytes.data(), bytes.size(), device_.stream()),
            "inputs");
}

void DevicePlan::restore(std::size_t input, std::size_t begin, std::size_t bytes) {
  overwrite(input, begin, inputs_[input].subspan(begin, bytes));
}

void DevicePlan::restore_globals() {
  for (const Globals& globals : globals_)
    check(driver().cuMemcpyHtoDAsync(globals.at, globals.initial.data(), globals.initial.size(),
                                     device_.stream()),
          "global variables");
}

void DevicePlan::flush() {
  if (flush_bytes_ == 0) return;
  // Data that the previous run kept in the cache by `evict_last` would survive writes of ordinary priority.
  // The data that the cache holds then are read with the highest priority, too, so that the timed run needn't
  // write back any line; at last its lines get their ordinary priority.
  const auto over = [&](CUfunction function, CUdeviceptr at, std::size_t bytes, auto... more) {
    constexpr std::size_t bytes_of_thread = 1024;
    start_framework(device_, function, static_cast<std::int64_t>(bytes / bytes_of_thread + 1), at,
                    static_cast<long long>(bytes), more...);
  };
  over(device_.demote(), base_, flush_at_ - base_);
  check(driver().cuMemsetD8Async(flush_at_, 0x5A, flush_bytes_, device_.stream()), "flushing the L2 cache");
  over(device_.occupy(), flush_at_, flush_bytes_, CUdeviceptr{0});
  over(device_.demote(), flush_at_, flush_bytes_);
}

void DevicePlan::run(bool launches, bool wait) {
  std::size_t next = 0;
  for (const Step& step : plan_.steps) {
    if (const auto* fill = std::get_if<FillStep>(&step)) carry_out(*fill);
    if (const auto* copy = std::get_if<CopyStep>(&step)) carry_out(*copy);
    if (const auto* address = std::get_if<AddressStep>(&step)) carry_out(*address);
    if (std::holds_alternative<LaunchStep>(step)) {
      Launch& launch = launches_[next++];
      if (launches) start(launch, wait);
    }
  }
}

void DevicePlan::carry_out(const FillStep& fill) {
  const std::int64_t count = fill.to.elements();
  if (count == 0) return;
  const CUdeviceptr base = places_[static_cast<std::size_t>(fill.to.buffer)].data;
  // The same as PyTorch's zeros: zero bytes, unless the zero has a sign.
  if (fill.value == 0 && !std::signbit(fill.value) && is_contiguous(fill.to)) {
    check(
        driver().cuMemsetD8Async(base + static_cast<CUdeviceptr>(fill.to.offset), 0,
                                 static_cast<std::size_t>(count * bytes_of(fill.to.type)), device_.stream()),
        "a fill between launches");
    return;
  }
  if (is_f8(fill.to.type)) refuse_f8(fill.line);
  start_framework(device_, device_.fill(), count, device_view(fill.to, base), device_shape(fill.to),
                  fill.value);
}

void DevicePlan::copy_view(const BufferView& to, CUdeviceptr to_base, const BufferView& from,
                           CUdeviceptr from_base) {
  const std::int64_t count = to.elements();
  if (count == 0) return;
  if (to.type == from.type && is_contiguous(to) && is_contiguous(from)) {
    check(driver().cuMemcpyDtoDAsync(to_base + static_cast<CUdeviceptr>(to.offset),
                                     from_base + static_cast<CUdeviceptr>(from.offset),
                                     static_cast<std::size_t>(count * bytes_of(to.type)), device_.stream()),
          "a copy between launches");
    return;
  }
  start_framework(device_, device_.copy(), count, device_view(to, to_base), device_view(from, from_base),
                  device_shape(to));
}

void DevicePlan::carry_out(const CopyStep& copy) {
  if (copy.to.type != copy.from.type && (is_f8(copy.to.type) || is_f8(copy.from.type))) refuse_f8(copy.line);
  const CUdeviceptr to = places_[static_cast<std::size_t>(copy.to.buffer)].data;
  const CUdeviceptr from = places_[static_cast<std::size_t>(copy.from.buffer)].data;
  if (copy.to.buffer != copy.from.buffer) return copy_view(copy.to, to, copy.from, from);
  // The views may overlap within a buffer, so everything is read before anything is written.
  const BufferView staged = contiguous(copy.to);
  copy_view(staged, staging_, copy.from, from);
  copy_view(copy.to, to, staged, staging_);
}

void DevicePlan::carry_out(const AddressStep& step) {
  // The kernel that fills takes a double, which holds every address of a GPU exactly.
  constexpr CUdeviceptr most = CUdeviceptr{1} << std::numeric_limits<double>::digits;
  const CUdeviceptr address = address_of(step.of);
  if (address >= most) throw Finding("gpu_error", "an address has more than 53 bits", step.line);
  const std::int64_t count = step.to.elements();
  if (count == 0) return;
  start_framework(device_, device_.fill(), count,
                  device_view(step.to, places_[static_cast<std::size_t>(step.to.buffer)].data),
                  device_shape(step.to), static_cast<double>(address));
}

void DevicePlan::start(Launch& launch, bool wait) {
  const LoadedKernel& kernel = kernels_[static_cast<std::size_t>(launch.step->kernel)];
  CUlaunchConfig config{};
  config.gridDimX = launch.step->grid[0];
  config.gridDimY = launch.step->grid[1];
  config.gridDimZ = launch.step->grid[2];
  const bool cuda = kernel.threads == 0;
  config.blockDimX = cuda ? launch.step->block[0] : kernel.threads;
  config.blockDimY = cuda ? launch.step->block[1] : 1;
  config.blockDimZ = cuda ? launch.step->block[2] : 1;
  config.sharedMemBytes = cuda ? launch.step->shared : kernel.shared;
  config.hStream = device_.stream();
  CUresult result = driver().cuLaunchKernelEx(&config, kernel.function, launch.pointers.data(), nullptr);
  if (result == CUDA_SUCCESS && wait) result = driver().cuStreamSynchronize(device_.stream());
  if (result == CUDA_SUCCESS) return;
  const CudaError error(result, fmt::format("`{}`, grid ({}, {}, {}), {} threads", kernel.name,
                                            config.gridDimX, config.gridDimY, config.gridDimZ,
                                            config.blockDimX * config.blockDimY * config.blockDimZ));
  throw Finding(kind_of(result), error.what(), launch.step->line);
}

std::size_t DevicePlan::output_bytes() const { return packed_offsets_.back(); }

void DevicePlan::pack_output() {
  // The bytes between two outputs always have the same value.
  if (plan_.outputs.size() > 1)
    check(driver().cuMemsetD8Async(packed_at_, 0, output_bytes(), device_.stream()), "the outputs");
  for (std::size_t i = 0; i < plan_.outputs.size(); ++i) {
    const BufferView& output = plan_.outputs[i];
    copy_view(contiguous(output), packed_at_ + packed_offsets_[i], output,
              places_[static_cast<std::size_t>(output.buffer)].data);
  }
}

void DevicePlan::output_to(std::byte* host, std::uint64_t key, std::uint64_t sum_key, std::uint64_t* sum) {
  *sum = 0;
  if (output_bytes() == 0) return;
  pack_output();
  check(driver().cuMemsetD8Async(found_, 0, sizeof *sum, device_.stream()), "the output's sum");
  mask(key, sum_key);
  if (host != nullptr)
    check(driver().cuMemcpyDtoHAsync(host, packed_at_, output_bytes(), device_.stream()), "the output");
  check(driver().cuMemcpyDtoHAsync(sum, found_, sizeof *sum, device_.stream()), "the output's sum");
}

void DevicePlan::mask(std::uint64_t key, std::uint64_t sum_key) {
  constexpr std::int64_t bytes_of_thread = 256;
  const auto bytes = static_cast<long long>(output_bytes());
  start_framework(device_, device_.mask(), bytes / bytes_of_thread + 1, packed_at_, bytes, key, sum_key,
                  found_);
}

void DevicePlan::unmask_on_gpu(std::uint64_t key) {
  mask(key, 0);
  device_.wait();
}

void DevicePlan::unmask(std::span<std::byte> output, std::uint64_t key) {
  for (std::size_t i = 0; i < output.size(); i += sizeof key) {
    const std::size_t size = std::min(sizeof key, output.size() - i);
    std::uint64_t word = 0;
    std::memcpy(&word, output.data() + i, size);
    word ^= pad(key, i / sizeof key);
    std::memcpy(output.data() + i, &word, size);
  }
}

std::vector<std::byte> DevicePlan::output() {
  std::vector<std::byte> host(output_bytes());
  if (host.empty()) return host;
  pack_output();
  check(driver().cuMemcpyDtoHAsync(host.data(), packed_at_, host.size(), device_.stream()), "the output");
  hide_output();
  device_.wait();
  return host;
}

std::optional<std::string> DevicePlan::damage(std::uint8_t pattern) {
  // A guard before or behind a buffer: how many of its bytes changed, and the first of them.
  struct Zone {
    std::uint64_t count = 0, first = UINT64_MAX;
  };
  std::vector<Zone> zones(2 * places_.size());
  check(driver().cuMemcpyHtoDAsync(found_, zones.data(), zones.size() * sizeof(Zone), device_.stream()),
        "checking guards");
  const auto look = [&](std::size_t number, CUdeviceptr begin, std::size_t bytes) {
    start_framework(device_, device_.changed(), static_cast<std::int64_t>(bytes), begin,
                    static_cast<long long>(bytes), static_cast<int>(pattern),
                    found_ + static_cast<CUdeviceptr>(number * sizeof(Zone)));
  };
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const Place& place = places_[i];
    look(2 * i, place.data - guard_bytes, guard_bytes);
    // The bytes by which a buffer's size was rounded up are part of the guard.
    look(2 * i + 1, place.data + place.bytes, place.padded - place.bytes + guard_bytes);
  }
  check(driver().cuMemcpyDtoHAsync(zones.data(), found_, zones.size() * sizeof(Zone), device_.stream()),
        "checking guards");
  device_.wait();
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const Place& place = places_[i];
    const char* what = plan_.buffers[i].input >= 0          ? "an input"
                       : plan_.returns(static_cast<int>(i)) ? "the output"
                                                            : "a temporary";
    if (const Zone& before = zones[2 * i]; before.count > 0)
      return fmt::format("a store {} bytes before {} of {} bytes", guard_bytes - before.first, what,
                         place.bytes);
    if (const Zone& behind = zones[2 * i + 1]; behind.count > 0)
      return fmt::format("a store at byte {} of {} of {} bytes", place.bytes + behind.first, what,
                         place.bytes);
  }
  if (inputs_.empty()) return std::nullopt;
  for (std::size_t i = 0; i < places_.size(); ++i)
    if (const int input = plan_.buffers[i].input; input >= 0) {
      const auto& wanted = inputs_[static_cast<std::size_t>(input)];
      std::vector<std::byte> got(wanted.size());
      if (!got.empty())
        check(driver().cuMemcpyDtoHAsync(got.data(), places_[i].data, got.size(), device_.stream()),
              "inputs");
      device_.wait();
      if (!std::equal(got.begin(), got.end(), wanted.begin())) {
        input_changed_ = true;
        return fmt::format("input {} was written to", input + 1);
      }
    }
  return std::nullopt;
}

}  // namespace trl::runner
