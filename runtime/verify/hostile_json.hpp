#pragma once
// JSON of somebody who isn't trusted: candidates, and whatever has parsed what candidates wrote.
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace trl::runtime {

/// How large a document may be. Reading one takes at most 3 * bytes + 160 * values of memory.
struct JsonBounds {
  std::size_t bytes = std::size_t{32} << 20;
  std::size_t values = std::size_t{1} << 19;  ///< members' names count, too
  std::size_t depth = 32;
};

/// The document; none where it is no JSON (not-a-number, infinities, half characters are none) or beyond a
/// bound. Bounds are checked before anything is built.
std::optional<nlohmann::json> read_hostile(std::string_view text, const JsonBounds& bounds = {});

/// A member that is a text, cut to `most` bytes at the end of a character; "" for anything else.
std::string text_of(const nlohmann::json& object, const char* name, std::size_t most = 2000);

/// A member that is a whole number from `low` to `high`; `otherwise` for anything else.
std::int64_t whole_of(const nlohmann::json& object, const char* name, std::int64_t low, std::int64_t high,
                      std::int64_t otherwise = 0);

/// True where the member is `true`.
bool is_true(const nlohmann::json& object, const char* name);

/// The text's beginning of at most `most` bytes that ends no character (of UTF-8) early.
std::string prefix_of(const std::string& text, std::size_t most);

}  // namespace trl::runtime
