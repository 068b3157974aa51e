// Runs parts of the runtime for the parity tests.
//
// encode TOKENIZER TEXTS.json OUT.json: of each string its tokens, those as ordinary text, those with what is
// put around them, and the bytes in hexadecimal that the first and the last are decoded to.
//
// chat FOLDER REQUESTS.json OUT.json: the text of each conversation, or {"error": …}; a request may have a
// template of its own.
//
// model FOLDER TOKENS.json OUT.safetensors [ADAPTER]: logits, and gradients of the mean next-token loss.
//
// safetensors FILES.bin OUT.json: what the reader finds in each of many files, which lie end to end, each
// after its length as u64.
//
// quantise IN.safetensors OUT.safetensors: matrices in every storage of few bits, and their products.
//
// objective FOLDER REQUEST.json OUT.safetensors: loss and gradients of one step of an objective, by both
// trainers, with the log-probabilities that it needs. The request has `documents`, `objective`, and the
// adapters `current`, `old` and `reference`; without the last three it is the likelihood's, of `current`.
//
// greedy FOLDER PROMPTS.json COUNT OUT.json: at most COUNT likeliest tokens, with the end token, by the CPU's
// loops and by tensor operations.
#include <fmt/format.h>

#include <cstring>
#include <iostream>

#include "base/support/digest.hpp"
#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "base/support/json_text.hpp"
#include "base/tensors/safetensors.hpp"
#include "runtime/adapter/peft.hpp"
#include "runtime/chat/chat.hpp"
#include "runtime/model/load.hpp"
#include "runtime/sample/generate.hpp"
#include "runtime/tokenizer/tokenizer.hpp"
#include "runtime/train/trainer.hpp"

