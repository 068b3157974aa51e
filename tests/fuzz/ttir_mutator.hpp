// Mutates a kernel's text but keeps its form: operations with their regions, values, types, attributes.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace trl::fuzz {

/// Returns `text` with one to four changes; `other` is a module from which operations may be taken.
/// Deterministic in the arguments.
std::string mutated_ttir(std::string_view text, std::string_view other, std::uint32_t seed);

}  // namespace trl::fuzz
