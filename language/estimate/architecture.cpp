#include "language/estimate/architecture.hpp"

#include <algorithm>
#include <filesystem>

#include "base/support/named_path.hpp"

namespace trl::language {
namespace {

using nlohmann::json;

void set_matrices(Architecture& out, const std::string& family, const Schema& schema) {
  if (const auto at = schema.families.find(family); at != schema.families.end())
    out.matrices = at->second.matrices;
}

std::optional<Architecture> from_config(const std::string& path, const Schema& schema,
                                        const CheckOptions& options) {
  const auto text = options.read(path);
  if (!text) return std::nullopt;
  const json config = json::parse(*text, nullptr, false);
  if (!config.is_object()) return std::nullopt;
  const auto number = [&](const char* name, double otherwise) {
    const auto at = config.find(name);
    return at != config.end() && at->is_number() ? at->get<double>() : otherwise;
  };
  Architecture out;
  out.source = "`" + path + "`";
  out.context = number("max_position_embeddings", 0);
  out.hidden = number("hidden_size", 0);
  out.layers = number("num_hidden_layers", 0);
  out.heads = number("num_attention_heads", 0);
  out.kv_heads = number("num_key_value_heads", out.heads);
  out.intermediate = number("intermediate_size", 0);
  out.vocabulary = number("vocab_size", 0);
  // If config.json has no head_dim, transformers takes 128 for Qwen3, and hidden_size / heads otherwise.
  const bool qwen3 = config.value("model_type", json()) == "qwen3";
  out.head_width = number("head_dim", qwen3 ? 128 : out.heads > 0 ? out.hidden / out.heads : 0);
  const auto type = config.find("model_type");
  const auto family = type != config.end() && type->is_string() ? type->get<std::string>() : std::string();
  set_matrices(out, family, schema);
  const auto flag = [&](const char* name, bool otherwise) {
    const auto at = config.find(name);
    return at != config.end() && at->is_boolean() ? at->get<bool>() : otherwise;
  };
  out.tied = flag("tie_word_embeddings", family == "starcoder2");
  const double window = number("sliding_window", 0);
  if (window > 0 && (family == "starcoder2" ||
                     (flag("use_sliding_window", false) && number("max_window_layers", 28) < out.layers)))
    out.context = std::min(out.context, window);
  return out;
}

}  // namespace

std::pair<double, double> Architecture::shape(const std::string& matrix) const {
  const double queries = heads * head_width, keys = kv_heads * head_width;
  if (matrix == "q_proj") return {hidden, queries};
  if (matrix == "k_proj" || matrix == "v_proj") return {hidden, keys};
  if (matrix == "o_proj") return {queries, hidden};
  if (matrix == "down_proj" || matrix == "c_proj") return {intermediate, hidden};
  return {hidden, intermediate};
}

const std::vector<std::string>& Architecture::all_matrices() const {
  static const std::vector<std::string> gated = {"q_proj",    "k_proj",  "v_proj",   "o_proj",
                                                 "gate_proj", "up_proj", "down_proj"},
                                        plain = {"q_proj", "k_proj", "v_proj", "o_proj", "c_fc", "c_proj"};
  return matrices && *matrices == plain ? plain : gated;
}

std::string Architecture::path(int layer, const std::string& matrix) {
  const bool attention = matrix == "q_proj" || matrix == "k_proj" || matrix == "v_proj" || matrix == "o_proj";
  return "model.layers." + std::to_string(layer) + (attention ? ".self_attn." : ".mlp.") + matrix;
}

double Architecture::matrix_weights() const {
  double sum = 0;
  for (const auto& matrix : all_matrices()) {
    const auto [in, out] = shape(matrix);
    sum += in * out;
  }
  return sum * layers;
}

double Architecture::embedding_weights() const { return vocabulary * hidden * (tied ? 1 : 2); }

std::string model_file(const Value& weights, const std::string& name, const CheckOptions& options,
                       const std::string& folder) {
  namespace fs = std::filesystem;
  if (!weights.is(Value::Kind::call)) return {};
  if (weights.name == "path" && !weights.items.empty())
    return (named_path(folder, weights.items[0].string()) / name).lexically_normal().string();
  if (weights.name == "windtunnel.base" && !options.library.empty())
    return (fs::path(options.library) / "windtunnel" / name).string();
  return {};
}

std::optional<Architecture> architecture_of(const Value& weights, const Schema& schema,
                                            const CheckOptions& options, const std::string& folder) {
  if (!weights.is(Value::Kind::call)) return std::nullopt;
  if (const std::string config = model_file(weights, "config.json", options, folder); !config.empty())
    return from_config(config, schema, options);
  const std::string first = weights.items.empty() ? std::string() : weights.items[0].string();
  Architecture out;
  const auto figure = [&](const char* name, const std::map<std::string, double>& figures) {
    const auto at = figures.find(name);
    return at == figures.end() ? 0.0 : at->second;
  };
  std::map<std::string, double> figures;
  if (weights.name == "random") {
    out.source = "`random(…)`";
    for (const auto& [name, value] : weights.entries) figures[name] = value.number();
    out.tied = true;
    set_matrices(out, "qwen2", schema);
  } else if (weights.name == "huggingface") {
    const auto at = schema.published.find(first);
    if (at == schema.published.end()) return std::nullopt;
    out.source = "the published model `" + first + "`";
    figures = at->second.figures;
    out.tied = at->second.tied;
    set_matrices(out, at->second.family, schema);
  } else {
    return std::nullopt;
  }
  out.context = figure("context", figures);
  out.hidden = figure("hidden", figures);
  out.layers = figure("layers", figures);
  out.heads = figure("heads", figures);
  out.kv_heads = figure("kv_heads", figures);
  out.intermediate = figure("intermediate", figures);
  out.vocabulary = figure("vocabulary", figures);
  out.head_width = out.heads > 0 ? out.hidden / out.heads : 0;
  return out;
}

}  // namespace trl::language
