#include "language/program/program.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <tuple>

#include "language/modules/library.hpp"
#include "language/program/resolve.hpp"
#include "language/program/settings.hpp"
#include "language/syntax/parse.hpp"

namespace trl::language {
namespace {

constexpr std::size_t most_diagnostics = 200;

/// Sorts by file and place, and removes duplicates, since several experiments may lead to the same finding.
void tidy(std::vector<Diagnostic>& diagnostics) {
  const auto key = [](const Diagnostic& d) {
    return std::tuple(d.range.file, d.range.begin, d.range.end, d.severity, d.rule, d.message);
  };
  std::stable_sort(diagnostics.begin(), diagnostics.end(),
                   [&](const auto& a, const auto& b) { return key(a) < key(b); });
  diagnostics.erase(std::unique(diagnostics.begin(), diagnostics.end(),
                                [&](const auto& a, const auto& b) { return key(a) == key(b); }),
                    diagnostics.end());
  // A missing import is reported once, however often the module is named.
  std::set<std::pair<FileId, std::string>> imports;
  std::erase_if(diagnostics, [&](const Diagnostic& d) {
    return d.rule == "unknown_name" && d.help.starts_with("`import ") &&
           !imports.emplace(d.range.file, d.help).second;
  });
  if (diagnostics.size() > most_diagnostics) {
    const bool errors = has_errors(diagnostics);
    diagnostics.resize(most_diagnostics);
    if (errors && !has_errors(diagnostics)) diagnostics.back().severity = Severity::error;
  }
}

/// Drops other findings on lines that have syntax errors, since such lines may mean something else.
void drop_findings_on_broken_lines(std::vector<Diagnostic>& diagnostics, const Sources& sources) {
  std::set<std::pair<FileId, std::size_t>> lines;
  for (const Diagnostic& d : diagnostics) {
    if (d.rule != rules::syntax.id) continue;
    lines.emplace(d.range.file, sources.position(d.range).line);
    for (const Fix& fix : d.fixes) lines.emplace(fix.range.file, sources.position(fix.range).line);
  }
  if (lines.empty()) return;
  // Of two syntax errors at one place, the second is a consequence of the first and is dropped.
  std::set<std::pair<FileId, std::size_t>> places;
  std::erase_if(diagnostics, [&](const Diagnostic& d) {
    return d.rule == rules::syntax.id && !places.emplace(d.range.file, d.range.begin).second;
  });
  std::erase_if(diagnostics, [&](const Diagnostic& d) {
    if (d.rule == rules::syntax.id) return false;
    const std::size_t line = sources.position(d.range).line;
    // A task's signature may stand a line before its body, which has the syntax error.
    return lines.contains({d.range.file, line}) ||
           (d.rule == rules::task_type.id && lines.contains({d.range.file, line + 1}));
  });
}

/// The diagnostic for a file that cannot be read.
Diagnostic unreadable(const std::string& path, Range range) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (std::filesystem::is_directory(status))
    return found(rules::unreadable, range, "`" + path + "` is a folder").helped("name a file in it");
  if (status.type() == std::filesystem::file_type::not_found)
    return found(rules::unreadable, range, "there is no file `" + path + "`").helped("check the path");
  return found(rules::unreadable, range, "`" + path + "` cannot be read").helped("check its permissions");
}

}  // namespace

Checked check_file(const std::string& path, const CheckOptions& options) {
  return check_file(path, options, {});
}

Checked check_file(const std::string& path, const CheckOptions& options, const ProgramCallback& callback) {
  Checked out;
  std::vector<Diagnostic>& diagnostics = out.diagnostics;

  const std::optional<std::string> text = options.read(path);
  const FileId file = out.sources.add(path, text.value_or(""));
  if (!text) {
    diagnostics.push_back(unreadable(path, {file, 0, 0}));
    return out;
  }

  const Library& library = read_library(out.sources);

  const Loaded loaded = load(file, options, library.schema, out.sources, diagnostics);

  std::vector<ast::Item> settings;
  for (const std::string& set : options.sets) {
    const FileId id = out.sources.add("--set", set);
    const Parsed parsed = parse_setting(set, id);
    diagnostics.insert(diagnostics.end(), parsed.diagnostics.begin(), parsed.diagnostics.end());
    if (parsed.diagnostics.empty())
      if (auto item = ast::build_setting(parsed.tree, set, id)) settings.push_back(std::move(*item));
  }

  nlohmann::json document =
      resolve(loaded, library.module, library.schema, settings, options, out.sources, diagnostics, callback);
  help_with_settings(diagnostics, out.sources, *loaded.modules.front(), library.schema);
  drop_findings_on_broken_lines(diagnostics, out.sources);
  tidy(diagnostics);
  if (!out.has_errors()) out.resolved = std::move(document);
  return out;
}

}  // namespace trl::language
