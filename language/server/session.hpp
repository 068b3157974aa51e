// The documents that one editor has open, and the results of checking them.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "language/modules/slow_answers.hpp"
#include "language/program/kept_program.hpp"
#include "language/server/documents.hpp"

namespace trl::language_server {

struct Mention;

/// The results of checking a program, with tables that convert positions in its files.
struct Analysis {
  std::unique_ptr<language::KeptProgram> program;
  std::set<std::string>
      reads;  ///< the paths of all files that the check tried to read, even if there is no such file
  std::map<language::FileId, Lines> lines;
  mutable std::shared_ptr<const std::vector<Mention>>
      mentions;  ///< the result of `mentions` in place.hpp; null before its first call

  const language::Source& source(language::FileId file) const { return program->checked.sources[file]; }
  const Lines& lines_of(language::FileId file);
  /// The program's own module; null if its file could not be read.
  const language::Module* module() const {
    return program->loaded.modules.empty() ? nullptr : program->loaded.modules.front().get();
  }
};

/// The functions that the server's caller provides.
struct World {
  language::CheckOptions
      options;  ///< the options of every check; their reader is used for files that aren't open
  /// The `.trl` files below a folder, for requests about a whole workspace.
  std::function<std::vector<std::string>(const std::string& folder)> files_below;
  /// Returns the last result of an experiment's table as one line: the date and the numbers of the table's
  /// rows. Empty if there is no result.
  std::function<std::string(const std::string& experiment, const std::string& table)> table_summary;
};

class Session {
 public:
  explicit Session(World world) : world_(std::move(world)) {}

  Encoding encoding = Encoding::utf16;
  nlohmann::json client = nlohmann::json::object();  ///< the client's capabilities
  std::vector<std::string> folders;                  ///< the paths of the workspace's folders
  /// The semantic tokens that were sent last, by address. A later answer may send only the changes to them.
  struct SentTokens {
    std::string id;
    std::vector<std::size_t> data;
  };
  std::map<std::string, SentTokens> tokens;

  /// The last result of a table as one line; empty if there is none.
  std::string table_summary(const std::string& experiment, const std::string& table) const {
    return world_.table_summary ? world_.table_summary(experiment, table) : "";
  }

  /// A capability of the client, such as `textDocument/hover/contentFormat`; null if the client doesn't state
  /// it.
  const nlohmann::json& capability(const std::string& path) const;

  void open(Document document);
  void change(const std::string& uri, std::int64_t version, const nlohmann::json& changes);
  void close(const std::string& uri);
  /// To be called if a file on the disk has changed, appeared or disappeared.
  void file_changed(const std::string& path);

  const std::map<std::string, Document>& documents() const { return documents_; }
  /// The open document that a request names. Throws InvalidParams if it isn't open.
  const Document& document(const nlohmann::json& params) const;
  /// The byte offset of a request's `position` in its document.
  std::size_t offset(const nlohmann::json& params) const;
  /// The byte offsets of a request's `range` in its document.
  std::pair<std::size_t, std::size_t> offsets(const nlohmann::json& params) const;

  /// The results of checking a document's current text. The check runs once for each change.
  Analysis& analysis(const Document& document) { return analysis_of(document.path()); }
  Analysis& analysis_of(const std::string& path);
  /// Whether a slow question of a rule about the current text of an open document has no answer yet.
  bool anything_waits() const;
  /// Answers one slow question. If it was the last question about a document, returns the document's address
  /// (URI), and the document's next analysis has all findings. Otherwise returns an empty text.
  std::string answer_next();
  /// The paths of all programs of the workspace and of all open programs.
  std::vector<std::string> programs();
  /// The text of a file: the editor's text if the file is open, otherwise the text on the disk.
  std::optional<std::string> text_of(const std::string& path) const;

  nlohmann::json range(Analysis& analysis, const language::Range& range) const;
  nlohmann::json location(Analysis& analysis, const language::Range& range) const;

 private:
  void forget(const std::string& path);
  /// The analysis of an open document that has waiting questions; null if there is none.
  Analysis* waiting_analysis() const;

  World world_;
  std::shared_ptr<language::SlowAnswers::Kept> answers_ =
      std::make_shared<language::SlowAnswers::Kept>();         ///< kept from one analysis to the next
  std::map<std::string, Document> documents_;                  ///< by address
  std::map<std::string, const Document*> by_path_;             ///< the elements of documents_
  std::map<std::string, std::unique_ptr<Analysis>> analyses_;  ///< by path
  std::optional<std::vector<std::string>>
      files_;  ///< the `.trl` files of the workspace; absent before their first use
};

}  // namespace trl::language_server
