#include "language/recovery/recovery.hpp"

#include <algorithm>
#include <optional>

#include "language/diagnostics/habits.hpp"
#include "language/recovery/candidates.hpp"
#include "language/syntax/scan.hpp"

namespace trl::language {
namespace {

/// The number of bytes that the search for edits may parse, in addition to a multiple of the text's length.
/// In a large file with many errors, recovery therefore stops early.
constexpr std::size_t allowance = std::size_t{256} << 10;

bool gives_up(const Node& node) { return node.is(NodeKind::broken) || node.is(NodeKind::mark); }
bool trivia(const Node& node) { return node.kind >= NodeKind::blank && !node.is(NodeKind::mark); }

class Repairer {
 public:
  Repairer(std::string_view text, FileId file, Parsed parsed, std::span<const std::string> kinds)
      : file_(file), kinds_(kinds), now_(std::move(parsed)), left_(allowance + 4 * text.size()) {
    out_.text = text;
  }

  Recovered run() {
    std::size_t given_up = 0;
    while (given_up < now_.diagnostics.size() && left_ > 0) {
      const Diagnostic error = now_.diagnostics[given_up];
      if (!repair_one(error)) ++given_up;
    }
    for (Diagnostic& d : now_.diagnostics) {
      const std::size_t continued = continued_from(d.range.begin);
      if (const auto foreign = foreign_notation(out_.text, d.range.begin)) d.help = foreign->help;
      found_.push_back(taken_back(std::move(d)));
      out_.doubtful.push_back({out_.original(continued), found_.back().range.end, now_.unclosed});
    }
    std::stable_sort(found_.begin(), found_.end(),
                     [](const auto& a, const auto& b) { return a.range.begin < b.range.begin; });
    out_.tree = std::move(now_.tree);
    out_.diagnostics = std::move(found_);
    return std::move(out_);
  }

 private:
  struct Region {
    std::size_t begin = 0, end = 0;
  };

  /// Returns the range of the whole declarations that contain two offsets.
  Region region(std::size_t first, std::size_t last) const {
    const auto& parts = now_.tree.children;
    const auto after = [&](std::size_t offset) {
      return std::upper_bound(parts.begin(), parts.end(), offset,
                              [](std::size_t o, const Node& n) { return o < n.begin; });
    };
    auto begin = after(first);
    if (begin != parts.begin()) --begin;
    while (begin != parts.begin() && (gives_up(*begin) || trivia(*begin))) --begin;
    auto end = after(last);
    while (end != parts.end() && (gives_up(*end) || trivia(*end))) ++end;
    return {begin == parts.end() ? 0 : begin->begin, end == parts.end() ? out_.text.size() : end->begin};
  }

  /// Returns the beginning of the text to which an error at `at` may belong: an indented line that can't be
  /// parsed may continue the code before it.
  std::size_t continued_from(std::size_t at) const {
    const std::size_t line = line_begin(out_.text, at);
    const std::string_view indentation = std::string_view(out_.text).substr(line, at - line);
    const bool first = !indentation.empty() && std::all_of(indentation.begin(), indentation.end(), blank);
    return first ? end_of_code_before(out_.text, at) : at;
  }

  /// Returns the number of errors that are left after an edit; more than the maximum if the edit itself
  /// causes one of them.
  std::size_t errors_after(std::string_view part, const Edit& edit, std::size_t begin) {
    std::string changed(part);
    const std::size_t at = edit.at - begin;
    changed.replace(at, edit.length, edit.text);
    left_ -= std::min(left_, changed.size());
    const auto errors = parse(changed, file_).diagnostics;
    const bool own = std::any_of(errors.begin(), errors.end(), [&](const Diagnostic& d) {
      return d.range.begin >= at && d.range.begin < at + std::max<std::size_t>(edit.text.size(), 1);
    });
    return own ? most_syntax_errors + 1 : errors.size();
  }

