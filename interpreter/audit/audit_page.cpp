#include "interpreter/audit/audit_page.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "base/support/code_points.hpp"
#include "base/support/counted.hpp"
#include "interpreter/audit/verdict_columns.hpp"
#include "interpreter/report/escape.hpp"
#include "interpreter/wrap.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;

constexpr std::size_t most_stages = 12, most_lines = 6, slot_width = 28;
constexpr const char* layout = "{:<10}  {:<28} {:>10} {:>7} {:>8} {:>9}\n";

std::size_t unchecked_verdicts(const AuditedStage& stage) {
  return stage.auditable ? stage.omitted + stage.gpu : stage.candidates;
}

/// Returns the sum of all stages; lists, such as the differences, are concatenated.
AuditedStage all_of(const std::vector<AuditedStage>& stages) {
  AuditedStage all;
  for (const auto& stage : stages) {
    all.candidates += stage.candidates, all.again += stage.again, all.agreeing += stage.agreeing;
    all.unplanned += stage.unplanned, all.without_text += stage.without_text, all.omitted += stage.omitted,
        all.gpu += stage.gpu;
    const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    append(all.speeds, stage.speeds), append(all.differences, stage.differences);
    append(all.unchecked_correct, stage.unchecked_correct);
    for (const auto& [column, count] : stage.unchecked_columns) all.unchecked_columns[column] += count;
  }
  return all;
}

/// Prints the first lines of a list.
void show_lines(const std::vector<std::string>& lines, std::ostream& out) {
  constexpr std::size_t longest = 300;
  for (std::size_t i = 0; i < std::min(lines.size(), most_lines); ++i)
    out << wrapped(cut_to(terminal_safe(lines[i]), longest), 2) << '\n';
  if (lines.size() > most_lines)
    out << fmt::format("and {} more such lines, which --json has\n", lines.size() - most_lines);
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most_lines); ++i)
    text += (i ? ", " : "") + terminal_safe(names[i]);
  return text + (names.size() > most_lines ? fmt::format(" and {} more", names.size() - most_lines) : "");
}

void show_stages(const std::vector<AuditedStage>& stages, std::ostream& out) {
  out << fmt::format(fmt::runtime(layout), "stage", "", "candidates", "agree", "differ", "unchecked");
  for (std::size_t i = 0; i < std::min(stages.size(), most_stages); ++i) {
    const auto& stage = stages[i];
    const auto safe = terminal_safe(stage.slot);
    const auto slot = safe.size() <= slot_width ? safe : ".." + safe.substr(safe.size() - (slot_width - 2));
    const auto figure = [&](std::size_t count) { return stage.auditable ? std::to_string(count) : "-"; };
    out << fmt::format(fmt::runtime(layout), short_key(stage.key), slot, stage.candidates,
                       figure(stage.agreeing), figure(stage.differences.size()), unchecked_verdicts(stage));
  }
  if (stages.size() > most_stages)
    out << fmt::format("and {} more exams, which are in the sums below and in --json\n",
                       stages.size() - most_stages);
  out << '\n';
}

/// Lines about stages: damage and differences come before the reasons why other stages couldn't be audited,
/// so that a long list hides none of them. Stages with the same remark share a line.
std::vector<std::string> findings_of(const std::vector<AuditedStage>& stages) {
  std::vector<std::string> lines;
  std::map<std::string, std::vector<std::string>> others;
  for (const auto& stage : stages)
    if (stage.damaged || (stage.auditable && !stage.remark.empty()))
      lines.push_back(short_key(stage.key) + ": " + stage.remark);
    else if (!stage.remark.empty())
      others[stage.remark].push_back(short_key(stage.key));
  for (const auto& stage : stages)
    for (const auto& [candidate, how] : stage.differences) lines.push_back(candidate + ": " + how);
  for (const auto& [remark, keys] : others) lines.push_back(listed(keys) + ": " + remark);
  return lines;
}

/// The protocols and versions that differ from this program's, each once.
std::vector<std::string> remarks_of(const std::vector<AuditedStage>& stages) {
  std::set<std::string> lines;
  for (const auto& stage : stages) {
    std::string differences;
    for (const auto& one : stage.protocol) differences += (differences.empty() ? "" : "; ") + one;
    if (!differences.empty())
      lines.insert("its protocol isn't that of a usual exam (`trl explain exam`): " + differences);
    if (!stage.versions.empty())
      lines.insert("made by other versions, from which differences may come: " + stage.versions);
  }
  return {lines.begin(), lines.end()};
}

/// Lines about the candidates that couldn't be checked, by reason.
std::vector<std::string> unchecked_lines(const AuditedStage& all) {
  std::vector<std::string> lines;
  if (all.omitted)
    lines.push_back(counted(all.omitted, "verdict") + " whose plans were too large to be stored");
  if (all.gpu)
    lines.push_back(
        fmt::format("{} from a GPU's results, which aren't compared; `--kernel-times measured` "
                    "uses this machine's GPU",
                    all.gpu));
  if (!all.unchecked_correct.empty())
    lines.push_back("of these are published as correct: " + listed(all.unchecked_correct));
  std::vector<std::string> columns;
  for (const auto& [column, count] : all.unchecked_columns)
    columns.push_back(fmt::format("{} of {}", column, counted(count, "verdict")));
  if (!columns.empty()) lines.push_back(listed(columns) + ", which other machines can check");
  for (auto& line : lines) line = "not checked: " + line;
  return lines;
}

