// Python's methods of texts, as far as templates use them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trl::runtime::chat {

/// A code point in UTF-8.
std::string encoded(char32_t code);

/// Without white space as str.strip() takes it away, at the left, the right, or both.
std::string_view stripped(std::string_view text, bool left, bool right);
/// Without the characters of `set` at the left, the right, or both.
std::string_view stripped(std::string_view text, bool left, bool right, std::string_view set);

/// str.split() and str.split(separator, most). Throws ValueError for an empty separator. With `from_right`,
/// str.rsplit.
std::vector<std::string> split(std::string_view text, const std::optional<std::string>& separator,
                               std::int64_t most, bool from_right);
/// str.splitlines().
std::vector<std::string> lines(std::string_view text);

/// str.replace(from, to, count); `count` < 0 is every one.
std::string replaced(std::string_view text, std::string_view from, std::string_view to, std::int64_t count);

/// Of ASCII alone: text beyond it throws ValueError, naming `what`.
std::string upper(std::string_view text, const char* what);
std::string lower(std::string_view text, const char* what);
/// str.title().
std::string title(std::string_view text);

}  // namespace trl::runtime::chat
