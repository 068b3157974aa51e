// The file adapter_config.json of Hugging Face's PEFT (LoraConfig, version 0.18 and later).
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "base/support/module_patterns.hpp"

namespace trl::runtime {

/// The modules of a model that an adapter of PEFT has, and its settings for each. The rules are PEFT's:
/// `target_modules` as names, whole paths, a regular expression or "all-linear"; `exclude_modules`;
/// `layers_to_transform` and `layers_pattern`; `rank_pattern` and `alpha_pattern`, whose first pattern that
/// fits counts; `use_rslora`, `use_dora`.
class PeftConfig {
 public:
  /// The settings for one module: its update is B A times alpha / rank, or with rsLoRA alpha / √rank.
  using Module = ModulePatterns::Module;

  /// Throws UserError naming file and field, for a field whose value isn't supported, and for an
  /// unknown field, unless it is null, false or empty, as PEFT's unused fields are.
  static PeftConfig read(const std::filesystem::path& file);

  /// The adapter's settings for a linear layer of the model's decoder, such as "model.layers.3.mlp.up_proj";
  /// nothing where it isn't a target.
  std::optional<Module> of(const std::string& path) const;

  std::int64_t rank() const;
  double alpha() const;
  double dropout() const;
  bool rslora() const;
  bool dora() const;
  /// `rank_pattern` in its order, then `alpha_pattern`.
  const ModulePatterns& patterns() const;

 private:
  struct Fields;
  std::shared_ptr<const Fields> fields_;
};

}  // namespace trl::runtime
