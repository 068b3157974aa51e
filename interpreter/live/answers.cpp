#include "interpreter/live/answers.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/contract/rows.hpp"
#include "base/contract/stages/kinds.hpp"
#include "interpreter/curve.hpp"
#include "interpreter/report/candidate.hpp"
#include "interpreter/store/rows.hpp"

namespace trl::interpreter {
namespace {
using nlohmann::json;

/// Rates count the last `recent` stages: the sum of their amounts divided by the sum of their seconds.
constexpr std::size_t recent = 16;
constexpr std::size_t most_refused = 8, most_reasons = 12;
constexpr std::size_t longest_answer = 4000, longest_message = 400;

constexpr const char* passed = "passed";
/// The classes of judged answers: first the accepted ones, then the refused ones by the step that refused
/// them, the last step first.
constexpr std::pair<const char*, const char*> classes[] = {
    {passed, "correct in all variations"}, {"timed", "refused while timed"},
    {"full", "wrong at full size"},        {"tiny", "wrong at small sizes"},
    {"compile", "doesn't compile"},        {"syntax", "no valid launch plan"},
    {"other", "refused otherwise"},        {"unjudged", "couldn't be judged"},
};

std::string class_of(const Verdict& verdict) {
  if (!verdict.judged) return "unjudged";
  if (verdict.correct) return passed;
  for (const auto& [name, title] : classes)
    if (verdict.failed == name) return name;
  return "other";
}

/// The text's beginning, cut between characters of UTF-8.
std::string beginning(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  auto end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "…";
}

template <class Item>
void push(std::deque<Item>& into, Item item, std::size_t most) {
  into.push_back(std::move(item));
  if (into.size() > most) into.pop_front();
}

json rate(double amount, double seconds) { return seconds > 0 ? json(brief(amount / seconds)) : json(); }

}  // namespace

void LiveAnswers::add(const Stage& stage, double seconds, const json& summary, const Evidence& evidence) {
  if (const auto own = summary.value("seconds", json()); own.is_number()) seconds = own;
  const bool samples = contract::samples_answers(stage.kind);
  if (const auto tokens = summary.value("tokens", json()); samples && tokens.is_number())
    push(sampled_, Work{seconds, tokens.get<double>(), {}}, recent);
  if (stage.kind != "verify") return;
  Work work;
  work.seconds = seconds;
  for (const auto& verdict : evidence.verdicts(stage.key)) {
    const auto name = class_of(verdict);
    ++classes_[name], ++work.classes[name];
    if (name != passed) ++reasons_[{name, verdict.reason}];
  }
  push(judged_, std::move(work), recent);
}

void LiveAnswers::keep_refused(const Stage& stage, const Plan& plan, const Store& store) {
  try {
    const Evidence evidence(plan, store);
    std::map<std::pair<std::string, std::string>, const Verdict*> one_of_each;
    for (const auto& verdict : evidence.verdicts(stage.key))
      if (const auto name = class_of(verdict); name != passed)
        one_of_each.emplace(std::pair(name, verdict.reason), &verdict);
    if (one_of_each.empty()) return;
    const auto places = evidence.candidates(stage.key);
    std::map<std::string, std::vector<contract::Candidate>> sampled;
    for (const auto& [of, verdict] : one_of_each) {
      const auto& place = places.at(verdict->row);
      auto& candidates = sampled[place.stage];
      if (candidates.empty())
        candidates = rows_as<contract::Candidate>(store.result(place.stage), "candidates.jsonl");
      push(refused_,
           json{{"id", candidate_id(place.stage, place.row)},
                {"stage", stage.slot},
                {"task", verdict->group + "/" + verdict->name},
                {"class", of.first},
                {"reason", verdict->reason},
                {"message", beginning(verdict->message, longest_message)},
                {"variation", verdict->variation},
                {"line", verdict->line},
                {"answer", beginning(candidates.at(place.row).answer, longest_answer)}},
           most_refused);
    }
  } catch (const std::exception&) {
    // The stages that need this result will report its damage.
  }
}

json LiveAnswers::counts() const {
  double tokens = 0, sampling = 0, judging = 0;
  for (const auto& work : sampled_) tokens += work.tokens, sampling += work.seconds;
  std::map<std::string, int> last;
  int judged = 0, all = 0;
  for (const auto& work : judged_) {
    judging += work.seconds;
    for (const auto& [name, count] : work.classes) last[name] += count, judged += count;
  }
  json of_class = json::array(), reasons = json::array();
  for (const auto& [name, title] : classes)
    if (const auto found = classes_.find(name); found != classes_.end()) {
      all += found->second;
      of_class.push_back({{"name", name},
                          {"title", title},
                          {"count", found->second},
                          {"per_second", rate(last[name], judging)}});
    }
  std::vector<std::pair<std::pair<std::string, std::string>, int>> by_count(reasons_.begin(), reasons_.end());
  std::stable_sort(by_count.begin(), by_count.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  by_count.resize(std::min(by_count.size(), most_reasons));
  for (const auto& [of, count] : by_count)
    reasons.push_back({{"class", of.first}, {"reason", of.second}, {"count", count}});
  return {{"judged", all},
          {"classes", std::move(of_class)},
          {"reasons", std::move(reasons)},
          {"tokens_per_second", rate(tokens, sampling)},
          {"candidates_per_second", rate(judged, judging)}};
}

json LiveAnswers::refused() const {
  json out = json::array();
  for (auto one = refused_.rbegin(); one != refused_.rend(); ++one) out.push_back(*one);
  return out;
}

}  // namespace trl::interpreter
