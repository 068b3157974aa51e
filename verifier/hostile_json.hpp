#pragma once
// Reads JSON that isn't trusted: from candidates, and from processes that have parsed candidates' texts.
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace trl::runtime {

/// Limits of a JSON document. Reading it takes at most 3 * bytes + 160 * values bytes of memory.
struct JsonBounds {
  std::size_t bytes = std::size_t{32} << 20;
  std::size_t values = std::size_t{1} << 19;  ///< the number of JSON values; names of members count, too
  std::size_t depth = 32;
};

/// Parses a JSON text. Returns nothing if the text isn't valid JSON or exceeds a bound; NaN, infinities and
/// incomplete UTF-8 characters are invalid. The bounds are checked before memory is allocated.
std::optional<nlohmann::json> read_hostile(std::string_view text, const JsonBounds& bounds = {});

/// Returns the string member `name` of an object, cut to at most `most` bytes without splitting a UTF-8
/// character. Returns "" if there is no such member or it isn't a string.
std::string text_of(const nlohmann::json& object, const char* name, std::size_t most = 2000);

/// Returns the integer member `name` of an object. Returns `otherwise` if there is no such member or it isn't
/// an integer from `low` to `high`.
std::int64_t integer_of(const nlohmann::json& object, const char* name, std::int64_t low, std::int64_t high,
                        std::int64_t otherwise = 0);

/// Whether the member `name` of an object is the boolean `true`.
bool is_true(const nlohmann::json& object, const char* name);

/// Returns the longest prefix of at most `most` bytes that doesn't split a UTF-8 character.
std::string prefix_of(const std::string& text, std::size_t most);

}  // namespace trl::runtime
