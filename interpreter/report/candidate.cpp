#include "interpreter/report/candidate.hpp"

#include <algorithm>

#include "base/contract/protocol.hpp"
#include "base/contract/rows.hpp"
#include "base/contract/stages/imported.hpp"
#include "base/contract/stages/kinds.hpp"
#include "base/contract/stages/sample.hpp"
#include "base/contract/stages/select.hpp"
#include "base/contract/stages/served.hpp"
#include "base/support/error.hpp"
#include "base/support/json_text.hpp"
#include "interpreter/files.hpp"
#include "interpreter/plan/exam.hpp"
#include "interpreter/store/rows.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;
namespace fs = std::filesystem;

constexpr std::size_t id_digits = 10;

struct ParsedId {
  std::string stage;
  std::size_t number = 0;
};

std::optional<ParsedId> parse(const std::string& id) {
  const auto dot = id.find('.');
  if (dot == std::string::npos || dot < id_digits || dot > 64) return std::nullopt;
  const auto stage = id.substr(0, dot), number = id.substr(dot + 1);
  if (stage.find_first_not_of("0123456789abcdef") != std::string::npos) return std::nullopt;
  if (number.empty() || number.size() > 9 || number.find_first_not_of("0123456789") != std::string::npos)
    return std::nullopt;
  return ParsedId{stage, std::stoul(number)};
}

/// Every stage in the store, by key.
std::map<std::string, json> all_stages(const Store& store) {
  std::map<std::string, json> stages;
  std::error_code error;
  for (const auto& shard : fs::directory_iterator(store.root() / "stages", error))
    if (shard.is_directory())
      for (const auto& entry : fs::directory_iterator(shard.path(), error))
        if (const auto key = entry.path().filename().string(); store.has(key)) stages[key] = store.stage(key);
  return stages;
}

std::string stage_of(const ParsedId& id, const std::map<std::string, json>& stages, const Store& store) {
  std::vector<std::string> found, samples;
  for (const auto& [key, stage] : stages) {
    if (!contract::gives_candidates(stage.at("kind"))) continue;
    samples.push_back(key.substr(0, id_digits));
    if (key.starts_with(id.stage)) found.push_back(key);
  }
  if (found.size() == 1) return found.front();
  if (found.size() > 1)
    throw UserError("more than one stage's key begins with " + id.stage, "Give more digits of it.");
  for (const auto& [key, stage] : stages)
    if (key.starts_with(id.stage) && stage.at("kind") == contract::ImportedSpec::kind)
      throw UserError(id.stage + " has imported results: the answers that they are of aren't here",
                      "A model with `weights = generations(path(\"…\"))` has a run's answers judged here.");
  for (const auto& [key, stage] : stages)
    if (key.starts_with(id.stage))
      throw UserError(fmt::format("{} is a {} stage: it has no candidates of its own", id.stage,
                                  stage.at("kind").get<std::string>()),
                      "IDs begin with the key of the stage that sampled; `trl trace` lists them.");
  throw UnknownStage("no stage in " + store.root().string() + " has a key that begins with " + id.stage,
                     "`trl trace FILE 'TABLE[ROW, COLUMN]'` lists IDs; --store DIR names another store.",
                     std::move(samples));
}

Verdict verdict_at(const Store& store, const std::string& key, const json& stage, std::size_t row) {
  return read_verdicts(store.result(key), store.result(stage.at("inputs").at("tasks"))).at(row);
}

/// Whether a row of a file belongs to the candidate, which answers this task.
bool is_of(const auto& row, const Candidate& candidate, std::size_t task) {
  return row.task == task && row.sample == candidate.sample && row.turn == candidate.turn;
}

/// The index of a candidate among the candidates that a select stage kept; nothing if it wasn't kept.
std::optional<std::size_t> place_among_kept(const Store& store, const std::string& select,
                                            const Candidate& candidate, std::size_t task) {
  const auto kept = rows_as<contract::Candidate>(store.result(select), "candidates.jsonl");
  for (std::size_t row = 0; row < kept.size(); ++row)
    if (is_of(kept[row], candidate, task)) return row;
  return std::nullopt;
}

bool has_input(const json& stage, const char* input, const std::string& key) {
  return stage.at("inputs").value(input, "") == key;
}

void add_judgement(Candidate& candidate, const Store& store, const std::string& key, const json& stage,
                   std::size_t row) {
  Judgement judgement{key, stage.value("slot", ""), false, {}, {}};
  const auto protocol = contract::Protocol::read(stage.at("spec"));
  for (const auto& variation : protocol.variations) judgement.variations.push_back(variation.text());
  judgement.strict = protocol.strict;
  judgement.verdict = verdict_at(store, key, stage, row);
  candidate.judgements.push_back(std::move(judgement));
}

