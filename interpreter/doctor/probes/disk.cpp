// Checks the free disk space for the stages' results.
#include <algorithm>

#include "interpreter/doctor/probes.hpp"

namespace trl::interpreter {

std::vector<Finding> probe_disk(const Machine& machine, const Needs& needs) {
  // A study on small models takes some hundred megabytes; less than this is trouble anyway.
  constexpr double least = 1024.0 * 1024 * 1024;
  const auto bytes = machine.free_bytes(needs.store);
  const std::string where = " at " + needs.store.string();
  if (!bytes)
    return {{"disk", Finding::Outcome::lacking, "unknown" + where, "for the stages' results",
             "Name a folder of a disk that can be written with --store"}};
  const double needed = std::max(least, needs.store_bytes), free = static_cast<double>(*bytes);
  Finding disk{"disk", Finding::Outcome::fine, gib_text(free) + " free" + where, "", ""};
  if (needs.store_bytes > 0) disk.found += " (needed: " + gib_text(needs.store_bytes) + ", modelled)";
  if (free < needed) {
    disk.outcome = Finding::Outcome::lacking;
    disk.needed = gib_text(needed) + ", for the stages' results";
    disk.remedy =
        "`trl gc --keep FILE` deletes what no kept experiment needs; --store names a folder on another disk";
  }
  return {disk};
}

}  // namespace trl::interpreter
