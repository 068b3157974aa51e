#include "runtime/sample/share.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace trl::runtime {
namespace {

using nlohmann::json;

// The least number of prompts for each process at which prompts are handed out whole. With fewer, some
// processes would have up to a quarter less to do.
constexpr std::size_t kWholePrompts = 4;

json written(const Answer& answer) {
  return {answer.tokens, answer.stopped, answer.end, answer.text_size ? json(*answer.text_size) : json(),
          answer.scores};
}

Answer read(const json& row) {
  Answer answer;
  answer.tokens = row.at(0).get<std::vector<Token>>();
  answer.stopped = row.at(1);
  answer.end = row.at(2);
  if (!row.at(3).is_null()) answer.text_size = row.at(3).get<std::size_t>();
  answer.scores = row.at(4).get<std::vector<float>>();
  return answer;
}

}  // namespace

std::vector<SampleShare> sample_shares(const std::vector<Prompt>& prompts, int size) {
  const bool whole = prompts.size() >= kWholePrompts * static_cast<std::size_t>(size);
  std::vector<std::int64_t> costs;  // of the pieces that aren't split: prompts, or their samples
  for (const auto& prompt : prompts) {
    const auto samples = prompt.samples.size();
    costs.insert(costs.end(), whole ? 1 : samples, static_cast<std::int64_t>(whole ? samples : 1));
  }
  const auto bounds = shares(costs, size);
  std::vector<SampleShare> all(static_cast<std::size_t>(size));
  std::size_t piece = 0, rank = 0;
  for (std::size_t p = 0; p < prompts.size(); ++p) {
    for (std::size_t s = 0; s < prompts[p].samples.size(); ++s) {
      while (piece >= bounds[rank + 1]) ++rank;
      auto& share = all[rank];
      if (share.numbers.empty() || share.numbers.back() != p) {
        share.numbers.push_back(p);
        share.prompts.push_back({prompts[p].tokens, {}});
      }
      share.prompts.back().samples.push_back(prompts[p].samples[s]);
      if (!whole || s + 1 == prompts[p].samples.size()) ++piece;
    }
  }
  return all;
}

std::vector<std::vector<Answer>> all_answers(const Group& group, const std::vector<SampleShare>& shares,
                                             const std::vector<Prompt>& prompts,
                                             std::vector<std::vector<Answer>> own) {
  if (group.size() == 1) return own;
  auto rows = json::array();
  for (const auto& answers : own)
    for (const auto& answer : answers) rows.push_back(written(answer));
  const auto bytes = json::to_cbor(rows);
  const auto texts = group.gather(std::string(bytes.begin(), bytes.end()));
  std::vector<std::vector<Answer>> all(prompts.size());
  for (std::size_t r = 0; r < shares.size(); ++r) {
    const auto given = json::from_cbor(texts[r]);
    std::size_t next = 0;
    for (std::size_t i = 0; i < shares[r].prompts.size(); ++i)
      for (std::size_t s = 0; s < shares[r].prompts[i].samples.size(); ++s)
        all[shares[r].numbers[i]].push_back(read(given.at(next++)));
  }
  return all;
}

}  // namespace trl::runtime
