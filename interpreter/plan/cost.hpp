// What a plan will cost on a declared machine: modelled from shapes, not measured.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "interpreter/plan/plan.hpp"
#include "interpreter/store/store.hpp"

namespace trl::interpreter {

struct KindCost {
  int stages = 0;
  double seconds = 0;  ///< of the whole machine
};

struct Cost {
  std::map<std::string, KindCost> to_do;  ///< by kind of stage, modelled
  double done_seconds = 0;                ///< of stages in the store, as they were measured wherever they ran
  double seconds = 0;                     ///< to do, one stage after another
  int gpus = 1;
  double peak_bytes = 0;                  ///< on one GPU, of the stage that needs most
  std::optional<double> spot, on_demand;  ///< usd of what is to do
};

/// Formulas, with P weights, W their bytes, B bandwidth, F compute, e efficiency, G GPUs, n answers of at
/// most T tokens:
///   sample    the answers in waves of 256 a GPU; a wave is T steps of max((W + answers · T/2 · cache bytes)
///   / B,
///             2 P · answers / F) / e
///   finetune  4 P · tokens / (F G e), the frozen weights' gradients not taken; pretrain 6 P
///   verify    n · the machine's `verify` / cores
///   train     a trainer that this version lacks: sampling, verification and fine-tuning of each round
/// An answer is taken to be half of max_tokens long. Where an experiment declares no machine, or its model's
/// shape is unknown, there is no cost, and `why` says what is lacking.
std::optional<Cost> cost_of(const nlohmann::json& document, const Plan& plan, const Store& store,
                            std::string& why);

}  // namespace trl::interpreter
