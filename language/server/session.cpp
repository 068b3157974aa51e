#include "language/server/session.hpp"

#include <algorithm>
#include <utility>

#include "language/schema/embedded.hpp"
#include "language/server/protocol.hpp"

namespace trl::language_server {

using nlohmann::json;

const Lines& Analysis::lines_of(language::FileId file) {
  const auto at = lines.find(file);
  return at != lines.end() ? at->second : lines.emplace(file, Lines(source(file).text())).first->second;
}

const json& Session::capability(const std::string& path) const {
  static const json none;
  const json* at = &client;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string key = path.substr(begin, end - begin);
    if (!at->is_object() || !at->contains(key)) return none;
    at = &(*at)[key];
    begin = end + 1;
  }
  return *at;
}

void Session::open(Document document) {
  const std::string uri = document.uri();
  forget(document.path());
  const auto [at, fresh] = documents_.insert_or_assign(uri, std::move(document));
  by_path_[at->second.path()] = &at->second;
}

void Session::change(const std::string& uri, std::int64_t version, const json& changes) {
  const auto at = documents_.find(uri);
  if (at == documents_.end()) throw InvalidParams("`" + uri + "` is not open");
  at->second.change(version, changes, encoding);
  forget(at->second.path());
}

void Session::close(const std::string& uri) {
  const auto at = documents_.find(uri);
  if (at == documents_.end()) throw InvalidParams("`" + uri + "` is not open");
  const std::string path = at->second.path();
  forget(path);
  by_path_.erase(path);
  documents_.erase(at);
  analyses_.erase(path);
  tokens.erase(uri);
  if (documents_.empty()) answers_->clear();
}

void Session::file_changed(const std::string& path) {
  files_.reset();
  if (!by_path_.contains(path)) forget(path);  // an open document's text is the editor's
}

void Session::forget(const std::string& path) {
  std::erase_if(analyses_, [&](const auto& one) { return one.second->reads.contains(path); });
}

const Document& Session::document(const json& params) const {
  const auto text_document = params.find("textDocument");
  if (text_document == params.end() || !text_document->is_object() || !text_document->contains("uri") ||
      !(*text_document)["uri"].is_string())
    throw InvalidParams("the request has no `textDocument` with a `uri`");
  const auto& uri = (*text_document)["uri"].get_ref<const std::string&>();
  const auto at = documents_.find(uri);
  if (at == documents_.end()) throw InvalidParams("`" + uri + "` is not open");
  return at->second;
}

std::size_t Session::offset(const json& params) const {
  const Document& of = document(params);
  const auto position = params.find("position");
  if (position == params.end()) throw InvalidParams("the request has no `position`");
  return of.offset(*position, encoding);
}

std::pair<std::size_t, std::size_t> Session::offsets(const json& params) const {
  const Document& of = document(params);
  const auto range = params.find("range");
  if (range == params.end()) throw InvalidParams("the request has no `range`");
  return of.lines().offsets(of.text(), *range, encoding);
}

std::optional<std::string> Session::text_of(const std::string& path) const {
  if (const auto open = by_path_.find(path); open != by_path_.end()) return open->second->text();
  constexpr std::string_view library = "stdlib:";
  if (path.starts_with(library)) {
    const auto at = language::embedded().find(path.substr(library.size()));
    if (at == language::embedded().end()) return std::nullopt;
    return std::string(at->second);
  }
  return world_.options.read(path);
}

Analysis& Session::analysis_of(const std::string& path) {
  const auto at = analyses_.find(path);
  if (at != analyses_.end()) return *at->second;
  auto analysis = std::make_unique<Analysis>();
  language::CheckOptions options = world_.options;
  options.document = false;
  options.slow = std::make_shared<language::SlowAnswers>(answers_);
  options.read = [this, &reads = analysis->reads](const std::string& file) {
    reads.insert(file);
    return text_of(file);
  };
  analysis->program = language::keep_file(path, options);
  return *analyses_.emplace(path, std::move(analysis)).first->second;
}

Analysis* Session::waiting_analysis() const {
  for (const auto& [path, document] : by_path_)
    if (const auto at = analyses_.find(path);
        at != analyses_.end() && at->second->program->options.slow->waiting() > 0)
      return at->second.get();
  return nullptr;
}

bool Session::anything_waits() const { return waiting_analysis() != nullptr; }

std::string Session::answer_next() {
  Analysis* analysis = waiting_analysis();
  if (analysis == nullptr) return "";
  analysis->program->options.slow->answer_next();
  if (analysis->program->options.slow->waiting() > 0) return "";
  const std::string path = analysis->source(0).path();
  analyses_.erase(path);
  return by_path_.at(path)->uri();
}

std::vector<std::string> Session::programs() {
  if (!files_) {
    files_.emplace();
    for (const std::string& folder : folders)
      if (world_.files_below)
        for (std::string& file : world_.files_below(folder)) files_->push_back(std::move(file));
  }
  std::set<std::string> all(files_->begin(), files_->end());
  for (const auto& [path, document] : by_path_) all.insert(path);
  return {all.begin(), all.end()};
}

json Session::range(Analysis& analysis, const language::Range& range) const {
  return analysis.lines_of(range.file)
      .range(analysis.source(range.file).text(), range.begin, range.end, encoding);
}

json Session::location(Analysis& analysis, const language::Range& at) const {
  return {{"uri", uri_of(analysis.source(at.file).path())}, {"range", range(analysis, at)}};
}

}  // namespace trl::language_server
