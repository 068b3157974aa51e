#include <algorithm>
#include <cmath>
#include <set>

#include "base/contract/form.hpp"
#include "base/contract/stages/draw.hpp"
#include "base/formulas/expression.hpp"
#include "base/support/quoted_names.hpp"
#include "base/support/rounded.hpp"
#include "interpreter/report/escape.hpp"
#include "interpreter/report/hardware.hpp"
#include "interpreter/report/html_sections.hpp"
#include "interpreter/report/typeset.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;

std::string joined(const std::vector<std::string>& texts, const char* between) {
  std::string text;
  for (const auto& one : texts) text += (text.empty() ? "" : between) + one;
  return text;
}

std::string percent(double share) { return rounded(100 * share, 1) + "\u00a0%"; }

std::string share_bar(double share) {
  return fmt::format("<span class=\"bar\"><i style=\"width:{:.1f}%\"></i></span> {}",
                     100 * std::clamp(share, 0.0, 1.0), percent(share));
}

/// The tasks that a round sampled, and the rows that share them: rows with equal tasks, shares and
/// accuracies.
struct Draw {
  int round = 0;
  std::uint64_t seed = 0;
  json stage;
  std::vector<std::string> rows;
};

std::vector<Draw> distinct_draws(const Plan& plan, const Store& store) {
  std::vector<Draw> draws;
  for (const auto& row : plan.rows)
    for (const auto& trace : row.traces)
      for (const auto& round : trace.rounds) {
        auto stage = store.stage(round.draw);
        auto found = std::find_if(draws.begin(), draws.end(), [&](const Draw& draw) {
          return draw.round == round.number && draw.seed == trace.seed &&
                 draw.stage.at("summary") == stage.at("summary");
        });
        if (found == draws.end())
          found = draws.insert(draws.end(), {round.number, trace.seed, std::move(stage), {}});
        found->rows.push_back(row.label);
      }
  std::stable_sort(draws.begin(), draws.end(), [](const Draw& a, const Draw& b) {
    return std::pair(a.round, a.seed) < std::pair(b.round, b.seed);
  });
  return draws;
}

/// The shares of a curriculum: "level2 = 0.1 + …, level1 = rest".
std::string share_text(const json& share) {
  std::vector<std::string> groups;
  for (const auto& [group, of] : contract::read_as<contract::DrawSpec::Share>(share))
    groups.push_back(group + " = " + (of.formula ? formula_text(of.formula->body) : "rest"));
  return joined(groups, ", ");
}

std::string field(const std::string& term, const std::string& html) {
  return "<dt>" + html_escaped(term) + "</dt><dd>" + html + "</dd>\n";
}

std::string code(const std::string& text) { return "<code>" + html_escaped(text) + "</code>"; }

}  // namespace

std::string curriculum_section(const ReportContents& contents) {
  const auto draws = distinct_draws(contents.evidence.plan(), contents.evidence.store());
  if (draws.empty()) return {};
  std::set<std::string> groups;
  for (const auto& draw : draws) {
    const auto& summary = draw.stage.at("summary");
    const auto counts = summary.value("counts", json::object());
    for (const auto& [group, count] : counts.items()) groups.insert(group);
  }
  std::string text =
      "<section id=\"curriculum\"><h2>Tasks of each round</h2>\n<p class=\"soft\">The share of the "
      "round’s tasks that each group got. It should be the group’s share of all training tasks or, with a "
      "curriculum, what its formula gives; where whole tasks only come near that, it stands below. Last "
      "comes "
      "the correct share of the last round’s candidates that entered the formula.</p>\n" +
      scrolled("tasks of each round") + "<table class=\"words\"><thead><tr><th scope=\"col\">round</th>";
  const bool several_seeds = std::any_of(draws.begin(), draws.end(),
                                         [&](const Draw& draw) { return draw.seed != draws.front().seed; });
  if (several_seeds) text += "<th scope=\"col\">seed</th>";
  for (const auto& group : groups) text += "<th scope=\"col\">" + html_escaped(group) + "</th>";
  text += "<th scope=\"col\">accuracy in the formula</th><th scope=\"col\">rows</th></tr></thead><tbody>\n";
  std::set<std::string> formulas;
  for (const auto& draw : draws) {
    const auto& stage = draw.stage;
    const auto& summary = stage.at("summary");
    const double tasks = summary.value("tasks", 0.0);
    text += fmt::format("<tr><td>{}</td>", draw.round);
    if (several_seeds) text += fmt::format("<td>{}</td>", draw.seed);
    for (const auto& group : groups) {
      const double count = summary.value("counts", json::object()).value(group, 0.0);
      const double share = tasks > 0 ? count / tasks : 0;
      const double wanted = summary.value("shares", json::object()).value(group, share);
      text += fmt::format("<td>{}<small>{:g} of {:g} tasks{}</small></td>", share_bar(share), count, tasks,
                          std::abs(wanted - share) < 0.0005 ? "" : "; should be " + percent(wanted));
    }
    std::vector<std::string> accuracy;
    if (stage.at("spec").contains("share")) {
      formulas.insert(share_text(stage["spec"]["share"]));
      const auto measured = summary.value("accuracy", json::object());
      for (const auto& [group, value] : measured.items())
        if (value.is_number())
          accuracy.push_back(
              fmt::format("{} {} %", html_escaped(group), rounded(100 * value.get<double>(), 1)));
    }
    text += "<td>" + (accuracy.empty() ? std::string("none: shares of the pool") : joined(accuracy, "<br>")) +
            "</td><td>" + html_with_code(quoted_names(draw.rows)) + "</td></tr>\n";
  }
  text += "</tbody></table></div>\n";
  for (const auto& formula : formulas)
    text += "<p class=\"soft\">The curriculum: <code>" + html_escaped(formula) + "</code></p>\n";
  return text + "</section>\n";
}

