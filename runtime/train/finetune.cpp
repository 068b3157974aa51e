// The stage `finetune`: trains a LoRA adapter on answers.
#include <chrono>
#include <numeric>

#include "runtime/adapter/peft.hpp"
#include "runtime/model/accelerator.hpp"
#include "runtime/model/load.hpp"
#include "runtime/model/threads.hpp"
#include "runtime/train/loss.hpp"
#include "runtime/train/optimiser.hpp"
#include "runtime/train/schedule.hpp"
#include "runtime/worker/rows.hpp"

namespace trl::runtime {
namespace {

struct Settings {
  std::int64_t epochs, batch, seed, round;
  Schedule schedule;
  double weight_decay, clip;
  std::string precision;
};

Settings read_settings(const nlohmann::json& spec) {
  Settings settings;
  settings.epochs = field<std::int64_t>(spec, "epochs");
  settings.batch = field<std::int64_t>(spec, "batch");
  settings.seed = field_or<std::int64_t>(spec, "seed", 0);
  settings.round = field_or<std::int64_t>(spec, "round", 0);
  settings.schedule.learning_rate = field<double>(spec, "learning_rate");
  settings.schedule.warmup = field_or(spec, "warmup", 0.0);
  settings.schedule.shape = schedule_shape(field_or<std::string>(spec, "schedule", "constant"));
  settings.weight_decay = field_or(spec, "weight_decay", 0.0);
  settings.clip = field_or(spec, "clip", 0.0);
  settings.precision = field_or<std::string>(spec, "precision", "bf16");
  if (settings.batch < 1) throw StageError("the batch is empty", "use batch = 1 or more");
  return settings;
}

Lora start(const Stage& stage, const Qwen2Config& config, std::int64_t seed) {
  const auto wanted = lora_settings(field<nlohmann::json>(stage.spec, "adapter"));
  if (!stage.inputs.contains("adapter")) return Lora::fresh(config, wanted, seed);
  auto lora = read_adapter(stage.input("adapter"), config);
  const auto& found = lora.settings();
  if (found.rank != wanted.rank || found.alpha != wanted.alpha || found.targets != wanted.targets) {
    throw StageError(fmt::format("{}: the adapter's rank, alpha or targets differ from the stage's",
                                 stage.input("adapter").string()),
                     "go on with the same adapter settings, or start without an adapter");
  }
  return {wanted, lora.pairs()};
}

struct Gradients {
  double loss = 0;  // summed over tokens
  std::vector<at::Tensor> tensors;
};

// One micro-batch's share of the gradient of the batch's mean loss.
Gradients gradients_of(const Qwen2& model, const Lora& lora, const Batch& batch, std::vector<RandomKey> keys,
                       std::int64_t tokens_in_step) {
  auto own = lora.copy_for_thread();
  own.set_dropout(std::move(keys));
  const auto loss = answer_loss(model, batch, &own);
  (loss / static_cast<double>(tokens_in_step)).backward();
  Gradients result{loss.item<double>(), {}};
  for (const auto& parameter : own.parameters()) result.tensors.push_back(parameter.grad());
  return result;
}

}  // namespace

nlohmann::json run_finetune(Stage& stage) {
  const auto begin = std::chrono::steady_clock::now();
  auto settings = read_settings(stage.spec);
  const auto device = open_device(stage.device);
  const auto model = load_frozen(stage.input("model"), device, compute_type(device, settings.precision));
  const auto tokenizer = Tokenizer::load(stage.input("model") / "tokenizer.json");
  auto lora = start(stage, model->config(), settings.seed);
  lora.prepare_training(device);
  const auto documents =
      read_documents(stage.input("samples") / "samples.jsonl", tokenizer, [&] { stage.check_cancelled(); });

  const auto size = static_cast<std::int64_t>(documents.size());
  const auto steps_an_epoch = (size + settings.batch - 1) / settings.batch;
  settings.schedule.steps = settings.epochs * steps_an_epoch;
  AdamW optimiser(lora.parameters(), 0.9, 0.999, settings.weight_decay);
  const std::size_t budget = device.is_cpu() ? 2048 : 16384;  // tokens a micro-batch: memory, not meaning

  std::int64_t step = 0, tokens = 0;
  double loss_first = 0, loss_last = 0;
  for (std::int64_t epoch = 0; epoch < settings.epochs; ++epoch) {
    const auto order = shuffled(
        documents.size(),
        RandomStream(fmt::format("{}/shuffle/finetune/{}/{}", settings.seed, settings.round, epoch)));
    for (std::int64_t first = 0; first < size; first += settings.batch, ++step) {
      stage.check_cancelled();
      const std::vector<std::size_t> chosen(order.begin() + first,
                                            order.begin() + std::min(first + settings.batch, size));
      const auto micro = micro_batches(documents, chosen, budget);
      std::vector<Batch> batches;
      std::int64_t answer_tokens = 0;
      for (const auto& rows : micro) {
        batches.push_back(make_batch(documents, rows, model->config().context, device));
        answer_tokens += batches.back().targets.size(0);
        for (const auto row : rows) tokens += static_cast<std::int64_t>(documents[row].tokens.size());
      }
      std::vector<Gradients> parts(micro.size());
      parallel(micro.size(), device.is_cpu() ? stage.threads : 1, [&](std::size_t i) {
        std::vector<RandomKey> keys;
        for (const auto row : micro[i]) {
          keys.push_back(
              random_key(fmt::format("{}/dropout/{}/{}/{}", settings.seed, row, settings.round, epoch)));
        }
        parts[i] = gradients_of(*model, lora, batches[i], std::move(keys), answer_tokens);
      });
      auto& total = parts.front();
      for (std::size_t i = 1; i < parts.size(); ++i) {
        total.loss += parts[i].loss;
        at::_foreach_add_(total.tensors, parts[i].tensors);
      }
      clip_gradients(total.tensors, settings.clip);
      const double rate = settings.schedule.at(step);
      optimiser.step(total.tensors, rate);

      const double loss = total.loss / static_cast<double>(answer_tokens);
      if (step == 0) loss_first = loss;
      loss_last = loss;
      const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
      stage.metric("loss", step, loss);
      stage.metric("learning_rate", step, rate);
      stage.metric("tokens_per_second", step, static_cast<double>(tokens) / elapsed.count());
      stage.progress(step + 1, settings.schedule.steps, "steps");
    }
  }
  write_adapter(stage.output, lora, stage.input("model").filename().string());
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  const bool trained = step > 0;  // with no samples the adapter goes on as it was
  return {{"loss_first", trained ? nlohmann::json(loss_first) : nlohmann::json()},
          {"loss_last", trained ? nlohmann::json(loss_last) : nlohmann::json()},
          {"tokens", tokens},
          {"steps", step},
          {"seconds", elapsed.count()}};
}

}  // namespace trl::runtime
