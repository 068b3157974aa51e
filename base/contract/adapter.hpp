// The settings of a LoRA adapter, which training makes and sampling uses.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "base/contract/module_pattern.hpp"
#include "base/contract/words.hpp"

namespace trl::contract {

/// How sampling applies the adapter: merged into the model's weights, or computed beside them.
enum class Sampled { merged, unmerged };
template <>
struct Words<Sampled> {
  static constexpr std::array<std::pair<Sampled, const char*>, 2> list = {
      {{Sampled::merged, "merged"}, {Sampled::unmerged, "unmerged"}}};
};

/// A low-rank adapter (LoRA).
struct Adapter {
  std::int64_t rank = 0;
  double alpha = 0, dropout = 0;
  /// The modules that the adapter changes: `all_linear`, a name such as `q_proj`, or a list of names.
  nlohmann::json targets = "all_linear";
  Sampled sampled = Sampled::merged;    ///< for sampling alone: training ignores it
  bool use_rslora = false;              ///< the scale is alpha / √rank, not alpha / rank
  bool use_dora = false;                ///< DoRA: the magnitude of each row of a matrix is trained, too
  std::vector<ModulePattern> patterns;  ///< modules with a rank or an alpha of their own
  static Adapter read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
