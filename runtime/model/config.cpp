#include "runtime/model/config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "base/support/error.hpp"
#include "base/support/reading.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

struct FamilyName {
  Family family;
  std::string_view type, architecture;
};
constexpr std::array<FamilyName, 4> kFamilies = {
    {{Family::qwen2, "qwen2", "Qwen2ForCausalLM"},
     {Family::qwen3, "qwen3", "Qwen3ForCausalLM"},
     {Family::llama, "llama", "LlamaForCausalLM"},
     {Family::starcoder2, "starcoder2", "Starcoder2ForCausalLM"}}};

const FamilyName& entry_of(Family family) { return kFamilies[static_cast<std::size_t>(family)]; }

// Sets of families, as bits.
constexpr unsigned kQwen2 = 1U << static_cast<unsigned>(Family::qwen2),
                   kQwen3 = 1U << static_cast<unsigned>(Family::qwen3),
                   kLlama = 1U << static_cast<unsigned>(Family::llama),
                   kStarcoder2 = 1U << static_cast<unsigned>(Family::starcoder2), kQwen = kQwen2 | kQwen3,
                   kRms = kQwen | kLlama, kAll = kRms | kStarcoder2;

struct Known {
  unsigned families;
  ConfigField field;
};

constexpr std::string_view kTraining = "it only concerns training";
constexpr std::string_view kRecord = "it records how the file was made, or tells a library how to use it";
constexpr std::string_view kGeneration = "it is about sampling, which the experiment describes";

// The names are from transformers' configuration classes and published models. The meaning of a field was
// read from the classes' forward passes: StarCoder2's, for example, doesn't read `activation_function`.
std::span<const Known> known_fields() {
  using enum ConfigField::Use;
  static constexpr Known fields[] = {
      {kAll, {"model_type", read, ""}},
      {kAll, {"vocab_size", read, ""}},
      {kAll, {"hidden_size", read, ""}},
      {kAll, {"intermediate_size", read, ""}},
      {kAll, {"num_hidden_layers", read, ""}},
      {kAll, {"num_attention_heads", read, ""}},
      {kAll, {"num_key_value_heads", read, ""}},
      {kAll, {"head_dim", read, ""}},
      {kAll, {"max_position_embeddings", read, ""}},
      {kAll, {"rope_theta", read, ""}},
      {kAll, {"rope_scaling", read, ""}},
      {kAll, {"rope_parameters", read, ""}},
      {kAll, {"tie_word_embeddings", read, ""}},
      {kAll, {"eos_token_id", read, ""}},
      {kAll, {"bos_token_id", read, ""}},
      {kAll, {"pad_token_id", read, ""}},
      {kRms, {"rms_norm_eps", read, ""}},
      {kStarcoder2, {"norm_epsilon", read, ""}},
      {kQwen3 | kLlama, {"attention_bias", read, ""}},
      {kLlama, {"mlp_bias", read, ""}},
      {kStarcoder2, {"use_bias", read, ""}},
      {kQwen | kStarcoder2, {"sliding_window", read, ""}},
      {kQwen, {"use_sliding_window", read, ""}},
      {kQwen, {"max_window_layers", read, ""}},
      {kQwen, {"layer_types", read, ""}},

      {kRms, {"hidden_act", equal, "\"silu\""}},
      {kStarcoder2, {"hidden_act", equal, "\"gelu_pytorch_tanh\""}},
      {kStarcoder2, {"mlp_type", equal, "\"default\""}},
      {kStarcoder2, {"norm_type", equal, "\"layer_norm\""}},
      {kQwen, {"use_mrope", equal, "false"}},
      {kAll, {"partial_rotary_factor", equal, "1.0"}},
      {kAll, {"is_encoder_decoder", equal, "false"}},
      {kAll, {"add_cross_attention", equal, "false"}},
      {kAll, {"chunk_size_feed_forward", equal, "0"}},
      {kAll, {"pruned_heads", equal, "{}"}},

      {kAll, {"initializer_range", ignored, kTraining}},
      {kAll, {"attention_dropout", ignored, kTraining}},
      {kStarcoder2, {"residual_dropout", ignored, kTraining}},
      {kStarcoder2, {"embedding_dropout", ignored, kTraining}},
      {kLlama, {"pretraining_tp", ignored, "it splits products without changing them"}},
      {kStarcoder2, {"activation_function", ignored, "`hidden_act` is what counts"}},
      {kStarcoder2, {"layer_norm_epsilon", ignored, "`norm_epsilon` is what counts"}},
      {kStarcoder2, {"attention_softmax_in_fp32", ignored, "softmax is always computed in f32"}},
      {kStarcoder2, {"scale_attention_softmax_in_fp32", ignored, "softmax is always computed in f32"}},
      {kStarcoder2, {"scale_attn_weights", ignored, "scores are always scaled"}},
      {kAll, {"torch_dtype", ignored, "each tensor has its own type"}},
      {kAll, {"dtype", ignored, "each tensor has its own type"}},
      {kAll, {"use_cache", ignored, kRecord}},
      {kAll, {"architectures", ignored, kRecord}},
      {kAll, {"transformers_version", ignored, kRecord}},
      {kAll, {"_name_or_path", ignored, kRecord}},
      {kAll, {"_attn_implementation_autoset", ignored, kRecord}},
      {kAll, {"unsloth_version", ignored, kRecord}},
      {kAll, {"unsloth_fixed", ignored, kRecord}},
      {kAll, {"output_attentions", ignored, kRecord}},
      {kAll, {"output_hidden_states", ignored, kRecord}},
      {kAll, {"return_dict", ignored, kRecord}},
      {kAll, {"return_dict_in_generate", ignored, kRecord}},
      {kAll, {"output_scores", ignored, kRecord}},
      {kAll, {"is_decoder", ignored, kRecord}},
      {kAll, {"cross_attention_hidden_size", ignored, kRecord}},
      {kAll, {"torchscript", ignored, kRecord}},
      {kAll, {"use_bfloat16", ignored, kRecord}},
      {kAll, {"tf_legacy_loss", ignored, kRecord}},
      {kAll, {"tie_encoder_decoder", ignored, kRecord}},
      {kAll, {"finetuning_task", ignored, kRecord}},
      {kAll, {"task_specific_params", ignored, kRecord}},
      {kAll, {"problem_type", ignored, kRecord}},
      {kAll, {"id2label", ignored, kRecord}},
      {kAll, {"label2id", ignored, kRecord}},
      {kAll, {"tokenizer_class", ignored, kRecord}},
      {kAll, {"prefix", ignored, kRecord}},
      {kAll, {"sep_token_id", ignored, kRecord}},
      {kAll, {"decoder_start_token_id", ignored, kRecord}},
      {kAll, {"max_length", ignored, kGeneration}},
      {kAll, {"min_length", ignored, kGeneration}},
      {kAll, {"do_sample", ignored, kGeneration}},
      {kAll, {"temperature", ignored, kGeneration}},
      {kAll, {"top_k", ignored, kGeneration}},
      {kAll, {"top_p", ignored, kGeneration}},
      {kAll, {"repetition_penalty", ignored, kGeneration}},

      {kAll,
       {"quantization_config", refused, "use the repository that holds the weights before quantisation"}},
      {kAll, {"auto_map", refused, "models that bring their own code can't be run: use one without"}},
  };
  return fields;
}

