#include "interpreter/plan/cost.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "base/contract/form.hpp"
#include "base/contract/machine.hpp"
#include "base/contract/protocol.hpp"
#include "base/contract/stages/draw.hpp"
#include "base/contract/stages/finetune.hpp"
#include "base/contract/stages/kinds.hpp"
#include "base/contract/stages/pretrain.hpp"
#include "base/contract/stages/sample.hpp"
#include "base/contract/stages/select.hpp"
#include "base/contract/stages/tasks.hpp"
#include "base/tasks/footprint.hpp"
#include "interpreter/plan/cells.hpp"
#include "interpreter/plan/task_memory.hpp"

namespace trl::interpreter {
namespace {
using nlohmann::json;

constexpr double wave = 256;  // answers that a GPU samples at the same time
// The bytes of buffers that kernels process in a second when they are executed on one core, measured for
// elementwise kernels on an AMD EPYC.
constexpr double executed_in_a_second = 200e6;
// The seconds that torch.compile takes for a module. 200 modules of KernelBench, also run eagerly, take 8 min
// (tests/benchmarks/kernelbench).
constexpr double compile_seconds = 2.4;
constexpr double kernelbench_trials = 5;

/// Returns the core-seconds for recording and compiling a candidate, if the experiment's machine doesn't
/// declare them. For tasks like the wind tunnel's, this is the mean of 324,400 answers on an AMD EPYC, right
/// and wrong, launches included. A module of KernelBench takes several programs and PyTorch's own layers; its
/// right answers took about half a second.
double seconds_to_record(const contract::Task& task) {
  const bool module = task.source || task.whole.contains("module");
  return module ? 0.5 : 0.04;
}

/// The machine and the estimate of an experiment, or of one of its cells.
struct Expected {
  std::optional<contract::Machine> machine;
  std::optional<contract::Estimate> estimate;

  explicit Expected(const json& experiment) {
    contract::Reading form(experiment);
    form.if_any("machine", machine);
    form.if_any("estimate", estimate);
  }
};

/// Returns the number of samples in a corpus of any source.
double corpus_size(const json& spec) {
  std::optional<json> samples;
  std::vector<json> arguments;
  contract::Reading form(spec);
  form.if_any("samples", samples);
  form.field_or("arguments", arguments);
  if (!samples) return arguments.empty() ? 0 : arguments[0].get<double>();
  if (samples->is_number()) return samples->get<double>();
  double sum = 0;
  for (const auto& [group, count] : contract::read_as<std::map<std::string, double>>(*samples)) sum += count;
  return sum;
}

/// Returns the number of tasks that a stage lists or draws.
double drawn_tasks(const Stage& stage) {
  if (stage.kind == contract::TasksSpec::kind)
    return static_cast<double>(contract::TasksSpec::read(stage.spec).tasks.size());
  // The spec's tasks aren't parsed, since a study of many seeds has many thousands of them.
  const auto& pool = stage.spec.at("pool");
  const int count = stage.spec.at("count").get<int>();
  // A round has no task twice.
  const auto each = stage.spec.find("each");
  if (each == stage.spec.end()) return std::min(count, static_cast<int>(pool.size()));
  std::map<std::string, int> of_group;
  for (const auto& task : pool) ++of_group[task.at("suite").get<std::string>()];
  int tasks = 0;
  for (const auto& group : *each) tasks += std::min(count, of_group[group.get<std::string>()]);
  return tasks;
}

const Stage* input_of(const Plan& plan, const Stage& stage, const char* name) {
  const auto key = stage.inputs.find(name);
  return key == stage.inputs.end() ? nullptr : plan.find(key->second);
}

class Model {
 public:
  Model(const Plan& plan, const contract::Machine& machine, const contract::Estimate& estimate,
        const Experience& measured)
      : plan_(plan), machine_(machine), estimate_(estimate), measured_(measured) {}

  /// The seconds of a missing stage on the whole machine.
  double seconds(const Stage& stage, Cost& cost) const {
    const StageCost parts = parts_of(stage, cost);
    return parts.gpu + parts.core / machine_.cores;
  }

