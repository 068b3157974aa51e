// Speed of sampling on a GPU, with randomly initialised models: decode_benchmark WHAT [MODEL [STORAGE
// [adapter]]].
//
//   steps      one step of decoding, by columns and context
//   kernels    the kernels of a step, each name's alone, by columns
//   prompts    reading 64 prompts of 1,000 tokens
//   rollout    64 prompts of mixed lengths, 10 samples of 512 tokens each, or of as many as stand behind
//   STORAGE windtunnel 128 prompts, 5 samples of 256 tokens each, with the embedded model's sizes
//
//   load       from the folder MODEL, twice: the first may read a disk
//
// Each line of output is JSON, which gpu_decode.py puts beside its peers.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <nlohmann/json.hpp>

#include "runtime/decode/prompts.hpp"
#include "runtime/model/accelerator.hpp"
#include "runtime/model/load.hpp"
#include "runtime/model/modules.hpp"
#include "runtime/model/upload.hpp"
#include "runtime/sample/generate_on_gpu.hpp"
#include "tests/benchmarks/models.hpp"

namespace {

using namespace trl;
using namespace trl::runtime;
using namespace trl::benchmarks;

const std::map<std::string, decode::Storage> kStorages = {
    {"bf16", decode::Storage::bf16}, {"int8", decode::Storage::int8}, {"nf4", decode::Storage::nf4}};

std::string name_of(decode::Storage storage) {
  for (const auto& [name, value] : kStorages) {
    if (value == storage) return name;
  }
  return "?";
}

// Rank 16 on every linear layer.
Lora random_adapter(const ModelConfig& config, const c10::Device& device) {
  const auto settings =
      lora_settings({{"rank", 16}, {"alpha", 32}, {"dropout", 0}, {"targets", "all_linear"}}, config.family);
  auto pairs = Lora::fresh(config, settings, 1).pairs();
  for (auto& [module, pair] : pairs) {
    pair.a = pair.a.to(device);
    pair.b = at::empty(pair.b.sizes(), pair.a.options()).normal_(0, 0.01);
  }
  return {settings, std::move(pairs)};
}

// The bytes that a step has to read: every weight but the embedding's other rows, keys and values.
double step_bytes(const ModelConfig& config, decode::Storage storage, std::int64_t columns,
                  std::int64_t context) {
  double numbers = 0;
  for (const auto& [name, shape] : weight_shapes(config)) {
    double size = 1;
    for (const auto extent : shape) size *= static_cast<double>(extent);
    // Of the embedding only some rows are read, unless it is the head; matrices of layers may have fewer
    // bits.
    const bool embedding = name.starts_with(kEmbedding);
    const bool narrow = shape.size() == 2 && name.find(".layers.") != std::string::npos;
    const double bits = storage == decode::Storage::int8 ? 8 : storage == decode::Storage::nf4 ? 4.5 : 16;
    if (!embedding || config.tied_embeddings) numbers += narrow ? size * bits / 16 : size;
  }
  numbers += static_cast<double>(columns * context * config.layers * 2 * config.kv_heads * config.head_size);
  return 2 * numbers;
}

void steps(const std::string& name, const LanguageModel& model, decode::Storage storage,
           const std::vector<std::pair<int, int>>& sizes, const Lora* adapter, bool by_kernel) {
  const auto& config = model.config();
  const auto weights = std::make_shared<const decode::DecodeWeights>(model, storage, adapter);
  for (const auto& [columns, context] : sizes) {
    const auto most = (context + 8 + decode::kPage - 1) / decode::kPage;
    const auto pool =
        at::empty({columns * most, config.layers, 2, config.kv_heads, decode::kPage, config.head_size},
                  at::TensorOptions().dtype(at::kBFloat16).device(model.embedding().device()))
            .normal_();
    decode::Drawing drawing;
    drawing.temperature = 0.8;
    drawing.choices = config.vocabulary;
    decode::Stepper stepper(weights, pool, columns, most, columns <= 16 ? 4 : 1, drawing);
    std::vector<decode::ColumnState> states(static_cast<std::size_t>(columns));
    for (int c = 0; c < columns; ++c) {
      auto& state = states[static_cast<std::size_t>(c)];
      state.token = c * 7919 % static_cast<int>(config.vocabulary);
      state.position = context - 1;
      state.limit = 1 << 20;
      state.stream = static_cast<std::uint64_t>(c) + 1;
      for (int page = 0; page < most; ++page) state.pages.push_back(c * static_cast<int>(most) + page);
    }
    if (by_kernel) {
      nlohmann::ordered_json line = {
          {"work", "kernels"},           {"model", name},
          {"storage", name_of(storage)}, {"adapter", adapter ? "unmerged" : "merged"},
          {"columns", columns},          {"context", context}};
      for (const auto& [kernel, seconds] : stepper.seconds_of_kernels(states, 20))
        line[kernel] = seconds * 1e6;
      line["microseconds_of_step"] = stepper.seconds_of_step(states, 30) * 1e6;
      print(line);
      continue;
    }
    const auto seconds = stepper.seconds_of_step(states, 30);
    print({{"work", "step"},
           {"model", name},
           {"storage", name_of(storage)},
           {"adapter", adapter ? "unmerged" : "merged"},
           {"columns", columns},
           {"context", context},
           {"milliseconds", seconds * 1e3},
           {"bytes", step_bytes(config, storage, columns, context)}});
  }
}

std::vector<Prompt> prompts_of(const ModelConfig& config, const std::vector<std::int64_t>& lengths,
                               int samples) {
  std::vector<Prompt> result;
  for (std::size_t p = 0; p < lengths.size(); ++p) {
    Prompt prompt;
    RandomStream random(fmt::format("prompt {}", p));
    for (std::int64_t i = 0; i < lengths[p]; ++i)
      prompt.tokens.push_back(
          static_cast<Token>(random.below(static_cast<std::uint64_t>(config.vocabulary))));
    for (int s = 0; s < samples; ++s) prompt.samples.push_back(random_key(fmt::format("{}/{}", p, s)));
    result.push_back(std::move(prompt));
  }
  return result;
}

void prompts(const std::string& name, const LanguageModel& model) {
  const auto& config = model.config();
  const decode::DecodeWeights weights(model);
  const auto pages = (1000 + decode::kPage - 1) / decode::kPage;
  const auto pool = at::empty({4 * pages, config.layers, 2, config.kv_heads, decode::kPage, config.head_size},
                              at::TensorOptions().dtype(at::kBFloat16).device(model.embedding().device()));
  std::vector<decode::PromptPages> block(4);
  for (std::size_t p = 0; p < 4; ++p) {
    for (int i = 0; i < 1000; ++i)
      block[p].tokens.push_back(static_cast<std::int32_t>((i * 31 + p * 1001) % config.vocabulary));
    for (int i = 0; i < pages; ++i) block[p].pages.push_back(static_cast<std::int32_t>(p * pages + i));
  }
  std::vector<double> times;
  for (int repeat = 0; repeat < 4; ++repeat) {
    times.push_back(seconds_of([&] {
      for (int i = 0; i < 16; ++i) decode::read_prompts(weights, pool, block);
    }));
  }
  times.erase(times.begin());
  print({{"work", "prompts"}, {"model", name}, {"tokens", 64000}, {"seconds", median_of(times)}});
}

void rollout(const std::string& name, const LanguageModel& model, int count, int samples,
             std::int64_t new_tokens, int repeats) {
  const auto& config = model.config();
  std::vector<std::int64_t> lengths;
  RandomStream random("lengths");
  for (int p = 0; p < count; ++p)
    lengths.push_back(config.hidden < 1024 ? 80 + static_cast<std::int64_t>(random.below(60))
                                           : 100 + static_cast<std::int64_t>(random.below(900)));
  const auto work = prompts_of(config, lengths, samples);
  GenerateSettings settings;
  settings.temperature = 0.8;
  settings.max_tokens = new_tokens;
  settings.choices = config.vocabulary;
  settings.rows = kMostColumns;
  std::vector<double> times;
  for (int repeat = 0; repeat < repeats + 1; ++repeat) {
    times.push_back(seconds_of([&] { generate_on_gpu(model, work, settings, {}); }));
  }
  const auto first = times.front();
  if (repeats > 0) times.erase(times.begin());
  print({{"work", "rollout"},
         {"model", name},
         {"prompts", count},
         {"samples", samples},
         {"new_tokens", new_tokens},
         {"seconds", median_of(times)},
         {"first_seconds", first},
         {"tokens_per_second", static_cast<double>(count * samples * new_tokens) / median_of(times)}});
}

void bandwidth(const c10::Device& device) {
  const auto from =
      at::empty({std::int64_t{1} << 30}, at::TensorOptions().dtype(at::kInt).device(device)).random_();
  auto to = at::empty_like(from);
  to.copy_(from);
  std::vector<double> times;
  for (int i = 0; i < 5; ++i) times.push_back(seconds_of([&] { to.copy_(from); }));
  print({{"work", "copy"},
         {"terabytes_per_second", 2.0 * 4 * (std::int64_t{1} << 30) / median_of(times) / 1e12}});
}

}  // namespace

