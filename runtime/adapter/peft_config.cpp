#include "runtime/adapter/peft_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "base/support/error.hpp"
#include "base/support/module_patterns.hpp"
#include "base/support/reading.hpp"

namespace trl::runtime {
namespace {

using Json = nlohmann::ordered_json;  // the order of patterns counts

/// Fields that `PeftConfig::read` looks at.
constexpr std::array<std::string_view, 15> kRead = {
    "peft_type",       "task_type",      "r",
    "lora_alpha",      "lora_dropout",   "use_rslora",
    "use_dora",        "bias",           "target_modules",
    "exclude_modules", "layers_pattern", "layers_to_transform",
    "rank_pattern",    "alpha_pattern",  "init_lora_weights"};
/// Fields that don't affect what a stored adapter computes: its origin, how PEFT initialises or runs it, and
/// settings of features that another field switches on. PEFT itself sets `fan_in_fan_out` to false for linear
/// layers, whatever the file says.
constexpr std::array<std::string_view, 11> kIndifferent = {
    "fan_in_fan_out",    "auto_mapping",   "base_model_name_or_path", "revision",
    "inference_mode",    "peft_version",   "megatron_core",           "eva_config",
    "qalora_group_size", "runtime_config", "ensure_weight_tying"};
/// Methods of initialisation that leave the model's own weights as they are. Other methods move a part of the
/// weights into the adapter.
constexpr std::array<std::string_view, 3> kBeginnings = {"gaussian", "eva", "orthogonal"};

template <class List, class Value>
bool has(const List& list, const Value& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

bool says_nothing(const Json& value) {
  return value.is_null() || value == false || ((value.is_structured() || value.is_string()) && value.empty());
}

/// The reason why a field is refused.
struct Refused {
  std::string what;
};

/// A value of PEFT's that may be a regular expression for the whole path, or names that a path ends with.
class Selection {
 public:
  explicit Selection(const Json& value) {
    if (value.is_string()) {
      const auto text = value.get<std::string>();
      pattern_.emplace(text, text);
    } else {
      names_ = value.get<std::vector<std::string>>();
    }
  }
  bool has(const std::string& path) const {
    if (pattern_) return pattern_->matches(path);
    return std::any_of(names_.begin(), names_.end(),
                       [&](const std::string& name) { return path == name || path.ends_with("." + name); });
  }
  bool of_names() const { return !pattern_; }

 private:
  std::optional<PythonRegex> pattern_;
  std::vector<std::string> names_;
};

}  // namespace

struct PeftConfig::Fields {
  std::int64_t rank = 0;
  double alpha = 0, dropout = 0;
  bool rslora = false, dora = false;
  std::optional<Selection> targets;  // none: every linear layer
  std::optional<Selection> excluded;
  std::optional<std::vector<std::int64_t>> layers;
  std::vector<PythonRegex>
      layer_patterns;  // whose last group is the layer's number; the first that fits counts
  ModulePatterns patterns;
};

PeftConfig PeftConfig::read(const std::filesystem::path& file) {
  std::string name;  // the name of the field that is looked at
  const auto reject = [&](const std::string& what) {
    throw UserError(
        fmt::format("{}: {}", file.string(), what),
        "LoRA on linear layers is supported, with rsLoRA, with DoRA and with ranks and alphas by pattern");
  };
  const auto config =
      Json::parse(read_text(file, {.within = file.parent_path()}), nullptr, /*allow_exceptions=*/false);
  if (!config.is_object()) reject("it is no JSON object");
  auto fields = std::make_shared<Fields>();
  const auto field = [&](const char* wanted) -> const Json& {
    static const Json none;
    name = wanted;
    const auto found = config.find(wanted);
    return found == config.end() ? none : *found;
  };
  try {
    if (field("peft_type") != "LORA")
      reject(fmt::format("peft_type is {}, not LORA", field("peft_type").dump()));
    if (const auto& task = field("task_type"); !task.is_null() && task != "CAUSAL_LM")
      throw Refused{fmt::format("is {}", task.dump())};
    if (const auto& bias = field("bias"); !bias.is_null() && bias != "none")
      throw Refused{fmt::format("is {}: biases are trained, too", bias.dump())};
    const auto& beginning = field("init_lora_weights");
    if (!beginning.is_null() && !beginning.is_boolean() &&
        !(beginning.is_string() && has(kBeginnings, beginning.get<std::string>())))
      throw Refused{
          fmt::format("is {}, which changes the model's own weights, or isn't known", beginning.dump())};

    fields->rank = field("r").get<std::int64_t>();
    fields->alpha = field("lora_alpha").get<double>();
    if (const auto& dropout = field("lora_dropout"); !dropout.is_null())
      fields->dropout = dropout.get<double>();
    if (const auto& rslora = field("use_rslora"); !rslora.is_null()) fields->rslora = rslora.get<bool>();
    if (const auto& dora = field("use_dora"); !dora.is_null()) fields->dora = dora.get<bool>();

    const auto& targets = field("target_modules");
    if (targets.is_null()) throw Refused{"is absent, so that PEFT would choose by the model's name"};
    auto lower = targets.is_string() ? targets.get<std::string>() : "";
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return std::tolower(c); });
    if (lower != "all-linear") fields->targets.emplace(targets);
    if (const auto& excluded = field("exclude_modules"); !says_nothing(excluded))
      fields->excluded.emplace(excluded);

