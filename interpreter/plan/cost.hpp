// The cost of a plan on a declared machine, modelled from shapes.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/contract/machine.hpp"
#include "interpreter/plan/plan.hpp"

namespace trl::interpreter {

/// Returns the seconds that a finished stage took, and nothing for a stage that has no result yet.
using Finished = std::function<std::optional<double>(const Stage&)>;

struct KindCost {
  int stages = 0;
  double seconds = 0;  ///< seconds in which the whole machine is used
};

/// The numbers that finished stages measured when they sampled and judged answers.
struct Experience {
  /// Totals over sampled answers of the plan's models, of stages with the same limit of `longest` tokens for
  /// each answer.
  struct Sampled {
    double longest = 0, answers = 0, tokens = 0;
  };
  std::vector<Sampled> sampled;
  /// Totals over judged answers: their number, and the seconds of a core and of a GPU that judging took.
  /// `timed` has the answers whose kernels were timed, `judged` all others.
  struct Judged {
    double answers = 0, core_seconds = 0, gpu_seconds = 0;
  };
  Judged judged, timed;
};

struct Cost {
  static constexpr double tokens_of_sample = 1024;  ///< tokens of prompt and answer in training, assumed
  std::map<std::string, KindCost> to_do;            ///< the modelled cost of missing stages, by kind
  double done_seconds = 0;  ///< the measured seconds of finished stages, on the machines where they ran
  double seconds = 0;       ///< the modelled seconds of all missing stages, run one after another
  int gpus = 1;
  double peak_bytes = 0;  ///< the memory on one GPU of the stage that needs most
  /// The price of the missing stages in US dollars, on spot and on-demand machines.
  std::optional<double> spot, on_demand;

  /// The sampling of the missing stages: the number of answers, their expected tokens, and the number of
  /// stored answers (`answers_before`) from which the tokens are estimated. Without stored answers, every
  /// answer is assumed to be as long as its limit.
  double answers = 0, answer_tokens = 0, answers_before = 0;
  /// The judging in the missing stages: the number of answers, the seconds of one core and of one GPU, and
  /// the number of stored judged answers (`judged_before`) from which the seconds are estimated. Without
  /// stored answers, the seconds are modelled.
  double judged = 0, core_seconds = 0, gpu_seconds = 0, judged_before = 0;
};

/// An upper bound of the cost of the missing stages that ask a server. Every answer counts as `max_tokens`
/// tokens. Prompts aren't known yet: each is assumed to have `tokens_of_prompt` tokens, and in later turns
/// the last answer in addition.
struct AskingCost {
  static constexpr double tokens_of_prompt = 512;
  int stages = 0;
  double requests = 0;  ///< the number of requests, not counting repeated requests
  double prompt_tokens = 0, answer_tokens = 0;
  double usd = 0;       ///< the cost in US dollars, by the declared prices
  double unpriced = 0;  ///< the number of requests for which no price is declared
};
/// The cost of the missing stages that ask a server; nothing if there are no such stages.
std::optional<AskingCost> asking_cost(const Plan& plan, const Finished& finished);

/// The modelled cost of a plan's missing stages on the declared machine, in seconds of the whole machine. P
/// is the model's number of weights, W their bytes, B the memory bandwidth, F the compute rate in operations
/// per second, e the efficiency, G the number of GPUs, n the number of answers, and T the limit of tokens for
/// each:
///   sample    answers in waves of 256 on each GPU. A wave takes T steps of
///             max((W + answers · T/2 · cache bytes) / B, 2 P · answers / F) / e
///             where T is the mean of `measured`, if there are answers of the model
///   finetune  4 P · tokens / (F G e) for each epoch, since frozen weights get no gradients; and with 2 P
///             instead of 4 P for each pass that only computes log-probabilities
///   pretrain  6 P · tokens / (F G e)
///   verify    n · seconds of a core / cores + n · seconds of a GPU, by the means of `measured` or, without
///             judged answers, modelled: as if every answer were right. L is the number of a candidate's
///             launches, one for each variation of its inputs, for tiny and secret sizes, and for
///             KernelBench's five trials; t the bytes of a task's tensors, g those that judging it takes on a
///             GPU.
///               a core  the machine's `verify` or, if it declares none, the measured seconds of tasks of
///                       that kind (`seconds_to_record`), and without a GPU L · min(t, 128 MiB) / 200 MB/s,
///                       or the protocol's limit if that is less
///               a GPU   with measured times (3 L · g + trials · t) / (B e), and trials · t / (B e) for each
///                       task's reference; with a second baseline that again, and 2.4 s to compile it
/// There is no cost if the experiment declares no machine, or if its model's shape is unknown; `why` then
/// names the missing fact.
std::optional<Cost> cost_of(const nlohmann::json& document, const Plan& plan, const Finished& finished,
                            const Experience& measured, std::string& why);

/// The modelled cost of one stage: the seconds of one GPU, in addition the seconds of one core, and the
/// number of answers that it judges for which no finished stage has measured the seconds.
struct StageCost {
  double gpu = 0, core = 0, judged = 0;
  bool operator==(const StageCost&) const = default;
};

/// Models stages one by one, on one GPU each.
struct StageCosts {
  contract::Machine machine;  ///< the declared one or, without one, the assumed one
  bool assumed = false;       ///< whether none is declared
  std::function<StageCost(const Stage&)> of;
};

/// The machine on which costs are modelled if an experiment declares none: eight NVIDIA H200 and 128 cores.
contract::Machine assumed_machine();

/// The costs of single stages by the formulas of `cost_of`; nothing if the model's shape is unknown. The plan
/// and `measured` must outlive the result.
std::optional<StageCosts> stage_costs(const nlohmann::json& document, const Plan& plan,
                                      const Experience& measured, std::string& why);

/// An experiment's estimate (docs/interfaces.md, section 2), with the largest memory and the largest number
/// of trained weights over its cells. Nothing if the model's shape is unknown.
std::optional<contract::Estimate> largest_estimate(const nlohmann::json& experiment);

/// Returns a function that gives the amount of work of a stage by its spec: the number of answers that it
/// samples, requests or judges, of training samples in all epochs, or of pretraining tokens. It is 1 for
/// kinds of stages without such a number, and for specs that can't be read. The plan must outlive the
/// function.
std::function<double(const Stage&)> stage_work(const Plan& plan);

/// The number of answers that a stage `sample` samples.
double answers_of(const Plan& plan, const Stage& sample);

}  // namespace trl::interpreter