namespace trl::runtime {
namespace {

std::string hexadecimal(std::string_view bytes) {
  std::string text;
  for (const unsigned char byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

void encode(const std::string& tokenizer_file, const std::string& texts, const std::string& out) {
  const auto tokenizer = Tokenizer::load(tokenizer_file);
  auto results = nlohmann::json::array();
  for (const auto& entry : read_json(texts)) {
    const auto& text = entry.get_ref<const std::string&>();
    const auto tokens = tokenizer.encode(text);
    const auto surrounded = tokenizer.with_surroundings(tokens);
    results.push_back({tokens, tokenizer.encode_ordinary(text), surrounded,
                       hexadecimal(tokenizer.decode(tokens, true)),
                       hexadecimal(tokenizer.decode(surrounded))});
  }
  write_text(out, results.dump());
}

void render(const std::string& folder, const std::string& requests, const std::string& out) {
  constexpr const char* today = "2025-07-04";
  const auto chat = Chat::load(folder);
  auto results = nlohmann::json::array();
  TemplateRenderer renderer;
  for (const auto& request : nlohmann::ordered_json::parse(read_text(requests))) {
    try {
      if (request.contains("template")) {
        results.push_back(
            renderer.render({request["template"].get<std::string>(), "t"}, request["variables"], today));
        continue;
      }
      Chat::Options options;
      options.tools = request["tools"];
      options.add_generation_prompt = request["add_generation_prompt"].get<bool>();
      options.variables = request["variables"];
      options.today = today;
      results.push_back(chat.render(request["messages"], options));
    } catch (const UserError& error) {
      results.push_back({{"error", error.what()}});
    }
  }
  write_text(out, dumped(results));
}

void run_model(const std::string& folder, const std::string& tokens_file, const std::string& out,
               const std::string& adapter) {
  const auto rows = read_json(tokens_file).get<std::vector<std::vector<std::int64_t>>>();
  std::vector<at::Tensor> parts;
  for (const auto& row : rows) parts.push_back(at::tensor(row, at::kLong));
  const auto tokens = at::stack(parts);
  const auto config = read_config(folder);
  auto weights = read_weights(folder, config);
  for (auto& [name, tensor] : weights)
    tensor = tensor.to(at::kFloat, false, true).set_requires_grad(adapter.empty());
  const LanguageModel model(
      config, weights, at::kFloat,
      adapter.empty() ? LanguageModel::Use::trained : LanguageModel::Use::frozen_differentiable);
  auto lora = adapter.empty() ? Lora({}, {}) : read_adapter(adapter, config);
  lora.use_on(model);
  lora.prepare_training(at::kCPU);
  const auto logits = model.logits(model.hidden(tokens, &lora));
  const auto length = tokens.size(1) - 1;
  at::cross_entropy_loss(logits.narrow(1, 0, length).flatten(0, 1), tokens.narrow(1, 1, length).reshape(-1))
      .backward();
  Safetensors content;
  content.tensors["logits"] = logits;
  if (adapter.empty()) {
    for (const auto& [name, tensor] : weights) content.tensors["gradient." + name] = tensor.grad();
  }
  for (const auto& [module, pair] : lora.pairs()) {
    const auto path = module_path(config.family, module.first, module.second);
    content.tensors["gradient." + path + ".lora_A"] = pair.a.grad();
    content.tensors["gradient." + path + ".lora_B"] = pair.b.grad();
  }
  for (const auto& [module, magnitude] : lora.magnitudes())
    content.tensors["gradient." + module_path(config.family, module.first, module.second) +
                    ".lora_magnitude_vector"] = magnitude.grad();
  write_safetensors(out, content);
}

// Documents of pairs follow each other.
void run_objective(const std::string& folder, const std::string& request_file, const std::string& out) {
  const auto request = read_json(request_file);
  const auto config = read_config(folder);
  auto weights = read_weights(folder, config);
  for (auto& [name, tensor] : weights) tensor = tensor.to(at::kFloat);
  const LanguageModel model(config, weights, at::kFloat, LanguageModel::Use::frozen_differentiable);
  const bool likelihood = !request.contains("objective");
  const auto objective =
      likelihood ? Objective() : Objective(contract::Objective::read(request.at("objective")));
  std::vector<Document> documents;
  std::vector<std::size_t> all;
  for (const auto& one : request.at("documents")) {
    Document document{one.at("tokens").get<std::vector<Token>>(), one.at("answer_begin").get<std::size_t>()};
    document.weight = one.at("weight").get<float>();
    all.push_back(documents.size());
    if (objective.pairs()) document.other = all.back() ^ 1;
    documents.push_back(document);
  }
  const auto adapter = [&](const char* name) {
    auto lora = read_adapter(request.at(name).get<std::string>(), config);
    lora.prepare_training(at::kCPU);
    return lora;
  };
  const auto current = adapter("current");
  Safetensors content;
  for (const bool loops : {true, false}) {
    const auto trainer = loops ? trainer_by_loops(model, current.settings(), documents, 1)
                               : trainer_by_tensors(model, documents, 100);
    if (!likelihood) {
      const auto old = adapter("old"), reference = adapter("reference");
      trainer->learn_by({objective, trainer->log_probabilities(&old, all, {}),
                         trainer->log_probabilities(&reference, all, {})});
    }
    const auto found = trainer->step(current, all, std::vector<RandomKey>(all.size()));
    const std::string way = loops ? "loops." : "tensors.";
    content.tensors[way + "loss"] = found.loss.to(at::kDouble).reshape({1});
    std::size_t next = 0;
    for (const auto& [module, pair] : current.pairs()) {
      const auto path = module_path(config.family, module.first, module.second);
      content.tensors[way + path + ".lora_A"] = found.tensors[next++];
      content.tensors[way + path + ".lora_B"] = found.tensors[next++];
    }
    if (likelihood) continue;
    const auto& measures = found.measures.value();
    for (const auto& [name, value] : means_of(objective, measures))
      content.tensors[way + "mean." + name] = at::full({1}, value, at::kDouble);
  }
  write_safetensors(out, content);
}

void read_many(const std::string& files, const std::string& out) {
  const auto text = read_text(files);
  const auto one = out + ".safetensors";
  auto results = nlohmann::json::array();
  for (std::size_t at = 0; at + 8 <= text.size();) {
    std::uint64_t length = 0;
    std::memcpy(&length, text.data() + at, 8);
    write_text(one, text.substr(at + 8, length));
    at += 8 + length;
    try {
      const auto content = read_safetensors(one);
      auto found = nlohmann::json::object();
      for (const auto& [name, tensor] : content.tensors) {
        const std::string bytes(static_cast<const char*>(tensor.const_data_ptr()), tensor.nbytes());
        found[name] = {{"shape", tensor.sizes().vec()}, {"sha256", sha256_hex(bytes)}};
      }
      for (const auto& [name, reason] : content.unusable) found[name] = nullptr;
      results.push_back({{"tensors", found}});
    } catch (const UserError& error) {
      results.push_back({{"error", error.what()}});
    }
  }
  write_text(out, results.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

// Of each "NAME/weight" [out, in] and "NAME/x" [rows, in]: every storage's bytes and scales, the numbers that
// it stands for, and the product.
void quantise_all(const std::string& in, const std::string& out) {
  const auto given = read_safetensors(in);
  Safetensors content;
  for (const auto& [key, weight] : given.tensors) {
    if (!key.ends_with("/weight")) continue;
    const auto prefix = key.substr(0, key.size() - std::string("weight").size());
    const auto& x = given.tensors.at(prefix + "x");
    for (const auto& storage : matrix_storages()) {
      if (storage.id == MatrixStorage::Id::none) continue;
      const auto matrix = quantise(weight, storage.id);
      const auto name = prefix + std::string(storage.name);
      content.tensors[name + ".values"] = matrix.values;
      content.tensors[name + ".scale"] = matrix.scale;
      content.tensors[name + ".numbers"] = dequantise(matrix, at::kFloat);
      content.tensors[name + ".product"] = Linear::quantised(matrix, {})(x);
    }
    const auto rounded = round_rows(x);
    content.tensors[prefix + "x.values"] = rounded.values;
    content.tensors[prefix + "x.scale"] = rounded.scale;
  }
  write_safetensors(out, content);
}

void greedy(const std::string& folder, const std::string& prompts_file, const std::string& count,
            const std::string& out) {
  const auto config = read_config(folder);
  auto weights = read_weights(folder, config);
  for (auto& [name, tensor] : weights) tensor = tensor.to(at::kFloat);
  std::vector<Prompt> prompts;
  for (const auto& tokens : read_json(prompts_file)) {
    prompts.push_back({tokens.get<std::vector<Token>>(), {random_key("greedy")}});
  }
  GenerateSettings settings;
  settings.temperature = 0;
  settings.max_tokens = std::stoll(count);
  settings.ends.assign(config.end_tokens.begin(), config.end_tokens.end());
  settings.choices = config.vocabulary;
  const auto tokens_of = [](const std::vector<std::vector<Answer>>& answers) {
    auto all = nlohmann::json::array();
    for (const auto& samples : answers) {
      auto tokens = samples.front().tokens;
      if (const auto end = samples.front().end_token()) tokens.push_back(*end);
      all.push_back(tokens);
    }
    return all;
  };
  const LanguageModel model(config, weights, at::kFloat, LanguageModel::Use::frozen);
  write_text(out, nlohmann::json{{"loops", tokens_of(generate(config, weights, prompts, settings, {}))},
                                 {"tensors", tokens_of(generate_by_tensors(model, prompts, settings, {}))}}
                      .dump());
}

}  // namespace
}  // namespace trl::runtime

int main(int count, char** arguments) {
  const std::vector<std::string> given(arguments + 1, arguments + count);
  try {
    if (given.size() == 4 && given[0] == "encode") {
      trl::runtime::encode(given[1], given[2], given[3]);
    } else if (given.size() == 3 && given[0] == "safetensors") {
      trl::runtime::read_many(given[1], given[2]);
    } else if (given.size() == 3 && given[0] == "quantise") {
      trl::runtime::quantise_all(given[1], given[2]);
    } else if (given.size() == 5 && given[0] == "greedy") {
      trl::runtime::greedy(given[1], given[2], given[3], given[4]);
    } else if (given.size() == 4 && given[0] == "objective") {
      trl::runtime::run_objective(given[1], given[2], given[3]);
    } else if (given.size() == 4 && given[0] == "chat") {
      trl::runtime::render(given[1], given[2], given[3]);
    } else if (given.size() >= 4 && given[0] == "model") {
      trl::runtime::run_model(given[1], given[2], given[3], given.size() > 4 ? given[4] : "");
    } else {
      std::cerr << "usage: see probe.cpp\n";
      return 2;
    }
  } catch (const trl::UserError& error) {
    std::cerr << error.what() << "\n" << error.help << "\n";
    return 1;
  }
}
