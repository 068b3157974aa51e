// The stage `pretrain`: trains a small model from random weights on a packed stream of documents.

#include <fmt/format.h>
#include <chrono>
#include <iterator>

#include "base/contract/architecture.hpp"
#include "base/contract/stages/pretrain.hpp"
#include "base/stage/contract.hpp"
#include "base/stage/spec.hpp"
#include "base/stage/stage.hpp"
#include "base/support/digest.hpp"
#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "base/support/random.hpp"
#include "base/tensors/made_on.hpp"
#include "base/tensors/safetensors.hpp"
#include "runtime/model/accelerator.hpp"
#include "runtime/model/load.hpp"
#include "runtime/model/threads.hpp"
#include "runtime/model/vocabulary.hpp"
#include "runtime/train/checkpoint.hpp"
#include "runtime/train/loss.hpp"
#include "runtime/train/optimiser.hpp"
#include "runtime/train/peak_memory.hpp"
#include "runtime/train/schedule.hpp"

namespace trl::runtime {
namespace {

namespace fs = std::filesystem;

ModelConfig config_of(const contract::Architecture& architecture, const Tokenizer& tokenizer) {
  ModelConfig config;
  config.vocabulary = tokenizer.size();
  config.hidden = architecture.hidden;
  config.layers = architecture.layers;
  config.heads = architecture.heads;
  config.kv_heads = architecture.kv_heads;
  config.intermediate = architecture.intermediate;
  config.context = architecture.context;
  config.head_size = config.hidden / std::max<std::int64_t>(config.heads, 1);
  config.rope_theta = architecture.rope_theta;
  config.begin_token = tokenizer.special(kEndOfText);
  config.end_tokens = {*config.begin_token};
  if (config.head_size * config.heads != config.hidden) {
    throw UserError(fmt::format("the architecture: hidden = {} is no multiple of heads = {}", config.hidden,
                                config.heads));
  }
  validate(config, "the architecture");
  return config;
}

// Draws where a batch of windows of sequence + 1 tokens begins in a stream of `size` tokens.
std::vector<std::int64_t> draw_offsets(std::int64_t size, std::int64_t batch, std::int64_t sequence,
                                       RandomStream& random) {
  std::vector<std::int64_t> offsets;
  for (std::int64_t i = 0; i < batch; ++i)
    offsets.push_back(static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(size - sequence))));
  return offsets;
}

at::Tensor windows_at(const at::Tensor& stream, const std::vector<std::int64_t>& offsets,
                      std::int64_t sequence) {
  const auto begin = at::tensor(offsets, at::kLong).to(stream.device()).unsqueeze(1);
  return stream.index({begin + at::arange(sequence + 1, begin.options())}).to(at::kLong);
}

at::Tensor window_loss(const LanguageModel& model, const at::Tensor& windows) {
  const auto length = windows.size(1) - 1;
  const auto logits = model.logits(model.hidden(windows.narrow(1, 0, length)));
  return at::cross_entropy_loss(logits.flatten(0, 1), windows.narrow(1, 1, length).reshape(-1));
}

struct Part {
  at::Tensor loss;
  std::vector<at::Tensor> gradients;
};

// Computes the gradient of one part of the batch. The part has its own leaves, tensors that collect
// gradients.
Part part_of(const LanguageModel& model, const at::Tensor& windows, double share) {
  Weights leaves;
  for (const auto& [name, tensor] : model.weights()) leaves[name] = tensor.detach().set_requires_grad(true);
  const LanguageModel own(model.config(), leaves, model.compute(), LanguageModel::Use::trained);
  const auto loss = window_loss(own, windows) * share;
  loss.backward();
  Part part{loss.detach(), {}};
  for (const auto& [name, tensor] : leaves) part.gradients.push_back(tensor.grad());
  return part;
}

}  // namespace

