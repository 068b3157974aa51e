// The changes that extensions make to a round of training. Each extension is one file in
// interpreter/plan/extensions.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace trl::contract {
struct DrawSpec;
struct Protocol;
struct SelectSpec;
}  // namespace trl::contract

namespace trl::interpreter {

/// An extension of the schema. Each function changes the spec of one kind of stage according to the
/// extension's declaration, and is null if the extension doesn't change this kind. The extension's version is
/// part of the keys of the stages that it changes.
struct Extension {
  const char* variant;  ///< the extension's name in stdlib/schema.trl
  void (*verify)(const nlohmann::json& declared, contract::Protocol& protocol) = nullptr;
  /// Changes the protocol of `verify` stages that time kernels on a GPU. It isn't called for other stages.
  void (*time)(const nlohmann::json& declared, contract::Protocol& protocol) = nullptr;
  void (*draw)(const nlohmann::json& declared, contract::DrawSpec& spec) = nullptr;
  void (*select)(const nlohmann::json& declared, contract::SelectSpec& spec) = nullptr;
  /// Returns the seed of all random draws of training, which replaces the experiment's seed. It is computed
  /// from the extension's version, too.
  std::uint64_t (*seed)(const nlohmann::json& declared, std::uint64_t seed) = nullptr;

  /// Whether the extension changes anything in rounds whose rewards read these fields of a verdict. If not,
  /// it is ignored, so that rows with and without it have the same stages. Null if it always does.
  bool (*acts)(const nlohmann::json& declared, const std::set<std::string>& read) = nullptr;

  /// Whether the extension has no effect unless kernel times are measured on a GPU.
  bool needs_gpu() const { return !verify && !draw && !select && !seed; }
};

/// All extensions that this version supports. Keys list their versions in this order.
const std::vector<const Extension*>& all_extensions();

/// The extension with this name; null if there is none.
const Extension* extension_called(const std::string& variant);

/// The extensions that are on in a row.
class Extensions {
 public:
  /// If several declarations are of the same extension, the first counts. Extensions that this version
  /// doesn't support are ignored.
  Extensions(const std::vector<nlohmann::json>& declared, bool times_kernels);

  /// Ignores the extensions that change nothing in rounds whose rewards read these fields of a verdict.
  void leave_out_inert(const std::set<std::string>& read);

  /// Applies all the changes that the extensions make to the spec of such a stage.
  void change(contract::Protocol& protocol) const;
  void change(contract::DrawSpec& spec) const;
  void change(contract::SelectSpec& spec) const;

  /// The seed of training's random draws: `seed`, unless an extension replaces it.
  std::uint64_t training_seed(std::uint64_t seed) const;

  /// The versions of the extensions that change `verify` stages, as these stages' keys contain them; null if
  /// there are none.
  nlohmann::json verify_versions() const;
  /// The versions of the trainer and of the extensions that change this kind of stage, as the stage's key
  /// contains them. `trainer` is the trainer's version.
  nlohmann::json draw_versions(const nlohmann::json& trainer) const;
  nlohmann::json select_versions(const nlohmann::json& trainer) const;

 private:
  std::vector<std::pair<const Extension*, nlohmann::json>> on_;
  bool times_kernels_;
};

}  // namespace trl::interpreter
