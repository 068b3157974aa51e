// The documents that are open in the editor, and the paths and addresses of files.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "language/server/positions.hpp"
#include "language/syntax/parse.hpp"

namespace trl::language_server {

/// The path of a `file:` address, or `stdlib:NAME.trl` for `trl:/NAME.trl`, which is a file of the library;
/// nothing for other addresses.
std::optional<std::string> path_of(std::string_view uri);
/// The address of a path, "file:///home/…" or "trl:/windtunnel.trl". Relative paths are taken from the
/// current folder.
std::string uri_of(std::string_view path);

/// An open document. Its text is parsed once for all requests.
class Document {
 public:
  Document(std::string uri, std::string path, std::int64_t version, std::string text);

  const std::string& uri() const { return uri_; }
  const std::string& path() const { return path_; }
  std::int64_t version() const { return version_; }
  const std::string& text() const { return text_; }
  const Lines& lines() const { return lines_; }
  /// The syntax tree of the text.
  const language::Parsed& parsed() const;

  std::size_t offset(const nlohmann::json& position, Encoding encoding) const {
    return lines_.offset(text_, position, encoding);
  }
  nlohmann::json range(std::size_t begin, std::size_t end, Encoding encoding) const {
    return lines_.range(text_, begin, end, encoding);
  }

  /// Applies the `contentChanges` of a change. Throws InvalidParams; the text is then unchanged.
  void change(std::int64_t version, const nlohmann::json& changes, Encoding encoding);

 private:
  std::string uri_, path_;
  std::int64_t version_;
  std::string text_;
  Lines lines_;
  mutable std::unique_ptr<language::Parsed> parsed_;
};

}  // namespace trl::language_server