    const auto& layers = field("layers_to_transform");
    const auto& patterns = field("layers_pattern");
    name = "layers_to_transform";
    if (layers.is_number_integer()) fields->layers = {layers.get<std::int64_t>()};
    if (layers.is_array() && !layers.empty()) fields->layers = layers.get<std::vector<std::int64_t>>();
    if (!layers.is_null() && !layers.is_array() && !fields->layers) throw Refused{"is " + layers.dump()};
    if (fields->layers && !(fields->targets && fields->targets->of_names()))
      throw Refused{"is set, which needs a list of names as target_modules"};
    name = "layers_pattern";
    if (!says_nothing(patterns)) {
      if (!fields->layers) throw Refused{"is set without layers_to_transform"};
      for (const auto& one : patterns.is_string() ? std::vector{patterns.get<std::string>()}
                                                  : patterns.get<std::vector<std::string>>())
        fields->layer_patterns.emplace_back(one, "(?:^|.*?\\.)" + one + "\\.(\\d+)\\.");
    } else {
      const std::string any = ".*?\\.[^.]*\\.(\\d+)\\.";
      fields->layer_patterns.emplace_back(any, any);
    }
    std::vector<ModulePattern> by_pattern;
    const auto take = [&](const char* wanted, auto ModulePattern::*value) {
      const auto& patterns = field(wanted);
      if (says_nothing(patterns)) return;
      for (const auto& [pattern, one] : patterns.items()) {
        by_pattern.push_back({pattern, {}, {}});
        one.get_to((by_pattern.back().*value).emplace());
      }
    };
    take("rank_pattern", &ModulePattern::rank);
    for (const auto& one : by_pattern)
      if (*one.rank < 1) throw Refused{"has a rank below 1"};
    take("alpha_pattern", &ModulePattern::alpha);
    name = "rank_pattern or alpha_pattern";
    fields->patterns = ModulePatterns(std::move(by_pattern));
  } catch (const nlohmann::json::exception&) {
    reject(fmt::format("{} is {}", name, config.contains(name) ? config[name].dump() : "missing"));
  } catch (const RefusedRegex& refused) {
    reject(fmt::format("{} has the regular expression `{}`, {}", name, refused.pattern, refused.why));
  } catch (const Refused& refused) {
    reject(fmt::format("{} {}", name, refused.what));
  }
  for (const auto& [other, value] : config.items())
    if (!has(kRead, other) && !has(kIndifferent, other) && !says_nothing(value))
      reject(fmt::format("{} is {}, which isn't supported", other, value.dump()));
  PeftConfig result;
  result.fields_ = std::move(fields);
  return result;
}

std::optional<PeftConfig::Module> PeftConfig::of(const std::string& path) const {
  if (fields_->excluded && fields_->excluded->has(path)) return std::nullopt;
  if (fields_->targets && !fields_->targets->has(path)) return std::nullopt;
  if (fields_->layers) {
    std::optional<std::int64_t> layer;
    for (const auto& pattern : fields_->layer_patterns) {
      const auto found = pattern.last_group(path);
      if (!found) continue;
      layer = std::stoll(*found);
      break;
    }
    if (!layer || !has(*fields_->layers, *layer)) return std::nullopt;
  }
  return fields_->patterns.of(path, {fields_->rank, fields_->alpha});
}

std::int64_t PeftConfig::rank() const { return fields_->rank; }
double PeftConfig::alpha() const { return fields_->alpha; }
double PeftConfig::dropout() const { return fields_->dropout; }
bool PeftConfig::rslora() const { return fields_->rslora; }
bool PeftConfig::dora() const { return fields_->dora; }
const ModulePatterns& PeftConfig::patterns() const { return fields_->patterns; }

}  // namespace trl::runtime