json object_in(const std::filesystem::path& file) {
  auto object = json::parse(read_text(file, {.within = file.parent_path()}), nullptr, false);
  if (!object.is_object())
    throw UserError(fmt::format("{}: it is not a JSON object", file.string()), "copy the file again");
  return object;
}

// Reads the fields of one JSON object. Errors name the file and the field.
class Fields {
 public:
  Fields(const json& object, std::string where) : object_(object), where_(std::move(where)) {}

  const std::string& where() const { return where_; }

  // Returns the field; null if it is absent, which means the same in transformers.
  const json& at(std::string_view name) const {
    static const json absent;
    const auto found = object_.find(name);
    return found == object_.end() ? absent : *found;
  }

  [[noreturn]] void refuse(std::string_view name, const std::string& why, const std::string& help) const {
    throw UserError(fmt::format("{}: `{}` is {}: {}", where_, name, at(name).dump(), why), help);
  }

  std::int64_t integer(std::string_view name) const {
    if (at(name).is_null())
      throw UserError(fmt::format("{}: `{}` is missing", where_, name), "the file is damaged: copy it again");
    return *optional_integer(name);
  }
  std::optional<std::int64_t> optional_integer(std::string_view name) const {
    const auto& value = at(name);
    if (value.is_null()) return std::nullopt;
    if (!value.is_number_integer()) refuse(name, "it must be an integer", kDamaged);
    return value.get<std::int64_t>();
  }
  double number(std::string_view name, double otherwise) const {
    const auto& value = at(name);
    if (value.is_null()) return otherwise;
    if (!value.is_number()) refuse(name, "it must be a number", kDamaged);
    return value.get<double>();
  }
  double positive(std::string_view name, double otherwise) const {
    const double value = number(name, otherwise);
    if (!(value > 0)) refuse(name, "it must be a positive number", kDamaged);
    return value;
  }
  bool boolean(std::string_view name, bool otherwise) const {
    const auto& value = at(name);
    if (value.is_null()) return otherwise;
    if (!value.is_boolean()) refuse(name, "it must be true or false", kDamaged);
    return value.get<bool>();
  }
  // Reads a field that is a token or a list of tokens.
  std::vector<std::int64_t> tokens(std::string_view name) const {
    const auto& value = at(name);
    std::vector<std::int64_t> found;
    for (const auto& token : value.is_array() ? value : json::array({value})) {
      if (token.is_null()) continue;
      if (!token.is_number_integer()) refuse(name, "it must be a token's number or a list of them", kDamaged);
      found.push_back(token.get<std::int64_t>());
    }
    return found;
  }

