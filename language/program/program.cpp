#include "language/program/program.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <tuple>

#include "language/diagnostics/pass_rules.hpp"
#include "language/diagnostics/suggest.hpp"
#include "language/modules/library.hpp"
#include "language/modules/slow_answers.hpp"
#include "language/program/kept_program.hpp"
#include "language/program/resolve.hpp"
#include "language/program/settings.hpp"
#include "language/program/tried_fixes.hpp"
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

/// Moves findings about files of the library to the program's import that leads to them: nobody edits the
/// library, and editors show no findings about it.
void move_to_imports(std::vector<Diagnostic>& diagnostics, const Loaded& loaded) {
  for (Diagnostic& d : diagnostics) {
    const auto module_of = [&](FileId file) {
      return std::find_if(loaded.modules.begin(), loaded.modules.end(),
                          [&](const auto& module) { return module->file == file; });
    };
    const Range written = d.range;
    const Module* in = nullptr;
    for (auto at = module_of(written.file);
         at != loaded.modules.end() && at != loaded.modules.begin() && !(*at)->embedded.empty();
         at = module_of(d.range.file)) {
      in = in == nullptr ? at->get() : in;
      d.range = (*at)->imported_at;
    }
    if (in == nullptr) continue;
    d.message = "in `" + in->name + "`: " + d.message;
    d.notes.insert(d.notes.begin(), {"it stands here", written, true});
    d.fixes.clear();
  }
}

/// Joins a finding about a value to the correction of the sign before it, `lr: "1e-3"`, so that both are
/// mended at once.
void join_to_signs(std::vector<Diagnostic>& diagnostics) {
  for (Diagnostic& sign : diagnostics) {
    if (sign.rule != rules::syntax.id || sign.fixes.empty() || !sign.fixes.front().certain ||
        sign.fixes.front().text != " = ")
      continue;
    for (const Diagnostic& value : diagnostics) {
      Fix& fix = sign.fixes.front();
      if (value.rule == rules::syntax.id || value.range.file != fix.range.file ||
          value.range.begin != fix.range.end)
        continue;
      sign.message += "; and " + value.message;
      if (!value.help.empty()) sign.help = value.help;
      if (!value.fixes.empty() && value.fixes.front().range.begin == fix.range.end) {
        fix.range.end = value.fixes.front().range.end;
        fix.text += value.fixes.front().text;
        fix.certain = value.fixes.front().certain;
      }
      break;
    }
  }
}

/// Drops other findings on lines that have syntax errors, since such lines may mean something else.
void drop_findings_on_broken_lines(std::vector<Diagnostic>& diagnostics, const Sources& sources) {
  std::set<std::pair<FileId, std::size_t>> lines, guessed;
  for (const Diagnostic& d : diagnostics) {
    if (d.rule != rules::syntax.id) continue;
    if (d.fixes.empty() || !d.fixes.front().certain)
      guessed.emplace(d.range.file, sources.position(d.range).line);
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
    // `lr: 1e-3` has another tool's sign and its word: of the sign it is certain what is meant.
    if (d.rule == rules::unknown_field.id && !guessed.contains({d.range.file, line})) return false;
    // A task's signature may stand a line before its body, which has the syntax error.
    return lines.contains({d.range.file, line}) ||
           (d.rule == rules::task_type.id && lines.contains({d.range.file, line + 1}));
  });
}

/// The file that is meant by a path that doesn't exist: a file of a similar name in the same folder.
std::string similar_file(const std::string& path) {
  namespace fs = std::filesystem;
  const fs::path wanted(path), folder = wanted.has_parent_path() ? wanted.parent_path() : fs::path(".");
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (at->path().extension() == ".trl") names.push_back(at->path().filename().string());
  std::sort(names.begin(), names.end());
  const std::string renamed = wanted.stem().string() + ".trl";
  const bool ending = std::find(names.begin(), names.end(), renamed) != names.end();
  const auto best = ending ? std::optional(renamed) : closest(wanted.filename().string(), names);
  if (!best && wanted.extension().empty() && !wanted.has_parent_path())
    return "a .trl file stands first, and a name of it behind it: FILE.trl " + path;
  if (!best) return "check the path";
  return "did you mean `" + (wanted.parent_path() / *best).string() + "`?";
}

