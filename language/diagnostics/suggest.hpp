#pragma once
#include <optional>
#include <string>
#include <vector>

namespace trl::language {

/// The candidate closest to a misspelt name by edit distance, where swapped neighbours count once; nothing
/// when none is close.
std::optional<std::string> closest(const std::string& name, const std::vector<std::string>& candidates);

/// "did you mean `x`?", or the candidates when they are few, or nothing.
std::string suggestion(const std::string& name, const std::vector<std::string>& candidates);

/// "a, b and c", quoted in backticks, at most `most` names.
std::string enumeration(const std::vector<std::string>& names, std::size_t most = 12,
                        const char* last = "and");

}  // namespace trl::language
