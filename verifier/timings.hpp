#pragma once
// Measures the time of each kind of work that leads to a verdict.
#include <array>
#include <chrono>
#include <cstddef>
#include <nlohmann/json.hpp>

namespace trl::runtime {

/// The kinds of work for a candidate:
/// - record: running its Python to record the launch plan;
/// - parse: parsing its kernels for the executor;
/// - draw: drawing the inputs and computing the expected values;
/// - execute: running its kernels on the executor;
/// - compile: compiling its kernels;
/// - wait: waiting for the GPU;
/// - load: loading its kernels onto the GPU;
/// - replay: running its kernels on the GPU for their values;
/// - time: timing its kernels on the GPU;
/// - reference: timing the reference on the GPU.
///
/// Computing tolerances belongs to the step that judges the output.
enum class Work { record, parse, draw, execute, compile, wait, load, replay, time, reference };
constexpr std::array work_names{"record", "parse", "draw",   "execute", "compile",
                                "wait",   "load",  "replay", "time",    "reference"};

/// The seconds spent on each kind of work.
class Timings {
 public:
  void add(Work work, double seconds) { seconds_[static_cast<std::size_t>(work)] += seconds; }
  double on(Work work) const { return seconds_[static_cast<std::size_t>(work)]; }
  Timings& operator+=(const Timings& other) {
    for (std::size_t i = 0; i < seconds_.size(); ++i) seconds_[i] += other.seconds_[i];
    return *this;
  }
  nlohmann::json to_json() const {
    nlohmann::json out;
    for (std::size_t i = 0; i < seconds_.size(); ++i) out[work_names[i]] = seconds_[i];
    return out;
  }

 private:
  std::array<double, work_names.size()> seconds_{};
};

/// Adds the time between the object's construction and its destruction to `timings`.
class Stopwatch {
 public:
  Stopwatch(Timings& timings, Work work) : timings_(timings), work_(work) {}
  ~Stopwatch() { timings_.add(work_, std::chrono::duration<double>(Clock::now() - begin_).count()); }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  Timings& timings_;
  Work work_;
  Clock::time_point begin_ = Clock::now();
};

}  // namespace trl::runtime
