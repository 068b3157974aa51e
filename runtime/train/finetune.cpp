// The stage `finetune`: trains a LoRA adapter on answers.
#include <fmt/format.h>
#include <chrono>
#include <numeric>

#include "base/contract/adapter.hpp"
#include "base/contract/optimisation.hpp"
#include "base/contract/stages/finetune.hpp"
#include "base/stage/contract.hpp"
#include "base/stage/spec.hpp"
#include "base/stage/stage.hpp"
#include "base/support/error.hpp"
#include "base/support/random.hpp"
#include "base/tensors/made_on.hpp"
#include "base/tensors/safetensors.hpp"
#include "runtime/adapter/peft.hpp"
#include "runtime/group/group.hpp"
#include "runtime/model/accelerator.hpp"
#include "runtime/model/load.hpp"
#include "runtime/train/checkpoint.hpp"
#include "runtime/train/kernel_step.hpp"
#include "runtime/train/lora_step.hpp"
#include "runtime/train/optimiser.hpp"
#include "runtime/train/peak_memory.hpp"
#include "runtime/train/schedule.hpp"
#include "runtime/train/trainer.hpp"

namespace trl::runtime {
namespace {

struct Settings {
  std::int64_t epochs, batch, seed, round;
  Schedule schedule;
  double weight_decay, clip;
  std::string precision;
};

Settings read_settings(const contract::FinetuneSpec& spec) {
  const auto& optimisation = spec.passes.optimisation;
  Settings settings;
  settings.epochs = spec.passes.epochs;
  settings.batch = spec.passes.batch;
  settings.seed = static_cast<std::int64_t>(spec.seed);
  settings.round = spec.round;
  settings.schedule.learning_rate = optimisation.learning_rate;
  settings.schedule.warmup = optimisation.warmup;
  settings.schedule.shape = schedule_shape(optimisation.schedule);
  settings.weight_decay = optimisation.weight_decay;
  settings.clip = optimisation.clip;
  settings.precision = spec.precision;
  if (settings.batch < 1) throw UserError("the batch is empty", "use batch = 1 or more");
  return settings;
}

Lora start(const Stage& stage, const contract::Adapter& adapter, const ModelConfig& config,
           std::int64_t seed) {
  const auto wanted = lora_settings(adapter.write(), config.family);
  check_patterns(wanted, config.layers);
  if (!stage.inputs.contains("adapter")) return Lora::fresh(config, wanted, seed);
  const auto lora = read_adapter(stage.input("adapter"), config);
  if (!lora.fits(wanted, config.layers)) {
    throw UserError(fmt::format("{}: the adapter's ranks, alphas or targets differ from the stage's",
                                stage.input("adapter").string()),
                    "go on with the same adapter settings, or start without an adapter");
  }
  return {wanted, lora.pairs(), lora.magnitudes()};
}

constexpr const char* state_file = "optimiser.safetensors";

std::string state_name(std::size_t i) { return fmt::format("{:06}", i); }

void write_state(const std::filesystem::path& folder, const AdamW& optimiser) {
  Safetensors content;
  const auto state = optimiser.state();
  for (std::size_t i = 0; i < state.size(); ++i) content.tensors[state_name(i)] = state[i];
  write_safetensors(folder / state_file, content);
}

/// Continues from the optimiser's state beside an adapter. The first adapter of a chain has no state.
void read_state(const std::filesystem::path& folder, AdamW& optimiser) {
  if (!std::filesystem::exists(folder / state_file)) return;
  const auto content = read_safetensors(folder / state_file);
  std::vector<at::Tensor> state;
  for (const auto& [name, tensor] : content.tensors) state.push_back(tensor);
  optimiser.set_state(state);
}

/// Returns the key of a document's dropout masks in an epoch.
RandomKey masks_key(const Settings& settings, std::size_t document, std::int64_t epoch) {
  return random_key(fmt::format("{}/dropout/{}/{}/{}", settings.seed, document, settings.round, epoch));
}

/// Returns the log-probabilities of the answers that teach something, and none for other answers. `lora` is
/// null for the model without an adapter. `masks` says whether there is dropout, as in the first epoch. The
/// processes of a group share the work.
LogProbabilities score_all(Stage& stage, Trainer& trainer, const Objective& objective, const Lora* lora,
                           const std::vector<Document>& documents, const Settings& settings, bool masks) {
  std::vector<std::size_t> all(documents.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const auto taught = that_teach(objective, documents, all);
  std::vector<RandomKey> keys;
  if (masks)
    for (const auto i : taught) keys.push_back(masks_key(settings, i, 0));
  auto found = trainer.log_probabilities(lora, taught, keys, [&](std::size_t done, std::size_t own) {
    stage.check_cancelled();
    // The progress of all processes is estimated from this one's.
    stage.progress(static_cast<std::int64_t>(done * taught.size() / own),
                   static_cast<std::int64_t>(taught.size()), "answers scored");
  });
  LogProbabilities scores(documents.size());
  for (std::size_t i = 0; i < taught.size(); ++i) scores[taught[i]] = std::move(found[i]);
  return scores;
}

/// Computes what the objective needs before the first step: the log-probabilities of the adapter with which
/// the stage starts, and of the reference, which is another adapter or the model without an adapter.
Learning learning_of(Stage& stage, const contract::FinetuneSpec& spec, Trainer& trainer, const Lora& lora,
                     const LanguageModel& model, const c10::Device& device,
                     const std::vector<Document>& documents, const Settings& settings) {
  Learning learning;
  if (!spec.objective) return learning;
  learning.objective = Objective(*spec.objective);
  // The ratio of one token tolerates the difference that dropout makes. In the ratio of a whole answer, these
  // differences would multiply.
  const bool masks = spec.objective->ratio == contract::RatioOf::answer;
  if (learning.objective.needs_old())
    learning.old = score_all(stage, trainer, learning.objective, &lora, documents, settings, masks);
  if (!learning.objective.needs_reference()) return learning;
  std::optional<Lora> reference;
  if (stage.inputs.contains("reference")) {
    reference = read_adapter(stage.input("reference"), model.config());
    if (!reference->fits(lora.settings(), model.config().layers))
      throw UserError(fmt::format("{}: the reference's settings differ from the adapter's",
                                  stage.input("reference").string()),
                      "use one adapter throughout, or `reference = base`");
    reference->use_on(model);
    reference->prepare_training(device);
  }
  learning.reference = score_all(stage, trainer, learning.objective, reference ? &*reference : nullptr,
                                 documents, settings, false);
  return learning;
}

// Returns the fastest trainer that supports the model.
std::unique_ptr<Trainer> make_trainer(const LanguageModel& model, const LoraSettings& settings,
                                      const std::vector<Document>& documents, int threads) {
  if (settings.dora) return trainer_by_tensors(model, documents);
  if (model.embedding().device().is_cpu() && !model.quantised() && LoraStep::supports(model.config()))
    return trainer_by_loops(model, settings, documents, threads);
  if (KernelStep::reason_against(model).empty()) return trainer_by_kernels(model, settings, documents);
  return trainer_by_tensors(model, documents);
}

// Reports steps in groups, since reading a loss waits for the device.
class Report {
 public:
  struct Step {
    std::int64_t number, tokens;  // tokens so far
    at::Tensor loss, norm;        // `norm`: the norm of the gradient before clipping
    std::optional<ObjectiveMeasures> measures;
  };

  Report(Stage& stage, std::chrono::steady_clock::time_point begin, const Schedule& schedule,
         const Objective& objective, const PeakMemory& memory, std::size_t together)
      : stage_(stage),
        begin_(begin),
        schedule_(schedule),
        objective_(objective),
        memory_(memory),
        together_(together) {}

  void add(Step step) {
    waiting_.push_back(std::move(step));
    if (waiting_.size() >= together_ || waiting_.back().number + 1 == schedule_.steps) tell();
  }

  /// Tells what waits.
  void tell() {
    if (waiting_.empty()) return;
    std::vector<at::Tensor> numbers;
    for (const auto& one : waiting_)
      for (const auto& number : {one.loss, one.norm}) numbers.push_back(number.to(at::kDouble));
    const auto values = at::stack(numbers).to(at::kCPU);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin_;
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      const auto number = waiting_[i].number;
      stage_.metric("loss", number, values.const_data_ptr<double>()[2 * i]);
      stage_.metric("gradient_norm", number, values.const_data_ptr<double>()[2 * i + 1]);
      stage_.metric("learning_rate", number, schedule_.at(number));
      if (waiting_[i].measures) tell(number, *waiting_[i].measures);
    }
    const auto& newest = waiting_.back();
    stage_.metric("tokens_per_second", newest.number, static_cast<double>(newest.tokens) / elapsed.count());
    stage_.metric("peak_bytes", newest.number, static_cast<double>(memory_.bytes()));
    stage_.progress(newest.number + 1, schedule_.steps, "steps");
    waiting_.clear();
  }

 private:
  void tell(std::int64_t number, const ObjectiveMeasures& measures) {
    for (const auto& [name, value] : means_of(objective_, measures)) stage_.metric(name, number, value);
  }

  Stage& stage_;
  std::chrono::steady_clock::time_point begin_;
  const Schedule& schedule_;
  const Objective& objective_;
  const PeakMemory& memory_;
  std::size_t together_;
  std::vector<Step> waiting_;
};

/// Returns the reported losses of the first and of the last step, including steps before an interruption;
/// nulls if nothing was trained.
std::pair<nlohmann::json, nlohmann::json> first_and_last_loss(const Stage& stage) {
  std::pair<nlohmann::json, nlohmann::json> losses;
  for (const auto& [name, step, value] : stage.told()) {
    if (name != "loss") continue;
    if (losses.first.is_null()) losses.first = value;
    losses.second = value;
  }
  return losses;
}

nlohmann::json finetune(Stage& stage, const Group& group) {
  auto begin = std::chrono::steady_clock::now();
  const auto seconds = [&begin] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  const auto spec = spec_as<contract::FinetuneSpec>(stage.spec);
  auto settings = read_settings(spec);
  const auto device = open_device(stage.device);
  note_device(stage.made_on, device);
  require_alike(group, stage.made_on);
  const PeakMemory memory(device);
  const auto model = load_frozen(stage.input("model"), device, compute_type(device, settings.precision),
                                 storage_named(spec.quantize));
  const auto tokenizer = Tokenizer::load(stage.input("model") / "tokenizer.json");
  auto lora = start(stage, spec.adapter, model->config(), settings.seed);
  lora.use_on(*model);
  lora.prepare_training(device);
  const auto format = format_of(stage.input("model"), model->config(), tokenizer);
  const auto documents =
      read_documents(stage.input("samples") / "samples.jsonl", *format, [&] { stage.check_cancelled(); });

  const auto trainer = make_trainer(*model, lora.settings(), documents, std::max(1, stage.threads));
  trainer->share_with(group);
  // The old policy is the adapter at this point, whatever is trained or loaded after this line.
  const auto learning = learning_of(stage, spec, *trainer, lora, *model, device, documents, settings);
  trainer->learn_by(learning);

  const auto units = units_of(documents);
  const auto size = static_cast<std::int64_t>(units.size());
  const auto steps_an_epoch = (size + settings.batch - 1) / settings.batch;
  settings.schedule.steps = settings.epochs * steps_an_epoch;
  AdamW optimiser(lora.parameters(), 0.9, 0.999, settings.weight_decay);
  const bool carried = spec.optimiser_state == contract::OptimiserState::carried;
  if (carried && stage.inputs.contains("adapter")) read_state(stage.input("adapter"), optimiser);
  Checkpoints checkpoints(stage, group, lora.parameters(), optimiser, seconds);
  const auto resumed = checkpoints.resume(settings.schedule.steps);
  begin -= std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(resumed.seconds));
  Report report(stage, begin, settings.schedule, learning.objective, memory, device.is_cpu() ? 1 : 8);

