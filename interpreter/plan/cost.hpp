// The cost of a plan on a declared machine, modelled from shapes.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/contract/machine.hpp"
#include "interpreter/plan/plan.hpp"

namespace trl::interpreter {

/// The seconds that a stage took whose result there is; nothing for a stage that is to be run.
using Finished = std::function<std::optional<double>(const Stage&)>;

struct KindCost {
  int stages = 0;
  double seconds = 0;  ///< seconds in which the whole machine is used
};

struct Cost {
  std::map<std::string, KindCost> to_do;  ///< missing stages, by kind; modelled
  double done_seconds = 0;  ///< of stages that are done, as measured on the machines where they ran
  double seconds = 0;       ///< of missing stages, one after another
  int gpus = 1;
  double peak_bytes = 0;                  ///< on one GPU, for the stage that needs most
  std::optional<double> spot, on_demand;  ///< usd for the missing stages
};

/// The most that the missing stages which ask a server can take. Answers have `max_tokens` at most; prompts
/// are made later, and are assumed to have so many tokens, with the last answer in the prompts of later
/// turns.
struct AskingCost {
  static constexpr double tokens_of_prompt = 512;
  int stages = 0;
  double requests = 0;  ///< without repeated requests
  double prompt_tokens = 0, answer_tokens = 0;
  double usd = 0;       ///< by the declared prices
  double unpriced = 0;  ///< requests for which none is declared
};
/// The cost of the stages that ask a server; nothing where there are none.
std::optional<AskingCost> asking_cost(const Plan& plan, const Finished& finished);

/// The formulas, with P weights, W their bytes, B bandwidth, F compute, e efficiency, G GPUs, and n answers
/// of at most T tokens:
///   sample    the answers in waves of 256 a GPU; a wave is T steps of max((W + answers · T/2 · cache bytes)
///   / B,
///             2 P · answers / F) / e
///   finetune  4 P · tokens / (F G e), the frozen weights' gradients not taken, and 2 P for each pass that
///   only gives
///             log-probabilities; pretrain 6 P
///   verify    n · the machine's `verify` / cores
///   train     a trainer that this version lacks: sampling, verification and fine-tuning of each round
/// An answer is assumed to have half of max_tokens. There is no cost if an experiment declares no machine or
/// its model's shape is unknown; `why` then names the missing fact.
std::optional<Cost> cost_of(const nlohmann::json& document, const Plan& plan, const Finished& finished,
                            std::string& why);

/// An experiment's estimate (docs/interfaces.md, 2) with the largest memory and the most trained weights of
/// its cells; nothing where the model's shape is unknown.
std::optional<contract::Estimate> largest_estimate(const nlohmann::json& experiment);

/// How many answers a stage `sample` samples.
double answers_of(const Plan& plan, const Stage& sample);

}  // namespace trl::interpreter
