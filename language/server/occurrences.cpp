#include "language/server/occurrences.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>

#include "language/server/place.hpp"
#include "language/server/protocol.hpp"
#include "language/syntax/parse.hpp"
#include "language/syntax/scan.hpp"

namespace trl::language_server {
namespace {

bool reserved(const std::string& name) {
  return std::find(std::begin(language::reserved_words), std::end(language::reserved_words), name) !=
         std::end(language::reserved_words);
}

bool is_name(const std::string& text) {
  return !text.empty() && language::letter(text.front()) &&
         std::all_of(text.begin(), text.end(), language::word_character) && !reserved(text);
}

Subject subject_of(const Analysis& analysis, const language::Symbol& symbol) {
  const language::ast::Declaration& d = *symbol.declaration;
  return {analysis.source(d.name_range.file).path(), d.name, d.kind, d.name_range.begin};
}

}  // namespace

Subject subject_of(Session& session, const nlohmann::json& params) {
  const Document& document = session.document(params);
  const std::size_t offset = session.offset(params);
  Analysis& analysis = session.analysis(document);
  if (analysis.module() == nullptr) return {};
  const auto mention = mention_at(analysis, analysis.module()->file, offset);
  if (!mention || offset < mention->name.begin || offset > mention->name.end) return {};
  return subject_of(analysis, mention->symbol);
}

std::vector<Occurrence> occurrences_in(Session& session, const Subject& subject, const std::string& program) {
  std::vector<Occurrence> out;
  if (!subject) return out;
  Analysis& analysis = session.analysis_of(program);
  for (const Mention& mention : mentions(analysis)) {
    const auto& d = *mention.symbol.declaration;
    if (d.name != subject.name || d.name_range.begin != subject.begin ||
        analysis.source(d.name_range.file).path() != subject.path)
      continue;
    out.push_back({analysis.source(mention.name.file).path(), session.range(analysis, mention.name),
                   mention.name.begin, mention.name.end, mention.name == d.name_range});
  }
  return out;
}

std::vector<Occurrence> occurrences(Session& session, const Subject& subject) {
  std::vector<Occurrence> out;
  if (!subject) return out;
  std::set<std::string> programs = {subject.path};
  for (const std::string& path : session.programs()) {
    const auto text = session.text_of(path);
    if (text && text->find(subject.name) != std::string::npos) programs.insert(path);
  }
  for (const std::string& program : programs) {
    if (program.starts_with("stdlib:")) continue;
    for (Occurrence& one : occurrences_in(session, subject, program)) out.push_back(std::move(one));
  }
  const auto key = [](const Occurrence& one) { return std::tie(one.path, one.begin, one.end); };
  std::sort(out.begin(), out.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  out.erase(
      std::unique(out.begin(), out.end(), [&](const auto& a, const auto& b) { return key(a) == key(b); }),
      out.end());
  return out;
}

void refuse_rename(Session& session, const Subject& subject, const std::string& name) {
  if (!subject) throw RequestError(ErrorCode::request_failed, "nothing here has a name that can be changed");
  if (subject.path.starts_with("stdlib:"))
    throw RequestError(ErrorCode::request_failed, "`" + subject.name + "` is declared in the library");
  if (!is_name(name))
    throw RequestError(
        ErrorCode::request_failed,
        "`" + name + "` is no name: names have letters, digits and `_`, and begin with a letter");
  if (name == subject.name) return;
  std::set<std::string> files = {subject.path};
  for (const Occurrence& one : occurrences(session, subject)) files.insert(one.path);
  for (const std::string& file : files) {
    const Analysis& analysis = session.analysis_of(file);
    const language::Module* module = analysis.module();
    if (module != nullptr && (module->symbols.contains(name) || module->imports.contains(name)))
      throw RequestError(ErrorCode::request_failed, "`" + name + "` already names something in " + file);
  }
}

}  // namespace trl::language_server
