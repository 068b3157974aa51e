// Escapes text for any reader of a terminal or of JSON.
#pragma once

#include <string>
#include <string_view>

namespace trl::interpreter {

/// Escapes the characters that `terminal_safe` escapes, but not tabs, and as \u001b, so that a JSON text
/// keeps its meaning.
std::string json_safe(std::string_view text);

}  // namespace trl::interpreter
