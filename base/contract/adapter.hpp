// The adapter that training makes and sampling uses.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "base/contract/module_pattern.hpp"
#include "base/contract/words.hpp"

namespace trl::contract {

/// Whether answers are sampled from a model into which the adapter is merged, or with the adapter beside it.
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
  nlohmann::json targets = "all_linear";  ///< a matrix's name, or a list of them
  Sampled sampled = Sampled::merged;      ///< a stage that trains doesn't know it
  bool use_rslora = false;                ///< the scale is alpha / √rank, not alpha / rank
  bool use_dora = false;                  ///< rows have trained magnitudes
  std::vector<ModulePattern> patterns;    ///< ranks and alphas of some modules
  static Adapter read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