 private:
  static constexpr const char* kDamaged = "the file is damaged, or was written for another program";

  const json& object_;
  std::string where_;
};

Family family_of(const Fields& fields) {
  std::string known;
  for (const auto& entry : kFamilies) {
    if (fields.at("model_type") == entry.type) return entry.family;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", entry.type);
  }
  const auto& type = fields.at("model_type");
  const auto shown = type.is_string() ? type.get<std::string>() : type.is_null() ? "missing" : type.dump();
  throw UserError(fmt::format("{}: model_type is {}", fields.where(), shown),
                  fmt::format("models of these types can be run: {}", known));
}

void check_fields(const json& object, const Fields& fields, Family family) {
  const auto known = config_fields(family);
  for (const auto& [name, value] : object.items()) {
    const auto found = std::find_if(known.begin(), known.end(),
                                    [&](const ConfigField& field) { return field.name == name; });
    if (found == known.end()) {
      throw UserError(
          fmt::format("{}: the field `{}` is unknown for model_type {}", fields.where(), name,
                      name_of(family)),
          "it may change what the model computes: use a model without it, or remove the field if it doesn't");
    }
    if (value.is_null()) continue;
    if (found->use == ConfigField::Use::refused)
      fields.refuse(name, "that is not supported", std::string(found->note));
    if (found->use == ConfigField::Use::equal && value != json::parse(found->note))
      fields.refuse(name, fmt::format("only {} is supported", found->note), "use another model");
  }
}

void read_rope(const Fields& fields, std::int64_t positions, ModelConfig& config) {
  const auto& scaling = fields.at("rope_scaling");
  const char* name = scaling.is_null() || scaling.empty() ? "rope_parameters" : "rope_scaling";
  const auto& object = fields.at(name);
  const double theta = fields.positive("rope_theta", 1e4);
  if (object.is_null()) {
    config.rope_theta = theta;
    return;
  }
  if (!object.is_object()) fields.refuse(name, "it must be an object", "the file is damaged");
  const Fields rope(object, fmt::format("{}: {}", fields.where(), name));
  config.rope_theta = rope.positive("rope_theta", theta);
  const json kind = !rope.at("rope_type").is_null() ? rope.at("rope_type")
                    : !rope.at("type").is_null()    ? rope.at("type")
                                                    : json("default");
  std::vector<std::string_view> known = {"rope_type", "type", "rope_theta"};
  auto& out = config.rope_scaling;
  const auto needed = [&](const char* field) {
    known.push_back(field);
    if (rope.at(field).is_null())
      throw UserError(fmt::format("{}: `{}` is missing", rope.where(), field), "the file is damaged");
    return rope.positive(field, 0);
  };
  if (kind == "linear") {
    out.kind = RopeScaling::Kind::linear;
    out.factor = needed("factor");
  } else if (kind == "llama3") {
    out.kind = RopeScaling::Kind::llama3;
    out.factor = needed("factor");
    out.low_frequency_factor = needed("low_freq_factor");
    out.high_frequency_factor = needed("high_freq_factor");
    known.emplace_back("original_max_position_embeddings");
    out.original_context = rope.optional_integer("original_max_position_embeddings").value_or(positions);
    if (out.original_context <= 0 || out.high_frequency_factor <= out.low_frequency_factor)
      fields.refuse(name, "the numbers contradict each other", "the file is damaged");
  } else if (kind != "default") {
    fields.refuse(name, fmt::format("the rotary positions' type {} is not supported", kind.dump()),
                  "default, linear and llama3 are supported: use the model without this scaling");
  }
  for (const auto& [field, value] : object.items()) {
    if (std::find(known.begin(), known.end(), field) == known.end() && !value.is_null()) {
      throw UserError(
          fmt::format("{}: the field `{}` is unknown for rotary positions of type {}", rope.where(), field,
                      kind.dump()),
          "it may change what the model computes: use a model without it, or remove the field if it doesn't");
    }
  }
}

