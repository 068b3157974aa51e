// The changes that the schema's extensions make to a round of training: one file each in
// interpreter/plan/extensions.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace trl::contract {
struct DrawSpec;
struct Protocol;
struct SelectSpec;
}  // namespace trl::contract

namespace trl::interpreter {

/// A variant of `extension`. Each function changes the spec of a kind of stage by its declaration;
/// the extension's version enters the keys of the stages for which it has a function.
struct Extension {
  const char* variant;  ///< as stdlib/schema.trl has it
  void (*verify)(const nlohmann::json& declared, contract::Protocol& protocol) = nullptr;
  /// For `verify` stages that time kernels on a GPU; elsewhere the extension changes nothing.
  void (*time)(const nlohmann::json& declared, contract::Protocol& protocol) = nullptr;
  void (*draw)(const nlohmann::json& declared, contract::DrawSpec& spec) = nullptr;
  void (*select)(const nlohmann::json& declared, contract::SelectSpec& spec) = nullptr;
  /// The seed of all random draws of training, in place of the experiment's. The extension's version is part
  /// of it.
  std::uint64_t (*seed)(const nlohmann::json& declared, std::uint64_t seed) = nullptr;

  /// Whether it changes nothing where kernel times are modelled.
  bool needs_gpu() const { return !verify && !draw && !select && !seed; }
};

/// Every extension that is carried out, in the order in which their versions stand in keys.
const std::vector<const Extension*>& all_extensions();

/// The one of that variant; null where there is none.
const Extension* extension_called(const std::string& variant);

/// The extensions that are on in a row.
class Extensions {
 public:
  /// Of equal variants the first counts; variants that this version doesn't carry out are passed over.
  Extensions(const std::vector<nlohmann::json>& declared, bool times_kernels);

  /// Changes a stage's spec as they say.
  void change(contract::Protocol& protocol) const;
  void change(contract::DrawSpec& spec) const;
  void change(contract::SelectSpec& spec) const;

  /// The seed of training's random draws in a run that has this seed.
  std::uint64_t training_seed(std::uint64_t seed) const;

  /// Versions of the extensions that act on `verify`, as its key has them; null without any.
  nlohmann::json verify_versions() const;
  /// The same of `draw` and `select`, beside the trainer's own.
  nlohmann::json draw_versions(const nlohmann::json& trainer) const;
  nlohmann::json select_versions(const nlohmann::json& trainer) const;

 private:
  std::vector<std::pair<const Extension*, nlohmann::json>> on_;
  bool times_kernels_;
};

}  // namespace trl::interpreter
