#include "language/modules/library.hpp"

#include <map>
#include <mutex>
#include <stdexcept>

#include "language/schema/embedded.hpp"
#include "language/syntax/parse.hpp"

namespace trl::language {
namespace {

Library read(const Sources& sources, FileId file) {
  Library library;
  library.module.file = file;
  const std::string& text = sources[file].text();
  const Parsed parsed = parse(text, file);
  if (!parsed.diagnostics.empty())
    throw std::logic_error("stdlib/schema.trl: " + parsed.diagnostics.front().message + " at " +
                           sources.where(parsed.diagnostics.front().range));
  library.module.ast = ast::build(parsed.tree, text, file);
  library.schema = read_schema(library.module.ast);
  for (const std::string& prefix : library.schema.modules) library.module.imports[prefix] = {nullptr, prefix};
  return library;
}

}  // namespace

const Library& read_library(Sources& sources) {
  // The library is the same for every program, except for its file's number in ranges.
  static std::mutex mutex;
  static std::map<FileId, Library> known;
  const FileId file = sources.add("stdlib:schema.trl", embedded().at("schema.trl"));
  const std::lock_guard guard(mutex);
  const auto at = known.find(file);
  return at != known.end() ? at->second : known.emplace(file, read(sources, file)).first->second;
}

const Schema& library_schema() {
  static Sources sources;
  static const Schema& schema = read_library(sources).schema;
  return schema;
}

}  // namespace trl::language
