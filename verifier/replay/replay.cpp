#include "verifier/replay/replay.hpp"

#include <c10/util/BFloat16.h>
#include <c10/util/Float8_e4m3fn.h>
#include <c10/util/Float8_e5m2.h>
#include <c10/util/Half.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <iterator>
#include <set>
#include <tuple>

#include "base/support/random.hpp"
#include "verifier/executor/launch/model_time.hpp"
#include "verifier/executor/launch/trace.hpp"
#include "verifier/executor/paths/paths.hpp"

namespace trl::runtime {
namespace {

// The number of memory findings that are kept for a plan; a verdict shows the first.
constexpr std::size_t most_findings = 64;
// The number of operations with undefined results that are kept for a plan.
constexpr std::size_t most_undefined = 16;

template <typename T>
T bits_from(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <typename T>
void bits_to(T value, std::byte* to) {
  std::memcpy(to, &value, sizeof value);
}

template <typename T>
T truncated(double value) {
  if (std::isnan(value)) return 0;
  if (value <= static_cast<double>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
  if (value >= static_cast<double>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
  return static_cast<T>(value);
}

// Calls `visit` with the byte offset of each element of a view, in order.
template <typename Visit>
void for_each_element(const BufferView& view, Visit visit) {
  const std::int64_t count = view.elements(), width = bytes_of(view.type);
  std::vector<std::int64_t> index(view.shape.size(), 0);
  std::int64_t offset = view.offset;
  for (std::int64_t i = 0; i < count; ++i) {
    visit(i, offset);
    for (std::size_t d = index.size(); d-- > 0;) {
      offset += view.strides[d] * width;
      if (++index[d] < view.shape[d]) break;
      offset -= view.strides[d] * width * view.shape[d];
      index[d] = 0;
    }
  }
}

/// The bytes that PyTorch moves for a view: the bytes of its elements if it is contiguous, else those of the
/// sectors of memory that it touches, each counted once.
std::uint64_t moved_bytes(const BufferView& view, std::int64_t buffer_bytes) {
  constexpr std::int64_t sector = 32;
  const std::int64_t width = bytes_of(view.type);
  std::int64_t in_order = 1;
  bool contiguous = true;
  for (std::size_t d = view.shape.size(); d-- > 0; in_order *= view.shape[d])
    contiguous = contiguous && (view.shape[d] == 1 || view.strides[d] == in_order);
  if (contiguous) return static_cast<std::uint64_t>(view.elements() * width);
  std::vector<bool> touched(static_cast<std::size_t>(buffer_bytes / sector + 1));
  for_each_element(view, [&](std::int64_t, std::int64_t offset) {
    touched[static_cast<std::size_t>(offset / sector)] = true;  // elements are aligned, so each is in one
  });
  return sector * static_cast<std::uint64_t>(std::count(touched.begin(), touched.end(), true));
}

using executor::Pages;

/// The contents of a buffer in which one element repeats throughout.
Pages::Contents same_everywhere(std::vector<std::byte> element, Writer mark) {
  return [element = std::move(element), mark](std::int64_t, std::span<std::byte> to) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = element[i % element.size()];
    return static_cast<std::uint8_t>(mark);
  };
}

/// The contents of a contiguous buffer of `type` whose element i is element `place(i)` of a drawn input.
template <typename Place>
Pages::Contents drawn(DrawnContents input, ElementType type, Place place) {
  return [input = std::move(input), type, place](std::int64_t offset, std::span<std::byte> to) {
    const auto width = static_cast<std::size_t>(bytes_of(type));
    std::int64_t number = offset / bytes_of(type);
    for (std::size_t at = 0; at + width <= to.size(); at += width) {
      std::array<std::byte, 8> element = input.element(place(number++));
      if (type != input.type) store_element(type, load_element(input.type, element.data()), element.data());
      std::memcpy(to.data() + at, element.data(), width);
    }
    return static_cast<std::uint8_t>(Writer::input);
  };
}

class Replay {
 public:
  Replay(const Plan& plan, const std::vector<executor::Module>& modules,
         const std::vector<std::string>& names, const std::vector<InputData>& inputs,
         const ReplayOptions& options)
      : plan_(plan), modules_(modules), names_(names), options_(options) {
    paged_ = options.sample != 0 && std::any_of(inputs.begin(), inputs.end(),
                                                [](const InputData& one) { return one.drawn.has_value(); });
    const std::int64_t share = pages_of_each();
    int temporaries = 0;
    for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
      const PlanBuffer& buffer = plan.buffers[i];
      if (buffer.input >= 0) {
        const InputData& input = inputs[static_cast<std::size_t>(buffer.input)];
        if (input.drawn)
          memory_.add_paged(input.name,
                            std::make_shared<Pages>(buffer.bytes, share,
                                                    drawn(*input.drawn, input.drawn->type,
                                                          [](std::int64_t number) { return number; })),
                            false);
        else
          memory_.add_buffer(input.name, input.bytes, false);
        inputs_.push_back(&input);
        continue;
      }
      inputs_.push_back(nullptr);
      const std::string name =
          plan.returns(static_cast<int>(i)) ? "the output" : "temporary " + std::to_string(++temporaries);
      if (paged_)
        memory_.add_paged(name, std::make_shared<Pages>(buffer.bytes, share, missing()), true);
      else
        memory_.add_unwritten(name, static_cast<std::size_t>(buffer.bytes), true,
                              options.sample == 0 ? options.poison : std::uint8_t{0});
    }
  }

  ReplayResult run() {
    draw_addresses();
    for (const Step& step : plan_.steps) {
      const bool going = std::visit([&](const auto& one) { return carry_out(one); }, step);
      if (!going) break;
    }
    if (!paged_) read_output();
    if (options_.explain) {
      const auto [output, element] = plan_.output_of(*options_.explain);
      const BufferView& view = plan_.outputs[output];
      for (const executor::Trace::Step& step : trace_.origin(view.buffer, offset_of(view, element)))
        result_.origin.push_back({step.what, step.source.line});
    }
    for (const Launched& launched : launched_) tell_paths(launched);
    return std::move(result_);
  }

 private:
  // The most memory that each buffer's touched pages may take. All large buffers together may take half a
  // gigabyte, and as much for marks and records.
  std::int64_t pages_of_each() const {
    constexpr std::int64_t all = std::int64_t{512} << 20, small = std::int64_t{1} << 20;
    const auto large = std::count_if(plan_.buffers.begin(), plan_.buffers.end(),
                                     [](const PlanBuffer& one) { return one.bytes > small; });
    return std::max(all / std::max<std::int64_t>(1, large), small);
  }

  Pages::Contents missing() const { return same_everywhere({std::byte{options_.missing}}, Writer::nobody); }

  // The place of an element of a buffer, and its marks, if it has any.
  struct Spot {
    std::byte* bytes = nullptr;
    std::uint8_t* written = nullptr;
  };
  Spot spot(int number, std::int64_t offset) {
    executor::Buffer& buffer = memory_.buffer(number);
    if (buffer.pages) {
      const std::int64_t at = buffer.pages->at(offset);
      return {buffer.pages->held() + at, buffer.pages->written() + at};
    }
    return {buffer.bytes.data() + offset, buffer.written.empty() ? nullptr : buffer.written.data() + offset};
  }
  static void mark(const Spot& spot, std::int64_t bytes, Writer writer) {
    if (spot.written != nullptr) std::fill_n(spot.written, bytes, static_cast<std::uint8_t>(writer));
  }

  // Whether a step writes to so much memory that it isn't written element by element.
  bool too_large(const BufferView& to) const {
    constexpr std::int64_t most_written = std::int64_t{1} << 20;
    return paged_ && to.elements() > most_written;
  }

  // Whether a view is its whole buffer, in the order of memory.
  bool is_whole(const BufferView& view) const {
    std::int64_t in_order = 1;
    for (std::size_t d = view.shape.size(); d-- > 0; in_order *= view.shape[d])
      if (view.shape[d] != 1 && view.strides[d] != in_order) return false;
    return view.offset == 0 &&
           in_order * bytes_of(view.type) == plan_.buffers[static_cast<std::size_t>(view.buffer)].bytes;
  }

  // Makes `contents` the contents of the whole buffer. If a step writes only a part of the buffer, nothing is
  // known of the buffer's contents.
  void write_lazily(const BufferView& to, Pages::Contents contents) {
    memory_.buffer(to.buffer).pages->forget(is_whole(to) ? std::move(contents) : missing());
  }

  std::uint64_t moved(const BufferView& view) const {
    if (paged_) return static_cast<std::uint64_t>(view.elements() * bytes_of(view.type));
    return moved_bytes(view, plan_.buffers[static_cast<std::size_t>(view.buffer)].bytes);
  }

  bool writable(const BufferView& view, int line) {
    if (memory_.buffer(view.buffer).writable) return true;
    result_.findings.push_back({"mutated_input",
                                "the wrapper writes to its input " + memory_.buffer(view.buffer).name, line,
                                false});
    return false;
  }

  bool carry_out(const FillStep& fill) {
    if (!writable(fill.to, fill.line)) return false;
    const std::int64_t width = bytes_of(fill.to.type);
    std::byte element[8];
    store_element(fill.to.type, fill.value, element);
    const auto count = static_cast<std::uint64_t>(fill.to.elements());
    result_.per_launch.push_back(executor::framework_pass(count, 0, moved(fill.to)));
    if (too_large(fill.to)) {
      write_lazily(fill.to, same_everywhere({element, element + width}, Writer::host));
      return true;
    }
    for_each_element(fill.to, [&](std::int64_t, std::int64_t offset) {
      const Spot to = spot(fill.to.buffer, offset);
      std::memcpy(to.bytes, element, static_cast<std::size_t>(width));
      mark(to, width, Writer::host);
    });
    return true;
  }

  // Gives each buffer its own address for tables of addresses. The addresses are drawn anew in each trial and
  // lie far apart, so a kernel can't find a buffer by a number that isn't in a table.
  void draw_addresses() {
    constexpr std::uint64_t most = std::uint64_t{1} << 62, aligned = 256;
    constexpr std::uint64_t distance = executor::Memory::address_distance;
    RandomStream draw(RandomKey{options_.order ^ 0x6164647265737365});
    std::set<std::uint64_t> taken{0, most};
    for (int i = 0; i < memory_.size(); ++i) {
      std::uint64_t address = 0;
      do {
        address = draw.below(most) / aligned * aligned;
        const auto next = taken.lower_bound(address);
        if (*next - address >= distance && address - *std::prev(next) >= distance) break;
      } while (true);
      taken.insert(address);
      memory_.buffer(i).address = address;
    }
  }

  bool carry_out(const AddressStep& step) {
    if (!writable(step.to, step.line)) return false;
    const std::uint64_t number =
        memory_.buffer(step.of.buffer).address + static_cast<std::uint64_t>(step.of.offset);
    const auto count = static_cast<std::uint64_t>(step.to.elements());
    result_.per_launch.push_back(executor::framework_pass(count, 0, count * sizeof number));
    if (too_large(step.to)) {
      write_lazily(step.to, missing());
      return true;
    }
    for_each_element(step.to, [&](std::int64_t, std::int64_t offset) {
      const Spot to = spot(step.to.buffer, offset);
      bits_to(number, to.bytes);
      mark(to, sizeof number, Writer::host);
    });
    return true;
  }

  bool carry_out(const CopyStep& copy) {
    if (!writable(copy.to, copy.line)) return false;
    const std::int64_t from_width = bytes_of(copy.from.type), to_width = bytes_of(copy.to.type);
    // All elements are read before any is written, since the two views may overlap.
    const auto count = static_cast<std::size_t>(copy.from.elements());
    result_.per_launch.push_back(executor::framework_pass(count, moved(copy.from), moved(copy.to)));
    if (too_large(copy.to)) {
      // Inputs don't change, so the contents of this copy can be drawn when they are needed. The contents of
      // a copy of another buffer aren't known here.
      const InputData* const input = inputs_[static_cast<std::size_t>(copy.from.buffer)];
      if (input == nullptr || !input->drawn || copy.from.type != input->drawn->type)
        write_lazily(copy.to, missing());
      else
        write_lazily(copy.to, drawn(*input->drawn, copy.to.type, [from = copy.from](std::int64_t number) {
                       return offset_of(from, static_cast<std::size_t>(number)) / bytes_of(from.type);
                     }));
      return true;
    }
    std::vector<std::byte> values(count * static_cast<std::size_t>(to_width));
    std::vector<Writer> writers(count);
    std::vector<std::int64_t> sources(options_.explain ? count : 0);
    for_each_element(copy.from, [&](std::int64_t i, std::int64_t offset) {
      if (!sources.empty()) sources[static_cast<std::size_t>(i)] = offset;
      std::byte* value = values.data() + i * to_width;
      const Spot from = spot(copy.from.buffer, offset);
      if (copy.from.type == copy.to.type)
        std::memcpy(value, from.bytes, static_cast<std::size_t>(to_width));
      else
        store_element(copy.to.type, load_element(copy.from.type, from.bytes), value);
      writers[static_cast<std::size_t>(i)] = writer_of(from, from_width);
    });
    for_each_element(copy.to, [&](std::int64_t i, std::int64_t offset) {
      const Spot to = spot(copy.to.buffer, offset);
      std::memcpy(to.bytes, values.data() + i * to_width, static_cast<std::size_t>(to_width));
      mark(to, to_width, writers[static_cast<std::size_t>(i)]);
      if (!sources.empty())
        trace_.copy(copy.to.buffer, offset, copy.from.buffer, sources[static_cast<std::size_t>(i)]);
    });
    return true;
  }

  // The writer of an element: the least trusted writer of its bytes.
  static Writer writer_of(const Spot& spot, std::int64_t width) {
    if (spot.written == nullptr) return Writer::input;
    Writer writer = Writer::kernel;
    for (std::int64_t i = 0; i < width; ++i) {
      const std::uint8_t mark = spot.written[i];
      if (mark == 0) return Writer::nobody;
      if (mark != static_cast<std::uint8_t>(Writer::kernel)) writer = static_cast<Writer>(mark);
    }
    return writer;
  }

  bool carry_out(const LaunchStep& step) {
    if (!options_.launches) return true;
    executor::Launch launch;
    launch.kernel = names_[static_cast<std::size_t>(step.kernel)];
    std::copy(step.grid.begin(), step.grid.end(), launch.grid);
    for (const PlanArgument& argument : step.args)
      launch.args.push_back(std::visit(
          [](const auto& value) -> executor::Argument {
            if constexpr (std::is_same_v<std::decay_t<decltype(value)>, BufferArgument>)
              return executor::PointerArg{value.buffer, value.offset};
            else if constexpr (!std::is_arithmetic_v<std::decay_t<decltype(value)>>)
              throw BadPlan("an argument that no kernel in Triton takes");
            else
              return value;
          },
          argument));
    executor::Options options;
    options.strict = false;
    options.poison = options_.sample == 0 ? options_.poison : std::uint8_t{0};
    options.unfilled = options_.unfilled;
    options.lowering = options_.lowering;
    options.lowered_to_line = options_.lowered_to_line;
    options.undefined = options_.undefined;
    options.undefined_line = options_.undefined_line;
    options.order = options_.order;
    options.interleaved = options_.interleaved;
    static const executor::GpuModel gpu = executor::gpu_model("H200").value();
    options.clock = options_.by_clock ? &gpu : nullptr;
    options.threads = options_.threads ? options_.threads() : 1;
    options.trace = options_.explain ? &trace_ : nullptr;
    const std::uint64_t left =
        options_.plan_operations - std::min(options_.plan_operations, result_.counters.operations);
    options.limits.max_operations = std::min(options_.launch_operations, left);
    options.limits.cancelled = options_.cancelled;
    if (options_.sample != 0) return carry_out_sampled(step, launch, options);
    options.ways = step.framework.empty() ? ways_of(step.kernel, launch) : nullptr;
    const executor::Report report =
        executor::run(modules_[static_cast<std::size_t>(step.kernel)], launch, memory_, options);
    result_.counters += report.counters;
    result_.per_launch.push_back(report.counters);
    for (const executor::UndefinedResult& one : report.undefined)
      if (result_.undefined.size() < most_undefined) result_.undefined.push_back({one.what, one.source.line});
    return note(step, report, left);
  }

  // Whether a finding holds although the program ran without the others. A wrong value that was read proves
  // nothing: another program may have had to write that memory before. Nothing that was computed from such a
  // value proves anything either.
  static bool tells_apart(executor::Kind kind) {
    using executor::Kind;
    return kind == Kind::out_of_bounds_load || kind == Kind::out_of_bounds_store ||
           kind == Kind::stray_store || kind == Kind::misaligned || kind == Kind::read_only_store ||
           kind == Kind::timeout;
  }

  // The programs of a launch that run, in order: the corners of the grid, then programs that the key draws.
  class Drawn {
   public:
    Drawn(const executor::Launch& launch, RandomKey key) : draw_(key) {
      const std::uint64_t x = launch.grid[0], y = launch.grid[1], z = launch.grid[2];
      programs_ = x * y * z;
      for (const std::uint64_t number : {std::uint64_t{0}, programs_ - 1, x - 1, x * (y - 1), x * y - 1,
                                         x * y * (z - 1), x * y * (z - 1) + x - 1, programs_ - x})
        if (seen_.insert(number).second) corners_.push_back(number);
    }
    std::uint64_t programs() const { return programs_; }
    std::size_t corners() const { return corners_.size(); }
    std::uint64_t operator[](std::size_t i) {
      if (i < corners_.size()) return corners_[i];
      constexpr int most_turns = 64;
      for (int turn = 0; turn < most_turns; ++turn)
        if (const std::uint64_t number = draw_.below(programs_); seen_.insert(number).second) return number;
      std::uint64_t left = 0;  // in a grid with few programs, the first program left
      while (!seen_.insert(left).second) ++left;
      return left;
    }

   private:
    RandomStream draw_;
    std::uint64_t programs_ = 0;
    std::vector<std::uint64_t> corners_;
    std::set<std::uint64_t> seen_;
  };

  bool carry_out_sampled(const LaunchStep& step, const executor::Launch& launch, executor::Options options) {
    options.races = false;
    options.threads = 1;
    Drawn drawn(launch, RandomKey{options_.sample + result_.per_launch.size()});
    const std::uint64_t programs = std::min<std::uint64_t>(drawn.programs(), options_.sampled_programs);
    if (paged_)
      options.limits.cancelled = [this] {
        return pages_are_full() || (options_.cancelled && options_.cancelled());
      };
    executor::Counters counters;
    for (std::uint64_t i = 0; i < programs; ++i) {
      if (i >= (paged_ ? 2 : drawn.corners()) && counters.operations >= options_.sampled_operations) break;
      options.only = {drawn[i]};
      std::vector<executor::StoredRun> stored;
      if (paged_) {
        make_room();
        options.stored = result_.stored_bytes.size() < most_stored ? &stored : nullptr;
      }
      executor::Report report =
          executor::run(modules_[static_cast<std::size_t>(step.kernel)], launch, memory_, options);
      counters += report.counters;
      if (paged_) note_program(step, options.only.front(), drawn.programs(), report, std::move(stored));
      std::erase_if(report.findings, [&](const executor::Finding& one) {
        if (paged_ && one.kind == executor::Kind::timeout)
          return !(options_.cancelled && options_.cancelled());
        return !tells_apart(one.kind) && !(paged_ && one.kind == executor::Kind::unsupported);
      });
      for (executor::Finding& finding : report.findings)
        if (finding.kind == executor::Kind::timeout)
          finding.message = fmt::format(
              "one program alone isn't done after {} operations, the executor's limit for one launch",
              options.limits.max_operations);
      if (!note(step, report, options_.launch_operations)) return false;
      if (!report.findings.empty()) break;
    }
    if (paged_) counters = executor::extrapolated(counters, drawn.programs(), sectors_of(step));
    result_.counters += counters;
    result_.per_launch.push_back(counters);
    return true;
  }

  bool pages_are_full() const {
    for (int i = 0; i < memory_.size(); ++i)
      if (memory_.buffer(i).pages && memory_.buffer(i).pages->full()) return true;
    return false;
  }

  // Drops pages of inputs, which can be drawn again, before a program that may need others.
  void make_room() {
    constexpr std::int64_t most = std::int64_t{32} << 20;
    for (int i = 0; i < memory_.size(); ++i) {
      executor::Buffer& buffer = memory_.buffer(i);
      if (buffer.pages && !buffer.writable && (buffer.pages->touched() > most || buffer.pages->full()))
        buffer.pages->forget();
    }
  }

  // The number of sectors in the buffers that a launch is given.
  std::uint64_t sectors_of(const LaunchStep& step) const {
    constexpr std::uint64_t sector = 32;
    std::set<int> buffers;
    for (const PlanArgument& argument : step.args)
      if (const auto* buffer = std::get_if<BufferArgument>(&argument)) buffers.insert(buffer->buffer);
    std::uint64_t bytes = 0;
    for (const int number : buffers)
      bytes += static_cast<std::uint64_t>(plan_.buffers[static_cast<std::size_t>(number)].bytes);
    return bytes / sector;
  }

  void note_program(const LaunchStep& step, std::uint64_t number, std::uint64_t programs,
                    const executor::Report& report, std::vector<executor::StoredRun> stored) {
    const auto found = [&](auto test) {
      return std::any_of(report.findings.begin(), report.findings.end(),
                         [&](const executor::Finding& one) { return test(one.kind); });
    };
    SampledProgram& ran = result_.sampled.emplace_back();
    for (std::size_t i = 0; i < plan_.steps.size(); ++i)
      if (std::get_if<LaunchStep>(&plan_.steps[i]) == &step) ran.step = static_cast<std::int64_t>(i);
    ran.program = number;
    ran.of = programs;
    ran.ended =
        !pages_are_full() && !found([](executor::Kind kind) { return !executor::is_memory_error(kind); });
    ran.alone = ran.ended && report.counters.same_place == 0 && report.counters.asks == 0 &&
                !found([](executor::Kind kind) { return kind == executor::Kind::unwritten_read; });
    std::sort(stored.begin(), stored.end(), [](const auto& a, const auto& b) {
      return std::tie(a.buffer, a.offset) < std::tie(b.buffer, b.offset);
    });
    std::vector<executor::StoredRun> merged;
    for (const executor::StoredRun& one : stored) {
      if (!merged.empty() && merged.back().buffer == one.buffer &&
          one.offset <= merged.back().offset + merged.back().bytes)
        merged.back().bytes = std::max(merged.back().bytes, one.offset + one.bytes - merged.back().offset);
      else
        merged.push_back(one);
    }
    ran.runs = std::ssize(merged);
    for (const executor::StoredRun& one : merged) {
      for (std::int64_t at = one.offset; at < one.offset + one.bytes;) {
        const std::int64_t here = std::min(one.offset + one.bytes - at, Pages::rest_of_page(at));
        const std::byte* const from = spot(static_cast<int>(one.buffer), at).bytes;
        result_.stored_bytes.insert(result_.stored_bytes.end(), from, from + here);
        at += here;
      }
      result_.stored.push_back(one);
    }
  }

  // Adds an execution's findings to the result. `left` is the number of operations that the plan had left
  // before the execution. Returns false if a finding isn't about memory, or is about a
  // store to an input.
  bool note(const LaunchStep& step, const executor::Report& report, std::uint64_t left) {
    bool going = true;
    for (const executor::Finding& finding : report.findings) {
      const bool input = finding.kind == executor::Kind::read_only_store;
      const bool memory = executor::is_memory_error(finding.kind) && !input;
      const bool together = finding.kind == executor::Kind::timeout && left < options_.launch_operations;
      going = going && memory;
      if (memory && result_.findings.size() >= most_findings) continue;
      std::string message =
          together ? fmt::format(
                         "the launches aren't done after {} operations together, the executor's limit for a "
                         "plan",
                         options_.plan_operations)
                   : finding.message;
      if (finding.kind == executor::Kind::timeout) message += which(step);
      result_.findings.push_back({input ? "mutated_input" : std::string(executor::name(finding.kind)),
                                  message, finding.line > 0 ? finding.line : step.line, memory});
    }
    return going;
  }

  // If the plan has several launches, returns a phrase that says which of them a step is; else an empty text.
  std::string which(const LaunchStep& step) const {
    int number = 0, all = 0;
    for (const Step& one : plan_.steps)
      if (const auto* launch = std::get_if<LaunchStep>(&one); launch != nullptr && ++all && launch == &step)
        number = all;
    return all < 2 ? "" : fmt::format(" (launch {} of {})", number, all);
  }

  // A kernel's first launch represents all its launches when turning values are searched for.
  struct Launched {
    int kernel = 0;
    executor::Launch launch;
    std::vector<std::uint8_t> ways;
  };

  // Returns where a launch records its decisions; null if they aren't asked for.
  std::vector<std::uint8_t>* ways_of(int kernel, const executor::Launch& launch) {
    if (!options_.ways) return nullptr;
    for (Launched& one : launched_)
      if (one.kernel == kernel) return &one.ways;
    const auto number = static_cast<std::size_t>(kernel);
    std::vector<std::uint8_t> ways;
    if (number < options_.ways->size()) ways = (*options_.ways)[number];
    ways.resize(static_cast<std::size_t>(executor::decision_count(modules_[number])));
    launched_.push_back({kernel, launch, std::move(ways)});
    return &launched_.back().ways;
  }

  void tell_paths(const Launched& launched) {
    const executor::Module& module = modules_[static_cast<std::size_t>(launched.kernel)];
    KernelPaths& paths = result_.paths.emplace_back();
    paths.kernel = launched.kernel;
    for (executor::Decision& decision : executor::decisions(module))
      paths.decisions.push_back(
          {std::move(decision.what), decision.source.line, launched.ways[paths.decisions.size()]});
    if (std::find(options_.turn.begin(), options_.turn.end(), launched.kernel) == options_.turn.end()) return;
    if (options_.cancelled && options_.cancelled()) return;
    const int looked_at = std::min({executor::one_sided(launched.ways), most_turned, turned_left_});
    turned_left_ -= looked_at;
    for (const executor::Decider& decider :
         executor::deciders(module, launched.launch, launched.ways, looked_at, &memory_)) {
      TurningValues& values = result_.turning.emplace_back();
      values = {launched.kernel, decider.decision, {}, decider.low, decider.high, decider.everywhere};
      for (const int buffer : decider.buffers)
        if (const int input = input_of(buffer); input >= 0) values.inputs.push_back(input);
      if (values.inputs.size() < decider.buffers.size()) values.inputs.clear();
    }
  }

  // Returns the number of the task's input that a buffer holds, or of which it is a copy; -1 if there is
  // none.
  int input_of(int buffer) const {
    for (int copies = 0; copies < 4; ++copies) {
      if (buffer < 0 || static_cast<std::size_t>(buffer) >= plan_.buffers.size()) return -1;
      if (plan_.buffers[static_cast<std::size_t>(buffer)].input >= 0)
        return plan_.buffers[static_cast<std::size_t>(buffer)].input;
      const auto from = std::find_if(plan_.steps.begin(), plan_.steps.end(), [&](const Step& step) {
        const auto* copy = std::get_if<CopyStep>(&step);
        return copy != nullptr && copy->to.buffer == buffer;
      });
      if (from == plan_.steps.end()) return -1;
      buffer = std::get<CopyStep>(*from).from.buffer;
    }
    return -1;
  }

  void read_output() {
    result_.output.resize(plan_.output_elements());
    result_.writers.resize(result_.output.size());
    std::size_t begin = 0;
    for (const BufferView& view : plan_.outputs) {
      const std::int64_t width = bytes_of(view.type);
      for_each_element(view, [&](std::int64_t i, std::int64_t offset) {
        const std::size_t at = begin + static_cast<std::size_t>(i);
        const Spot from = spot(view.buffer, offset);
        result_.output[at] = load_element(view.type, from.bytes);
        result_.writers[at] = writer_of(from, width);
      });
      begin += static_cast<std::size_t>(view.elements());
    }
  }

  const Plan& plan_;
  const std::vector<executor::Module>& modules_;
  const std::vector<std::string>& names_;
  const ReplayOptions& options_;
  // The number of decisions for which turning values are searched: of one kernel, and of a whole plan.
  static constexpr int most_turned = 16;
  int turned_left_ = 64;
  // The approximate limit of the bytes in a result that programs have stored.
  static constexpr std::size_t most_stored = std::size_t{32} << 20;
  bool paged_ = false;                    // whether there are inputs that aren't held
  std::vector<const InputData*> inputs_;  // each buffer's input; null for a temporary
  executor::Memory memory_;
  executor::Trace trace_;
  std::deque<Launched> launched_;
  ReplayResult result_;
};

}  // namespace

ReplayResult replay(const Plan& plan, const std::vector<executor::Module>& modules,
                    const std::vector<std::string>& kernel_names, const std::vector<InputData>& inputs,
                    const ReplayOptions& options) {
  return Replay(plan, modules, kernel_names, inputs, options).run();
}

std::array<std::byte, 8> DrawnContents::element(std::int64_t number) const {
  std::array<std::byte, 8> out{};
  store_element(type,
                domain.draw_at(key, static_cast<std::uint64_t>(number), static_cast<std::uint64_t>(elements),
                               static_cast<std::uint64_t>(width), factor),
                out.data());
  return out;
}

std::int64_t offset_of(const BufferView& view, std::size_t i) {
  auto left = static_cast<std::int64_t>(i);
  std::int64_t offset = view.offset;
  for (std::size_t d = view.shape.size(); d-- > 0;) {
    offset += left % view.shape[d] * view.strides[d] * bytes_of(view.type);
    left /= view.shape[d];
  }
  return offset;
}

void store_element(ElementType type, double value, std::byte* to) {
  switch (type) {
    case ElementType::f64:
      return bits_to(value, to);
    case ElementType::f32:
      return bits_to(static_cast<float>(value), to);
    case ElementType::f16:
      return bits_to(c10::Half(static_cast<float>(value)).x, to);
    case ElementType::bf16:
      return bits_to(c10::BFloat16(static_cast<float>(value)).x, to);
    case ElementType::f8e4m3:
      return bits_to(c10::Float8_e4m3fn(static_cast<float>(value)).x, to);
    case ElementType::f8e5m2:
      return bits_to(c10::Float8_e5m2(static_cast<float>(value)).x, to);
    case ElementType::i64:
      return bits_to(truncated<std::int64_t>(value), to);
    case ElementType::i32:
      return bits_to(truncated<std::int32_t>(value), to);
    case ElementType::i16:
      return bits_to(truncated<std::int16_t>(value), to);
    case ElementType::i8:
      return bits_to(truncated<std::int8_t>(value), to);
    case ElementType::u64:
      return bits_to(truncated<std::uint64_t>(value), to);
    case ElementType::u32:
      return bits_to(truncated<std::uint32_t>(value), to);
    case ElementType::u16:
      return bits_to(truncated<std::uint16_t>(value), to);
    case ElementType::u8:
      return bits_to(truncated<std::uint8_t>(value), to);
    case ElementType::i1:
      return bits_to(static_cast<std::uint8_t>(value != 0), to);
  }
}

double load_element(ElementType type, const std::byte* from) {
  switch (type) {
    case ElementType::f64:
      return bits_from<double>(from);
    case ElementType::f32:
      return bits_from<float>(from);
    case ElementType::f16:
      return c10::Half(bits_from<std::uint16_t>(from), c10::Half::from_bits());
    case ElementType::bf16:
      return c10::BFloat16(bits_from<std::uint16_t>(from), c10::BFloat16::from_bits());
    case ElementType::f8e4m3:
      return c10::Float8_e4m3fn(bits_from<std::uint8_t>(from), c10::Float8_e4m3fn::from_bits());
    case ElementType::f8e5m2:
      return c10::Float8_e5m2(bits_from<std::uint8_t>(from), c10::Float8_e5m2::from_bits());
    case ElementType::i64:
      return static_cast<double>(bits_from<std::int64_t>(from));
    case ElementType::i32:
      return bits_from<std::int32_t>(from);
    case ElementType::i16:
      return bits_from<std::int16_t>(from);
    case ElementType::i8:
      return bits_from<std::int8_t>(from);
    case ElementType::u64:
      return static_cast<double>(bits_from<std::uint64_t>(from));
    case ElementType::u32:
      return bits_from<std::uint32_t>(from);
    case ElementType::u16:
      return bits_from<std::uint16_t>(from);
    case ElementType::u8:
      return bits_from<std::uint8_t>(from);
    case ElementType::i1:
      return bits_from<std::uint8_t>(from) != 0;
  }
  return 0;
}

}  // namespace trl::runtime
