#pragma once

#include <string>
#include <vector>

#include "interpreter/doctor/machine.hpp"

namespace trl::interpreter {

struct ListedGpu {
  std::string name, driver;
  double bytes = 0;  ///< its memory
};

/// The GPUs that nvidia-smi lists; none if it is missing or finds none.
std::vector<ListedGpu> listed_gpus(const Machine& machine);

/// The text without blanks and line ends around it.
std::string trimmed(const std::string& text);

/// The last line of a text that isn't blank.
std::string last_line(const std::string& text);

}  // namespace trl::interpreter
