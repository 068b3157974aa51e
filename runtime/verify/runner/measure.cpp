#include "runtime/verify/runner/measure.hpp"

#include <algorithm>
#include <string_view>

namespace trl::runner {
namespace {

class Event {
 public:
  Event() { check(driver().cuEventCreate(&event_, CU_EVENT_DEFAULT), "an event"); }
  ~Event() { driver().cuEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  void record(CUstream stream) { check(driver().cuEventRecord(event_, stream), "an event"); }
  double microseconds_to(const Event& later) const {
    float milliseconds = 0;
    check(driver().cuEventElapsedTime(&milliseconds, event_, later.event_), "an event");
    return milliseconds * 1e3;
  }

 private:
  CUevent event_ = nullptr;
};

/// The plan's steps as one graph.
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

/// Pinned memory of the host.
class Pinned {
 public:
  explicit Pinned(std::size_t bytes) {
    void* at = nullptr;
    check(driver().cuMemAllocHost(&at, std::max<std::size_t>(bytes, 1)), "pinned memory");
    data_ = static_cast<std::byte*>(at);
  }
  ~Pinned() { driver().cuMemFreeHost(data_); }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  std::byte* data() { return data_; }

 private:
  std::byte* data_ = nullptr;
};

constexpr int busy_flushes = 60;

std::uint8_t pattern_of(int trial) {
  constexpr std::uint8_t patterns[] = {0xFF, 0x7B, 0x3C, 0xC1};
  return patterns[trial % 4];
}

}  // namespace

Measured measure(Device& device, DevicePlan& plan, const Timing& timing) {
  Measured out;
  Graph graph(device, plan);
  const std::size_t bytes = plan.output_bytes();
  // Outputs leave in batches, so that the host's memory is bounded.
  constexpr std::size_t batch_bytes = 64 << 20;
  const int batch =
      static_cast<int>(std::clamp<std::size_t>(batch_bytes / std::max<std::size_t>(bytes, 1), 1, 64));
  Pinned outputs(static_cast<std::size_t>(batch) * bytes);

  constexpr std::size_t most_bytes = 256 << 20;
  const auto keep = [&](int count) {
    for (int i = 0; i < count; ++i) {
      const std::byte* at = outputs.data() + static_cast<std::size_t>(i) * bytes;
      const std::string_view text(reinterpret_cast<const char*>(at), bytes);
      ++out.runs;
      const bool known = std::any_of(out.distinct.begin(), out.distinct.end(), [&](const auto& one) {
        return text == std::string_view(reinterpret_cast<const char*>(one.data()), one.size());
      });
      if (known) continue;
      if (out.distinct.size() < most_bytes / std::max<std::size_t>(bytes, 1))
        out.distinct.emplace_back(at, at + bytes);
      else
        ++out.unkept;
    }
  };

  const auto time = [&](int trials, bool as_graph, std::vector<double>* into) {
    std::vector<Event> begins(static_cast<std::size_t>(batch)), ends(static_cast<std::size_t>(batch));
    for (int done = 0; done < trials;) {
      const int now = std::min(batch, trials - done);
      for (int i = 0; i < now; ++i) {
        const auto at = static_cast<std::size_t>(i);
        plan.prepare_again(pattern_of(done + i));
        plan.flush();
        begins[at].record(device.stream());
        if (as_graph)
          graph.launch();
        else
          plan.run(true, false);
        ends[at].record(device.stream());
        plan.output_to(outputs.data() + at * bytes);
      }
      device.wait();
      keep(now);
      for (int i = 0; into != nullptr && i < now; ++i)
        into->push_back(
            begins[static_cast<std::size_t>(i)].microseconds_to(ends[static_cast<std::size_t>(i)]));
      done += now;
    }
  };
  // An idle GPU clocks down: it is kept busy for a few milliseconds first.
  for (int i = 0; i < busy_flushes; ++i) plan.flush();
  time(timing.warmup, true, nullptr);
  time(timing.trials, true, &out.graph_us);
  time(std::min(timing.trials, 10), false, &out.stream_us);
  return out;
}

}  // namespace trl::runner