nlohmann::json run_pretrain(Stage& stage) {
  auto begin = std::chrono::steady_clock::now();
  const auto seconds = [&begin] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  const auto spec = spec_as<contract::PretrainSpec>(stage.spec);
  const auto steps = spec.steps, batch = spec.batch, sequence = spec.sequence;
  const auto seed = static_cast<std::int64_t>(spec.seed);
  const double clip = spec.optimisation.clip;
  const Schedule schedule{schedule_shape(spec.optimisation.schedule), spec.optimisation.learning_rate,
                          spec.optimisation.warmup, steps};
  if (steps < 1 || batch < 1 || sequence < 1) throw UserError("steps, batch and sequence must be 1 or more");

  const auto device = open_device(stage.device);
  note_device(stage.made_on, device);
  const PeakMemory memory(device);
  const auto tokenizer_file = stage.input("tokenizer") / "tokenizer.json";
  const auto tokenizer = Tokenizer::load(tokenizer_file);
  const auto config = config_of(spec.architecture, tokenizer);
  if (sequence > config.context) {
    throw UserError(
        fmt::format("sequence {} exceeds the architecture's context {}", sequence, config.context),
        "use a shorter sequence or a longer context");
  }
  std::vector<Token> stream;
  {
    const auto documents = read_documents(stage.input("corpus") / "samples.jsonl", *marked_format(tokenizer),
                                          [&] { stage.check_cancelled(); });
    for (const auto& document : documents)
      stream.insert(stream.end(), document.tokens.begin(), document.tokens.end());
  }
  if (static_cast<std::int64_t>(stream.size()) <= sequence + 1) {
    throw UserError(
        fmt::format("the corpus has {} tokens, fewer than one sequence of {}", stream.size(), sequence),
        "generate more samples");
  }
  require_tokens(stream, config);
  const auto tokens = at::tensor(at::ArrayRef<Token>(stream), at::kInt).to(device);

  auto weights = random_weights(config, seed);
  std::vector<at::Tensor> parameters;
  for (auto& [name, tensor] : weights) {
    tensor = tensor.to(device).set_requires_grad(true);
    parameters.push_back(tensor);
  }
  const LanguageModel model(config, weights, compute_type(device, spec.precision),
                            LanguageModel::Use::trained);
  AdamW optimiser(parameters, 0.9, 0.95, spec.optimisation.weight_decay);
  RandomStream windows_random(fmt::format("{}/windows/pretrain", seed));

  const Group alone;
  Checkpoints checkpoints(stage, alone, parameters, optimiser, seconds);
  const auto resumed = checkpoints.resume(steps);
  begin -= std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(resumed.seconds));

  double loss = 0;
  for (const auto& told : stage.told())
    if (told.name == "loss") loss = told.value;
  const std::int64_t rows_a_part = device.is_cpu() ? std::max<std::int64_t>(1, 2048 / sequence) : batch;
  for (std::int64_t step = 0; step < steps; ++step) {
    const auto offsets = draw_offsets(tokens.size(0), batch, sequence, windows_random);
    if (step < resumed.steps) continue;  // only the stream of random numbers goes on
    checkpoints.between_steps(step);
    const auto windows = windows_at(tokens, offsets, sequence).split(rows_a_part);
    std::vector<Part> parts(windows.size());
    parallel(parts.size(), device.is_cpu() ? stage.threads : 1, [&](std::size_t i) {
      parts[i] =
          part_of(model, windows[i], static_cast<double>(windows[i].size(0)) / static_cast<double>(batch));
    });
    for (std::size_t i = 1; i < parts.size(); ++i) {
      at::_foreach_add_(parts[0].gradients, parts[i].gradients);
      parts[0].loss += parts[i].loss;
    }
    const auto norm = clip_gradients(parts[0].gradients, clip);
    optimiser.step(parts[0].gradients, schedule.at(step));
    if (step % 20 == 0 || step + 1 == steps) {  // reading the loss waits for the device
      loss = parts[0].loss.item<double>();
      stage.metric("loss", step, loss);
      stage.metric("gradient_norm", step, norm.item<double>());
      stage.metric("learning_rate", step, schedule.at(step));
      stage.metric("tokens_per_second", step, static_cast<double>((step + 1) * batch * sequence) / seconds());
      stage.metric("peak_bytes", step, static_cast<double>(memory.bytes()));
      stage.progress(step + 1, steps, "steps");
    }
  }

  Safetensors content;
  content.metadata["format"] = "pt";
  content.metadata["spec"] = stage.spec.dump();
  const auto manifest = stage.input("corpus") / "manifest.json";
  if (fs::exists(manifest)) {
    content.metadata["manifest"] = sha256_of_file(manifest);
    fs::copy_file(manifest, stage.output / "manifest.json");
  }
  for (const auto& [name, tensor] : weights) content.tensors[name] = tensor.detach().to(at::kBFloat16);
  write_safetensors(stage.output / "model.safetensors", content);
  write_text(stage.output / "config.json", to_json(config).dump(2) + "\n");
  fs::copy_file(tokenizer_file, stage.output / "tokenizer.json");
  return {{"loss", loss},
          {"tokens", steps * batch * sequence},
          {"peak_bytes", memory.bytes()},
          {"seconds", seconds()}};
}

}  // namespace trl::runtime
