// Runs all programs of a launch: one after another, or several in parallel if that gives the same result.
#include "verifier/executor/machine/launch.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <mutex>
#include <system_error>
#include <thread>

#include "verifier/executor/launch/program_order.hpp"
#include "verifier/executor/machine/machine.hpp"
#include "verifier/executor/machine/schedule.hpp"

namespace trl::executor {
namespace {

bool synchronises_within(const ir::Region& region) {
  for (const ir::Block& block : region.blocks)
    for (const ir::Operation& op : block.operations) {
      if (op.code == Code::atomic_rmw || op.code == Code::atomic_cas || op.is_volatile) return true;
      if (std::any_of(op.regions.begin(), op.regions.end(), synchronises_within)) return true;
    }
  return false;
}

/// Runs the programs `from` to `to` of the order on several threads.
class Crew {
 public:
  Crew(const LaunchOf& of, MemoryView& places, const ProgramOrder& order, std::uint64_t done_operations)
      : of_(of), places_(places), order_(order), done_operations_(done_operations) {}

  /// Returns true when the result is the same as if they had run one after another, without findings; the
  /// memory and `counters` are then updated. Returns false without any change otherwise.
  bool run(std::uint64_t from, std::uint64_t to, int threads, Counters& counters) {
    next_ = from;
    end_ = to;
    share_ = std::max<std::uint64_t>(1, (to - from) / (static_cast<std::uint64_t>(threads) * 8));
    for (int i = 0; i < threads; ++i) hands_.push_back(std::make_unique<Hand>(places_.with_own_copies()));
    {
      std::vector<std::jthread> others;
      try {
        for (int i = 1; i < threads; ++i)
          others.emplace_back([this, i] { work(*hands_[static_cast<std::size_t>(i)]); });
      } catch (const std::system_error&) {  // no more threads can be started: the existing ones do the work
      }
      work(*hands_.front());
    }
    return !failed_ && within_limit(counters) && take_over(counters);
  }
  /// The operations that had undefined results on some thread.
  const Machine::Operations& undefined() const { return undefined_; }

 private:
  struct Hand {
    explicit Hand(MemoryView copies) : places(std::move(copies)) {}
    MemoryView places;
    Report report;
    std::vector<std::uint8_t> ways;
    Machine::Operations undefined;
    std::atomic<std::uint64_t> operations = 0;
  };

  void work(Hand& hand) {
    try {
      Options options = of_.options;
      options.strict = true;
      options.max_findings = 1;
      if (options.ways != nullptr) {
        hand.ways = *options.ways;
        options.ways = &hand.ways;
      }
      options.limits.cancelled = [this, &hand] { return stopped(hand); };
      Machine machine(of_.program, of_.kernel, of_.launch, hand.places, options,
                      of_.options.races ? Access::Tracking::races : Access::Tracking::notes, hand.report);
      machine.count_invariants_as_known();
      bool going = machine.begin();
      while (going && !failed_) {
        const std::uint64_t first = next_.fetch_add(share_), last = std::min(first + share_, end_);
        if (first >= end_) break;
        for (std::uint64_t i = first; going && i < last && !failed_; ++i) {
          going = machine.run_program(static_cast<std::uint32_t>(order_(i)));
        }
      }
      if (!going) failed_ = true;
      hand.undefined = machine.undefined();
    } catch (...) {  // for instance out of memory: one thread may still succeed
      failed_ = true;
    }
  }

  /// Called by every thread from time to time: whether to give up.
  bool stopped(Hand& hand) {
    if (failed_) return true;
    hand.operations = hand.report.counters.operations;
    std::uint64_t all = done_operations_;
    for (const auto& one : hands_) all += one->operations;
    if (all > of_.options.limits.max_operations) return true;
    if (!of_.options.limits.cancelled) return false;
    const std::lock_guard lock(asking_);
    return of_.options.limits.cancelled();
  }

  bool within_limit(const Counters& counters) const {
    std::uint64_t all = counters.operations;
    for (const auto& hand : hands_) all += hand->report.counters.operations;
    return all <= of_.options.limits.max_operations;
  }

  bool take_over(Counters& counters) {
    std::vector<MemoryView*> runs = {&places_};
    for (const auto& hand : hands_) runs.push_back(&hand->places);
    if (!MemoryView::independent(runs)) return false;
    for (const auto& hand : hands_) {
      places_.merge(hand->places);
      Counters add = hand->report.counters;
      const MemoryView::Sectors first = places_.merge_sectors(hand->places);
      add.launches = 0;
      add.sectors_read_first = first.read;
      add.sectors_written_first = first.written;
      counters += add;
      undefined_.insert(hand->undefined.begin(), hand->undefined.end());
      for (std::size_t i = 0; i < hand->ways.size(); ++i) (*of_.options.ways)[i] |= hand->ways[i];
    }
    return true;
  }

