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

/// Returns the member `name` of an object if it is a text or a number, as text; otherwise an empty text.
std::string text_of(const nlohmann::json& object, const char* name);

/// Returns the member `name` of an object if it can be a number of tokens; otherwise nothing.
std::optional<std::int64_t> count_of(const nlohmann::json& object, const char* name);

/// Parses a reply's body as JSON; the result is `discarded` if the body isn't JSON. Bytes that aren't UTF-8
/// and halves of surrogate pairs become U+FFFD, numbers that JSON doesn't have (NaN) become null.
nlohmann::json read_leniently(const std::string& body);

/// Returns a text as one line of at most 400 bytes, without control characters, which a terminal would obey.
std::string printable(const std::string& text);

/// Returns the beginning of a text, in which all characters except printable ASCII are written as escapes.
std::string shown(const std::string& text);

/// Describes a body that isn't JSON, for messages: "an empty reply".
std::string kind_of(const std::string& body);

}  // namespace trl::runtime