  /// Returns the seconds of a missing stage on all GPUs together, and on one core. Adds the numbers from
  /// which they are estimated to `cost`.
  StageCost parts_of(const Stage& stage, Cost& cost) const {
    if (stage.kind == contract::SampleSpec::kind) {
      const auto longest = static_cast<double>(contract::SampleSpec::read(stage.spec).sampling.max_tokens);
      const auto [tokens, before] = tokens_of_answer(longest);
      const double count = answers(stage);
      cost.answers += count, cost.answer_tokens += count * tokens;
      cost.answers_before = std::max(cost.answers_before, before);
      return {sampling(count, tokens), 0};
    }
    if (stage.kind == contract::Protocol::kind) {
      const Experience::Judged judged = judging(stage);
      cost.judged += judged.answers, cost.core_seconds += judged.core_seconds;
      cost.gpu_seconds += judged.gpu_seconds;
      const double before = judged_before(stage).answers;
      cost.judged_before = std::max(cost.judged_before, before);
      return {judged.gpu_seconds, judged.core_seconds, before > 0 ? 0 : judged.answers};
    }
    if (stage.kind == contract::FinetuneSpec::kind) {
      const auto spec = contract::FinetuneSpec::read(stage.spec);
      const auto epochs = static_cast<double>(spec.passes.epochs);
      return {training(samples(stage), epochs * 4 + scoring(spec.objective, epochs)), 0};
    }
    if (stage.kind == contract::PretrainSpec::kind) {
      return {pretraining_tokens(stage) * 6 * estimate_.weights /
                  (machine_.compute * machine_.gpus * machine_.efficiency),
              0};
    }
    return {};
  }

  /// The work of a stage in units of its kind (`stage_work`); 0 if its kind has none.
  double work(const Stage& stage) const {
    if (contract::gives_candidates(stage.kind)) return answers(stage);
    if (stage.kind == contract::Protocol::kind) return candidates(stage);
    if (stage.kind == contract::FinetuneSpec::kind)
      return samples(stage) * static_cast<double>(contract::FinetuneSpec::read(stage.spec).passes.epochs);
    return stage.kind == contract::PretrainSpec::kind ? pretraining_tokens(stage) : 0;
  }

 private:
  static double pretraining_tokens(const Stage& stage) {
    const auto spec = contract::PretrainSpec::read(stage.spec);
    return static_cast<double>(spec.steps) * static_cast<double>(spec.batch) *
           static_cast<double>(spec.sequence);
  }

  const Stage* input(const Stage& stage, const char* name) const { return input_of(plan_, stage, name); }

  double drawn(const Stage& stage) const {
    const auto [known, added] = drawn_.try_emplace(stage.key, 0);
    return added ? known->second = drawn_tasks(stage) : known->second;
  }

  double tasks(const Stage& stage) const {
    const Stage* from = input(stage, "tasks");
    return from ? drawn(*from) : 0;
  }

  double answers(const Stage& stage) const {
    return tasks(stage) * static_cast<double>(contract::SampleSpec::read(stage.spec).samples);
  }

  /// Returns the largest number of answers that a select stage may keep.
  double kept(const Stage& stage) const {
    const auto spec = contract::SelectSpec::read(stage.spec);
    if (spec.keeps_all()) return candidates(stage);
    const double each = tasks(stage) * static_cast<double>(spec.keep);
    return spec.weigh == contract::Weigh::pairs ? 2 * each : each;
  }

  /// Returns the operations for each weight and token in the passes that only compute log-probabilities: two
  /// for each pass. For pairs there is one pass in all and one more in each epoch. Otherwise there is one
  /// pass by the old policy and, with a KL term, one by the reference.
  static double scoring(const std::optional<contract::Objective>& objective, double epochs) {
    if (!objective) return 0;
    if (objective->loss == contract::LossKind::preference) return 2 + 2 * epochs;
    return objective->kl > 0 ? 4 : 2;
  }

  /// Returns the number of candidates that a stage judges or selects from. For a select stage, these are the
  /// answers of all turns, as if every episode reached the last turn. If another stage judges the answers
  /// that a select stage kept, it is the largest number of these.
  double candidates(const Stage& stage) const {
    const Stage* from = input(stage, "candidates");
    if (from == nullptr) return 0;
    if (!contract::gives_candidates(from->kind)) return kept(*from);
    const int turns =
        stage.kind == contract::SelectSpec::kind ? contract::SelectSpec::read(stage.spec).turns : 1;
    return turns * answers(*from);
  }

  double samples(const Stage& stage) const {
    const Stage* from = input(stage, "samples");
    if (from == nullptr) return 0;
    return from->kind == contract::SelectSpec::kind ? kept(*from) : corpus_size(from->spec);
  }

  double sampling(double answers, double tokens) const {
    const double at_once = std::min(answers / machine_.gpus, wave);
    if (at_once <= 0) return 0;
    const double memory = (estimate_.weight_bytes + at_once * tokens / 2 * estimate_.cache_bytes_per_token) /
                          machine_.bandwidth;
    const double arithmetic = 2 * estimate_.weights * at_once / machine_.compute;
    return std::ceil(answers / machine_.gpus / wave) * tokens * std::max(memory, arithmetic) /
           machine_.efficiency;
  }

