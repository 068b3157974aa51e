#pragma once
// Reads JSON that isn't trusted: from candidates, and from processes that have parsed candidates' texts.
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace trl::runtime {

/// Limits of a document. Reading a document takes at most 3 * bytes + 160 * values bytes of memory.
struct JsonBounds {
  std::size_t bytes = std::size_t{32} << 20;
  std::size_t values = std::size_t{1} << 19;  ///< names of members count, too
  std::size_t depth = 32;
};

/// The document; none where the text isn't JSON (NaN, infinities and incomplete UTF-8 characters aren't) or
/// exceeds a bound. The bounds are checked before anything is allocated.
std::optional<nlohmann::json> read_hostile(std::string_view text, const JsonBounds& bounds = {});

/// A string member, cut to at most `most` bytes at the end of a character; "" for anything else.
std::string text_of(const nlohmann::json& object, const char* name, std::size_t most = 2000);

/// An integer member from `low` to `high`; `otherwise` for anything else.
std::int64_t integer_of(const nlohmann::json& object, const char* name, std::int64_t low, std::int64_t high,
                        std::int64_t otherwise = 0);

/// Whether the member is the boolean `true`.
bool is_true(const nlohmann::json& object, const char* name);

/// The longest beginning of at most `most` bytes that doesn't cut a UTF-8 character.
std::string prefix_of(const std::string& text, std::size_t most);

}  // namespace trl::runtime
