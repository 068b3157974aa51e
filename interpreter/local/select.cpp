#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include "base/contract/rows.hpp"
#include "base/contract/stages/select.hpp"
#include "base/contract/verdict.hpp"
#include "base/support/error.hpp"
#include "base/support/random.hpp"
#include "interpreter/files.hpp"
#include "interpreter/local/local_stage.hpp"
#include "interpreter/local/reward.hpp"
#include "interpreter/store/rows.hpp"

namespace trl::interpreter {
namespace {
using nlohmann::json;

/// An answer and its rewards. In episodes of several turns, `row` counts the answers of all turns.
struct Scored {
  std::size_t row = 0;
  std::int64_t sample = 0;
  int turn = 1;
  bool correct = false;
  double reward = 0;
  double returned = 0;       ///< the reward and, discounted, the rewards of the episode's later turns
  double plan_reward = 0;    ///< the reward of the plan tokens, if the spec has a formula for it
  double plan_returned = 0;  ///< plan rewards, summed as in `returned`
};

/// An answer that is trained on.
struct Chosen {
  std::size_t row = 0;
  double weight = 1;
  std::optional<std::int64_t> pair;
  std::optional<double> plan;  ///< the weight of the plan tokens, if they have one of their own
};

std::size_t distinct_answers(const std::vector<contract::Candidate>& candidates) {
  std::set<std::pair<std::size_t, std::string_view>> answers;
  for (const auto& candidate : candidates) answers.emplace(candidate.task, candidate.answer);
  return answers.size();
}

/// Whether all rewards are equal. Their mean isn't used, since it may differ from equal numbers by rounding.
bool are_equal(const std::vector<double>& rewards) {
  return std::all_of(rewards.begin(), rewards.end(),
                     [&](double reward) { return reward == rewards.front(); });
}

/// Selects the candidates to train on.
struct Selection {
  const contract::SelectSpec& spec;
  const std::vector<contract::Task>& tasks;
  const std::vector<contract::Candidate>& candidates;
  const std::vector<std::vector<Scored>>& by_task;  ///< the candidates of each task

  /// Returns the rows to train on, task by task. Weights are relative to all answers to a task, kept or not.
  std::vector<Chosen> chosen() const {
    if (spec.weigh == contract::Weigh::pairs) return in_pairs();
    const auto weights = this->weights(&Scored::returned);
    const auto plans = spec.plan_reward ? this->weights(&Scored::plan_returned) : std::vector<double>();
    std::vector<Chosen> chosen;
    for (const std::size_t row : kept())
      chosen.push_back({row, weights[row], {}, plans.empty() ? std::nullopt : std::optional(plans[row])});
    return chosen;
  }

 private:
  /// Rows of candidates.
  std::vector<std::size_t> kept() const {
    if (spec.keeps_all()) return all();
    if (spec.keep_by == contract::KeepBy::reward) return by_reward();
    auto rows = at_random();
    if (spec.match != contract::Match::none) cut(rows, by_reward());
    return rows;
  }

  /// Returns the weight of each row's loss, from one of its returns.
  std::vector<double> weights(double Scored::*returned) const {
    std::vector<double> weights(candidates.size(), 1);
    if (spec.weigh == contract::Weigh::none) return weights;
    for (const auto& scored : by_task)
      for (int turn = 1; turn <= spec.turns; ++turn) {
        std::vector<std::size_t> rows;
        std::vector<double> returns;
        for (const auto& one : scored)
          if (one.turn == turn) rows.push_back(one.row), returns.push_back(one.*returned);
        for (std::size_t i = 0; i < rows.size(); ++i) weights[rows[i]] = weight(returns[i], returns);
      }
    return weights;
  }

