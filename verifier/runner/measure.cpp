#include "verifier/runner/measure.hpp"

#include <algorithm>
#include <random>
#include <set>

namespace trl::runner {
namespace {

double microseconds(CUevent begin, CUevent end) {
  float milliseconds = 0;
  check(driver().cuEventElapsedTime(&milliseconds, begin, end), "an event");
  return milliseconds * 1e3;
}

/// The plan's steps as one CUDA graph.
class Graph {
 public:
  Graph(const Device& device, DevicePlan& plan) : stream_(device.stream()) {
    const Driver& cuda = driver();
    check(cuda.cuStreamBeginCapture(stream_, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL), "capturing a graph");
    try {
      plan.run(true, false);
    } catch (...) {
      cuda.cuStreamEndCapture(stream_, &graph_);
      if (graph_ != nullptr) cuda.cuGraphDestroy(graph_);
      throw;
    }
    check(cuda.cuStreamEndCapture(stream_, &graph_), "capturing a graph");
    check(cuda.cuGraphInstantiateWithFlags(&executable_, graph_, 0), "a graph");
  }
  ~Graph() {
    if (executable_ != nullptr) driver().cuGraphExecDestroy(executable_);
    driver().cuGraphDestroy(graph_);
  }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  void launch() { check(driver().cuGraphLaunch(executable_, stream_), "launching a graph"); }

 private:
  CUstream stream_;
  CUgraph graph_ = nullptr;
  CUgraphExec executable_ = nullptr;
};

constexpr int busy_flushes = 60;

std::uint8_t pattern_of(int trial) {
  constexpr std::uint8_t patterns[] = {0xFF, 0x7B, 0x3C, 0xC1};
  return patterns[trial % 4];
}

}  // namespace

Measured measure(Device& device, DevicePlan& plan, const Timing& timing,
                 std::span<const Challenge> challenges, const std::function<void()>& judge) {
  Measured out;
  Graph graph(device, plan);
  const std::size_t bytes = plan.output_bytes();
  // Outputs are evaluated in batches, so that the host's memory is bounded.
  constexpr std::size_t batch_bytes = 64 << 20, most_bytes = 256 << 20;
  const std::size_t kept = judge ? 0 : bytes;  // the bytes of each output on the host
  const std::size_t batch =
      judge ? 1 : std::clamp<std::size_t>(batch_bytes / std::max<std::size_t>(bytes, 1), 1, 64);
  std::byte* const host = device.host_arena().take(batch * (kept + sizeof(std::uint64_t)));
  auto* const sums = reinterpret_cast<std::uint64_t*>(host);
  std::byte* const outputs = host + batch * sizeof(std::uint64_t);
  const auto events = device.events(2 * batch);
  std::random_device random;
  const auto draw_key = [&] { return std::uint64_t{random()} << 32 | random(); };
  const std::uint64_t sum_key = draw_key();
  std::vector<std::uint64_t> keys(batch);
  std::set<std::uint64_t> known;

  const auto keep = [&](std::size_t i) {
    ++out.runs;
    if (!known.insert(sums[i]).second) return;
    if (judge) {
      constexpr std::size_t most_judged = 8;
      if (known.size() > most_judged)
        throw Finding("too_large", "its timed runs give too many different outputs");
      plan.unmask_on_gpu(keys[i]);
      judge();
      plan.hide_output();
      return;
    }
    if (out.distinct.size() >= most_bytes / std::max<std::size_t>(bytes, 1)) {
      ++out.unkept;
      return;
    }
    const std::byte* at = outputs + i * bytes;
    out.distinct.emplace_back(at, at + bytes);
    DevicePlan::unmask(out.distinct.back(), keys[i]);
  };
  const auto time = [&](int trials, bool as_graph, std::vector<double>* into) {
    for (int done = 0; done < trials;) {
      const std::size_t now = std::min(batch, static_cast<std::size_t>(trials - done));
      for (std::size_t i = 0; i < now; ++i) {
        out.pattern = pattern_of(done + static_cast<int>(i));
        plan.prepare_again(out.pattern);
        plan.flush();
        check(driver().cuEventRecord(events[2 * i], device.stream()), "an event");
        if (as_graph)
          graph.launch();
        else
          plan.run(true, false);
        check(driver().cuEventRecord(events[2 * i + 1], device.stream()), "an event");
        keys[i] = draw_key();
        plan.output_to(judge ? nullptr : outputs + i * bytes, keys[i], sum_key, sums + i);
      }
      device.wait();
      for (std::size_t i = 0; i < now; ++i) {
        keep(i);
        if (into != nullptr) into->push_back(microseconds(events[2 * i], events[2 * i + 1]));
      }
      done += static_cast<int>(now);
    }
  };
  const auto meet = [&](const Challenge& challenge) {
    plan.overwrite(challenge.input, challenge.begin, challenge.bytes);
    plan.prepare_again(out.pattern);
    plan.flush();
    graph.launch();
    keys[0] = draw_key();
    plan.output_to(outputs, keys[0], sum_key, sums);
    plan.restore(challenge.input, challenge.begin, challenge.bytes.size());
    device.wait();
    out.challenged.emplace_back(outputs, outputs + bytes);
    DevicePlan::unmask(out.challenged.back(), keys[0]);
  };
  // An idle GPU lowers its clock, so it is kept busy for a few milliseconds first.
  for (int i = 0; i < busy_flushes; ++i) plan.flush();
  std::vector<double> before;
  time(timing.warmup, true, &before);
  int trials = timing.trials;
  if (timing.budget_ms > 0 && !before.empty()) {
    constexpr int fewest = 5;
    std::nth_element(before.begin(), before.begin() + std::ssize(before) / 2, before.end());
    const double fit = 1e3 * timing.budget_ms / std::max(before[before.size() / 2], 1e-3);
    if (fit < trials) trials = std::min(trials, std::max(fewest, static_cast<int>(fit)));
  }
  for (std::size_t i = 0; i < challenges.size(); ++i) {
    const int left = trials - static_cast<int>(out.graph_us.size());
    time(std::uniform_int_distribution(0, left)(random), true, &out.graph_us);
    meet(challenges[i]);
  }
  time(trials - static_cast<int>(out.graph_us.size()), true, &out.graph_us);
  time(std::min(timing.trials, 10), false, &out.stream_us);
  return out;
}

}  // namespace trl::runner