  std::int64_t step = 0, tokens = 0;
  for (std::int64_t epoch = 0; epoch < settings.epochs; ++epoch) {
    const auto order = shuffled(
        units.size(),
        RandomStream(fmt::format("{}/shuffle/finetune/{}/{}", settings.seed, settings.round, epoch)));
    for (std::int64_t first = 0; first < size; first += settings.batch, ++step) {
      std::vector<std::size_t> chosen;
      for (auto at = first; at < std::min(first + settings.batch, size); ++at) {
        const auto& unit = units[order[static_cast<std::size_t>(at)]];
        chosen.insert(chosen.end(), unit.begin(), unit.end());
      }
      if (step >= resumed.steps) checkpoints.between_steps(step, [&report] { report.tell(); });
      for (const auto i : chosen) tokens += static_cast<std::int64_t>(documents[i].tokens.size());
      if (step < resumed.steps) continue;
      std::vector<RandomKey> keys;
      for (const auto i : chosen) keys.push_back(masks_key(settings, i, epoch));
      const auto found = trainer->step(lora, chosen, keys);
      const auto norm = clip_gradients(found.tensors, settings.clip);
      optimiser.step(found.tensors, settings.schedule.at(step));
      report.add({step, tokens, found.loss, norm, found.measures});
    }
  }
  if (group.first()) write_adapter(stage.output, lora, base_name(stage.input("model")));
  if (group.first() && carried) write_state(stage.output, optimiser);
  const auto [first_loss, last_loss] = first_and_last_loss(stage);
  return {{"loss_first", first_loss},  // null without samples: then the adapter is passed on unchanged
          {"loss_last", last_loss},       {"tokens", tokens},    {"steps", step},
          {"peak_bytes", memory.bytes()}, {"seconds", seconds()}};
}

}  // namespace

nlohmann::json run_finetune(Stage& stage) {
  return in_group(stage, [&](const Group& group) { return finetune(stage, group); });
}

}  // namespace trl::runtime
