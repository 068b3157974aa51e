#include "interpreter/paper/paper.hpp"

#include "base/statistics/decision.hpp"

#include <fmt/format.h>

namespace trl::interpreter::paper {
namespace {
using nlohmann::json;

/// A title has room for a question, but not for everything that the file says about it.
constexpr std::size_t longest_title = 140;

std::string title_of(const Study& study) {
  for (const auto* declaration : {&study.experiment(), &study.document}) {
    auto title = first_sentence(declaration->value("doc", std::string()));
    if (title.empty() || title.size() > longest_title) continue;
    if (title.ends_with('.')) title.pop_back();
    return title;
  }
  return "The experiment `" + study.plan().experiment + "`";
}

/// "Of three hypotheses, one is supported (`a`) and two are undecided (`b` and `c`)."
std::string verdicts_in_words(const ReportContents& contents) {
  std::vector<std::string> kinds;
  std::map<std::string, std::vector<std::string>> names;
  for (const auto& result : contents.hypotheses) {
    const auto verdict = result.headline();
    if (!names.contains(verdict)) kinds.push_back(verdict);
    names[verdict].push_back(result.name);
  }
  std::vector<std::string> parts;
  for (const auto& kind : kinds) {
    const auto& these = names[kind];
    parts.push_back(fmt::format("{} {} {} ({})", number_word(these.size()), these.size() == 1 ? "is" : "are",
                                kind, names_in_words(these)));
  }
  const auto all = contents.hypotheses.size();
  if (all == 1)
    return fmt::format(" The hypothesis declared, {}, is {}.", names_in_words(names.begin()->second),
                       kinds.front());
  return all == 0 ? ""
                  : fmt::format(" Of {} declared, {}.", number_word(all) + " hypotheses", enumerated(parts));
}

std::string summary_of(const Study& study, const ReportContents* contents, const Missing& missing) {
  const auto& plan = study.plan();
  std::size_t cells = 0, controls = 0;
  for (const auto& row : plan.rows)
    cells += row.kind == Row::Kind::cell, controls += row.kind == Row::Kind::control;
  const bool cuda = study.experiment().value("language", "triton") == "cuda";
  auto text = fmt::format("A language model that writes GPU kernels in {} is ", cuda ? "CUDA C++" : "Triton");
  text += study.experiment().value("train", json::array()).empty() ? "evaluated" : "trained and evaluated";
  text += fmt::format(" in {}", in_words(cells, "cell"));
  if (controls > 0) text += " and " + in_words(controls, "control");
  text += fmt::format(" under {}, on an exam of {} tasks.",
                      in_words(plan.rows.empty() ? 0 : plan.rows.front().traces.size(), "seed"),
                      plan.exam_tasks.size());
  if (!contents)
    text += fmt::format(" This is a draft: {} of {} stages {} missing, and no hypothesis is judged.",
                        missing.stages, missing.all_stages, missing.stages == 1 ? "is" : "are");
  else
    text += verdicts_in_words(*contents);
  if (!plan.times_kernels) text += " Kernel times are modelled, not measured.";
  return text;
}

}  // namespace

Document write_paper(const Study& study) {
  const auto missing = missing_of(study);
  std::optional<ReportContents> contents;
  if (missing.stages == 0)
    contents.emplace(report_contents(study.request, study.document, study.evidence, study.sets));
  const ReportContents* told = contents ? &*contents : nullptr;
  Document paper;
  paper.title = title_of(study);
  paper.summary = summary_of(study, told, missing);
  const auto add = [&](std::vector<Block> blocks) {
    for (auto& block : blocks) paper.blocks.push_back(std::move(block));
  };
  add(setting(study));
  add(protocol(study));
  add(told ? results(study, *told) : unfinished_results(study, missing));
  add(limits(study, told));
  add(cost(study));
  add(reproducibility(study));
  paper.blocks.emplace_back(Listing{"The file `" + study.file + "`", study.text});
  for (const auto& [file, text] : study.imported)
    paper.blocks.emplace_back(Listing{"The file `" + file + "`, which it imports", text});
  constexpr int most_pages = 4;
  fit(paper, most_pages);
  return paper;
}

}  // namespace trl::interpreter::paper
