// The worker on a GPU (matrices in bf16) compared with the CPU (f32). Skipped where there is no GPU.
//
// Tolerances are relative. They allow for the rounding of bf16, 0.4 %, through a few layers: about twice the
// error of bf16 arithmetic on a CPU, and far less than a wrong mask, rotation, scale or layout causes.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/tensors/made_on.hpp"
#include "base/tensors/safetensors.hpp"
#include "runtime/adapter/dropout.hpp"
#include "runtime/adapter/peft.hpp"
#include "runtime/model/accelerator.hpp"
#include "runtime/model/load.hpp"
#include "runtime/model/upload.hpp"
#include "runtime/sample/generate.hpp"
#include "runtime/sample/generate_on_gpu.hpp"
#include "runtime/tokenizer/trainer.hpp"
#include "runtime/train/loss.hpp"
#include "runtime/worker/stages.hpp"
#include "tests/gpu.hpp"
#include "tests/worker/support.hpp"

namespace trl::runtime {
namespace {

using testing::FakeStage;
using testing::lively_weights;
using testing::TemporaryFolder;
using testing::tiny_config;

constexpr double kLogits = 0.05;    // root mean square of the difference relative to that of the CPU's values
constexpr double kLoss = 0.01;      // relative error of the loss
constexpr double kGradient = 0.15;  // norm of the difference relative to the norm, for each parameter
constexpr double kAdapter = 0.25;  // the same for the change of the adapter by training. AdamW divides by the
                                   // gradient's size, so small and noisy entries change as much as large ones
constexpr double kF32 = 2e-3;      // of everything, with precision "f32"

using testing::GpuTest;

TEST_F(GpuTest, IsNamedWithItsDriverWhereAResultWasMadeOnIt) {
  auto made_on = made_here(3);
  note_device(made_on, at::kCPU);
  EXPECT_FALSE(made_on.on_gpu());
  note_device(made_on, gpu_);
  EXPECT_TRUE(made_on.on_gpu());
  EXPECT_NE(made_on.device, "unknown GPU");
  EXPECT_NE(made_on.device, "");
  EXPECT_NE(made_on.driver.find('.'), std::string::npos) << made_on.driver;
  EXPECT_NE(made_on.cuda.find('.'), std::string::npos) << made_on.cuda;
  RecordProperty("made_on", made_on.write().dump());
  EXPECT_EQ(made_on.threads, 3);
}

double relative(const at::Tensor& found, const at::Tensor& expected) {
  const auto cpu = found.detach().to(at::kCPU, at::kDouble), wanted = expected.detach().to(at::kDouble);
  return ((cpu - wanted).norm() / wanted.norm()).item<double>();
}

/// Sizes that are multiples of 8 and others, shared and separate key heads, tied and separate output heads.
std::vector<ModelConfig> configs() {
  std::vector<ModelConfig> result = {tiny_config()};
  for (const auto& [hidden, heads, kv_heads, intermediate, vocabulary, tied] :
       {std::tuple{36, 6, 2, 41, 301, true}, {42, 3, 1, 37, 257, false}, {128, 2, 2, 200, 1024, true}}) {
    auto config = tiny_config();
    config.hidden = hidden;
    config.heads = heads;
    config.kv_heads = kv_heads;
    config.head_size = hidden / heads;
    config.intermediate = intermediate;
    config.vocabulary = vocabulary;
    config.tied_embeddings = tied;
    result.push_back(config);
  }
  return result;
}

/// Values that bf16 can represent, as in a model's file, so that both devices start from the same ones.
Weights stored(const ModelConfig& config) {
  auto weights = lively_weights(config);
  for (auto& [name, tensor] : weights) tensor = tensor.to(at::kBFloat16).to(at::kFloat);
  return weights;
}

LanguageModel on(const c10::Device& device, at::ScalarType compute, const ModelConfig& config) {
  auto weights = stored(config);
  for (auto& [name, tensor] : weights) tensor = tensor.to(device, compute);
  return {config, weights, compute,
          device.is_cpu() ? LanguageModel::Use::frozen_differentiable : LanguageModel::Use::frozen};
}

std::string name_of(const ModelConfig& config) {
  return fmt::format("{}, hidden {}, heads {}, {}", name_of(config.family), config.hidden, config.heads,
                     config.kv_heads);
}

TEST_F(GpuTest, LogitsAreTheCpus) {
  auto all = configs();
  for (const auto family : {Family::qwen3, Family::llama, Family::starcoder2}) {
    all.push_back(tiny_config(family));
    all.back().head_size = 24;
    all.back().rope_scaling = {RopeScaling::Kind::llama3, 8, 1, 4, 20};
  }
  for (const auto& config : all) {
    const auto reference = on(at::kCPU, at::kFloat, config);
    for (const auto& [compute, tolerance] : {std::pair{at::kBFloat16, kLogits}, {at::kFloat, kF32}}) {
      const auto model = on(gpu_, compute, config);
      for (const std::int64_t length : {1, 7, 33, 96}) {
        const auto tokens = (at::arange(3 * length, at::kLong) * 37 % config.vocabulary).view({3, length});
        const auto expected = reference.logits(reference.hidden(tokens));
        const auto found = model.logits(model.hidden(tokens.to(gpu_)));
        EXPECT_LT(relative(found, expected), tolerance)
            << name_of(config) << ", " << length << " tokens, " << c10::toString(compute);
      }
    }
  }
}

// Many pieces of every size, several threads and streams, with and without conversion.
TEST_F(GpuTest, UploadedWeightsAreThoseOfTheFile) {
  Weights weights;
  for (const std::int64_t size : {0, 1, 7, 1023, 1024, 1025, 100'003}) {
    for (const auto type : {at::kFloat, at::kBFloat16, at::kHalf})
      weights[fmt::format("{} {}", size, c10::toString(type))] = at::randn({size, 3}).to(type);
  }
  weights["turned"] = at::randn({400, 300}).t();
  for (const auto type : {at::kFloat, at::kBFloat16}) {
    for (const auto& [threads, buffer] : {std::pair{1, 64}, {3, 1000}, {4, 1 << 20}}) {
      const auto found = upload(weights, gpu_, type, {threads, buffer, false});
      ASSERT_EQ(found.size(), weights.size());
      for (const auto& [name, tensor] : weights) {
        EXPECT_TRUE(found.at(name).is_cuda());
        EXPECT_TRUE(at::equal(found.at(name).to(at::kCPU), tensor.to(type)))
            << name << " " << threads << " " << buffer;
      }
    }
  }
}

TEST_F(GpuTest, DropoutMasksAreTheCpusBitForBit) {
  const std::vector<RandomKey> keys = {random_key("a"), random_key("b"), random_key("c")};
  EXPECT_TRUE(at::equal(dropout_mask(keys, 33, 40, 0.05, gpu_).to(at::kCPU),
                        dropout_mask(keys, 33, 40, 0.05, at::kCPU)));
}

std::vector<Document> documents(std::int64_t vocabulary) {
  std::vector<Document> result;
  for (int i = 0; i < 5; ++i) {
    Document document;
    for (int t = 0; t < 9 + 5 * i; ++t)
      document.tokens.push_back(static_cast<Token>((i * 71 + t * t * 13) % vocabulary));
    document.answer_begin = 3 + i;
    result.push_back(document);
  }
  return result;
}

struct Step {
  double loss;
  std::vector<at::Tensor> gradients;
};

Step step_on(const LanguageModel& model, double dropout) {
  const auto device = model.embedding().device();
  auto lora = Lora::fresh(model.config(),
                          lora_settings({{"rank", 4}, {"alpha", 8}, {"dropout", dropout}}, Family::qwen2), 3);
  auto pairs = lora.pairs();
  for (auto& [module, pair] : pairs)  // with B = 0, A would have no gradient
    pair.b = at::sin(at::arange(pair.b.numel(), at::kFloat)).view_as(pair.b) * 0.05;
  Lora lively(lora.settings(), pairs);
  lively.prepare_training(device);
  std::vector<RandomKey> keys;
  for (int i = 0; i < 5; ++i) keys.push_back(random_key(fmt::format("{}", i)));
  if (dropout > 0) lively.set_dropout(keys);
  const auto batch = make_batch(documents(model.config().vocabulary), {0, 1, 2, 3, 4}, 96, device);
  const auto loss = answer_loss(model, batch, &lively) / batch.targets.size(0);
  loss.backward();
  Step step{loss.item<double>(), {}};
  for (const auto& parameter : lively.parameters()) step.gradients.push_back(parameter.grad());
  return step;
}

TEST_F(GpuTest, LossAndAdapterGradientsAreTheCpus) {
  for (const auto& config : configs()) {
    // A mask is drawn eight entries at a time.
    const double dropout = config.hidden % 8 == 0 && config.intermediate % 8 == 0 ? 0.1 : 0.0;
    const auto expected = step_on(on(at::kCPU, at::kFloat, config), dropout);
    for (const auto& [compute, loss, gradient] :
         {std::tuple{at::kBFloat16, kLoss, kGradient}, {at::kFloat, kF32, kF32}}) {
      const auto found = step_on(on(gpu_, compute, config), dropout);
      EXPECT_NEAR(found.loss, expected.loss, loss * expected.loss) << name_of(config);
      ASSERT_EQ(found.gradients.size(), expected.gradients.size());
      for (std::size_t i = 0; i < found.gradients.size(); ++i) {
        EXPECT_EQ(found.gradients[i].scalar_type(), at::kFloat);
        EXPECT_LT(relative(found.gradients[i], expected.gradients[i]), gradient)
            << name_of(config) << ", parameter " << i << ", " << c10::toString(compute);
      }
    }
  }
}

std::vector<Prompt> prompts(std::int64_t vocabulary) {
  std::vector<Prompt> result;
  for (int p = 0; p < 12; ++p) {
    Prompt prompt;
    for (int i = 0; i <= p * 5 % 17; ++i)
      prompt.tokens.push_back(static_cast<Token>((p * 37 + i * 11) % vocabulary));
    for (int s = 0; s < 3; ++s) prompt.samples.push_back(random_key(fmt::format("{}/{}", p, s)));
    result.push_back(prompt);
  }
  return result;
}

GenerateSettings settings(const ModelConfig& config, double temperature, std::int64_t max_tokens) {
  GenerateSettings settings;
  settings.temperature = temperature;
  settings.max_tokens = max_tokens;
  settings.choices = config.vocabulary;
  settings.rows = 32;
  return settings;
}

/// The fraction of the CPU's tokens that have the same position in the other answers.
double agreement(const std::vector<std::vector<Answer>>& found,
                 const std::vector<std::vector<Answer>>& expected) {
  std::size_t same = 0, all = 0;
  for (std::size_t p = 0; p < expected.size(); ++p) {
    for (std::size_t s = 0; s < expected[p].size(); ++s) {
      const auto &a = found[p][s].tokens, &b = expected[p][s].tokens;
      all += b.size();
      for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) same += a[i] == b[i];
    }
  }
  return static_cast<double>(same) / static_cast<double>(all);
}

TEST_F(GpuTest, SamplingRepeatsItself) {
  for (const auto& config : configs()) {
    const auto model = on(gpu_, at::kBFloat16, config);
    for (const double temperature : {0.0, 0.9}) {
      const auto how = settings(config, temperature, 60);
      const auto one = generate_by_tensors(model, prompts(config.vocabulary), how, {});
      const auto two = generate_by_tensors(model, prompts(config.vocabulary), how, {});
      for (std::size_t p = 0; p < one.size(); ++p) {
        for (std::size_t s = 0; s < one[p].size(); ++s) {
          EXPECT_EQ(one[p][s].tokens, two[p][s].tokens) << name_of(config) << " at " << temperature;
          EXPECT_EQ(one[p][s].stopped, two[p][s].stopped);
        }
      }
    }
  }
}

// A random model's choices are close, and an answer differs completely after its first different choice. So
// answers are short for bf16, where rounding decides, and long for f32.
TEST_F(GpuTest, SampledTokensAreMostlyTheCpus) {
  double total = 0, runs = 0;
  for (const auto& config : configs()) {
    const auto weights = stored(config);
    for (const double temperature : {0.0, 0.7}) {
      const auto work = prompts(config.vocabulary);
      const auto compare = [&](at::ScalarType compute, std::int64_t max_tokens) {
        const auto how = settings(config, temperature, max_tokens);
        return agreement(generate_by_tensors(on(gpu_, compute, config), work, how, {}),
                         generate(config, weights, work, how, {}));
      };
      total += compare(at::kBFloat16, 6);
      ++runs;
      EXPECT_GT(compare(at::kFloat, 40), 0.9) << name_of(config) << " at " << temperature << ", f32";
    }
  }
  EXPECT_GT(total / runs, 0.6) << "bf16, the mean of all models and temperatures";
}

constexpr MatrixStorage::Id kStorages[] = {MatrixStorage::Id::int8, MatrixStorage::Id::llm_int8,
                                           MatrixStorage::Id::nf4};

TEST_F(GpuTest, QuantisedMatricesAreTheCpusBitForBitAndTheirProductsNear) {
  for (const auto& [rows, in, out] : {std::tuple{1, 5, 3}, {5, 64, 17}, {40, 130, 72}, {2, 3, 33}}) {
    RandomStream stream(fmt::format("{}/{}", in, out));
    const auto random = [&](std::int64_t a, std::int64_t b) {
      auto matrix = at::empty({a, b});
      for (std::int64_t i = 0; i < matrix.numel(); ++i)
        matrix.mutable_data_ptr<float>()[i] = static_cast<float>(2 * stream.normal());
      return matrix;
    };
    const auto weight = random(out, in), bias = random(1, out)[0], of_y = random(rows, out);
    auto x = random(rows, in);
    x[0][1] = 9;
    for (const auto storage : kStorages) {
      const auto here = quantise(weight, storage), there = quantise(weight.to(gpu_), storage);
      EXPECT_TRUE(at::equal(there.values.cpu(), here.values)) << runtime::name_of(storage);
      EXPECT_TRUE(at::equal(there.scale.cpu(), here.scale)) << runtime::name_of(storage);
      const auto cpu = Linear::quantised(here, bias), gpu = Linear::quantised(there, bias.to(gpu_));
      for (const auto& [type, tolerance] : {std::pair{at::kFloat, 1e-5}, {at::kBFloat16, 0.02}}) {
        const auto given = x.to(gpu_, type).set_requires_grad(true);
        const auto y = gpu(given);
        EXPECT_EQ(y.scalar_type(), type);
        EXPECT_LT(relative(y.to(at::kFloat), cpu(x.to(type).to(at::kFloat))), tolerance)
            << runtime::name_of(storage);
        (y.to(at::kFloat) * of_y.to(gpu_)).sum().backward();
        EXPECT_LT(relative(given.grad().to(at::kFloat), at::matmul(of_y, dequantise(here, at::kFloat))),
                  tolerance)
            << runtime::name_of(storage);
      }
    }
  }
}

/// A model in a folder, and an adapter that changes it.
Lora write_quantised(const std::filesystem::path& folder, const ModelConfig& config) {
  write_text(folder / "config.json", to_json(config).dump());
  write_safetensors(folder / "model.safetensors", {stored(config), {}});
  const auto fresh = Lora::fresh(config, lora_settings({{"rank", 3}, {"alpha", 6}}, config.family), 3);
  auto pairs = fresh.pairs();
  for (auto& [module, pair] : pairs) pair.b = at::full_like(pair.b, 0.02);
  return {fresh.settings(), pairs};
}

// Rounding activations makes jumps, after which a random model's choices differ: answers of llm_int8 are
// short, as bf16's above.
TEST_F(GpuTest, QuantisedModelsAreSampledAsOnTheCpu) {
  double total = 0, runs = 0;
  for (auto config : configs()) {
    config.end_tokens = {0};
    const TemporaryFolder folder;
    auto adapter = write_quantised(folder.folder("model"), config);
    const auto work = prompts(config.vocabulary);
    for (const auto storage : kStorages) {
      const bool rounds = storage == MatrixStorage::Id::llm_int8;
      const auto how = settings(config, 0.7, rounds ? 6 : 30);
      const auto here = load_frozen(folder / "model", at::kCPU, at::kFloat, storage);
      const auto there = load_frozen(folder / "model", gpu_, at::kFloat, storage);
      const auto expected = generate(*here, &adapter, work, how, {});
      auto moved = adapter;
      moved.prepare_training(gpu_);
      const auto hook = moved.leaves(at::kFloat);
      const auto agreed = agreement(generate_by_tensors(*there, work, how, {}, &hook), expected);
      if (rounds) {
        total += agreed, ++runs;
      } else {
        EXPECT_GT(agreed, 0.9) << runtime::name_of(storage) << ", " << name_of(config);
      }
    }
  }
  EXPECT_GT(total / runs, 0.6) << "llm_int8, the mean of all models";
  RecordProperty("llm_int8", fmt::format("{}", total / runs));
}

// The kernels know nothing of stop texts: what they draw behind one is thrown away.
TEST_F(GpuTest, AnswersOfTheKernelsEndAtStopTexts) {
  TokenizerTrainer trainer;
  trainer.add("the end of a program, the end of an answer");
  const auto tokenizer = Tokenizer::parse(trainer.train(300), "trained");
  auto config = tiny_config();
  config.hidden = 128, config.heads = 4, config.kv_heads = 2, config.head_size = 32,
  config.intermediate = 128;
  config.vocabulary = tokenizer.size(), config.context = 512, config.end_tokens = {0};
  const TemporaryFolder folder;
  write_quantised(folder.folder("model"), config);
  for (const auto storage : {MatrixStorage::Id::none, MatrixStorage::Id::int8, MatrixStorage::Id::nf4}) {
    const auto model = load_frozen(folder / "model", gpu_, at::kBFloat16, storage);
    const auto kernels = decode_storage(*model);
    if (const auto reason = reason_against_gpu_decoding(*model, kernels); !reason.empty())
      GTEST_SKIP() << reason;
    auto how = settings(config, 1.0, 100);
    how.ends = {0};
    how.top_p = 0.9;
    how.top_k = 50;
    const auto work = prompts(config.vocabulary);
    const auto whole = generate_on_gpu(*model, work, how, {}, kernels);
    const auto text = tokenizer.decode(whole[0][0].tokens);
    const StopTexts stop(tokenizer, {text.substr(text.size() / 2, 2), text.substr(text.size() / 4, 1)});
    how.stop = std::make_shared<const StopTexts>(stop);
    std::size_t cut = 0;
    for (const std::int64_t rows : {3, 32}) {
      how.rows = rows;
      const auto answers = generate_on_gpu(*model, work, how, {}, kernels);
      for (std::size_t p = 0; p < work.size(); ++p) {
        for (std::size_t s = 0; s < answers[p].size(); ++s) {
          const auto& full = whole[p][s];
          Answer expected;  // token by token
          for (const auto token : full.tokens)
            if (append(how, token, expected)) break;
          const auto& answer = answers[p][s];
          EXPECT_EQ(answer.tokens, expected.tokens) << rows << " " << p << "/" << s;
          EXPECT_EQ(answer.text_size, expected.text_size);
          if (!answer.text_size) continue;
          ++cut;
          EXPECT_TRUE(answer.stopped);
          ASSERT_EQ(answer.scores.size(), answer.tokens.size()) << "each kept token has its score";
          for (std::size_t i = 0; i < answer.scores.size(); ++i) EXPECT_EQ(answer.scores[i], full.scores[i]);
        }
      }
    }
    EXPECT_GT(cut, 10U);
  }
  const auto rounded = load_frozen(folder / "model", gpu_, at::kBFloat16, MatrixStorage::Id::llm_int8);
  EXPECT_NE(reason_against_gpu_decoding(*rounded, decode_storage(*rounded)), "")
      << "the kernels don't round activations";
}

/// A corpus, a tokenizer and a random model of two layers.
class GpuTrainingTest : public GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (IsSkipped()) return;
    std::string rows;
    for (int i = 0; i < 24; ++i) {
      rows += nlohmann::json{{"prompt", fmt::format("task {} of {}\n", i % 6, i % 6)},
                             {"answer", std::string("answer ") + std::string(1 + i % 6, 'a' + i % 6)}}
                  .dump() +
              "\n";
    }
    write_text(folder_.folder("corpus") / "samples.jsonl", rows);
    TokenizerTrainer trainer;
    trainer.add("task of answer task of answer");
    write_text(folder_.folder("tokenizer") / "tokenizer.json", trainer.train(300).dump());
  }

