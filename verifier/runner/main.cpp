// trl-runner: replays launch plans on the GPU (docs/interfaces.md, 4). It has no torch, no Python and no
// expected values.
//
// A request is a line of JSON, followed by the bytes of its cubins and inputs; an answer is a line, followed
// by the bytes of the outputs. The process ends after a sticky error; the process that started it has another
// runner ready.
#include <fcntl.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <thread>

#include "base/support/json_text.hpp"
#include "base/support/machine.hpp"
#include "verifier/plan/plan.hpp"
#include "verifier/runner/cubin.hpp"
#include "verifier/runner/device_plan.hpp"
#include "verifier/runner/measure.hpp"

namespace {

using namespace trl;
using namespace trl::runner;
using nlohmann::json;

constexpr std::size_t most_bytes = std::size_t{1} << 30;

class Channel {
 public:
  explicit Channel(int out) : out_(out) {}

  std::optional<std::string> line() {
    while (true) {
      if (const auto end = pending_.find('\n'); end != std::string::npos) {
        std::string out = pending_.substr(0, end);
        pending_.erase(0, end + 1);
        return out;
      }
      if (!more()) return std::nullopt;
    }
  }

  std::vector<std::byte> bytes(std::size_t count) {
    while (pending_.size() < count)
      if (!more()) std::exit(0);
    const auto* begin = reinterpret_cast<const std::byte*>(pending_.data());
    std::vector<std::byte> out(begin, begin + count);
    pending_.erase(0, count);
    return out;
  }

  void send(const json& head, const std::vector<std::vector<std::byte>>& parts) {
    const std::string text = dumped(head) + "\n";
    send(text.data(), text.size());
    for (const auto& part : parts) send(reinterpret_cast<const char*>(part.data()), part.size());
  }

 private:
  bool more() {
    char buffer[1 << 16];
    while (true) {
      const ssize_t count = ::read(0, buffer, sizeof buffer);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return false;
      pending_.append(buffer, static_cast<std::size_t>(count));
      return true;
    }
  }

  void send(const char* data, std::size_t size) {
    while (size > 0) {
      const ssize_t count = ::write(out_, data, size);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) std::exit(0);
      data += count, size -= static_cast<std::size_t>(count);
    }
  }

  int out_;
  std::string pending_;
};

/// The modules of one request.
class Modules {
 public:
  ~Modules() {
    for (const Loaded& one : modules_) driver().cuModuleUnload(one.module);
  }
  explicit Modules(CUstream stream) : stream_(stream) {}
  Modules(const Modules&) = delete;
  Modules& operator=(const Modules&) = delete;

  std::span<const Globals> globals() const { return globals_; }

  LoadedKernel load(const json& kernel, std::span<const std::byte> cubin) {
    LoadedKernel out{nullptr, kernel.at("name"), kernel.at("threads"), kernel.at("shared")};
    if (cubin.empty()) return out;  // this plan doesn't launch the kernel
    // The block size of Triton's kernels is fixed when they are compiled; for CUDA's it is part of each
    // launch.
    const bool cuda = out.threads == 0;
    if (const auto why = refusal(cubin, cuda))
      throw Finding("writable_globals", "`" + out.name + "`: " + *why);
    CUmodule module = find(out.name, cubin, cuda);
    if (driver().cuModuleGetFunction(&out.function, module, out.name.c_str()) != CUDA_SUCCESS)
      throw Finding("compile_error", "its cubin has no `" + out.name + "`");
    int most_threads = 0;
    check(driver().cuFuncGetAttribute(&most_threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, out.function),
          "a kernel's limits");
    out.most_threads = static_cast<unsigned>(most_threads);
    int stack = 0;
    check(driver().cuFuncGetAttribute(&stack, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, out.function),
          "a kernel's stack");
    out.stack = static_cast<std::size_t>(stack);
    if (out.threads > out.most_threads)
      throw Finding("gpu_error", "`" + out.name + "` needs more registers than " +
                                     std::to_string(out.threads) + " threads have");
    if (out.shared > (48u << 10) &&
        driver().cuFuncSetAttribute(out.function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                    static_cast<int>(out.shared)) != CUDA_SUCCESS)
      throw Finding("gpu_error", "`" + out.name + "` needs " + std::to_string(out.shared) +
                                     " bytes of shared memory, more than this GPU has");
    return out;
  }

