#include "runtime/model/config.hpp"

#include <fmt/format.h>

#include "ground/error.hpp"
#include "ground/json_text.hpp"

namespace trl::runtime {

void validate(const Qwen2Config& config, const std::string& where) {
  const auto positive = [&](const char* name, std::int64_t value) {
    if (value <= 0) throw UserError(fmt::format("{}: {} is {}", where, name, value), "it must be positive");
  };
  positive("vocabulary", config.vocabulary);
  positive("hidden", config.hidden);
  positive("layers", config.layers);
  positive("heads", config.heads);
  positive("kv_heads", config.kv_heads);
  positive("intermediate", config.intermediate);
  positive("context", config.context);
  const auto divides = [&](const char* a, std::int64_t x, const char* b, std::int64_t y) {
    if (x % y != 0) throw UserError(fmt::format("{}: {} = {} is no multiple of {} = {}", where, a, x, b, y));
  };
  divides("hidden", config.hidden, "heads", config.heads);
  divides("heads", config.heads, "kv_heads", config.kv_heads);
  if (config.head_size() % 2 != 0) throw UserError(fmt::format("{}: hidden / heads is odd", where));
}

Qwen2Config read_config(const std::filesystem::path& folder) {
  const auto file = folder / "config.json";
  const auto json = read_json(file);
  const auto where = file.string();
  const auto type = json.value("model_type", std::string("?"));
  if (type != "qwen2") {
    throw UserError(fmt::format("{}: model_type is {}", where, type),
                    "models of the Qwen2 architecture are supported");
  }
  Qwen2Config config;
  try {
    config.vocabulary = json.at("vocab_size").get<std::int64_t>();
    config.hidden = json.at("hidden_size").get<std::int64_t>();
    config.layers = json.at("num_hidden_layers").get<std::int64_t>();
    config.heads = json.at("num_attention_heads").get<std::int64_t>();
    config.kv_heads = json.value("num_key_value_heads", config.heads);
    config.intermediate = json.at("intermediate_size").get<std::int64_t>();
    config.context = json.at("max_position_embeddings").get<std::int64_t>();
    config.norm_epsilon = json.value("rms_norm_eps", 1e-6);
    config.tied_embeddings = json.value("tie_word_embeddings", false);
    if (json.contains("rope_theta")) config.rope_theta = json.at("rope_theta").get<double>();
    if (const auto rope = json.find("rope_parameters"); rope != json.end() && rope->is_object()) {
      config.rope_theta = rope->value("rope_theta", config.rope_theta);
      const auto kind = rope->value("rope_type", std::string("default"));
      if (kind != "default") throw UserError(fmt::format("{}: rope_type {} is not supported", where, kind));
    }
    if (json.contains("rope_scaling") && !json["rope_scaling"].is_null()) {
      const auto kind = json["rope_scaling"].value("rope_type", std::string("?"));
      if (kind != "default") throw UserError(fmt::format("{}: rope_scaling is not supported", where));
    }
    if (json.value("use_sliding_window", false)) {
      throw UserError(fmt::format("{}: use_sliding_window is not supported", where));
    }
  } catch (const nlohmann::json::exception& error) {
    throw UserError(fmt::format("{}: {}", where, error.what()));
  }
  validate(config, where);
  return config;
}

nlohmann::ordered_json to_json(const Qwen2Config& config) {
  return {{"architectures", {"Qwen2ForCausalLM"}},
          {"model_type", "qwen2"},
          {"vocab_size", config.vocabulary},
          {"hidden_size", config.hidden},
          {"intermediate_size", config.intermediate},
          {"num_hidden_layers", config.layers},
          {"num_attention_heads", config.heads},
          {"num_key_value_heads", config.kv_heads},
          {"max_position_embeddings", config.context},
          {"rope_theta", config.rope_theta},
          {"rms_norm_eps", config.norm_epsilon},
          {"tie_word_embeddings", config.tied_embeddings},
          {"hidden_act", "silu"},
          {"attention_dropout", 0.0},
          {"initializer_range", 0.02},
          {"use_cache", true},
          {"use_sliding_window", false},
          {"bos_token_id", 0},
          {"eos_token_id", 0},
          {"torch_dtype", "bfloat16"}};
}

}  // namespace trl::runtime
