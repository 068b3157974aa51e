#include "language/program/tried_fixes.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "language/diagnostics/pass_rules.hpp"

namespace trl::language {
namespace {

using Kinds = std::map<std::pair<std::string, std::string>, std::size_t>;  ///< by rule and message

Kinds kinds_of(const std::vector<Diagnostic>& diagnostics) {
  Kinds kinds;
  for (const Diagnostic& d : diagnostics) ++kinds[{d.rule, d.message}];
  return kinds;
}

std::size_t syntax_errors(const std::vector<Diagnostic>& diagnostics) {
  return static_cast<std::size_t>(
      std::count_if(diagnostics.begin(), diagnostics.end(),
                    [](const Diagnostic& d) { return d.range.file == 0 && d.rule == rules::syntax.id; }));
}

class Trial {
 public:
  Trial(const std::vector<Diagnostic>& before, const Sources& sources, const CheckOptions& options)
      : before_(before),
        kinds_(kinds_of(before)),
        text_(sources[0].text()),
        path_(sources[0].path()),
        options_(options) {
    options_.document = false;
    options_.try_fixes = false;
    options_.assess = {};  // a correction doesn't change which tasks accept trivial answers
    options_.read = [this, read = options.read](const std::string& file) {
      return file == path_ ? std::optional(changed_) : read(file);
    };
  }

  bool mends(const Diagnostic& finding, const Fix& fix) {
    changed_ = text_;
    changed_.replace(fix.range.begin, fix.range.end - fix.range.begin, fix.text);
    const Checked after = check_file(path_, options_);
    const Kinds kinds = kinds_of(after.diagnostics);
    const auto left = kinds.find({finding.rule, finding.message});
    if (left != kinds.end() && left->second >= kinds_.at({finding.rule, finding.message})) return false;

    const std::size_t end = fix.range.begin + fix.text.size();
    const std::size_t last_line = after.sources.position({0, end, end}).line,
                      line = after.sources.position({0, fix.range.begin, fix.range.begin}).line;
    const auto [from, to] = touched(fix.range.begin, end);
    const bool fewer =
        finding.rule == rules::syntax.id && syntax_errors(after.diagnostics) < syntax_errors(before_);
    // If a rule's finding is about values that are each valid, its fix must not cause another rule's error
    // about the new value: `exclude = seen + exam.split` must not leave a corpus without tasks.
    const Rule* rule = find_rule(finding.rule);
    const bool judged = rule != nullptr && rule->check != nullptr;
    return std::none_of(
        after.diagnostics.begin(), after.diagnostics.end(), [&, from = from, to = to](const Diagnostic& d) {
          if (d.range.file != 0 || d.severity == Severity::note) return false;
          const std::size_t at = after.sources.position(d.range).line;
          if (d.rule == rules::syntax.id && !fewer && at >= line && at <= last_line) return true;
          const auto known = kinds_.find({d.rule, d.message});
          const bool fresh = known == kinds_.end() || kinds.at(known->first) > known->second;
          const auto meets = [&](const Range& range) {
            return range.file == 0 && range.begin <= to && range.end >= from;
          };
          if (d.severity == Severity::error)
            return fresh && (meets(d.range) ||
                             (judged && std::any_of(d.notes.begin(), d.notes.end(), [&](const auto& note) {
                                return note.has_range && meets(note.range);
                              })));
          // A suggestion, or a value that is joined to it, must not cause a warning.
          return fresh && !fix.certain && d.range.begin >= from &&
                 (d.range.end <= end || d.range.begin == to);
        });
  }

 private:
  /// Returns the changed part of the text. If a sign that joins a value follows, the value is included: if
  /// the corrected field doesn't accept it, another field was meant.
  std::pair<std::size_t, std::size_t> touched(std::size_t begin, std::size_t end) const {
    const std::size_t sign = changed_.find_first_not_of(" \t", end);
    if (sign == changed_.npos || std::string_view("=:(").find(changed_[sign]) == std::string_view::npos)
      return {begin, end};
    return {begin, std::min(changed_.find_first_not_of(" \t=:(", sign), changed_.size())};
  }

  const std::vector<Diagnostic>& before_;
  const Kinds kinds_;
  const std::string text_, path_;
  std::string changed_;
  CheckOptions options_;
};

}  // namespace

void try_fixes(std::vector<Diagnostic>& diagnostics, const Sources& sources, const CheckOptions& options,
               const std::function<bool(const Diagnostic&)>& of, std::size_t most) {
  const std::vector<Diagnostic> before = diagnostics;
  Trial trial(before, sources, options);
  for (std::size_t i = 0; i < diagnostics.size(); ++i) {
    Diagnostic& d = diagnostics[i];
    if (of && !of(d)) continue;
    std::erase_if(d.fixes, [&](const Fix& fix) {
      if (fix.range.file != 0) return false;
      if (most > 0 && trial.mends(before[i], fix)) {
        --most;
        return false;
      }
      most -= most > 0;
      if (d.help.starts_with("did you mean `" + fix.text + "`")) d.help.clear();
      return true;
    });
  }
}

}  // namespace trl::language