int main(int count, char** arguments) {
  ::setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", 0);
  load_cuda_where_there_is_a_gpu();
  at::set_num_threads(1);
  const std::string what = count > 1 ? arguments[1] : "steps", name = count > 2              ? arguments[2]
                                                                      : what == "windtunnel" ? "windtunnel"
                                                                                             : "7b";
  try {
    const at::NoGradGuard no_grad;
    const auto device = open_device("cuda");
    if (what == "load") {
      at::zeros({1}, device);
      for (int i = 0; i < 3; ++i) {
        const auto config = read_config(name);
        const auto seconds = seconds_of([&] {
          auto weights = upload(read_weights(name, config), device, at::kBFloat16);
          const LanguageModel model(config, std::move(weights), at::kBFloat16, LanguageModel::Use::frozen);
        });
        print({{"work", "load"}, {"seconds", seconds}});
      }
      return 0;
    }
    std::optional<Lora> adapter;
    if (count > 4 && arguments[4] == std::string("adapter"))
      adapter = random_adapter(config_named(name), device);
    const Lora* const lora = adapter ? &*adapter : nullptr;
    if (what == "steps") bandwidth(device);
    const auto storage = count > 3 ? kStorages.at(arguments[3]) : decode::Storage::bf16;
    const auto model = random_model(config_named(name), device);
    if (what == "steps") {
      steps(name, model, storage,
            {{1, 512},
             {2, 512},
             {4, 512},
             {8, 512},
             {10, 512},
             {16, 512},
             {24, 512},
             {32, 512},
             {48, 512},
             {64, 512},
             {128, 512},
             {10, 256},
             {10, 1024},
             {10, 2048},
             {10, 4096},
             {10, 8192}},
            lora, false);
    } else if (what == "kernels") {
      steps(name, model, storage, {{1, 512}, {10, 512}, {32, 512}, {64, 512}, {128, 512}}, lora, true);
    } else if (what == "prompts") {
      prompts(name, model);
    } else if (what == "rollout") {
      rollout(name, model, 64, 10, count > 4 ? std::atoi(arguments[4]) : 512, 0);
    } else if (what == "windtunnel") {
      rollout(name, model, 128, 5, 256, 3);
    } else {
      std::cerr << "decode_benchmark: there is no " << what
                << "; use steps, prompts, rollout, windtunnel or load\n";
      return 2;
    }
  } catch (const std::exception& error) {
    std::cerr << "decode_benchmark: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
