// The findings of `trl doctor`, and the needs for which it looks.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace trl::interpreter {

struct Finding {
  /// `fine`: everything needed is there. `note`: something is missing that nothing asked for needs.
  /// `lacking`: something needed is missing.
  enum class Outcome { fine, note, lacking };
  std::string what;  ///< "torch"
  Outcome outcome = Outcome::fine;
  std::string found;   ///< "2.9.1"
  std::string needed;  ///< "2.11.0, to train and to sample"; may be empty if the outcome is fine
  std::string remedy;  ///< the remedy with its command; empty if the outcome is fine
  bool operator==(const Finding&) const = default;
};

std::string outcome_text(Finding::Outcome outcome);
nlohmann::json to_json(const Finding& finding);

/// The needs for which the machine is examined: of any run, or of one experiment.
struct Needs {
  std::string experiment;     ///< empty: no experiment was named
  bool running = true;        ///< stages have to be made that take Python and torch
  bool verification = true;   ///< candidates are judged
  bool gpu = false;           ///< models run on a GPU
  bool timed = false;         ///< kernels are timed on a GPU
  bool cuda_kernels = false;  ///< candidates are CUDA C++
  double gpu_bytes = 0;       ///< on one GPU, modelled; 0 where it isn't known
  double store_bytes = 0;     ///< bytes that stages add to the store, modelled; 0 where that isn't known
  std::filesystem::path store = "runs/.store";
  /// Missing inputs of the experiment itself, such as the model's files, each with its remedy.
  std::vector<std::pair<std::string, std::string>> missing;
  /// Environment variables with the keys of servers that are to be asked, each with the server's address.
  std::vector<std::pair<std::string, std::string>> keys;
  std::vector<std::string> inert;  ///< extensions that change nothing without measured times
};

/// "12.5 GiB".
std::string gib_text(double bytes);

}  // namespace trl::interpreter
