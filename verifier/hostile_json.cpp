#include "verifier/hostile_json.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

// Counts everything that could become a value or a name, whether or not the text is JSON: each one but the
// first follows a comma, a colon or an opening bracket.
bool within(std::string_view text, const JsonBounds& bounds) {
  if (text.size() > bounds.bytes) return false;
  std::size_t values = 1, depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char letter = text[i];
    if (quoted) {
      if (letter == '\\') ++i;
      quoted = letter != '"';
      continue;
    }
    switch (letter) {
      case '"':
        quoted = true;
        break;
      case '[':
      case '{':
        if (++depth > bounds.depth) return false;
        ++values;
        break;
      case ']':
      case '}':
        if (depth > 0) --depth;
        break;
      case ',':
      case ':':
        ++values;
        break;
      default:
        break;
    }
    if (values > bounds.values) return false;
  }
  return true;
}

const json* member(const json& object, const char* name) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

}  // namespace

std::optional<json> read_hostile(std::string_view text, const JsonBounds& bounds) {
  if (!within(text, bounds)) return std::nullopt;
  json document = json::parse(text.begin(), text.end(), nullptr, false);
  if (document.is_discarded()) return std::nullopt;
  return document;
}

std::string prefix_of(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
  return text.substr(0, most);
}

std::string text_of(const json& object, const char* name, std::size_t most) {
  const json* found = member(object, name);
  return found && found->is_string() ? prefix_of(found->get_ref<const std::string&>(), most) : "";
}

std::int64_t integer_of(const json& object, const char* name, std::int64_t low, std::int64_t high,
                        std::int64_t otherwise) {
  const json* found = member(object, name);
  if (!found || !found->is_number_integer()) return otherwise;
  if (found->is_number_unsigned() && found->get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX))
    return otherwise;
  const auto value = found->get<std::int64_t>();
  return value >= low && value <= high ? value : otherwise;
}

bool is_true(const json& object, const char* name) {
  const json* found = member(object, name);
  return found && *found == true;
}

}  // namespace trl::runtime
