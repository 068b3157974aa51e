#include "language/server/documents.hpp"

#include <filesystem>
#include <utility>

#include "language/server/protocol.hpp"

namespace trl::language_server {
namespace {

constexpr std::string_view library = "stdlib:";

int hexadecimal(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int high = text[i] == '%' && i + 2 < text.size() ? hexadecimal(text[i + 1]) : -1;
    const int low = high < 0 ? -1 : hexadecimal(text[i + 2]);
    if (low >= 0) {
      out += static_cast<char>(high * 16 + low);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string encoded(std::string_view path) {
  constexpr std::string_view plain = "/-._~!$&'()*+,;=@";
  constexpr char digits[] = "0123456789ABCDEF";
  std::string out;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (word || plain.find(c) != std::string_view::npos) {
      out += c;
    } else {
      out += '%';
      out += digits[byte >> 4];
      out += digits[byte & 15];
    }
  }
  return out;
}

}  // namespace

std::optional<std::string> path_of(std::string_view uri) {
  if (uri.starts_with("trl:/")) {
    uri.remove_prefix(5);
    while (uri.starts_with('/')) uri.remove_prefix(1);
    return std::string(library) + decoded(uri);
  }
  if (!uri.starts_with("file://")) return std::nullopt;
  uri.remove_prefix(7);
  const std::size_t slash = uri.find('/');  // the text before it is a host
  if (slash == std::string_view::npos) return std::nullopt;
  return decoded(uri.substr(slash));
}

std::string uri_of(std::string_view path) {
  if (path.starts_with(library)) return "trl:/" + encoded(path.substr(library.size()));
  std::error_code ignored;
  const auto whole = std::filesystem::absolute(std::filesystem::path(path), ignored).lexically_normal();
  return "file://" + encoded(whole.string());
}

Document::Document(std::string uri, std::string path, std::int64_t version, std::string text)
    : uri_(std::move(uri)),
      path_(std::move(path)),
      version_(version),
      text_(std::move(text)),
      lines_(text_) {}

const language::Parsed& Document::parsed() const {
  if (!parsed_) parsed_ = std::make_unique<language::Parsed>(language::parse(text_));
  return *parsed_;
}

void Document::change(std::int64_t version, const nlohmann::json& changes, Encoding encoding) {
  if (!changes.is_array()) throw InvalidParams("`contentChanges` is a list");
  std::string text = text_;
  Lines lines = lines_;
  for (const auto& one : changes) {
    if (!one.is_object() || !one.contains("text") || !one["text"].is_string())
      throw InvalidParams("a change has a `text`");
    const auto& replacement = one["text"].get_ref<const std::string&>();
    if (const auto range = one.find("range"); range != one.end()) {
      const auto [begin, end] = lines.offsets(text, *range, encoding);
      if (end < begin) throw InvalidParams("a range ends before it starts");
      text.replace(begin, end - begin, replacement);
    } else {
      text = replacement;
    }
    lines = Lines(text);
  }
  text_ = std::move(text);
  lines_ = std::move(lines);
  version_ = version;
  parsed_.reset();
}

}  // namespace trl::language_server