 private:
  // Kernels of one cubin share its global variables.
  CUmodule find(const std::string& name, std::span<const std::byte> cubin, bool cuda) {
    for (const Loaded& one : modules_)
      if (std::equal(one.cubin.begin(), one.cubin.end(), cubin.begin(), cubin.end())) return one.module;
    CUmodule module = nullptr;
    if (const CUresult result = driver().cuModuleLoadData(&module, cubin.data()); result != CUDA_SUCCESS)
      throw Finding("compile_error", CudaError(result, "`" + name + "` does not load").what());
    modules_.push_back({module, cubin});
    if (cuda)
      for (const GlobalSection& section : global_sections(cubin)) keep(module, section);
    return module;
  }

  // Finds a section's variables on the GPU and saves their contents. They may lie in several allocations.
  // Where the driver doesn't know a variable's name, the section must be there in one piece, and is saved as
  // a whole.
  void keep(CUmodule module, const GlobalSection& section) {
    std::vector<std::pair<CUdeviceptr, std::size_t>> found;
    std::set<CUdeviceptr> sections;
    for (const auto& variable : section.variables) {
      CUdeviceptr place = 0;
      std::size_t bytes = 0;
      if (driver().cuModuleGetGlobal(&place, &bytes, module, variable.name.c_str()) != CUDA_SUCCESS) continue;
      found.emplace_back(place, bytes);
      sections.insert(place - variable.offset);
    }
    const bool all = found.size() == section.variables.size();
    if (found.empty() || (!all && sections.size() > 1))
      throw Finding("writable_globals",
                    "it has global variables, in which it could keep something from one launch to the next");
    if (!all) found.assign(1, {*sections.begin(), section.bytes});
    for (const auto& [at, bytes] : found) {
      globals_.push_back({at, std::vector<std::byte>(bytes)});
      check(driver().cuMemcpyDtoHAsync(globals_.back().initial.data(), at, bytes, stream_),
            "global variables");
      check(driver().cuStreamSynchronize(stream_), "global variables");
    }
  }

  struct Loaded {
    CUmodule module;
    std::span<const std::byte> cubin;
  };
  CUstream stream_;
  std::vector<Loaded> modules_;
  std::vector<Globals> globals_;
};

struct Request {
  json head;
  std::vector<std::vector<std::byte>> cubins, inputs, challenges;  // no inputs if the memory is shared

  bool shared() const { return head.value("shared", false); }
  std::vector<std::int64_t> input_bytes() const { return head.at("inputs"); }
};

std::optional<Request> read_request(Channel& channel) {
  const auto line = channel.line();
  if (!line) return std::nullopt;
  Request request{json::parse(*line), {}, {}, {}};
  std::size_t total = 0;
  const auto part = [&](const json& size) {
    const auto count = size.get<std::size_t>();
    total += count;
    if (count > most_bytes || total > most_bytes) throw std::runtime_error("a request is too large");
    return channel.bytes(count);
  };
  for (const json& kernel : request.head.at("kernels")) request.cubins.push_back(part(kernel.at("bytes")));
  if (request.shared()) return request;
  for (const json& size : request.head.at("inputs")) request.inputs.push_back(part(size));
  for (const json& one : request.head.value("challenges", json::array())) {
    request.challenges.push_back(part(one.at("bytes")));
    const std::size_t input = one.at("input"), begin = one.at("begin"), bytes = one.at("bytes");
    if (input >= request.inputs.size() || begin > request.inputs[input].size() ||
        bytes > request.inputs[input].size() - begin)
      throw std::runtime_error("a challenge lies outside of its input");
  }
  return request;
}

