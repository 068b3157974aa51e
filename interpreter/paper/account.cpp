// Writes the limitations that a reader must know, the study's cost, and how to repeat the study.
#include <algorithm>
#include <set>

#include "base/contract/stages/kinds.hpp"
#include "base/statistics/decision.hpp"
#include "base/support/counted.hpp"
#include "base/support/digest.hpp"
#include "interpreter/paper/paper.hpp"
#include "interpreter/report/hardware.hpp"
#include "interpreter/report/provenance.hpp"
#include "interpreter/report/runs.hpp"
#include "interpreter/report/servers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace trl::interpreter::paper {
namespace {
using nlohmann::json;

/// Returns a stage's slot in words, without the row that comes first in it: "corpus windtunnel.corpus, seed
/// 1".
std::string place_in_words(const std::string& slot) {
  const auto seed = slot.find("/seed ");
  const auto after = seed == std::string::npos ? seed : slot.find('/', seed + 1);
  if (after == std::string::npos) return slot;
  return slot.substr(after + 1) + ", " + slot.substr(seed + 1, after - seed - 1);
}

/// "11,935".
std::string with_thousands(std::size_t number) {
  auto text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

/// A sentence of a report with a capital letter and a full stop.
std::string as_sentence(std::string text) {
  text = capitalised(std::move(text));
  return text.ends_with('.') ? text : text + ".";
}

/// Returns the plan with only the stages that the store has, so that an unfinished study's machines and data
/// can be listed.
Plan finished_part(const Study& study) {
  Plan plan = study.plan();
  std::erase_if(plan.stages, [&](const Stage& stage) { return !study.evidence.store().has(stage.key); });
  return plan;
}

/// Hypotheses whose verdict a larger study would change.
std::string undecided_in_words(const ReportContents& contents) {
  std::vector<std::string> names;
  for (const auto& result : contents.hypotheses)
    if (result.decision.verdict == statistics::Verdict::undecided) names.push_back(result.name);
  if (names.empty()) return {};
  return fmt::format(
      "The study is too small, or the effect too near to nothing, for {}: that {} undecided is no sign that "
      "there is no effect.",
      names_in_words(names), names.size() == 1 ? "it is" : "they are");
}

}  // namespace

Missing missing_of(const Study& study) {
  Missing out;
  const auto& store = study.evidence.store();
  out.all_stages = study.plan().stages.size();
  for (const auto& stage : study.plan().stages) out.stages += !store.has(stage.key);
  for (const auto& row : study.plan().rows) {
    std::vector<std::uint64_t> seeds;
    for (const auto& trace : row.traces)
      if (std::any_of(trace.slots.begin(), trace.slots.end(),
                      [&](const auto& slot) { return !store.has(slot.second); }))
        seeds.push_back(trace.seed);
    if (!seeds.empty()) out.rows.emplace_back(row.label, std::move(seeds));
  }
  return out;
}

std::vector<Block> limits(const Study& study, const ReportContents* contents) {
  const auto& plan = study.plan();
  Items items;
  const auto add = [&](const std::string& sentence) {
    if (!sentence.empty()) items.texts.push_back(as_sentence(sentence));
  };
  if (!plan.times_kernels)
    add("kernel times are modelled, not measured, and so is every figure of speed and every reward that uses "
        "one");
  if (!plan.rows.empty() && plan.rows.front().traces.size() == 1)
    add("every row was trained under one seed, so that intervals don't cover what another seed would change");
  if (contents) {
    add(undecided_in_words(*contents));
    for (const auto& reported : contents->tables)
      for (const auto& sentence : row_sentences(reported.table)) add(sentence);
    add(evidence_sentence(study.evidence));
    add(survival_sentence(study.evidence));
    add(unjudged_sentence(study.evidence));
    for (const auto& sentence : idle_round_sentences(study.evidence)) add(sentence);
    for (const auto& sentence : absent_sentences(study.evidence)) add(sentence);
    for (const auto& sentence : run_sentences(plan, study.evidence.store())) add(sentence);
    for (const auto& sentence : server_sentences(study.evidence)) add(sentence);
    for (const auto& warning : contents->warnings)
      if (!warning.starts_with("pictures")) add(warning);
  }
  if (!plan.inert.empty()) add(names_in_words(plan.inert) + " can't act on this machine");
  for (const auto& allowed : study.experiment().value("allowed", json::array()))
    add(fmt::format("the check `{}` objects to this design and was silenced, with the reason: {}",
                    allowed.value("rule", "?"), allowed.value("reason", "")));
  std::vector<std::string> others;
  for (const auto& [name, experiment] : study.document.at("experiments").items())
    if (name != plan.experiment) others.push_back(name);
  if (!others.empty())
    add(fmt::format("the file also declares {}, of which nothing is told here", names_in_words(others)));
  // A sentence that holds for several tables is written only once.
  std::vector<std::string> once;
  for (auto& text : items.texts)
    if (std::find(once.begin(), once.end(), text) == once.end()) once.push_back(std::move(text));
  items.texts = std::move(once);
  if (items.texts.empty()) return {};
  return {Section{"Limits, and what wasn't run"}, std::move(items)};
}

std::vector<Block> cost(const Study& study) {
  const auto& store = study.evidence.store();
  std::map<std::string, double> seconds;
  double total = 0, price = 0;
  std::size_t sampled = 0, answers = 0;
  for (const auto& stage : study.plan().stages) {
    if (!store.has(stage.key)) continue;
    const auto made = store.stage(stage.key);
    const char* what = contract::gives_candidates(stage.kind)                 ? "sampling answers"
                       : stage.kind == "verify"                               ? "verifying them"
                       : stage.kind == "finetune" || stage.kind == "pretrain" ? "training"
                                                                              : "everything else";
    seconds[what] += seconds_of(made), total += seconds_of(made);
    const auto& summary = made.at("summary");
    if (contract::samples_answers(stage.kind)) {
      sampled += summary.value("tokens", std::size_t{0});
      answers += summary.value("candidates", std::size_t{0});
    }
    if (const auto server = study.plan().endpoints.find(stage.key);
        server != study.plan().endpoints.end() && server->second.price)
      price += contract::price_of(*server->second.price, summary);
  }
  if (total == 0 && answers == 0) return {};
  std::vector<std::string> parts;
  for (const char* what : {"training", "sampling answers", "verifying them", "everything else"})
    if (const auto found = seconds.find(what); found != seconds.end() && found->second >= 0.5)
      parts.push_back(duration_in_words(found->second) + " of " + what);
  auto text = fmt::format("The stages of this study took {} of machine time", duration_in_words(total));
  if (!parts.empty()) text += ": " + enumerated(parts);
  text += ". Stages that rows share are counted once here, and in each row in the tables' cost.";
  text +=
      fmt::format(" {} with {} tokens were sampled.", counted(answers, "answer"), with_thousands(sampled));
  const auto machine = study.experiment().value("machine", json());
  if (machine.is_object())
    for (const char* kind : {"on_demand", "spot"})
      if (const auto per_second = machine.value(kind, json()); per_second.is_number())
        price += per_second.get<double>() * total;
  if (price > 0) text += fmt::format(" At the prices that the file declares that is {:.2f} usd.", price);
  return {Section{"Cost"}, Paragraph{"", text}};
}

std::vector<Block> reproducibility(const Study& study) {
  const auto& store = study.evidence.store();
  const auto plan = finished_part(study);
  const auto from = provenance(study.document, plan, store, study.sets);
  std::set<std::string> chains;
  for (const auto& [key, stage] : from.at("stages").items())
    chains.insert(stage.value("tool_chain", from.at("tool_chain").get<std::string>()));
  std::string text = fmt::format(
      "`{}` makes these results, and `{}` this document, with the same bytes from the same results. ",
      study.run_command, study.paper_command);
  text += fmt::format("Written with trl {}", from.at("trl").get<std::string>());
  // A chain that is the beginning of another chain is left out.
  std::erase_if(chains, [&](const std::string& one) {
    return std::any_of(chains.begin(), chains.end(), [&](const auto& other) {
      return other.size() > one.size() && other.starts_with(one);
    });
  });
  if (!chains.empty()) text += fmt::format("; results were made with {}", fmt::join(chains, "; "));
  text += fmt::format(". Training used {}; random inputs follow from a secret of the store",
                      seeds_in_words(study.plan()));
  text += from.at("secret_sha256").is_string() ? ", which is known by its SHA-256 alone." : ".";
  for (const auto& share : machines_of(plan, store))
    text += share.made_on
                ? " Stages were made on " + machine_text(share) + "."
                : " Of these stages no machine was recorded: " + machine_text(share).substr(14) + ".";
  Digests digests{"SHA-256 of what the results depend on",
                  {{"`" + study.file + "`", sha256_hex(study.text)}}};
  for (const auto& [file, imported] : study.imported)
    digests.of.emplace_back("`" + file + "`", sha256_hex(imported));
  for (const auto& model : from.at("models"))
    digests.of.emplace_back("model (config, tokenizer and weights)", model.get<std::string>());
  std::set<std::string> told;
  for (const auto& data : from.at("data"))
    if (const auto digest = data.at("sha256").get<std::string>(); told.insert(digest).second)
      digests.of.emplace_back(
          place_in_words(data.at("slot")) + ", `" + data.at("file").get<std::string>() + "`", digest);
  if (from.at("secret_sha256").is_string())
    digests.of.emplace_back("the secret", from["secret_sha256"].get<std::string>());
  return {Section{"Reproducibility"}, Paragraph{"", text}, std::move(digests)};
}

}  // namespace trl::interpreter::paper
