#pragma once
#include <optional>
#include <string>
#include <vector>

namespace trl::language {

/// The candidate closest to a misspelt name by edit distance, where swapped neighbours count once; nothing
/// when none is close.
std::optional<std::string> closest(const std::string& name, const std::vector<std::string>& candidates);

/// Whether a misspelt name can only mean `meant`: they differ by one slip of the hand (two letters swapped,
/// one missing, one too many or another one, or capitals), no other candidate does, and no digit changes. A
/// name that the author of the file chose may differ from another by one letter, so with `chosen` another
/// letter isn't a slip.
bool surely(const std::string& name, const std::string& meant, const std::vector<std::string>& candidates,
            bool chosen);

/// "did you mean `x`?", or the candidates when they are few, or nothing.
std::string suggestion(const std::string& name, const std::vector<std::string>& candidates);

/// "a, b and c", quoted in backticks, at most `most` names.
std::string enumeration(const std::vector<std::string>& names, std::size_t most = 12,
                        const char* last = "and");

/// "a model", "an evaluation"; a name may stand in backquotes.
std::string with_article(const std::string& noun);

}  // namespace trl::language