  // The vocabulary may have fewer than 300 entries, since there are few words.
  void write_model() {
    auto config = tiny_config();
    config.vocabulary = Tokenizer::load(folder_ / "tokenizer/tokenizer.json").size();
    write_safetensors(folder_.folder("model") / "model.safetensors", {stored(config), {}});
    write_text(folder_ / "model/config.json", to_json(config).dump());
    std::filesystem::copy_file(folder_ / "tokenizer/tokenizer.json", folder_ / "model/tokenizer.json");
  }

  FakeStage finetuning(const c10::Device& device, const std::string& output) {
    FakeStage stage;
    stage.spec = {{"adapter", {{"rank", 4}, {"alpha", 16}, {"dropout", 0.05}, {"targets", {"all_linear"}}}},
                  {"epochs", 2},
                  {"batch", 6},
                  {"learning_rate", 5e-3},
                  {"warmup", 0.1},
                  {"schedule", "cosine"},
                  {"weight_decay", 0.0},
                  {"clip", 1.0},
                  {"precision", "bf16"},
                  {"seed", 1},
                  {"round", 0}};
    stage.inputs = {{"model", folder_ / "model"}, {"samples", folder_ / "corpus"}};
    stage.output = folder_.folder(output);
    stage.device = device.str();
    return stage;
  }

