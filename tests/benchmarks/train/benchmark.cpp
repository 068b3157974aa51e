// Speed of LoRA's training step on a GPU, with randomly initialised models: train_benchmark WHAT [MODEL
// [STORAGE [RANK]]].
//
//   step       2 documents of 2,048 tokens, all of which are answers, an optimiser step included; with LENGTH
//   and COUNT behind RANK, COUNT
//              documents of LENGTH tokens, and with LAYERS behind COUNT the forward pass of so many computed
//              again
//   tensors    the same by tensor operations and autograd
//   layers     the same, each layer's forward pass computed again
//   packed     64 documents of 100 to 700 tokens
//   policy     640 answers of 500 tokens behind prompts of 100, with a policy-gradient objective: the
//   sampling policy's and the base's
//              log-probabilities, then one optimiser step
//   products   the matrix products of `step` alone, the least that it can take
//   parts      what lies between those products, each kind alone: milliseconds of a step
//   group      what an optimiser step's gradients of 161 MB cost between processes: train_benchmark group
//   RANK SIZE MEETING [DEVICE], once for each process of a group windtunnel as packed, with the embedded
//   model's sizes: 64 documents of 60 to 300 tokens
//
// Each line of output is JSON, which gpu_train.py puts beside its peers. Dropout is 0.05.
#include <ATen/Parallel.h>
#include <ATen/ops/_flash_attention_backward.h>
#include <ATen/ops/_flash_attention_forward.h>
#include <c10/core/CachingDeviceAllocator.h>
#include <fmt/format.h>

#include <cstdlib>
#include <memory>

#include "runtime/model/accelerator.hpp"
#include "runtime/model/threads.hpp"
#include "runtime/train/kernel_step.hpp"
#include "runtime/train/optimiser.hpp"
#include "runtime/train/trainer.hpp"
#include "tests/benchmarks/models.hpp"

namespace {

using namespace trl;
using namespace trl::runtime;
using namespace trl::benchmarks;

LanguageModel quantised_model(const ModelConfig& config, const c10::Device& device,
                              MatrixStorage::Id storage) {
  auto weights = random_model(config, device).weights();
  if (storage == MatrixStorage::Id::none)
    return {config, std::move(weights), at::kBFloat16, LanguageModel::Use::frozen};
  QuantisedWeights few;
  for (const auto& name : quantised_names(config)) {
    few.emplace(name, quantise(weights.at(name), storage));
    weights.erase(name);
  }
  return {config, std::move(weights), std::move(few), at::kBFloat16};
}

// The matrices' B differs from 0, as after some steps.
Lora adapter_of(const ModelConfig& config, std::int64_t rank, const c10::Device& device) {
  const auto settings = lora_settings(
      {{"rank", rank}, {"alpha", 32}, {"dropout", 0.05}, {"targets", "all_linear"}}, config.family);
  auto pairs = Lora::fresh(config, settings, 1).pairs();
  for (auto& [module, pair] : pairs) pair.b = at::empty_like(pair.b).normal_(0, 0.01);
  Lora lora(settings, std::move(pairs));
  lora.prepare_training(device);
  return lora;
}

std::vector<Document> documents_of(const ModelConfig& config, std::int64_t count, std::int64_t least,
                                   std::int64_t most, std::size_t answer) {
  std::vector<Document> documents;
  RandomStream random("documents");
  for (std::int64_t i = 0; i < count; ++i) {
    Document document;
    const auto length =
        least + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(most - least + 1)));
    for (std::int64_t t = 0; t <= length; ++t)
      document.tokens.push_back(
          static_cast<Token>(random.below(static_cast<std::uint64_t>(config.vocabulary))));
    document.answer_begin = answer;
    documents.push_back(std::move(document));
  }
  return documents;
}

c10::CachingDeviceAllocator::DeviceStats memory() {
  return c10::getDeviceAllocator(c10::kCUDA)->getDeviceStats(0);
}

double gibibytes(std::int64_t bytes) {
  return static_cast<double>(bytes) / static_cast<double>(std::int64_t{1} << 30);
}

struct Given {
  std::string what, model, storage;
  std::int64_t rank;
};

nlohmann::ordered_json line_of(const Given& given) {
  return {{"work", given.what}, {"model", given.model}, {"storage", given.storage}, {"rank", given.rank}};
}