std::string never_compared() {
  std::string text;
  for (const auto& column : audited_columns())
    if (column.how == Compared::never) text += (text.empty() ? "" : ", ") + std::string(column.name);
  return "never compared: " + text + " of verdicts; seconds, summary, made_on and slot of stages";
}

void show_speeds(std::vector<double> speeds, std::ostream& out) {
  if (speeds.empty()) return;
  std::sort(speeds.begin(), speeds.end());
  const auto at = [&](std::size_t tenths) { return speeds[(speeds.size() - 1) * tenths / 10]; };
  out << wrapped(fmt::format("{} speed-ups measured again: {:.2f} of the published ones in the median, eight "
                             "of ten from {:.2f} to {:.2f}",
                             speeds.size(), at(5), at(1), at(9)),
                 2)
      << '\n';
}

json stage_json(const AuditedStage& stage) {
  json differing = json::array();
  for (const auto& [candidate, how] : stage.differences)
    differing.push_back({{"candidate", candidate}, {"how", how}});
  return {{"stage", stage.key},
          {"slot", stage.slot},
          {"auditable", stage.auditable},
          {"damaged", stage.damaged},
          {"remark", stage.remark},
          {"protocol", stage.protocol},
          {"versions", stage.versions},
          {"candidates", stage.candidates},
          {"again", stage.again},
          {"unplanned", stage.unplanned},
          {"without_text", stage.without_text},
          {"omitted", stage.omitted},
          {"gpu", stage.gpu},
          {"unchecked_correct", stage.unchecked_correct},
          {"unchecked_columns", stage.unchecked_columns},
          {"speeds", stage.speeds},
          {"agreeing", stage.agreeing},
          {"differing", differing}};
}

}  // namespace

std::string short_key(const std::string& key) {
  return key.empty() ? "the store" : terminal_safe(key.substr(0, 10));
}

void Audit::add(const std::vector<StageFinding>& findings) {
  for (const auto& [key, what] : findings) {
    auto stage = std::find_if(stages.begin(), stages.end(), [&](const auto& one) { return one.key == key; });
    if (stage == stages.end()) {
      stage = stages.insert(stages.end(), AuditedStage());
      stage->key = key;
    }
    stage->differences.push_back({short_key(key), what});
  }
}

bool Audit::refuted() const {
  return std::any_of(stages.begin(), stages.end(),
                     [](const AuditedStage& stage) { return !stage.differences.empty() || stage.damaged; });
}

bool Audit::unchecked() const {
  return std::any_of(stages.begin(), stages.end(),
                     [](const AuditedStage& stage) { return stage.unchecked(); });
}

void show_audit(const Audit& audit, bool colour, std::ostream& out) {
  const auto all = all_of(audit.stages);
  show_stages(audit.stages, out);
  show_lines(findings_of(audit.stages), out);
  show_lines(unchecked_lines(all), out);
  show_lines(remarks_of(audit.stages), out);
  if (all.unplanned)
    out << wrapped(fmt::format("{} of them without a plan: their verdicts are compared with what the "
                               "recorder said; `trl verify ID` asks it again",
                               all.unplanned),
                   2)
        << '\n';
  if (all.without_text)
    out << wrapped(counted(all.without_text, "answer") + " of a server without text, which nothing judged", 2)
        << '\n';
  show_speeds(all.speeds, out);
  out << wrapped(never_compared(), 2) << '\n';
  out << wrapped(fmt::format("keys computed again: {}; {} of training, which publish no plans",
                             counted(audit.keys.stages, "stage"),
                             counted(audit.keys.other_verdicts, "verify stage")),
                 2)
      << '\n';
  if (audit.signature && !audit.signature->signer.empty())
    out << wrapped(terminal_safe(audit.signature->signer) +
                       fmt::format("; {} of its list aren't in this store", audit.signature->absent),
                   2)
        << '\n';
  const auto unchecked =
      std::accumulate(audit.stages.begin(), audit.stages.end(), std::size_t{0},
                      [](std::size_t sum, const auto& stage) { return sum + unchecked_verdicts(stage); });
  const char* begin = !colour             ? ""
                      : audit.refuted()   ? "\x1b[31m"
                      : audit.unchecked() ? "\x1b[33m"
                                          : "\x1b[32m";
  out << begin
      << fmt::format("{} computed again: {} agree, {} differ, {} unchecked", counted(all.again, "verdict"),
                     all.agreeing, all.differences.size(), unchecked)
      << (colour ? "\x1b[0m" : "") << '\n';
}

json audit_json(const Audit& audit) {
  json stages = json::array();
  for (const auto& stage : audit.stages) stages.push_back(stage_json(stage));
  return stages;
}

}  // namespace trl::interpreter