/// Measures the seconds between calls.
class Laps {
 public:
  void lap(json& took, const char* name) {
    const auto now = std::chrono::steady_clock::now();
    took[name] = std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// A request's plan on the GPU.
struct Loaded {
  Loaded(Device& device, const Request& request)
      : plan(trl::runtime::parse_plan(request.head.at("plan"), request.input_bytes(), request.cubins.size(),
                                      trl::runtime::PlanLimits::on_gpu(device.memory_bytes()))),
        modules(device.stream()),
        kernels(loaded(request)),
        on_gpu(device, plan, kernels, modules.globals(), {request.inputs.begin(), request.inputs.end()},
               2 * device.l2_bytes()) {}

  trl::runtime::Plan plan;
  Modules modules;
  std::vector<LoadedKernel> kernels;  // loaded before `on_gpu` looks at their global variables
  DevicePlan on_gpu;

 private:
  std::vector<LoadedKernel> loaded(const Request& request) {
    std::vector<LoadedKernel> out;
    for (std::size_t i = 0; i < request.cubins.size(); ++i)
      out.push_back(modules.load(request.head["kernels"][i], request.cubins[i]));
    return out;
  }
};

Timing timing_of(const json& timing) {
  return {timing.at("warmup"), timing.at("trials"), timing.value("budget_ms", 0.0)};
}

/// Carries out the steps that lines ask for, while another process shares the plan's memory. Each step is
/// answered by a line. A Finding ends the conversation.
json converse(Device& device, const Request& request, Channel& channel) {
  Loaded loaded(device, request);
  DevicePlan& on_gpu = loaded.on_gpu;
  const json id = request.head.at("id");
  const SharedMemory shared = on_gpu.shared();
  const auto* handle = reinterpret_cast<const unsigned char*>(shared.handle.reserved);
  channel.send({{"id", id},
                {"ok", true},
                {"handle", fmt::format("{:02x}", fmt::join(handle, handle + sizeof shared.handle, ""))},
                {"bytes", shared.bytes},
                {"inputs", shared.inputs},
                {"outputs", shared.outputs}},
               {});
  const auto asked = [&] {
    const auto line = channel.line();
    if (!line) std::exit(0);
    return json::parse(*line);
  };
  while (true) {
    const json step = asked();
    if (step.contains("run")) {
      const std::uint8_t pattern = step.at("run");
      const bool launches = step.at("launches");
      on_gpu.hide_output();
      on_gpu.prepare(pattern);
      on_gpu.run(launches, launches);
      on_gpu.show_output();
      const auto damage = on_gpu.damage(pattern);
      channel.send({{"id", id}, {"ok", true}, {"damage", damage ? json(*damage) : json()}}, {});
    } else if (step.contains("time")) {
      on_gpu.hide_output();
      on_gpu.prepare(0xFF);
      const Measured measured = measure(device, on_gpu, timing_of(step["time"]), {}, [&] {
        channel.send({{"id", id}, {"ok", true}, {"judge", true}}, {});
        if (!asked().at("judged").get<bool>())
          throw Finding("wrong_values", "a timed run gives another output");
      });
      const auto damage = on_gpu.damage(measured.pattern);
      channel.send({{"id", id},
                    {"ok", true},
                    {"graph_us", measured.graph_us},
                    {"stream_us", measured.stream_us},
                    {"damage", damage ? json(*damage + ", when timed") : json()}},
                   {});
    } else {
      return {{"ok", true}};
    }
  }
}

json answer(Device& device, const Request& request, std::vector<std::vector<std::byte>>& outputs) {
  Laps laps;
  json took;
  const json& head = request.head;
  const bool timed = head.contains("timing") && head["timing"].is_object();
  Loaded loaded(device, request);
  DevicePlan& on_gpu = loaded.on_gpu;

  laps.lap(took, "load");
  json out = {{"ok", true}};
  // A changed input ends the replay; the caller decides about a store outside all buffers.
  const auto note_damage = [&](std::uint8_t pattern, const char* when) {
    const auto damage = on_gpu.damage(pattern);
    if (!damage) return;
    if (on_gpu.input_changed()) throw Finding("mutated_input", *damage + when);
    if (!out.contains("damage")) out["damage"] = *damage + when;
  };

  // A kernel may swallow the first poison, as maximum(NaN, 0) does; the second pattern is not NaN.
  for (const std::uint8_t pattern : {std::uint8_t{0xFF}, std::uint8_t{0x7B}}) {
    on_gpu.prepare(pattern);
    on_gpu.run(true, true);
    outputs.push_back(on_gpu.output());
    note_damage(pattern, "");
  }
  // Runs the plan without the candidate's kernels. This run must not give the right output.
  on_gpu.prepare(0xFF);
  on_gpu.run(false, false);
  outputs.push_back(on_gpu.output());

  laps.lap(took, "replay");

  if (timed) {
    on_gpu.prepare(0xFF);
    std::vector<trl::runner::Challenge> challenges;
    for (std::size_t i = 0; i < request.challenges.size(); ++i)
      challenges.push_back(
          {head["challenges"][i].at("input"), head["challenges"][i].at("begin"), request.challenges[i]});
    const Measured measured = measure(device, on_gpu, timing_of(head["timing"]), challenges);
    note_damage(measured.pattern, ", when timed");
    out["graph_us"] = measured.graph_us;
    out["stream_us"] = measured.stream_us;
    out["runs"] = measured.runs;
    out["unkept"] = measured.unkept;
    for (const auto& one : measured.distinct) outputs.push_back(one);
    out["challenged"] = measured.challenged.size();
    outputs.insert(outputs.end(), measured.challenged.begin(), measured.challenged.end());
    laps.lap(took, "time");
  }
  out["took"] = std::move(took);
  return out;
}

int serve(int out) {
  Channel channel(out);
  std::optional<Device> device;
  try {
    device.emplace();
  } catch (const std::exception& error) {
    channel.send({{"ready", false}, {"message", error.what()}}, {});
    return 1;
  }
  channel.send({{"ready", true},
                {"gpu", device->name()},
                {"driver", gpu_driver_version()},
                {"cuda", cuda_version_text(device->cuda_version())},
                {"l2_bytes", device->l2_bytes()},
                {"memory_bytes", device->memory_bytes()}},
               {});
  while (const auto request = read_request(channel)) {
    std::vector<std::vector<std::byte>> outputs;
    json reply;
    bool sticky = false;
    try {
      reply = request->shared() ? converse(*device, *request, channel) : answer(*device, *request, outputs);
      // An error that appears late belongs to this request, not to the next one.
      device->wait();
    } catch (const Finding& finding) {
      reply = {{"ok", false}, {"kind", finding.kind}, {"message", finding.what()}, {"line", finding.line}};
      sticky = driver().cuStreamSynchronize(device->stream()) != CUDA_SUCCESS;
    } catch (const CudaError& error) {
      reply = {{"ok", false}, {"kind", "gpu_error"}, {"message", error.what()}, {"line", 0}};
      sticky = true;
    } catch (const NoMemory& error) {
      reply = {{"ok", false}, {"kind", "no_memory"}, {"message", error.what()}, {"line", 0}};
    } catch (const trl::runtime::BadPlan& error) {
      reply = {{"ok", false}, {"kind", "bad_plan"}, {"message", error.what()}, {"line", 0}};
    }
    if (!reply.value("ok", false)) outputs.clear();
    reply["id"] = request->head.at("id");
    reply["sticky"] = sticky;
    reply["outputs"] = json::array();
    for (const auto& one : outputs) reply["outputs"].push_back(one.size());
    channel.send(reply, outputs);
    if (sticky) return 3;
  }
  return 0;
}

// Ends this process when the process that sends requests is gone, even if a kernel hangs. PR_SET_PDEATHSIG
// can't be used, because it follows the thread that started this process.
void end_with_parent() {
  std::thread([] {
    pollfd input{0, 0, 0};
    while (::poll(&input, 1, -1) < 0 || (input.revents & (POLLHUP | POLLERR)) == 0) {
    }
    ::_exit(0);
  }).detach();
}

}  // namespace

int main() {
  // A kernel's prints go to standard output, so answers use another descriptor.
  const int out = ::fcntl(1, F_DUPFD_CLOEXEC, 3);
  const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (out < 0 || null < 0 || ::dup2(null, 1) < 0) {
    std::perror("trl-runner");
    return 1;
  }
  end_with_parent();
  try {
    return serve(out);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "trl-runner: %s\n", error.what());
    return 1;
  }
}