void time_steps(const Given& given, Lora& lora, const std::vector<Document>& documents, Trainer& trainer,
                int repeats) {
  std::vector<std::size_t> chosen;
  std::vector<RandomKey> keys;
  std::int64_t tokens = 0;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    chosen.push_back(i);
    keys.push_back(random_key(fmt::format("document {}", i)));
    tokens += static_cast<std::int64_t>(documents[i].tokens.size()) - 1;
  }
  AdamW optimiser(lora.parameters(), 0.9, 0.999, 0.0);
  at::Tensor loss;
  const auto one = [&] {
    const auto result = trainer.step(lora, chosen, keys);
    clip_gradients(result.tensors, 1.0);
    optimiser.step(result.tensors, 1e-4);
    loss = result.loss;
  };
  const auto first = seconds_of(one);
  c10::getDeviceAllocator(c10::kCUDA)->resetPeakStats(0);
  std::vector<double> times;
  for (int i = 0; i < repeats; ++i) times.push_back(seconds_of(one));
  auto line = line_of(given);
  line["documents"] = documents.size();
  line["tokens"] = tokens;
  line["seconds"] = median_of(times);
  line["first_seconds"] = first;
  line["tokens_per_second"] = static_cast<double>(tokens) / median_of(times);
  line["peak_gibibytes"] = gibibytes(memory().allocated_bytes[0].peak);
  line["loss"] = loss.item<double>();
  print(line);
}