  const LaunchOf& of_;
  MemoryView& places_;
  const ProgramOrder& order_;
  const std::uint64_t done_operations_;
  std::vector<std::unique_ptr<Hand>> hands_;
  Machine::Operations undefined_;
  std::atomic<std::uint64_t> next_ = 0;
  std::uint64_t end_ = 0, share_ = 1;
  std::atomic<bool> failed_ = false;
  std::mutex asking_;
};

/// The number of threads that the launch's memory allows.
int affordable(const LaunchOf& of, const MemoryView& places, int wanted, std::uint64_t programs) {
  const std::uint64_t each = places.copy_bytes() + Machine::block_bytes(of.program) + 1;
  const std::uint64_t most = std::min(of.options.limits.max_block_bytes / each, programs);
  return static_cast<int>(std::min<std::uint64_t>(static_cast<std::uint64_t>(std::max(wanted, 1)), most));
}

}  // namespace

bool synchronises(const ir::Program& program) {
  return std::any_of(program.functions.begin(), program.functions.end(),
                     [](const ir::Function& function) { return synchronises_within(function.body); });
}

namespace {

void run_programs(const LaunchOf& of, Machine& machine, MemoryView& places, bool together, bool apart,
                  Report& report) {
  const Options& options = of.options;
  const std::uint64_t programs = of.programs();
  const ProgramOrder order(programs, options.order, options.interleaved);
  if (!options.only.empty()) {
    for (const std::uint64_t number : options.only)
      if (number < programs && !machine.run_program(number)) return;
    return;
  }
  if (together) {
    Schedule(of, machine, order, programs).run();
    return;
  }
  bool tried = !apart;
  for (std::uint64_t i = 0; i < programs; ++i) {
    // Whether much work is left, judging by the work of the programs so far.
    if (!tried && i > 0 && std::has_single_bit(i) && programs - i > 1 && report.findings.empty() &&
        report.counters.operations / i * (programs - i) >= options.threads_from) {
      tried = true;
      const int threads = affordable(of, places, options.threads, programs - i);
      Crew crew(of, places, order, report.counters.operations);
      if (threads > 1 && crew.run(i, programs, threads, report.counters)) {
        report.threads = threads;
        machine.add_undefined(crew.undefined());
        return;
      }
    }
    if (!machine.run_program(static_cast<std::uint32_t>(order(i)))) return;
  }
}

}  // namespace

void run_launch(const LaunchOf& of, Memory& memory, Report& report) {
  const Options& options = of.options;
  const bool together = options.interleaved || synchronises(of.program);
  const bool apart = options.threads > 1 && of.programs() > 2 && options.trace == nullptr && !together;
  const Access::Tracking tracking = options.races ? Access::Tracking::races
                                    : apart       ? Access::Tracking::notes
                                                  : Access::Tracking::none;
  MemoryView places(memory);
  Machine machine(of.program, of.kernel, of.launch, places, options, tracking, report);
  if (!machine.begin()) return;
  report.counters.launches = 1;
  run_programs(of, machine, places, together, apart, report);
  report.undefined = machine.undefined_results();
}

bool Machine::begin() {
  report_.counters.launches = 1;
  const std::uint64_t x = launch_.grid[0], y = launch_.grid[1], z = launch_.grid[2];
  if (y > 65535 || z > 65535 || x > 0x7FFFFFFF) {
    refuse(Kind::launch, kernel_.location,
           "the grid is larger than a GPU allows (2147483647 × 65535 × 65535)");
    return false;
  }
  if (options_.only.empty() &&
      (x * y > options_.limits.max_programs || x * y * z > options_.limits.max_programs)) {
    refuse(Kind::timeout, kernel_.location,
           "the grid has more than " + std::to_string(options_.limits.max_programs) + " programs");
    return false;
  }
  const std::uint64_t bytes = block_bytes(program_);
  if (bytes > options_.limits.max_block_bytes) {
    refuse(Kind::unsupported, kernel_.location,
           "the kernel's blocks need " + std::to_string(bytes) + " bytes, more than the " +
               std::to_string(options_.limits.max_block_bytes) + " allowed");
    return false;
  }
  frame_of(static_cast<int>(&kernel_ - program_.functions.data()));
  return bind_arguments();
}

void Machine::prepare_context(Context& context, bool first) {
  if (first) {
    context.frames = std::move(frames_);
    context.counts_invariants = counts_invariants_;
    frames_.clear();
    return;
  }
  context.frames.resize(program_.functions.size());
  frames_.swap(context.frames);
  frame_of(static_cast<int>(&kernel_ - program_.functions.data()));
  bind_arguments();
  frames_.swap(context.frames);
}

ProgramWork Machine::work() const {
  ProgramWork work = work_of(report_.counters);
  work -= before_;
  work += work_;
  return work;
}

void Machine::ends_at(double us) {
  report_.counters.clock_ns = std::max(report_.counters.clock_ns, static_cast<std::uint64_t>(us * 1000));
}

void Machine::exchange(Context& other) {
  work_ = work();
  std::swap(work_, other.work);
  before_ = work_of(report_.counters);
  frames_.swap(other.frames);
  std::swap(at_, other.at);
  std::swap(first_program_, other.first_program);
  std::swap(counts_invariants_, other.counts_invariants);
  std::swap(turns_, other.turns);
  access_.exchange(other.in_flight);
  findings_.begin_program(at_[0], at_[1], at_[2]);
}

std::uint64_t Machine::block_bytes(const ir::Program& program) {
  std::uint64_t bytes = 0;
  for (const ir::Function& function : program.functions)
    bytes += static_cast<std::uint64_t>(function.arena_bytes);
  return bytes;
}

bool Machine::run_program(std::uint64_t number) {
  const auto axis = [](std::uint64_t coordinate) { return static_cast<std::uint32_t>(coordinate); };
  at_[0] = axis(number % launch_.grid[0]);
  at_[1] = axis(number / launch_.grid[0] % launch_.grid[1]);
  at_[2] = axis(number / launch_.grid[0] / launch_.grid[1]);
  findings_.begin_program(at_[0], at_[1], at_[2]);
  access_.begin_program(axis(number));  // the number by which races tell programs apart; a grid has ≤ 2^32
  ++report_.counters.programs;
  work_ = {};
  before_ = work_of(report_.counters);
  Frame& frame = *frames_[static_cast<std::size_t>(&kernel_ - program_.functions.data())];
  if (run_function(frame) == Flow::stopped || findings_.full()) return false;
  first_program_ = false;
  report_.counters.most = largest(report_.counters.most, work());
  return true;
}

}  // namespace trl::executor