  TemporaryFolder folder_;
};

TEST_F(GpuTrainingTest, FinetuningLowersTheLossAndEndsNearTheCpusAdapter) {
  write_model();
  auto on_gpu = finetuning(gpu_, "gpu"), on_cpu = finetuning(at::kCPU, "cpu");
  const auto found = run_finetune(on_gpu), expected = run_finetune(on_cpu);
  EXPECT_EQ(found["steps"], 8);
  EXPECT_EQ(found["tokens"], expected["tokens"]);
  EXPECT_LT(found["loss_last"].get<double>(), 0.9 * found["loss_first"].get<double>());
  const auto losses = on_gpu.values("loss"), cpu_losses = on_cpu.values("loss");
  ASSERT_EQ(losses.size(), cpu_losses.size());
  EXPECT_NEAR(losses[0], cpu_losses[0], kLoss * cpu_losses[0]);
  for (std::size_t i = 0; i < losses.size(); ++i)
    EXPECT_NEAR(losses[i], cpu_losses[i], 0.03 * cpu_losses[i]) << i;

  const auto config = read_config(folder_ / "model");
  const auto trained = read_adapter(folder_ / "gpu", config),
             reference = read_adapter(folder_ / "cpu", config);
  const auto fresh = Lora::fresh(config, trained.settings(), 1);
  std::vector<at::Tensor> moved, should;
  for (const auto& [module, pair] : fresh.pairs()) {
    const auto &a = trained.pairs().at(module), &b = reference.pairs().at(module);
    for (const auto& tensor : {a.a - pair.a, a.b - pair.b}) moved.push_back(tensor.flatten());
    for (const auto& tensor : {b.a - pair.a, b.b - pair.b}) should.push_back(tensor.flatten());
  }
  EXPECT_LT(relative(at::cat(moved), at::cat(should)), kAdapter);
}

