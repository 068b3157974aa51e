// The findings of `trl doctor`, and the requirements that it checks.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/plan/task_memory.hpp"

namespace trl::interpreter {

struct Finding {
  /// `fine`: everything needed is there. `note`: something is missing, but it isn't needed for the requested
  /// work. `lacking`: something needed is missing.
  enum class Outcome { fine, note, lacking };
  std::string what;  ///< the examined item, such as "torch"
  Outcome outcome = Outcome::fine;
  std::string found;   ///< the state of the item on this machine, such as "2.9.1"
  std::string needed;  ///< the required state, such as "2.11.0, to train and to sample"; may be empty if the
                       ///< outcome is fine
  std::string remedy;  ///< the remedy with its command; empty if the outcome is fine
  bool operator==(const Finding&) const = default;
};

std::string outcome_text(Finding::Outcome outcome);
nlohmann::json to_json(const Finding& finding);

/// The requirements that the machine is checked for: the requirements of one experiment, or of any run.
struct Needs {
  std::string experiment;      ///< the experiment's name; empty for the requirements of any run
  bool running = true;         ///< whether there are stages to run that need Python and torch
  bool verification = true;    ///< whether candidates are verified
  bool gpu = false;            ///< whether models run on a GPU
  bool timed = false;          ///< whether kernels are timed on a GPU
  bool cuda_kernels = false;   ///< whether candidates are CUDA C++
  double gpu_bytes = 0;        ///< the modelled memory in bytes that is needed on one GPU; 0 if unknown
  double least_gpu_bytes = 0;  ///< the modelled memory without which nothing runs on it; 0 if unknown
  std::map<std::string, double> least_gpu_bytes_stored;  ///< the same by other values of `quantize`
  /// The memory of the tasks on which answers are verified: on a GPU if kernels are timed there.
  TaskMemory tasks = {};
  double store_bytes = 0;  ///< the modelled number of bytes that stages add to the store; 0 if unknown
  std::filesystem::path store = "runs/.store";
  /// Missing inputs of the experiment, such as the model's files: pairs of the input and a remedy.
  std::vector<std::pair<std::string, std::string>> missing;
  /// The environment variables that hold API keys of the model servers that the experiment uses: pairs of
  /// variable and server address.
  std::vector<std::pair<std::string, std::string>> keys;
  /// The servers that sample answers in training: pairs of the address and the request `serves`, which still
  /// lacks its `output` (docs/interfaces.md, 3).
  std::vector<std::pair<std::string, nlohmann::json>> servers;
  std::vector<std::string> inert;  ///< extensions that have no effect unless kernel times are measured
};

/// A number of bytes as text: "12.5 GiB".
std::string gib_text(double bytes);

}  // namespace trl::interpreter