// Returns the largest number of positions at which attention still sees all positions in every layer.
std::int64_t usable_context(const Fields& fields, const ModelConfig& config, std::int64_t positions) {
  const auto window = fields.optional_integer("sliding_window");
  if (!window) return positions;
  if (*window <= 0) fields.refuse("sliding_window", "it must be positive or null", "the file is damaged");
  if (config.family == Family::starcoder2) return std::min(positions, *window);
  if (!fields.boolean("use_sliding_window", false)) return positions;
  bool slides = fields.optional_integer("max_window_layers").value_or(28) < config.layers;
  if (const auto& types = fields.at("layer_types"); types.is_array())
    slides = std::find(types.begin(), types.end(), "sliding_attention") != types.end();
  return slides ? std::min(positions, *window) : positions;
}

void check_layer_types(const Fields& fields, std::int64_t layers) {
  const auto& types = fields.at("layer_types");
  if (types.is_null()) return;
  const auto known = [](const json& type) { return type == "full_attention" || type == "sliding_attention"; };
  if (!types.is_array() || static_cast<std::int64_t>(types.size()) != layers ||
      !std::all_of(types.begin(), types.end(), known)) {
    fields.refuse("layer_types", "it must name full_attention or sliding_attention for each layer",
                  "other kinds of attention are not supported: use another model");
  }
}

std::int64_t divided_head_size(std::int64_t hidden, std::int64_t heads, const std::string& where) {
  if (heads <= 0 || hidden % heads != 0)
    throw UserError(fmt::format("{}: hidden = {} is no multiple of heads = {}", where, hidden, heads));
  return hidden / heads;
}

}  // namespace

std::string_view name_of(Family family) { return entry_of(family).type; }

std::vector<ConfigField> config_fields(Family family) {
  std::vector<ConfigField> found;
  for (const auto& known : known_fields()) {
    if (known.families & (1U << static_cast<unsigned>(family))) found.push_back(known.field);
  }
  return found;
}

ModelConfig family_config(Family family) {
  ModelConfig config;
  config.family = family;
  config.qkv_bias = family == Family::qwen2 || family == Family::starcoder2;
  config.qk_norm = family == Family::qwen3;
  config.tied_embeddings = false;
  if (family == Family::starcoder2) {
    config.norm = NormKind::layer;
    config.norm_epsilon = 1e-5;
    config.feed_forward = FeedForwardKind::gelu_tanh;
    config.output_bias = config.mlp_bias = true;
    config.tied_embeddings = true;
  }
  return config;
}

void validate(const ModelConfig& config, const std::string& where) {
  const auto positive = [&](const char* name, std::int64_t value) {
    if (value <= 0) throw UserError(fmt::format("{}: {} is {}", where, name, value), "it must be positive");
  };
  positive("vocabulary", config.vocabulary);
  positive("hidden", config.hidden);
  positive("layers", config.layers);
  positive("heads", config.heads);
  positive("kv_heads", config.kv_heads);
  positive("head_size", config.head_size);
  positive("intermediate", config.intermediate);
  positive("context", config.context);
  if (config.heads % config.kv_heads != 0) {
    throw UserError(
        fmt::format("{}: heads = {} is no multiple of kv_heads = {}", where, config.heads, config.kv_heads));
  }
  if (config.head_size % 2 != 0)
    throw UserError(fmt::format("{}: the head size {} is odd", where, config.head_size));
  for (const auto token : config.end_tokens) {
    if (token < 0 || token >= config.vocabulary)
      throw UserError(fmt::format("{}: the end token {} is not in the vocabulary of {}", where, token,
                                  config.vocabulary));
  }
}