  /// Returns the weight of a return, relative to all returns of the task's answers in the same turn. With
  /// `leave_one_out` and several turns this is TRLOO (Dr. Kernel, Liu et al. 2026): A(i,t) = G(i,t) - 1/(N-1)
  /// sum over j != i of G(j,t), where N episodes reached turn t.
  double weight(double reward, const std::vector<double>& rewards) const {
    const double count = static_cast<double>(rewards.size());
    double sum = 0, squares = 0;
    for (const double one : rewards) sum += one;
    const bool equal = count > 1 && are_equal(rewards);
    switch (spec.weigh) {
      case contract::Weigh::reward:
        return reward;
      case contract::Weigh::exponential:
        return std::exp((reward - 1) / spec.temperature.value());
      case contract::Weigh::mean:
        return equal ? 0 : reward - sum / count;
      case contract::Weigh::leave_one_out:
        return equal ? 0 : count > 1 ? reward - (sum - reward) / (count - 1) : reward;
      case contract::Weigh::standardised:
        // The 1e-4 is added as in Hugging Face's TRL. It prevents huge weights if rewards are nearly equal.
        for (const double one : rewards) squares += (one - sum / count) * (one - sum / count);
        return count > 1 && !equal ? (reward - sum / count) / (std::sqrt(squares / (count - 1)) + 1e-4) : 0;
      case contract::Weigh::none:
      case contract::Weigh::pairs:
        break;
    }
    return 1;
  }

  /// Returns at most `keep` pairs of a right and a wrong answer for each task. Right answers are chosen by
  /// reward, wrong answers at random.
  std::vector<Chosen> in_pairs() const {
    std::vector<Chosen> chosen;
    std::int64_t pair = 0;
    for (std::size_t task = 0; task < by_task.size(); ++task) {
      auto right = by_sample(by_task[task]), wrong = right;
      std::erase_if(right, [](const Scored& one) { return !one.correct; });
      std::erase_if(wrong, [](const Scored& one) { return one.correct; });
      std::stable_sort(right.begin(), right.end(), [](auto& a, auto& b) { return a.reward > b.reward; });
      RandomStream(stream(tasks[task].key)).shuffle(wrong);
      std::vector<std::size_t> rights, wrongs;
      add_first(right, rights);
      add_first(wrong, wrongs);
      if (rights.empty() || wrongs.empty()) continue;
      for (std::size_t i = 0; i < std::max(rights.size(), wrongs.size()); ++i, ++pair) {
        chosen.push_back({rights[i % rights.size()], 1, pair, {}});
        chosen.push_back({wrongs[i % wrongs.size()], -1, pair, {}});
      }
    }
    return chosen;
  }

  std::vector<std::size_t> all() const {
    std::vector<std::size_t> rows;
    for (const auto& scored : by_task)
      for (const auto& one : by_sample(scored)) rows.push_back(one.row);
    return rows;
  }

  std::string stream(const std::string& of) const {
    return std::to_string(spec.seed) + "/keep/" + of + "/" + std::to_string(spec.round) + "/0";
  }

  static std::vector<Scored> by_sample(std::vector<Scored> scored) {
    std::sort(scored.begin(), scored.end(),
              [](auto& a, auto& b) { return std::pair(a.turn, a.sample) < std::pair(b.turn, b.sample); });
    return scored;
  }

  /// Adds the first `keep` of a task's candidates. Equal answers are added only once, unless duplicates are
  /// kept.
  void add_first(const std::vector<Scored>& scored, std::vector<std::size_t>& rows) const {
    std::set<std::string_view> answers;
    std::size_t left = spec.keep;
    for (const Scored& one : scored) {
      if (left == 0) return;
      if (spec.duplicates == contract::Duplicates::drop && !answers.insert(candidates[one.row].answer).second)
        continue;
      rows.push_back(one.row), --left;
    }
  }

  std::vector<std::size_t> by_reward() const {
    std::vector<std::size_t> rows;
    for (const auto& all : by_task) {
      auto scored = by_sample(all);
      std::erase_if(scored, [&](const Scored& s) { return !(s.reward > spec.min_reward); });
      std::stable_sort(scored.begin(), scored.end(), [](auto& a, auto& b) { return a.reward > b.reward; });
      add_first(scored, rows);
    }
    return rows;
  }

