// Reads JSON that a server replied with, which isn't trusted and may hold anything.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>

namespace trl::runtime {

/// A reply of status 200 that isn't a valid answer. The request is sent again.
struct BadReply : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A text of an object, or a number as text; empty where it has none of that name.
std::string text_of(const nlohmann::json& object, const char* name);

/// A number of tokens; nothing where the object has none of that name, or one that can't be a count.
std::optional<std::int64_t> count_of(const nlohmann::json& object, const char* name);

/// Returns a document of JSON; discarded if the body is none. Bytes that aren't UTF-8 and halves of surrogate
/// pairs become U+FFFD, numbers that JSON doesn't have (NaN) become null.
nlohmann::json read_leniently(const std::string& body);

/// Returns a text as one line of at most 400 bytes, without control characters, which a terminal would obey.
std::string printable(const std::string& text);

/// Returns the beginning of a text, with escapes in the place of all that isn't printable ASCII.
std::string shown(const std::string& text);

/// Says what a body is that isn't a document of JSON: "an empty reply".
std::string kind_of(const std::string& body);

}  // namespace trl::runtime