std::string provenance_section(const ReportContents& contents) {
  const auto& provenance = contents.provenance;
  std::string text = "<section id=\"provenance\"><h2>Provenance</h2>\n<dl>\n";
  text += field("file", code(contents.document.value("file", "")));
  const auto sets = provenance.at("set").get<std::vector<std::string>>();
  text += field("overrides", sets.empty() ? "none" : code(joined(sets, " ")));
  text += field("trl", html_escaped(provenance.at("trl").get<std::string>()));
  std::set<std::string> chains;
  for (const auto& [key, stage] : provenance.at("stages").items())
    chains.insert(stage.value("tool_chain", provenance.at("tool_chain").get<std::string>()));
  text += field("tool chain", html_escaped(joined({chains.begin(), chains.end()}, "; ")));
  text += field("seeds", html_escaped(provenance.at("resolved").value("seeds", json::array({1})).dump()));
  text += field("secret", provenance.at("secret_sha256").is_string()
                              ? "SHA-256 " + code(provenance["secret_sha256"])
                              : "not in this store");
  for (const auto& share : machines_of(contents.evidence.plan(), contents.evidence.store()))
    text += field("made on", html_escaped(machine_text(share)));
  for (const auto& model : provenance.at("models"))
    text += field("model", "config, tokenizer and weights, SHA-256 " + code(model));
  for (const auto& data : provenance.at("data"))
    text += field(data.at("slot"),
                  html_escaped(data.at("file").get<std::string>()) + ", SHA-256 " + code(data.at("sha256")));
  for (const auto& note : provenance.at("notes"))
    text += field("note", html_with_code(note.get<std::string>()));
  text += "</dl>\n";
  const auto allowed = contents.experiment.value("allowed", json::array());
  text += "<h3>Rules that were allowed</h3>\n";
  if (allowed.empty()) text += "<p>None.</p>\n";
  for (const auto& rule : allowed)
    text += fmt::format("<p><code>{}</code>: \u201c{}\u201d <span class=\"soft\">({})</span></p>\n",
                        html_escaped(rule.value("rule", "?")), html_escaped(rule.value("reason", "")),
                        html_escaped(rule.value("where", "")));
  text +=
      "<h3>Stages</h3>\n<p class=\"soft\">The results from which every row is made, by key. "
      "provenance.json has their specs, inputs and summaries.</p>\n";
  for (const auto& row : provenance.at("rows")) {
    text += "<details><summary>" + html_typeset(row.at("row").get<std::string>()) + "</summary><dl>\n";
    for (const auto& chain : row.at("chains"))
      for (const auto& [slot, key] : chain.at("stages").items())
        text += field(fmt::format("seed {}, {}", chain.at("seed").dump(), slot),
                      code(key.get<std::string>().substr(0, 10)));
    text += "</dl></details>\n";
  }
  return text + "</section>\n";
}

}  // namespace trl::interpreter