  /// Returns the mean tokens of an answer, and the number of stored answers from which it is known. Of stored
  /// answers with different limits, the ones with the lowest limit that is at least `longest` are used.
  std::pair<double, double> tokens_of_answer(double longest) const {
    const Experience::Sampled* best = nullptr;
    for (const auto& sampled : measured_.sampled)
      if (sampled.longest >= longest && (best == nullptr || sampled.longest < best->longest)) best = &sampled;
    if (best == nullptr) return {longest, 0};
    return {std::clamp(best->tokens / best->answers, 1.0, longest), best->answers};
  }

  const Experience::Judged& judged_before(const Stage& stage) const {
    return contract::Protocol::read(stage.spec).timed ? measured_.timed : measured_.judged;
  }

  /// Returns the work of judging a stage's candidates: by the judged answers in the store or, if there are
  /// none, modelled as if all candidates were right.
  Experience::Judged judging(const Stage& stage) const {
    Experience::Judged out;
    out.answers = candidates(stage);
    if (const auto& before = judged_before(stage); before.answers > 0) {
      out.core_seconds = out.answers * before.core_seconds / before.answers;
      out.gpu_seconds = out.answers * before.gpu_seconds / before.answers;
      return out;
    }
    const auto protocol = contract::Protocol::read(stage.spec);
    const Stage* from = input(stage, "tasks");
    const Tasks given = from ? tasks_of(*from) : Tasks();
    const auto& footprints = given.footprints;
    const double launches =
        static_cast<double>(protocol.variations.size()) + (protocol.tiny ? 1 : 0) + 1 +
        (protocol.also_by == contract::OtherProtocol::kernelbench ? kernelbench_trials : 0);
    const auto timing = protocol.timing.value_or(contract::Timing());
    const double bandwidth = machine_.bandwidth * machine_.efficiency;
    const bool compiled = protocol.second_baseline != contract::SecondBaseline::none;
    double core = machine_.verify.value_or(given.seconds_to_record), gpu = 0;  // of an answer
    for (const auto& task : footprints) {
      const double share = 1 / static_cast<double>(footprints.size());
      if (!protocol.timed) {
        const double executed = std::min(task.buffers(), static_cast<double>(tasks::most_executed_bytes));
        core += share * std::min(launches * executed / executed_in_a_second, protocol.limits.total_seconds);
        continue;
      }
      const double timed = (timing.warmup + timing.trials) * task.buffers() / bandwidth;
      gpu += share * (3 * launches * task.gpu() / bandwidth + timed);
      out.gpu_seconds += timed + (compiled ? timed + compile_seconds : 0);
    }
    out.core_seconds = out.answers * core;
    out.gpu_seconds = out.answers > 0 ? out.gpu_seconds + out.answers * gpu : 0;
    return out;
  }

  /// The properties of a stage's tasks on which the work of judging depends.
  struct Tasks {
    std::vector<tasks::Footprint> footprints;  ///< the footprints of the tasks that have shapes
    double seconds_to_record = 0;              ///< the mean
  };
  const Tasks& tasks_of(const Stage& from) const {
    const auto [known, added] = tasks_.try_emplace(keys_of_tasks(from));
    Tasks& out = known->second;
    if (!added) return out;
    const auto all = tasks_of_stage(from);
    for (const contract::Task& task : all) {
      out.seconds_to_record += seconds_to_record(task) / static_cast<double>(all.size());
      if (!task.source) out.footprints.push_back(tasks::footprint_of(tasks::Task::read(task.whole)));
    }
    return out;
  }

  double training(double samples, double flop_a_weight) const {
    return samples * Cost::tokens_of_sample * flop_a_weight * estimate_.weights /
           (machine_.compute * machine_.gpus * machine_.efficiency);
  }

