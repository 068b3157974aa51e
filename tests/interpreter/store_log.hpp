// The events in the log of a store.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "interpreter/store/index.hpp"

namespace trl::interpreter::testing {

/// Returns the stages that were made, sorted; a stage that was made several times occurs as often.
inline std::vector<std::string> finished_stages(const std::filesystem::path& store) {
  std::vector<std::string> slots;
  const std::string start = "finished: ";
  for (const auto& event : Index::open_to_read(store / "index.sqlite")->last_events(10000))
    if (event.text.starts_with(start)) slots.push_back(event.text.substr(start.size()));
  std::sort(slots.begin(), slots.end());
  return slots;
}

}  // namespace trl::interpreter::testing