/// The diagnostic for a file that cannot be read.
Diagnostic unreadable(const std::string& path, Range range) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (std::filesystem::is_directory(status))
    return found(rules::unreadable, range, "`" + path + "` is a folder").helped("name a file in it");
  if (status.type() == std::filesystem::file_type::not_found)
    return found(rules::unreadable, range, "there is no file `" + path + "`").helped(similar_file(path));
  if (!std::filesystem::is_regular_file(status))
    return found(rules::unreadable, range, "`" + path + "` is no regular file")
        .helped("name a file; a pipe or a device may never end");
  return found(rules::unreadable, range, "`" + path + "` cannot be read")
      .helped("check its permissions; at most 1 GiB is read");
}

void check(const std::string& path, KeptProgram& program, std::vector<Elaborator::Use>* uses,
           const ProgramCallback& callback) {
  Checked& out = program.checked;
  const CheckOptions& options = program.options;
  std::vector<Diagnostic>& diagnostics = out.diagnostics;
  if (program.options.slow == nullptr) program.options.slow = std::make_shared<SlowAnswers>();

  const std::optional<std::string> text = options.read(path);
  const FileId file = out.sources.add(path, text.value_or(""));
  if (!text) {
    diagnostics.push_back(unreadable(path, {file, 0, 0}));
    return;
  }

  const Library& library = read_library(out.sources);
  program.library = &library;
  program.loaded = load(file, options, library.schema, out.sources, diagnostics);

  if (const std::string ending = std::filesystem::path(path).extension().string();
      !ending.empty() && ending != ".trl" && has_errors(diagnostics)) {
    diagnostics = {
        found(rules::unreadable, {file, 0, 0}, "`" + path + "` is no .trl file, and can't be read as one")
            .helped("`trl new NAME` writes an experiment in NAME.trl to begin with, and `trl "
                    "explain FIELD` says what a field of another tool is called here")};
    program.loaded = {}, program.library = nullptr;  // as of a file that can't be read
    return;
  }

  for (const std::string& set : options.sets) {
    const FileId id = out.sources.add("--set", set);
    const Parsed parsed = parse_setting(set, id);
    diagnostics.insert(diagnostics.end(), parsed.diagnostics.begin(), parsed.diagnostics.end());
    if (parsed.diagnostics.empty())
      if (auto item = ast::build_setting(parsed.tree, set, id)) program.settings.push_back(std::move(*item));
  }

  program.resolution =
      make_resolution(program.loaded, library.module, library.schema, options, out.sources, diagnostics);
  program.resolution->meaning().note_uses(uses);
  nlohmann::json document = program.resolution->run(program.settings, callback);
  program.resolution->meaning().note_uses(nullptr);
  program.resolution->meaning().report_to(program.later);
  help_with_settings(diagnostics, out.sources, *program.loaded.modules.front(), library.schema);
  move_to_imports(diagnostics, program.loaded);
  join_to_signs(diagnostics);
  drop_findings_on_broken_lines(diagnostics, out.sources);
  tidy(diagnostics);
  if (options.try_fixes) try_fixes(diagnostics, out.sources, options);
  if (options.document && !out.has_errors()) out.resolved = std::move(document);
}

}  // namespace

Checked check_file(const std::string& path, const CheckOptions& options) {
  return check_file(path, options, {});
}

Checked check_file(const std::string& path, const CheckOptions& options, const ProgramCallback& callback) {
  KeptProgram program;
  program.options = options;
  check(path, program, nullptr, callback);
  return std::move(program.checked);
}

std::unique_ptr<KeptProgram> keep_file(const std::string& path, const CheckOptions& options) {
  auto program = std::make_unique<KeptProgram>();
  program->options = options;
  check(path, *program, &program->uses, {});
  return program;
}

const Module* KeptProgram::module_of(FileId file) const {
  for (const auto& module : loaded.modules)
    if (module->file == file) return module.get();
  return library != nullptr && library->module.file == file ? &library->module : nullptr;
}

}  // namespace trl::language