  bool repair_one(const Diagnostic& error) {
    const bool unclosed = now_.unclosed && !error.notes.empty();
    const std::size_t from = unclosed ? error.notes.front().range.begin : error.range.begin;
    const Region r = region(from, error.range.begin);
    const std::string_view part = std::string_view(out_.text).substr(r.begin, r.end - r.begin);
    const std::size_t errors = parse(part, file_).diagnostics.size();
    left_ -= std::min(left_, part.size());

    std::vector<Candidate> all;
    std::optional<std::size_t> opener;
    const auto foreign = unclosed ? std::nullopt : foreign_notation(out_.text, error.range.begin);
    if (!unclosed) {
      all = candidates(out_.text, error.range.begin, kinds_);
      // The notation of another language was recognised, so uncertain guesses only help the parser and aren't
      // shown.
      if (foreign)
        for (Candidate& candidate : all) candidate.shown = candidate.shown && candidate.certain;
      if (foreign && foreign->edit)
        all.insert(all.begin(), Candidate{{foreign->edit->at, foreign->edit->length, foreign->edit->text},
                                          foreign->help,
                                          true,
                                          foreign->same});
    } else if (auto brace = missing_brace(part)) {
      opener = brace->opener + r.begin;
      brace->candidate.edit.at += r.begin;
      all.push_back(std::move(brace->candidate));
    }

    const Candidate* best = nullptr;
    std::size_t fewest = errors;
    for (const Candidate& candidate : all) {
      const Edit& edit = candidate.edit;
      if (fewest == 0 && !candidate.certain) continue;
      if (edit.at < r.begin || edit.at + edit.length > r.end || !original_text(edit)) continue;
      const std::size_t left = errors_after(part, edit, r.begin);
      const bool fewer = left < fewest;
      // Of two mistakes in one item, the first hides the second. So the right edit may leave the number of
      // errors unchanged.
      const bool next_shown = !best && candidate.other_spelling && left == errors;
      const bool surer = best && candidate.certain && left == fewest;
      if (fewer || next_shown || surer) best = &candidate, fewest = left;
      const bool meant = best && (best->certain || (foreign && foreign->edit && best == &all.front()));
      if ((fewest == 0 && meant) || left_ == 0) break;
    }
    if (!best) return false;
    Diagnostic d = error;
    if (foreign) d.help = foreign->help;
    say(d, *best, opener);
    apply(best->edit);
    return true;
  }

  /// Whether an edit changes only the original text, not text that an earlier edit has inserted.
  bool original_text(const Edit& edit) const {
    const std::size_t begin = out_.original(edit.at), end = out_.original(edit.at + edit.length);
    return end - begin == edit.length &&
           std::none_of(out_.edits.begin(), out_.edits.end(),
                        [&](const Edit& e) { return e.at <= end && begin <= e.at + e.length; });
  }

  void say(const Diagnostic& error, const Candidate& candidate, std::optional<std::size_t> opener) {
    Diagnostic d = taken_back(error);
    const std::size_t at = out_.original(candidate.edit.at);
    if (!candidate.certain)
      out_.doubtful.push_back({std::min(at, d.range.begin), std::max(at + candidate.edit.length, d.range.end),
                               candidate.edit.text.find_first_of("{}\n") != std::string::npos});
    const std::string_view replaced =
        std::string_view(out_.text).substr(candidate.edit.at, candidate.edit.length);
    if (candidate.certain && candidate.edit.text == " = " && replaced.find(':') != replaced.npos)
      d.message = "a field's value follows `=`, not `:`";
    if (opener) {
      d.notes.clear();
      d.range = {file_, at, at};
      const std::size_t brace = out_.original(*opener);
      d.message = "expected `}`: the indentation ends a block here";
      d.note("the block was opened here", {file_, brace, brace + 1});
    }
    // If the edit only completes an earlier guess that isn't shown, it isn't shown either, since it alone
    // doesn't mend the mistake.
    const std::size_t line = line_begin(out_.text, candidate.edit.at);
    const bool completes = !candidate.other_spelling && !guesses_.empty() &&
                           guesses_.back() >= out_.original(line) && guesses_.back() <= at;
    if (!candidate.shown || completes) guesses_.push_back(at);
    if (candidate.shown && !completes) {
      d.suggest(candidate.title, {file_, at, at + candidate.edit.length}, candidate.edit.text);
      d.fixes.back().certain = candidate.certain;
    }
    found_.push_back(std::move(d));
  }

  void apply(const Edit& edit) {
    Edit original = edit;
    original.at = out_.original(edit.at);
    out_.text.replace(edit.at, edit.length, edit.text);
    const auto place =
        std::find_if(out_.edits.begin(), out_.edits.end(), [&](const Edit& e) { return e.at > original.at; });
    out_.edits.insert(place, std::move(original));
    left_ -= std::min(left_, out_.text.size());
    now_ = parse(out_.text, file_);
  }

  Diagnostic taken_back(Diagnostic d) const {
    const auto back = [&](Range& range) {
      range.begin = out_.original(range.begin);
      range.end = std::max(range.begin, out_.original(range.end));
    };
    back(d.range);
    for (Note& note : d.notes) back(note.range);
    return d;
  }

  FileId file_;
  std::span<const std::string> kinds_;
  Parsed now_;
  Recovered out_;
  std::vector<Diagnostic> found_;
  std::vector<std::size_t> guesses_;  ///< where edits that aren't shown were made, in the original text
  std::size_t left_;
};

}  // namespace

std::size_t Recovered::original(std::size_t offset) const {
  std::size_t inserted = 0, removed = 0;
  for (const Edit& edit : edits) {
    const std::size_t begin = edit.at + inserted - removed;
    if (offset <= begin) break;
    if (offset < begin + edit.text.size()) return edit.at + std::min(edit.length, offset - begin);
    inserted += edit.text.size();
    removed += edit.length;
  }
  return offset + removed - inserted;
}

Recovered recover(std::string_view text, FileId file, Parsed parsed, std::span<const std::string> kinds) {
  return Repairer(text, file, std::move(parsed), kinds).run();
}

}  // namespace trl::language
