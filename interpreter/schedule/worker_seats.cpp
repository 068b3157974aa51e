#include "interpreter/schedule/worker_seats.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "base/support/error.hpp"
#include "interpreter/filter.hpp"

namespace trl::interpreter {
namespace {

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

}  // namespace

StageDone WorkerSeats::run(const std::vector<std::size_t>& seats, const WorkerRequest& request,
                           const WorkerEvents& events) {
  std::vector<WorkerProcess*> workers;
  for (const std::size_t seat : seats) {
    if (!workers_[seat]) workers_[seat] = std::make_unique<WorkerProcess>(options_of_(seat), cancellation_);
    workers.push_back(workers_[seat].get());
  }
  return run_together(workers, request, events);
}

std::vector<std::string> gpu_entries(const std::optional<std::string>& variable, const std::string& listed) {
  std::size_t there = 0;
  std::istringstream lines(listed);
  // "GPU 0: NVIDIA H200 (UUID: GPU-…)"; parts of a GPU (MIG) are indented.
  for (std::string line; std::getline(lines, line);) there += line.starts_with("GPU ");
  std::vector<std::string> entries;
  if (!variable) {
    for (std::size_t i = 0; i < there; ++i) entries.push_back(std::to_string(i));
    return entries;
  }
  std::istringstream words(*variable);
  for (std::string word; std::getline(words, word, ',');) {
    std::erase(word, ' ');
    // CUDA ignores the entries behind an entry that names no GPU.
    if (word.empty() || word.starts_with('-')) break;
    if (is_number(word) && there > 0 && std::strtoull(word.c_str(), nullptr, 10) >= there) break;
    entries.push_back(word);
  }
  return entries;
}

std::string gpu_id(const std::string& entry, const std::string& listed) {
  const std::string before = "(UUID: ";
  std::istringstream lines(listed);
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("GPU ")) continue;
    const auto at = line.find(before);
    if (at == std::string::npos) continue;
    auto id = line.substr(at + before.size());
    id.resize(std::min(id.size(), id.find(')')));
    if (is_number(entry) ? std::to_string(number) == entry : id.starts_with(entry)) return id;
    ++number;
  }
  return entry;
}

std::vector<VisibleGpu> gpus_here() {
  const char* variable = std::getenv("CUDA_VISIBLE_DEVICES");
  const auto asked = run_filter("nvidia-smi", {"--list-gpus"}, "");
  const std::string listed = asked.status == 0 ? asked.out : "";
  std::vector<VisibleGpu> gpus;
  for (const auto& entry :
       gpu_entries(variable ? std::optional<std::string>(variable) : std::nullopt, listed))
    gpus.push_back({entry, gpu_id(entry, listed)});
  return gpus;
}

std::size_t wanted_gpus(std::size_t there, const std::string& wanted) {
  const bool restricted = std::getenv("CUDA_VISIBLE_DEVICES") != nullptr;
  const std::string where = restricted ? "CUDA_VISIBLE_DEVICES lists " : "this machine has ";
  if (there == 0)
    throw UserError(
        where + "no GPU that nvidia-smi shows",
        "`trl doctor --device cuda` says what is missing; without --device cuda models run on the "
        "CPU.");
  if (wanted == "all") return there;
  const auto count = std::strtoull(wanted.c_str(), nullptr, 10);
  if (count > there)
    throw UserError(
        "--gpus " + wanted + " asks for more GPUs than there are: " + where + std::to_string(there),
        "Write --gpus " + std::to_string(there) + ", or leave --gpus out to use them all.");
  return count;
}

std::string gpu_name(const std::string& entry) {
  constexpr std::size_t longest = 12;
  return is_number(entry) ? "GPU " + entry : entry.substr(0, longest);
}

}  // namespace trl::interpreter