TEST_F(GpuTrainingTest, AnAdapterIsTrainedOnAQuantisedModel) {
  write_model();
  for (const auto storage : kStorages) {
    const std::string name(runtime::name_of(storage));
    auto on_gpu = finetuning(gpu_, "gpu " + name), on_cpu = finetuning(at::kCPU, "cpu " + name);
    for (auto* stage : {&on_gpu, &on_cpu}) stage->spec["quantize"] = name;
    run_finetune(on_gpu);
    run_finetune(on_cpu);
    const auto losses = on_gpu.values("loss"), cpu_losses = on_cpu.values("loss");
    ASSERT_EQ(losses.size(), cpu_losses.size());
    EXPECT_LT(losses.back(), 0.9 * losses.front());
    for (std::size_t i = 0; i < losses.size(); ++i)
      EXPECT_NEAR(losses[i], cpu_losses[i], 0.03 * cpu_losses[i]) << name << " " << i;
  }
}

TEST_F(GpuTrainingTest, PretrainingLowersTheLossAndWritesAModelTheCpuReads) {
  FakeStage stage;
  stage.spec = {
      {"architecture",
       {{"hidden", 32}, {"layers", 2}, {"heads", 4}, {"kv_heads", 2}, {"intermediate", 44}, {"context", 64}}},
      {"steps", 30},
      {"batch", 8},
      {"sequence", 23},
      {"learning_rate", 1e-2},
      {"warmup", 0.1},
      {"schedule", "cosine"},
      {"clip", 1.0},
      {"weight_decay", 0.1},
      {"precision", "bf16"},
      {"seed", 5}};
  stage.inputs = {{"corpus", folder_ / "corpus"}, {"tokenizer", folder_ / "tokenizer"}};
  stage.output = folder_.folder("pretrained");
  stage.device = gpu_.str();
  run_pretrain(stage);
  const auto losses = stage.values("loss");
  EXPECT_LT(losses.back(), 0.6 * losses.front());
  const auto model = load_frozen(folder_ / "pretrained", at::kCPU, at::kFloat);
  for (const auto& [name, tensor] : model->weights())
    EXPECT_TRUE(at::isfinite(tensor).all().item<bool>()) << name;
}

}  // namespace
}  // namespace trl::runtime