ModelConfig read_config(const std::filesystem::path& folder) {
  const auto file = folder / "config.json";
  const auto object = object_in(file);
  const Fields fields(object, file.string());
  const auto family = family_of(fields);
  check_fields(object, fields, family);

  auto config = family_config(family);
  config.vocabulary = fields.integer("vocab_size");
  config.hidden = fields.integer("hidden_size");
  config.layers = fields.integer("num_hidden_layers");
  config.heads = fields.integer("num_attention_heads");
  config.kv_heads = fields.optional_integer("num_key_value_heads").value_or(config.heads);
  const auto head_size = fields.optional_integer("head_dim");
  // This is transformers' head size for a Qwen3 whose file names none.
  config.head_size = head_size ? *head_size
                     : family == Family::qwen3
                         ? 128
                         : divided_head_size(config.hidden, config.heads, file.string());
  config.intermediate = fields.integer("intermediate_size");
  const auto positions = fields.integer("max_position_embeddings");
  check_layer_types(fields, config.layers);
  config.context = usable_context(fields, config, positions);
  read_rope(fields, positions, config);
  config.norm_epsilon =
      fields.number(family == Family::starcoder2 ? "norm_epsilon" : "rms_norm_eps", config.norm_epsilon);
  if (family == Family::qwen3 || family == Family::llama)
    config.qkv_bias = config.output_bias = fields.boolean("attention_bias", false);
  if (family == Family::llama) config.mlp_bias = fields.boolean("mlp_bias", false);
  if (family == Family::starcoder2)
    config.qkv_bias = config.output_bias = config.mlp_bias = fields.boolean("use_bias", true);
  config.tied_embeddings = fields.boolean("tie_word_embeddings", config.tied_embeddings);
  config.end_tokens = fields.tokens("eos_token_id");
  config.begin_token = fields.optional_integer("bos_token_id");
  config.pad_token = fields.optional_integer("pad_token_id");
  if (const auto generation = folder / "generation_config.json"; std::filesystem::exists(generation)) {
    const auto settings = object_in(generation);
    const auto ends = Fields(settings, generation.string()).tokens("eos_token_id");
    if (!ends.empty()) config.end_tokens = ends;
  }
  validate(config, file.string());
  return config;
}

nlohmann::ordered_json to_json(const ModelConfig& config) {
  const auto token = [](const std::optional<std::int64_t>& id) {
    return id ? nlohmann::ordered_json(*id) : nlohmann::ordered_json();
  };
  const auto& entry = entry_of(config.family);
  nlohmann::ordered_json out = {
      {"architectures", {entry.architecture}},     {"model_type", entry.type},
      {"vocab_size", config.vocabulary},           {"hidden_size", config.hidden},
      {"intermediate_size", config.intermediate},  {"num_hidden_layers", config.layers},
      {"num_attention_heads", config.heads},       {"num_key_value_heads", config.kv_heads},
      {"max_position_embeddings", config.context}, {"rope_theta", config.rope_theta}};
  if (config.family == Family::qwen3 || config.head_size * config.heads != config.hidden)
    out["head_dim"] = config.head_size;
  if (const auto& rope = config.rope_scaling; rope.kind == RopeScaling::Kind::linear) {
    out["rope_scaling"] = {{"rope_type", "linear"}, {"factor", rope.factor}};
  } else if (rope.kind == RopeScaling::Kind::llama3) {
    out["rope_scaling"] = {{"rope_type", "llama3"},
                           {"factor", rope.factor},
                           {"low_freq_factor", rope.low_frequency_factor},
                           {"high_freq_factor", rope.high_frequency_factor},
                           {"original_max_position_embeddings", rope.original_context}};
  }
  const bool starcoder2 = config.family == Family::starcoder2;
  out[starcoder2 ? "norm_epsilon" : "rms_norm_eps"] = config.norm_epsilon;
  out["tie_word_embeddings"] = config.tied_embeddings;
  out["hidden_act"] = starcoder2 ? "gelu_pytorch_tanh" : "silu";
  if (config.family == Family::qwen3 || config.family == Family::llama)
    out["attention_bias"] = config.output_bias;
  if (config.family == Family::llama) out["mlp_bias"] = config.mlp_bias;
  if (starcoder2) out["use_bias"] = config.output_bias;
  out["attention_dropout"] = 0.0;
  out["initializer_range"] = 0.02;
  out["use_cache"] = true;
  if (config.family == Family::qwen2 || config.family == Family::qwen3) out["use_sliding_window"] = false;
  out["bos_token_id"] = token(config.begin_token);
  if (config.pad_token) out["pad_token_id"] = *config.pad_token;
  if (config.end_tokens.size() == 1)
    out["eos_token_id"] = config.end_tokens[0];
  else if (config.end_tokens.empty())
    out["eos_token_id"] = nullptr;
  else
    out["eos_token_id"] = config.end_tokens;
  out["torch_dtype"] = "bfloat16";
  return out;
}

}  // namespace trl::runtime
