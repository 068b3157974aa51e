#include "language/program/fixes.hpp"

#include <algorithm>
#include <set>

namespace trl::language {
namespace {

constexpr std::size_t most_rounds = 100;

struct Choice {
  const Diagnostic* diagnostic;
  const Fix* fix;
};

std::size_t count_errors(const Checked& checked) {
  return static_cast<std::size_t>(
      std::count_if(checked.diagnostics.begin(), checked.diagnostics.end(),
                    [](const Diagnostic& d) { return d.severity == Severity::error; }));
}

/// The first certain fix of each diagnostic of the program's own file. Left out are fixes that overlap an
/// earlier one.
std::vector<Choice> choices(const Checked& checked) {
  std::vector<Choice> out;
  for (const Diagnostic& d : checked.diagnostics)
    for (const Fix& fix : d.fixes)
      if (fix.certain && fix.range.file == 0) {
        out.push_back({&d, &fix});
        break;
      }
  std::stable_sort(out.begin(), out.end(),
                   [](const Choice& a, const Choice& b) { return a.fix->range.begin < b.fix->range.begin; });
  std::vector<Choice> apart;
  for (const Choice& choice : out)
    if (apart.empty() || choice.fix->range.begin > apart.back().fix->range.end) apart.push_back(choice);
  return apart;
}

std::string with(std::string text, const std::vector<Choice>& fixes) {
  for (auto choice = fixes.rbegin(); choice != fixes.rend(); ++choice) {
    const Range& range = choice->fix->range;
    text.replace(range.begin, range.end - range.begin, choice->fix->text);
  }
  return text;
}

class Fixer {
 public:
  Fixer(const std::string& path, CheckOptions options) : path_(path), options_(std::move(options)) {
    disk_ = options_.read;
    options_.try_fixes = false;  // `accept` tries them
    options_.read = [this](const std::string& file) { return file == path_ && own_ ? own_ : disk_(file); };
    out_.checked = check_file(path_, options_);
    out_.text = out_.checked.sources[0].text();
  }

  Fixed run() {
    std::set<std::string> seen{out_.text};
    for (std::size_t round = 0; round < most_rounds; ++round) {
      const std::vector<Choice> all = choices(out_.checked);
      bool changed = !all.empty() && accept(all, seen);
      for (std::size_t i = 0; i < all.size() && !changed; ++i) changed = accept({all[i]}, seen);
      if (!changed) break;
    }
    return std::move(out_);
  }

 private:
  bool accept(const std::vector<Choice>& fixes, std::set<std::string>& seen) {
    std::string text = with(out_.text, fixes);
    if (!seen.insert(text).second) return false;
    own_ = text;
    Checked checked = check_file(path_, options_);
    if (count_errors(checked) > count_errors(out_.checked)) return false;
    for (const Choice& choice : fixes)
      out_.applied.push_back(
          {out_.checked.sources.where(choice.fix->range), choice.diagnostic->rule, choice.fix->title});
    out_.text = std::move(text);
    out_.checked = std::move(checked);
    return true;
  }

  std::string path_;
  CheckOptions options_;
  Reader disk_;
  std::optional<std::string> own_;
  Fixed out_;
};

}  // namespace

Fixed apply_fixes(const std::string& path, CheckOptions options) {
  return Fixer(path, std::move(options)).run();
}

}  // namespace trl::language
