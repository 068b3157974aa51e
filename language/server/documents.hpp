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

/// Converts an address (URI) to a path. A `file:` address gives the path of the file; `trl:/NAME.trl`, a file
/// of the library, gives `stdlib:NAME.trl`; any other address gives nothing.
std::optional<std::string> path_of(std::string_view uri);
/// Converts a path to an address (URI): "file:///home/…" or "trl:/windtunnel.trl". Relative paths start in
/// the current folder.
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

  /// Applies the `contentChanges` of a `didChange` notification. Throws InvalidParams if they are wrong; the
  /// text is then unchanged.
  void change(std::int64_t version, const nlohmann::json& changes, Encoding encoding);

 private:
  std::string uri_, path_;
  std::int64_t version_;
  std::string text_;
  Lines lines_;
  mutable std::unique_ptr<language::Parsed> parsed_;
};

}  // namespace trl::language_server