  std::vector<std::size_t> at_random() const {
    std::vector<std::size_t> rows;
    for (std::size_t task = 0; task < by_task.size(); ++task) {
      auto scored = by_sample(by_task[task]);
      RandomStream(stream(tasks[task].key)).shuffle(scored);
      add_first(scored, rows);
    }
    return rows;
  }

  /// Keeps a random choice of the rows, over all tasks and in their order: at most as many rows as `like`
  /// has, or rows with at most as many tokens in all.
  void cut(std::vector<std::size_t>& rows, const std::vector<std::size_t>& like) const {
    const auto size = [&](std::size_t row) {
      return spec.match == contract::Match::samples ? 1 : candidates[row].tokens;
    };
    std::int64_t left = 0;
    for (const std::size_t row : like) left += size(row);
    auto order = rows;
    RandomStream(stream("match")).shuffle(order);
    std::set<std::size_t> chosen;
    for (const std::size_t row : order)
      if (size(row) <= left) left -= size(row), chosen.insert(row);
    std::erase_if(rows, [&](std::size_t row) { return !chosen.contains(row); });
  }
};

/// The answers of all turns and their verdicts, turn after turn.
struct Judged {
  std::vector<contract::Candidate> candidates;
  std::vector<contract::VerdictRow> verdicts;
};

Judged judged(const LocalStage& stage, int turns) {
  Judged all;
  for (int turn = 1; turn <= turns; ++turn) {
    const auto& answers = stage.inputs.at(contract::input_of_turn("candidates", turn));
    const auto& found = stage.inputs.at(contract::input_of_turn("verdicts", turn));
    auto candidates = rows_as<contract::Candidate>(answers, "candidates.jsonl");
    auto verdicts = rows_as<contract::VerdictRow>(found, "verdicts.jsonl");
    if (candidates.size() != verdicts.size())
      throw UserError(std::to_string(candidates.size()) + " candidates, but " +
                      std::to_string(verdicts.size()) + " verdicts in " + found.folder().string());
    for (auto& one : candidates) all.candidates.push_back(std::move(one));
    for (auto& one : verdicts) all.verdicts.push_back(std::move(one));
  }
  return all;
}

/// Gives each answer its returns: its rewards and, discounted, the returns of its episode's next answer.
void add_returns(std::vector<Scored>& scored, double discount) {
  std::map<std::pair<std::int64_t, int>, const Scored*> of_answer;
  std::sort(scored.begin(), scored.end(), [](auto& a, auto& b) { return a.turn > b.turn; });
  for (auto& one : scored) {
    const auto next = of_answer.find({one.sample, one.turn + 1});
    const auto later = next == of_answer.end() ? Scored() : *next->second;
    one.returned = one.reward + discount * later.returned;
    one.plan_returned = one.plan_reward + discount * later.plan_returned;
    of_answer[{one.sample, one.turn}] = &one;
  }
  std::sort(scored.begin(), scored.end(), [](auto& a, auto& b) { return a.row < b.row; });
}

/// The shares of episodes with a right answer within the first turn, the first two, …
json correct_after(const std::vector<std::vector<Scored>>& by_task, int turns) {
  std::vector<std::int64_t> right(static_cast<std::size_t>(turns), 0);
  std::int64_t episodes = 0;
  for (const auto& scored : by_task)
    for (const auto& one : scored) {
      episodes += one.turn == 1;
      if (one.correct)
        for (int turn = one.turn; turn <= turns; ++turn) ++right[static_cast<std::size_t>(turn) - 1];
    }
  json shares = json::object();
  for (int turn = 1; turn <= turns && episodes > 0; ++turn)
    shares["correct_after_" + std::to_string(turn)] =
        double(right[static_cast<std::size_t>(turn) - 1]) / double(episodes);
  return shares;
}

}  // namespace

json run_select(const LocalStage& stage) {
  const auto spec = contract::SelectSpec::read(stage.spec);
  const auto seed = std::to_string(spec.seed), round = std::to_string(spec.round);
  const auto tasks = tasks_of(stage.inputs.at("tasks"));
  const auto [candidates, verdicts] = judged(stage, spec.turns);

  std::vector<std::vector<Scored>> by_task(tasks.size());
  std::vector<contract::Reward> rewards;
  double sum = 0, plan_sum = 0;
  int correct = 0;
  std::size_t counted = 0;                              // answers that were judged
  std::map<std::string, std::pair<int, int>> by_group;  // how many are correct, of how many
  for (std::size_t row = 0; row < verdicts.size(); ++row) {
    const auto& verdict = verdicts[row];
    const auto& task = tasks.at(verdict.task);
    const int turn = candidates[row].turn;
    double noise = 1;
    if (spec.timing_noise)
      noise =
          timer_noise(*spec.timing_noise, RandomStream(seed + "/timer/" + task.key + "/" + round + "/" +
                                                       std::to_string(verdict.sample) +
                                                       (turn > 1 ? "/turn " + std::to_string(turn) : "")));
    const auto record = reward_record(verdict, noise, candidates[row].tokens, spec);
    const double reward = reward_of(spec.reward, record);
    std::optional<double> plan_reward;
    if (spec.plan_reward) plan_reward = reward_of(*spec.plan_reward, record);
    const double of_plan = plan_reward.value_or(0);
    rewards.push_back({verdict.task, verdict.sample, reward, false, turn, {}, plan_reward});
    if (!verdict.judged()) continue;  // such an answer teaches nothing, and is neither right nor wrong
    by_task[verdict.task].push_back(
        {row, verdict.sample, turn, verdict.correct, reward, reward, of_plan, of_plan});
    ++counted, sum += reward, plan_sum += of_plan;
    correct += verdict.correct;
    auto& [right, all] = by_group[task.suite];
    right += verdict.correct, ++all;
  }

  if (spec.turns > 1)
    for (auto& scored : by_task) {
      add_returns(scored, spec.discount);
      for (const auto& one : scored) rewards[one.row].returned = one.returned;
    }
  const auto chosen = Selection{spec, tasks, candidates, by_task}.chosen();
  std::set<std::size_t> tasks_kept;
  std::vector<contract::Sample> samples;
  std::vector<contract::Candidate> sampled;
  for (const auto& [row, weight, pair, plan] : chosen) {
    const auto& candidate = candidates[row];
    samples.push_back({candidate.name, candidate.group, tasks.at(candidate.task).key, candidate.prompt,
                       candidate.answer, "",
                       candidate.finish == "length" ? std::optional(candidate.finish) : std::nullopt, weight,
                       plan, pair, candidate.drawn});
    tasks_kept.insert(verdicts[row].task);
    if (rewards[row].kept) continue;
    rewards[row].kept = weight != 0 || plan.value_or(0) != 0;
    sampled.push_back(candidate);
  }
  write_json_lines(stage.output / "samples.jsonl", written_rows(samples));
  write_json_lines(stage.output / "candidates.jsonl", written_rows(sampled));
  write_json_lines(stage.output / "rewards.jsonl", written_rows(rewards));

  auto accuracy = json::object();
  for (const auto& [group, counts] : by_group)
    accuracy[group] = {{"correct", counts.first}, {"candidates", counts.second}};

  const double n = static_cast<double>(counted);
  const auto cut_off = std::count_if(candidates.begin(), candidates.end(),
                                     [](const auto& candidate) { return candidate.finish == "length"; });
  json summary = {{"candidates", verdicts.size()},
                  {"correct", correct},
                  {"kept", chosen.size()},
                  {"tasks_without", tasks.size() - tasks_kept.size()},
                  {"cut_off", cut_off},
                  {"distinct", distinct_answers(candidates)},
                  {"mean_reward", counted == 0 ? json() : json(sum / n)},
                  {"accuracy", accuracy}};
  if (spec.weigh == contract::Weigh::pairs) summary["pairs"] = chosen.size() / 2;
  if (spec.turns > 1) summary.update(correct_after(by_task, spec.turns));
  if (spec.plan_reward) summary["mean_plan_reward"] = counted == 0 ? json() : json(plan_sum / n);
  return summary;
}

}  // namespace trl::interpreter