void add_selection(Candidate& candidate, const Store& store, const std::map<std::string, json>& stages,
                   const std::string& select, std::size_t task) {
  const auto slot = stages.at(select).value("slot", "");
  for (const auto& reward : rows_as<contract::Reward>(store.result(select), "rewards.jsonl"))
    if (is_of(reward, candidate, task))
      candidate.rewards.push_back(
          {select, slot, reward.reward, reward.kept, reward.returned, reward.plan_reward});
  const auto kept = place_among_kept(store, select, candidate, task);
  if (!kept) return;
  for (const auto& [key, stage] : stages) {
    if (stage.at("kind") == "verify" && has_input(stage, "candidates", select))
      add_judgement(candidate, store, key, stage, *kept);
    if (stage.at("kind") == "finetune" && has_input(stage, "samples", select))
      candidate.trained.push_back(stage.value("slot", ""));
  }
}

/// Returns the ID of the answer with the candidate's task and number in the stage of another turn; empty if
/// there is none.
std::string in_turn(const Store& store, const std::string& sampled, const Candidate& candidate,
                    std::size_t task) {
  const auto rows = rows_as<contract::Candidate>(store.result(sampled), "candidates.jsonl");
  for (std::size_t row = 0; row < rows.size(); ++row)
    if (rows[row].task == task && rows[row].sample == candidate.sample) return candidate_id(sampled, row);
  return {};
}

void add_uses(Candidate& candidate, const fs::path& reports) {
  std::error_code error;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(reports, error))
    if (fs::exists(entry.path() / "provenance.json")) files.push_back(entry.path() / "provenance.json");
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    const auto provenance = read_json(file);
    for (const auto& row : provenance.value("rows", json::array()))
      for (const auto& chain : row.at("chains"))
        for (const auto& [slot, key] : chain.at("stages").items())
          if (key == candidate.stage)
            candidate.used_by.push_back(
                {provenance.value("experiment", ""), row.at("row"), slot, chain.at("seed")});
  }
}

}  // namespace

std::string candidate_id(const std::string& sample_key, std::size_t row) {
  return fmt::format("{}.{}", sample_key.substr(0, id_digits), row + 1);
}

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

Candidate find_candidate(const Store& store, const fs::path& reports, const std::string& id) {
  const auto parsed = parse(id);
  if (!parsed)
    throw UserError(
        "`" + id + "` isn't a candidate's ID",
        "An ID is ten digits of a stage's key, a dot and a number: 3fa2c1d09e.17. `trl trace FILE "
        "'TABLE[ROW, COLUMN]'` lists them.");
  const auto stages = all_stages(store);
  Candidate candidate;
  candidate.stage = stage_of(*parsed, stages, store);
  const auto& stage = stages.at(candidate.stage);
  const auto rows = rows_as<contract::Candidate>(store.result(candidate.stage), "candidates.jsonl");
  if (parsed->number < 1 || parsed->number > rows.size())
    throw UserError(fmt::format("stage {} has no candidate {}", parsed->stage, parsed->number),
                    fmt::format("It has candidates 1 to {}.", rows.size()));
  const auto row_number = parsed->number - 1;
  const auto& row = rows[row_number];
  candidate.id = candidate_id(candidate.stage, row_number);
  candidate.slot = stage.value("slot", "");
  candidate.name = row.name, candidate.group = row.group;
  candidate.prompt = row.prompt, candidate.answer = row.answer;
  candidate.finish = row.finish, candidate.tokens = static_cast<int>(row.tokens);
  candidate.sample = static_cast<int>(row.sample);
  candidate.turn = row.turn;
  if (stage.at("kind") == contract::ServedSpec::kind) {
    candidate.purpose = "served";
  } else {
    const auto spec = contract::SampleSpec::read(stage.at("spec"));
    candidate.purpose = spec.purpose, candidate.round = spec.round, candidate.seed = spec.seed;
  }
  const std::size_t task = row.task;
  candidate.task = store.result(stage.at("inputs").at("tasks")).value("tasks.json").at(task);
  for (const auto& [key, other] : stages) {
    const auto& kind = other.at("kind");
    if (kind == "select" &&
        has_input(other, contract::input_of_turn("candidates", candidate.turn).c_str(), candidate.stage))
      add_selection(candidate, store, stages, key, task);
    if (!has_input(other, "candidates", candidate.stage)) continue;
    if (kind == "verify") add_judgement(candidate, store, key, other, row_number);
    if (contract::gives_candidates(kind) && candidate.next.empty())
      candidate.next = in_turn(store, key, candidate, task);
  }
  if (const auto before = stage.at("inputs").value("candidates", ""); stages.contains(before))
    candidate.last = in_turn(store, before, candidate, task);
  std::stable_sort(candidate.judgements.begin(), candidate.judgements.end(),
                   [](const auto& a, const auto& b) { return a.strict < b.strict; });
  std::sort(candidate.trained.begin(), candidate.trained.end());
  add_uses(candidate, reports);
  return candidate;
}

}  // namespace trl::interpreter
