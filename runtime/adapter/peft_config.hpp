// The file adapter_config.json of Hugging Face's PEFT (LoraConfig, version 0.18 and later).
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "base/support/module_patterns.hpp"

namespace trl::runtime {

/// Which modules of a model an adapter of PEFT has, and what it does to each. Rules are those of PEFT:
/// `target_modules` as names, whole paths, a regular expression or "all-linear"; `exclude_modules`;
/// `layers_to_transform` and `layers_pattern`; `rank_pattern` and `alpha_pattern`, whose first pattern that
/// fits counts; `use_rslora`, `use_dora`.
class PeftConfig {
 public:
  /// What an adapter does to one module: its update is B A times alpha / rank, or with rsLoRA alpha / √rank.
  using Module = ModulePatterns::Module;

  /// Throws UserError naming file and field, for a field whose value isn't supported, and for one that isn't
  /// known here and isn't null, false or empty, which is what PEFT's fields are that say nothing.
  static PeftConfig read(const std::filesystem::path& file);

  /// What the adapter does to a linear layer of the model's decoder, such as "model.layers.3.mlp.up_proj";
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
