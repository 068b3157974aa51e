// The machine on which a run is planned, and the model's needs of it (docs/interfaces.md, 2).
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

namespace trl::contract {

/// The machine that an experiment declares.
struct Machine {
  double gpus = 1;
  double bandwidth = 0, compute = 0;      ///< of one GPU: bytes and operations a second
  double efficiency = 0;                  ///< share of bandwidth and compute that training and sampling reach
  double cores = 0;                       ///< cores that verify candidates
  double verify = 0;                      ///< seconds of a core a candidate
  std::optional<double> spot, on_demand;  ///< usd a second

  static Machine read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

/// The sizes of the experiment's model, which the language works out.
struct Estimate {
  double weights = 0, weight_bytes = 0, cache_bytes_per_token = 0;
  double trained = 0;     ///< how many weights a stage trains, at most
  double peak_bytes = 0;  ///< of a GPU

  static Estimate read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
