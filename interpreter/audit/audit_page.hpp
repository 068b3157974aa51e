// Writes the result of an audit: as a page for people, or as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <vector>

#include "interpreter/audit/audited_stage.hpp"
#include "interpreter/audit/signature.hpp"
#include "interpreter/audit/store_keys.hpp"

namespace trl::interpreter {

struct Audit {
  /// The audited exams, then other stages with findings.
  std::vector<AuditedStage> stages;
  CheckedKeys keys;
  std::optional<CheckedSignature> signature;  ///< nothing: the signature wasn't to be checked

  /// Adds each finding to the differences of the stage that the finding is about.
  void add(const std::vector<StageFinding>& findings);

  /// Whether something differs from the published results, or a stage is damaged or was changed after it was
  /// written.
  bool refuted() const;
  /// Whether a part of the published results couldn't be checked.
  bool unchecked() const;
};

/// Shows a page of at most 60 lines. Long lists are cut, with the number of entries that are left out.
void show_audit(const Audit& audit, bool colour, std::ostream& out);

/// Everything that was found: a list with an object for each stage.
nlohmann::json audit_json(const Audit& audit);

/// The start of a stage's key, or "the store" if there is no key, printable: the folders of somebody else's
/// store may have any names.
std::string short_key(const std::string& key);

}  // namespace trl::interpreter
