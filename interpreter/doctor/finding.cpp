#include "interpreter/doctor/finding.hpp"

#include <fmt/format.h>

namespace trl::interpreter {

std::string outcome_text(Finding::Outcome outcome) {
  switch (outcome) {
    case Finding::Outcome::fine:
      return "fine";
    case Finding::Outcome::note:
      return "note";
    case Finding::Outcome::lacking:
      break;
  }
  return "lacking";
}

nlohmann::json to_json(const Finding& finding) {
  return {{"what", finding.what},
          {"outcome", outcome_text(finding.outcome)},
          {"found", finding.found},
          {"needed", finding.needed},
          {"remedy", finding.remedy}};
}

std::string gib_text(double bytes) {
  const double gib = bytes / (1024.0 * 1024 * 1024);
  return gib < 0.1 ? fmt::format("{:.1f} MiB", bytes / (1024.0 * 1024)) : fmt::format("{:.1f} GiB", gib);
}

}  // namespace trl::interpreter
