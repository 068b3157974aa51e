// GPUs, their driver, and whether torch can use them.
#include <algorithm>
#include <optional>
#include <utility>

#include "base/support/counted.hpp"
#include "base/tasks/footprint.hpp"
#include "interpreter/doctor/listed_gpus.hpp"
#include "interpreter/doctor/probes.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {

Finding torch_on_gpu(const Machine& machine, const Finding::Outcome outcome) {
  const Filtered asked =
      machine.run({python_of(machine).string(), "-s", "-c",
                   "import torch; print(torch.version.cuda, torch.zeros(1, device='cuda').item() == 0)"});
  if (asked.status == 0) {
    const std::string cuda = trimmed(asked.out);
    return {"CUDA", Finding::Outcome::fine,
            "torch computes on the GPU by CUDA " + cuda.substr(0, cuda.find(' ')), "", ""};
  }
  const std::string why = trimmed(last_line(asked.err));
  return {"CUDA", outcome, "torch can't use the GPU" + (why.empty() ? "" : ": " + why),
          "to train, sample and time on the GPU",
          "Update the driver, or install a torch " TRL_TORCH " that was built for the CUDA of this driver"};
}

/// Returns the changes with which a model that is too large for `bytes` bytes may fit.
std::string what_fits(const Needs& needs, double bytes) {
  std::string fitting;
  for (const auto& [storage, least] : needs.least_gpu_bytes_stored)
    if (least <= bytes)
      fitting += fmt::format("{}quantize = {} ({})", fitting.empty() ? "Store the model with " : " or ",
                             storage, gib_text(least));
  return fitting.empty() ? "Run it on a GPU with more memory, shorten max_tokens, or take a smaller model"
                         : fitting + ", or run it on a GPU with more memory";
}

/// Checks whether answers to every task can be judged completely. `bytes` is the memory of the largest GPU,
/// or 0 without one. Nothing if every task is executed completely without a GPU.
std::optional<Finding> memory_for_tasks(const TaskMemory& memory, double bytes) {
  const auto& tasks = memory.footprints;
  if (tasks.larger() == 0) return std::nullopt;
  const char* what = "memory for tasks";
  const std::string all = counted(tasks.tasks(), "task"), room = tasks::memory_text(tasks.gpu());
  const std::string there = "Run it on such a GPU with --kernel-times measured";
  const std::string smaller = ", or take smaller sizes: kernelbench(…, largest = 4096)";
  if (!memory.timed && !memory.cuda)
    return Finding{
        what, Finding::Outcome::note,
        fmt::format("{} of {} are judged at smaller sizes, and by a sample of programs at their own",
                    tasks.larger(), all),
        fmt::format("a GPU of at least {}, to judge them completely", room),
        (bytes >= tasks.gpu() ? "Add --kernel-times measured" : there) + smaller};
  const std::size_t beyond = tasks.beyond(bytes);
  if (beyond == 0)
    return Finding{what, Finding::Outcome::fine,
                   fmt::format("enough for the largest of {} ({} needed)", all, room), "", ""};
  return Finding{what, Finding::Outcome::lacking,
                 fmt::format("too little to judge answers to {} of {}", beyond, all),
                 fmt::format("a GPU of at least {}", room), there + smaller};
}

}  // namespace

std::vector<Finding> probe_gpu(const Machine& machine, const Needs& needs) {
  const bool needed = needs.gpu || needs.timed || needs.cuda_kernels;
  const auto outcome = needed ? Finding::Outcome::lacking : Finding::Outcome::note;
  const auto gpus = listed_gpus(machine);
  if (gpus.empty()) {
    const std::string purpose = needs.cuda_kernels ? "to run kernels in CUDA C++, which nothing else can"
                                : needs.timed      ? "to measure kernel times"
                                : needs.gpu        ? "for --device cuda"
                                                   : "for --device cuda and --kernel-times measured";
    const std::string remedy =
        needs.cuda_kernels
            ? "Run it on a machine with an NVIDIA GPU, with --device cuda --kernel-times measured"
        : needed ? "Run it on a machine with an NVIDIA GPU, or without these options: models then run on the "
                   "CPU, and "
                   "times are modelled for an H200"
                 : "Nothing has to be done: models run on the CPU, and times are modelled for an H200";
    std::vector<Finding> findings = {{"GPU", outcome,
                                      machine.read("/proc/driver/nvidia/version")
                                          ? "there is a driver, and nvidia-smi finds no GPU"
                                          : "none",
                                      purpose, remedy}};
    if (auto memory = memory_for_tasks(needs.tasks, 0)) findings.push_back(std::move(*memory));
    return findings;
  }
  const auto largest =
      std::max_element(gpus.begin(), gpus.end(), [](auto& a, auto& b) { return a.bytes < b.bytes; });
  Finding gpu{"GPU", Finding::Outcome::fine,
              fmt::format("{}{}, {}", gpus.size() > 1 ? fmt::format("{} × ", gpus.size()) : "", largest->name,
                          gib_text(largest->bytes)),
              "", ""};
  if (needs.least_gpu_bytes > largest->bytes) {
    gpu.outcome = needs.gpu ? Finding::Outcome::lacking : Finding::Outcome::note;
    gpu.needed = fmt::format(
        "at least {} on one GPU for --device cuda, modelled from the model's shape; a model isn't spread "
        "over several GPUs",
        gib_text(needs.least_gpu_bytes));
    gpu.remedy = what_fits(needs, largest->bytes);
  } else if (needs.gpu_bytes > largest->bytes) {
    gpu.outcome = needs.gpu ? Finding::Outcome::lacking : Finding::Outcome::note;
    gpu.needed = gib_text(needs.gpu_bytes) + " on one GPU for --device cuda, modelled from the model's shape";
    gpu.remedy =
        "Take micro_batch = 1, a shorter sequence, fewer candidates or a quantised model (`trl check` says "
        "which helps "
        "once the experiment has a machine), or run it on a GPU with more memory";
  } else if (needs.gpu_bytes > 0) {
    gpu.found += fmt::format(" (needed: {}, modelled)", gib_text(needs.gpu_bytes));
  }
  std::vector<Finding> findings = {
      gpu, {"driver", Finding::Outcome::fine, largest->driver, "", ""}, torch_on_gpu(machine, outcome)};
  if (auto memory = memory_for_tasks(needs.tasks, largest->bytes)) findings.push_back(std::move(*memory));
  return findings;
}

}  // namespace trl::interpreter
