#include "language/diagnostics/mismatch.hpp"

#include <fmt/format.h>

namespace trl::language {

std::string mismatch(std::string_view expected, std::string_view found) {
  return fmt::format("expected {}, found {}", expected, found);
}

std::string mismatch_of(std::string_view expected, std::string_view name, std::string_view found) {
  return fmt::format("expected {}, found `{}`, which {}", expected, name, found);
}

}  // namespace trl::language