  const Plan& plan_;
  contract::Machine machine_;
  contract::Estimate estimate_;
  const Experience& measured_;
  mutable std::map<std::string, double> drawn_;  ///< by key
  mutable std::map<std::string, Tasks> tasks_;   ///< by the keys of tasks
};

}  // namespace

contract::Machine assumed_machine() {
  contract::Machine machine;
  machine.bandwidth = 4.8e12, machine.compute = 989e12, machine.efficiency = 0.4;
  machine.gpus = 8, machine.cores = 128;
  return machine;
}

std::optional<StageCosts> stage_costs(const json& document, const Plan& plan, const Experience& measured,
                                      std::string& why) {
  const Expected expected(document.at("experiments").at(plan.experiment));
  if (!expected.estimate) {
    why = "the shape of the model of `" + plan.experiment + "` is unknown";
    return std::nullopt;
  }
  StageCosts costs{expected.machine.value_or(assumed_machine()), !expected.machine, {}};
  auto one_gpu = costs.machine;
  one_gpu.gpus = 1;
  costs.of = [model = Model(plan, one_gpu, *expected.estimate, measured)](const Stage& stage) {
    Cost ignored;
    return model.parts_of(stage, ignored);
  };
  return costs;
}

std::optional<contract::Estimate> largest_estimate(const json& experiment) {
  auto largest = Expected(experiment).estimate;
  if (!largest) return std::nullopt;
  for (const auto& cell : cells_of(experiment)) {
    const auto estimate = Expected(cell.with).estimate;
    if (!estimate) continue;
    largest->peak_bytes = std::max(largest->peak_bytes, estimate->peak_bytes);
    largest->trained = std::max(largest->trained, estimate->trained);
    largest->least_bytes = std::max(largest->least_bytes, estimate->least_bytes);
    for (const auto& [storage, bytes] : estimate->least_bytes_stored) {
      auto& least = largest->least_bytes_stored[storage];
      least = std::max(least, bytes);
    }
  }
  return largest;
}

std::function<double(const Stage&)> stage_work(const Plan& plan) {
  static const Experience none;
  return [model = Model(plan, {}, {}, none)](const Stage& stage) {
    try {
      return std::max(1.0, model.work(stage));
    } catch (const std::exception&) {
      return 1.0;  // running the stage reports its invalid spec
    }
  };
}

double answers_of(const Plan& plan, const Stage& sample) {
  const Stage* tasks = input_of(plan, sample, "tasks");
  return tasks ? drawn_tasks(*tasks) * static_cast<double>(contract::SampleSpec::read(sample.spec).samples)
               : 0;
}

std::optional<AskingCost> asking_cost(const Plan& plan, const Finished& finished) {
  if (plan.endpoints.empty()) return std::nullopt;
  AskingCost cost;
  for (const auto& [key, declared] : plan.endpoints) {
    const Stage* const stage = plan.find(key);
    if (stage == nullptr || finished(*stage)) continue;
    const auto spec = contract::SampleSpec::read(stage->spec);  // whose fields all that sample have
    const double answers = answers_of(plan, *stage), longest = static_cast<double>(spec.sampling.max_tokens);
    const double prompts = answers * (AskingCost::tokens_of_prompt + (spec.turn > 1 ? longest : 0));
    ++cost.stages;
    cost.requests += answers, cost.prompt_tokens += prompts, cost.answer_tokens += answers * longest;
    if (!declared.price)
      cost.unpriced += answers;
    else
      cost.usd += (declared.price->in * prompts + declared.price->out * answers * longest) / 1e6;
  }
  return cost;
}

std::optional<Cost> cost_of(const json& document, const Plan& plan, const Finished& finished,
                            const Experience& measured, std::string& why) {
  const auto& experiment = document.at("experiments").at(plan.experiment);
  const Expected expected(experiment);
  if (!expected.machine) {
    why = "`" + plan.experiment +
          "` declares no machine; add `machine node { gpus = 8, memory = 40 GiB, spot = 6.84 usd / 1 h }`, "
          "and `machine = node` in the experiment";
    return std::nullopt;
  }
  if (!expected.estimate) {
    why = "the shape of the model of `" + plan.experiment + "` is unknown";
    return std::nullopt;
  }
  const auto& machine = *expected.machine;
  const Model model(plan, machine, *expected.estimate, measured);
  Cost cost;
  cost.gpus = static_cast<int>(machine.gpus);
  cost.peak_bytes = largest_estimate(experiment)->peak_bytes;
  for (const auto& stage : plan.stages) {
    if (const auto seconds = finished(stage)) {
      cost.done_seconds += *seconds;
      continue;
    }
    auto& of_kind = cost.to_do[stage.kind];
    ++of_kind.stages;
    const double seconds = model.seconds(stage, cost);
    of_kind.seconds += seconds;
    cost.seconds += seconds;
  }
  // Prices are in usd per second.
  if (machine.spot) cost.spot = cost.seconds * *machine.spot;
  if (machine.on_demand) cost.on_demand = cost.seconds * *machine.on_demand;
  return cost;
}

}  // namespace trl::interpreter
