#include <algorithm>
#include <set>

#include "interpreter/report/candidate.hpp"
#include "interpreter/report/escape.hpp"
#include "interpreter/report/html_sections.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;

/// The candidates that were refused for one reason. The example is the shortest answer, which is easiest to
/// read.
struct FailureClass {
  std::string failed, reason;
  int count = 0;
  Verdict verdict;
  json candidate;
  std::string id;
};

std::vector<FailureClass> failure_classes(const ReportContents& contents, int& judged) {
  const auto& evidence = contents.evidence;
  std::map<std::pair<std::string, std::string>, FailureClass> classes;
  std::set<std::string> seen;
  for (const auto& row : evidence.plan().rows)
    for (const auto& trace : row.traces) {
      if (trace.exam_verify.empty() || !seen.insert(trace.exam_verify).second) continue;
      std::map<std::string, std::vector<json>> rows;
      for (const auto& verdict : evidence.exam(trace)) {
        if (!verdict.judged) continue;
        ++judged;
        if (verdict.correct) continue;
        auto& one = classes[{verdict.failed, verdict.reason}];
        const auto& sampled = evidence.plan().find(verdict.stage)->inputs.at("candidates");
        auto& candidates = rows[sampled];
        if (candidates.empty()) candidates = evidence.store().result(sampled).rows("candidates.jsonl");
        const auto& candidate = candidates.at(verdict.row);
        const auto length = candidate.at("answer").get_ref<const std::string&>().size();
        if (one.count++ > 0 && length >= one.candidate.at("answer").get_ref<const std::string&>().size())
          continue;
        one.failed = verdict.failed, one.reason = verdict.reason;
        one.verdict = verdict, one.candidate = candidate;
        one.id = candidate_id(sampled, verdict.row);
      }
    }
  std::vector<FailureClass> sorted;
  for (auto& [name, one] : classes) sorted.push_back(std::move(one));
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.count > b.count; });
  return sorted;
}

std::string answer_block(const std::string& answer, const Verdict& verdict) {
  std::string text = "<pre><code>";
  const auto lines = split_lines(answer);
  const auto why = "<span class=\"why\">     ^ " + html_escaped(verdict.message) + "</span>\n";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool blamed = static_cast<int>(i) + 1 == verdict.line;
    const auto line = fmt::format("<span class=\"n\">{:>4} </span>{}", i + 1, html_escaped(lines[i]));
    text += blamed ? "<span class=\"at\">" + line + "</span>\n" + why : line + "\n";
  }
  const bool placed = verdict.line >= 1 && verdict.line <= static_cast<int>(lines.size());
  text += "</code></pre>\n";
  if (!placed && !verdict.message.empty()) text += "<p>" + html_escaped(verdict.message) + "</p>\n";
  return text;
}

}  // namespace

std::string failures_section(const ReportContents& contents) {
  int judged = 0, refused = 0;
  const auto classes = failure_classes(contents, judged);
  if (classes.empty()) return {};
  for (const auto& one : classes) refused += one.count;
  std::string text = fmt::format(
      "<section id=\"failures\"><h2>What fails, and how</h2>\n<p>The strict exam refused {} of {} candidates "
      "of all "
      "distinct rows. For each reason the shortest answer is shown.</p>\n",
      refused, judged);
  for (const auto& one : classes) {
    const auto reason = one.reason.empty() ? "no reason given" : one.reason;
    text += fmt::format("<details><summary><b>{}</b> (failed {}): {} of {}</summary>\n", html_escaped(reason),
                        html_escaped(one.failed.empty() ? "?" : one.failed), one.count, refused);
    text += fmt::format(
        "<p class=\"soft\"><code>{}</code>, task {} ({}){}; <code>trl candidate {}</code></p>\n", one.id,
        html_escaped(one.verdict.name), html_escaped(one.verdict.group),
        one.verdict.variation.empty() ? "" : ", on " + html_escaped(one.verdict.variation), one.id);
    text += answer_block(one.candidate.at("answer"), one.verdict);
    text += "<details><summary>Its prompt</summary><pre><code>" +
            html_escaped(one.candidate.at("prompt").get<std::string>()) +
            "</code></pre></details>\n</details>\n";
  }
  return text + "</section>\n";
}

}  // namespace trl::interpreter
