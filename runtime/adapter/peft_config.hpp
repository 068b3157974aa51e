// The file adapter_config.json of Hugging Face's PEFT (LoraConfig, version 0.18 and later).
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "base/support/module_patterns.hpp"

namespace trl::runtime {

/// The modules of a model that a PEFT adapter changes, and the adapter's settings for each module, by PEFT's
/// rules: `target_modules` as names, whole paths, a regular expression or "all-linear"; `exclude_modules`;
/// `layers_to_transform` and `layers_pattern`; `rank_pattern` and `alpha_pattern`, in which the first
/// matching pattern counts; `use_rslora`, `use_dora`.
class PeftConfig {
 public:
  /// The settings of one module, whose update is B A · alpha / rank, or with rsLoRA B A · alpha / √rank.
  using Module = ModulePatterns::Module;

  /// Reads an adapter_config.json. Throws UserError, which names file and field, for an unsupported value,
  /// and for an unknown field unless it is null, false or empty (the values of PEFT's unused fields).
  static PeftConfig read(const std::filesystem::path& file);

  /// The adapter's settings for a linear layer of the model's decoder, such as "model.layers.3.mlp.up_proj";
  /// nothing if the layer isn't a target.
  std::optional<Module> of(const std::string& path) const;

  std::int64_t rank() const;
  double alpha() const;
  double dropout() const;
  bool rslora() const;
  bool dora() const;
  /// The patterns of `rank_pattern` in their order, then the patterns of `alpha_pattern`.
  const ModulePatterns& patterns() const;

 private:
  struct Fields;
  std::shared_ptr<const Fields> fields_;
};

}  // namespace trl::runtime
