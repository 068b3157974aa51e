// The machine for which a run is planned, and the sizes of the model (docs/interfaces.md, 2).
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace trl::contract {

/// The machine that an experiment declares.
struct Machine {
  double gpus = 1;
  double bandwidth = 0, compute = 0;  ///< of one GPU: bytes a second, operations a second
  double efficiency = 0;  ///< the share of bandwidth and compute that training and sampling reach, 0 to 1
  double cores = 0;       ///< number of CPU cores that verify candidates
  /// Core-seconds that recording and compiling one candidate takes. None if the experiment doesn't declare
  /// it: an estimate for the kind of tasks is then used.
  std::optional<double> verify;
  std::optional<double> spot, on_demand;  ///< usd a second at the spot price and at the on-demand price

  static Machine read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// The sizes of the experiment's model, estimated by the language.
struct Estimate {
  double weights = 0, weight_bytes = 0, cache_bytes_per_token = 0;
  double trained = 0;      ///< the largest number of weights that a stage trains
  double peak_bytes = 0;   ///< the largest memory of one GPU in use at once, modelled
  double least_bytes = 0;  ///< the memory of one GPU without which nothing runs, modelled; 0 if unknown
  /// The least memory with the model stored in fewer bits, by the value of `quantize`.
  std::map<std::string, double> least_bytes_stored;

  static Estimate read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