void policy(const Given& given, const LanguageModel& model, Lora& lora) {
  const auto documents = documents_of(model.config(), 640, 600, 600, 101);
  KernelStep step(model, lora.settings());
  AdamW optimiser(lora.parameters(), 0.9, 0.999, 0.0);
  std::vector<std::size_t> all(documents.size());
  std::vector<RandomKey> keys(documents.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i, keys[i] = random_key(fmt::format("{}", i));
  std::vector<Packed> batches;
  for (const auto& part : packs(documents, all, model.config().context, 8192)) {
    std::vector<std::size_t> own(part.begin(), part.end());
    std::vector<RandomKey> own_keys;
    for (const auto i : own) own_keys.push_back(keys[i]);
    batches.push_back(pack_documents(documents, own, own_keys, model.config().context, kRowMultiple));
  }
  double scoring = 0, training = 0;
  std::vector<at::Tensor> before, base;
  for (int warm = 0; warm < 2; ++warm) {
    before.clear();
    base.clear();
    scoring = seconds_of([&] {
      step.load(lora);
      for (std::size_t i = 0; i < (warm ? batches.size() : 2); ++i) {
        before.push_back(step.scores(batches[i], true).log_probabilities);
        base.push_back(step.scores(batches[i], false).log_probabilities);
      }
    });
    training = seconds_of([&] {
      step.load(lora);
      for (std::size_t i = 0; i < before.size(); ++i) {
        // GRPO's: a clipped ratio and k3's estimate of the KL divergence; advantages of either sign.
        step.run(
            batches[i],
            [&](const KernelStep::Scores& scores) {
              const auto ratio = (scores.log_probabilities - before[i]).exp(),
                         back = (base[i] - scores.log_probabilities).exp();
              const auto advantage = at::ones_like(ratio);
              return (ratio * advantage).clamp(0.8, 1.2).neg() * 1e-6 + 1e-8 * (1 - back);
            },
            0);
      }
      clip_gradients(step.gradients(), 1.0);
      optimiser.step(step.gradients(), 1e-6);
    });
  }
  auto line = line_of(given);
  line["samples"] = documents.size();
  line["tokens"] = 640 * 600;
  line["scoring_seconds"] = scoring;
  line["training_seconds"] = training;
  line["seconds"] = scoring + training;
  line["peak_gibibytes"] = gibibytes(memory().allocated_bytes[0].peak);
  print(line);
}

// Of the forward pass, and of the gradients of the products' inputs.
void products(const Given& given, const LanguageModel& model, std::int64_t rows) {
  const auto& config = model.config();
  const auto options = at::TensorOptions().dtype(at::kBFloat16).device(model.embedding().device());
  std::map<std::int64_t, at::Tensor> inputs;
  const auto input = [&](std::int64_t width) -> const at::Tensor& {
    auto& tensor = inputs[width];
    if (!tensor.defined()) tensor = at::empty({rows, width}, options).normal_();
    return tensor;
  };
  double operations = 0;
  const auto all = [&] {
    operations = 0;
    const auto both = [&](const at::Tensor& weight) {
      at::mm(input(weight.size(1)), weight.t());
      at::mm(input(weight.size(0)), weight);
      operations += 4.0 * static_cast<double>(rows * weight.numel());
    };
    for (const auto& layer : model.layers())
      for (const auto p : projections(config.family)) both(layer[p].weight());
    for (std::int64_t first = 0; first < rows; first += 1024) {
      const auto part = std::min<std::int64_t>(1024, rows - first);
      const auto logits = at::mm(input(config.hidden).narrow(0, 0, part), model.head().weight().t());
      at::mm(logits, model.head().weight());
      operations += 4.0 * static_cast<double>(part * model.head().weight().numel());
    }
  };
  all();
  std::vector<double> times;
  for (int i = 0; i < 3; ++i) times.push_back(seconds_of(all));
  auto line = line_of(given);
  line["tokens"] = rows;
  line["seconds"] = median_of(times);
  line["teraflops"] = operations / median_of(times) / 1e12;
  line["tokens_per_second"] = static_cast<double>(rows) / median_of(times);
  print(line);
}

// Milliseconds of all calls of a kind in a step.
void parts(const Given& given, const LanguageModel& model, const LoraSettings& settings, std::int64_t rows) {
  const auto& config = model.config();
  const auto options = at::TensorOptions().dtype(at::kBFloat16).device(model.embedding().device());
  const auto random = [&](at::IntArrayRef sizes) { return at::empty(sizes, options).normal_(); };
  auto line = line_of(given);
  line["tokens"] = rows;
  const auto time = [&](const std::string& name, std::int64_t calls, const std::function<void()>& work) {
    work();
    std::vector<double> times;
    for (int i = 0; i < 3; ++i) {
      times.push_back(seconds_of([&] {
        for (int k = 0; k < 10; ++k) work();
      }));
    }
    line[name] = static_cast<double>(calls) * median_of(times) / 10 * 1e3;
  };
  const auto units = static_cast<int>(units_of(settings.rank));
  using enum Projection;
  for (const auto& [name, members] : {std::pair{std::string("qkv"), std::vector{q, k, v}},
                                      {"o", {o}},
                                      {"gate_up", {gate, up}},
                                      {"down", {down}}}) {
    const auto in = projection_shape(config, members[0])[1];
    const auto x = random({rows, in});
    std::vector<at::Tensor> a, a_by_column, kept;
    std::vector<UnitGradient> gradients;
    const auto gradient = at::zeros({in * 16}, options.dtype(at::kFloat));
    for (std::size_t i = 0; i < members.size() * static_cast<std::size_t>(units); ++i) {
      a.push_back(random({16, in}));
      a_by_column.push_back(random({in, 16}));
      kept.push_back(at::randint(0, 256, {rows, in / 8}, options.dtype(at::kLong)).to(at::kByte));
      gradients.push_back({gradient, 16});
    }
    const auto low = adapter_products::down(x, a, kept, 1);
    time(name + " A x", config.layers, [&] { adapter_products::down(x, a, kept, 1); });
    time(name + " dx", config.layers, [&] { adapter_products::up(x, low, a_by_column, kept, 0); });
    time(name + " dA", config.layers, [&] { adapter_products::outer(x, low, kept, 1, gradients, in, 1); });
    double y = 0, d_low = 0, d_b = 0;
    for (const auto p : members) {
      const auto out = projection_shape(config, p)[0];
      const auto dy = random({rows, out});
      std::vector<at::Tensor> b, b_by_column;
      for (int i = 0; i < units; ++i)
        b.push_back(random({16, out})), b_by_column.push_back(random({out, 16}));
      const auto own = std::span(low).first(static_cast<std::size_t>(units));
      const auto of_out = at::zeros({out * 16}, options.dtype(at::kFloat));
      const std::vector<UnitGradient> into(static_cast<std::size_t>(units), {of_out, 16});
      time("y", config.layers, [&] { adapter_products::up(dy, own, b_by_column, {}, 0); });
      time("d_low", config.layers, [&] { adapter_products::down(dy, b, {}, 1); });
      time("dB", config.layers, [&] { adapter_products::outer(dy, own, {}, 1, into, 1, 16); });
      y += line["y"].get<double>(), d_low += line["d_low"].get<double>(), d_b += line["dB"].get<double>();
    }
    line[name + " B low"] = y;
    line[name + " B dy"] = d_low;
    line[name + " dB"] = d_b;
    for (const auto* each : {"y", "d_low", "dB"}) line.erase(each);
  }
  const auto heads = random({rows, config.heads + 2 * config.kv_heads, config.head_size});
  const auto of = [&](std::int64_t first, std::int64_t count) { return heads.narrow(1, first, count); };
  const auto begins = at::tensor(std::vector<std::int32_t>{0, static_cast<std::int32_t>(rows / 2),
                                                           static_cast<std::int32_t>(rows)},
                                 at::kInt)
                          .to(model.embedding().device());
  const auto forward = [&] {
    return at::_flash_attention_forward(of(0, config.heads), of(config.heads, config.kv_heads),
                                        of(config.heads + config.kv_heads, config.kv_heads), begins, begins,
                                        rows / 2, rows / 2, 0.0, true, false, 0.1);
  };
  const auto [mixed, normaliser, state, unused, mask] = forward();
  time("attention", config.layers, forward);
  const auto d_mixed = at::empty_like(mixed).normal_();
  for (const bool deterministic : {true, false}) {
    at::globalContext().setDeterministicAlgorithms(deterministic, false);
    time(deterministic ? "attention backward" : "attention backward, any order", config.layers, [&] {
      at::_flash_attention_backward(d_mixed, of(0, config.heads), of(config.heads, config.kv_heads),
                                    of(config.heads + config.kv_heads, config.kv_heads), mixed, normaliser,
                                    begins, begins, rows / 2, rows / 2, 0.0, true, state, unused, 0.1);
    });
  }
  print(line);
}

// Each process has one leaf's gradient. Every process sends each other one a part of it, sums its own part of
// all, and gives the sum to the others.
void group(int rank, int size, const std::string& meeting, const std::string& device) {
  constexpr std::int64_t elements = 40'370'176;  // of rank 16 in all matrices of 7B
  const Group group({rank, size, meeting}, [] {});
  const auto zeros = at::zeros({elements}, at::TensorOptions().dtype(at::kFloat).device(open_device(device)));
  std::vector<std::size_t> bounds;
  for (int r = 0; r <= size; ++r) bounds.push_back(static_cast<std::size_t>(r));
  TreeSum own;
  own.add(bounds[static_cast<std::size_t>(rank)], 1, at::empty_like(zeros).normal_());
  std::vector<double> times;
  for (int i = 0; i < 13; ++i) {
    group.barrier();
    const auto begin = std::chrono::steady_clock::now();
    sum_in_group(group, bounds, own, zeros)[0].item<float>();  // waits for the GPU
    if (i >= 3)
      times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  if (!group.first()) return;
  const double bytes = static_cast<double>(zeros.nbytes());
  print({{"work", "group"},
         {"processes", size},
         {"bytes", zeros.nbytes()},
         {"seconds", median_of(times)},
         {"sent_gigabytes_per_second", 2 * bytes * (size - 1) / size / median_of(times) / 1e9}});
}

}  // namespace

int main(int count, char** arguments) {
  ::setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", 0);
  load_cuda_where_there_is_a_gpu();
  at::set_num_threads(1);
  const auto word = [&](int i, const char* otherwise) {
    return std::string(count > i ? arguments[i] : otherwise);
  };
  Given given{word(1, "step"), "", word(3, "none"), std::atoi(word(4, "16").c_str())};
  given.model = word(2, given.what == "windtunnel" ? "windtunnel" : "7b");
  if (given.storage == "bf16") given.storage = "none";
  const std::int64_t length = std::atoi(word(5, "2048").c_str()), documents = std::atoi(word(6, "2").c_str());
  try {
    if (given.what == "group") {
      group(std::atoi(word(2, "0").c_str()), std::atoi(word(3, "1").c_str()), word(4, ""), word(5, "cuda"));
      return 0;
    }
    const auto device = open_device("cuda");
    auto config = config_named(given.model);
    const auto model = quantised_model(config, device, storage_named(given.storage));
    auto lora = adapter_of(config, given.rank, device);
    if (given.what == "products") {
      const at::NoGradGuard no_grad;
      products(given, model, length * documents);
    } else if (given.what == "parts") {
      const at::NoGradGuard no_grad;
      const KernelStep kernels(model, lora.settings());  // compiles them
      parts(given, model, lora.settings(), length * documents);
    } else if (given.what == "policy") {
      policy(given, model, lora);
    } else if (given.what == "step" || given.what == "layers") {
      const auto all = documents_of(config, documents, length, length, 1);
      const auto trainer =
          trainer_by_kernels(model, lora.settings(), all,
                             given.what == "layers" ? config.layers : std::atoi(word(7, "0").c_str()));
      time_steps(given, lora, all, *trainer, 5);
    } else if (given.what == "tensors") {
      const auto all = documents_of(config, documents, length, length, 1);
      time_steps(given, lora, all, *trainer_by_tensors(model, all), 3);
    } else if (given.what == "packed" || given.what == "windtunnel") {
      const bool small = given.what == "windtunnel";
      const auto all = documents_of(config, 64, small ? 60 : 100, small ? 300 : 700, 1);
      time_steps(given, lora, all, *trainer_by_kernels(model, lora.settings(), all), small ? 15 : 3);
      if (small) {
        given.what = "windtunnel, tensors";
        time_steps(given, lora, all, *trainer_by_tensors(model, all), 5);
      }
    } else {
      std::cerr << "train_benchmark: there is no " << given.what
                << "; use step, tensors, layers, packed, policy, products, group or windtunnel\n";
      return 2;
    }
  } catch (const std::exception& error) {
    std::cerr << "train_benchmark: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
