// Candidates as models write them, by the whole pipeline: no honest one is refused, no hostile one rewarded.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <future>
#include <set>

#include "tests/verify/candidates.hpp"
#include "tests/verify/corpus.hpp"

namespace trl::runtime {
namespace {

/// Strict, at the task's own sizes and at odd ones.
Protocol strict() {
  return Protocol::parse({{"variations", {"original", "resize(150%)"}},
                          {"compile", "after_values"},
                          {"strict", true},
                          {"limits", {{"seconds", 4}}}});
}

/// Only candidates whose name has this in it, when set: for work on the corpus.
bool wanted(const corpus::Candidate& candidate) {
  const char* filter = std::getenv("TRL_CORPUS_FILTER");
  return filter == nullptr || candidate.name.find(filter) != std::string::npos;
}

std::vector<corpus::Candidate> candidates_of(const std::string& folder) {
  std::vector<corpus::Candidate> all = corpus::load(folder);
  std::erase_if(all, [](const auto& candidate) { return !wanted(candidate); });
  return all;
}

// Each candidate's verdict, by two lanes.
std::vector<Verdict> judge_all(const std::vector<corpus::Candidate>& all) {
  std::vector<Verdict> verdicts(all.size());
  std::atomic<std::size_t> next = 0;
  auto compiled = std::make_shared<CompiledKernels>();
  const auto work = [&] {
    Verifier lane(find_installation(), !candidates::unconfined(), compiled);
    for (std::size_t i = next++; i < all.size(); i = next++)
      verdicts[i] = lane.verify(all[i].task, all[i].answer, strict(), "a secret");
  };
  auto other = std::async(std::launch::async, work);
  work();
  other.get();
  return verdicts;
}

std::string row(const corpus::Candidate& candidate, const Verdict& verdict) {
  return fmt::format("{},{},{},{},{},\"{}\"\n", candidate.name, verdict.failed, verdict.reason,
                     verdict.variation, verdict.line, verdict.message);
}

TEST(Corpus, NoHonestCandidateIsRefused) {
  const std::vector<corpus::Candidate> all = candidates_of("honest");
  std::set<std::string> distinct;
  for (const corpus::Candidate& candidate : all) distinct.insert(candidate.task.key + candidate.answer);
  EXPECT_EQ(distinct.size(), all.size()) << "a parameter that the text does not use";
  const std::vector<Verdict> verdicts = judge_all(all);
  std::string refused;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (!verdicts[i].correct) refused += row(all[i], verdicts[i]);
  EXPECT_EQ(refused, "") << "name,stage,reason,variation,line,message";
  fmt::print("{} honest candidates\n", all.size());
  if (std::getenv("TRL_CORPUS_FILTER") == nullptr) {
    EXPECT_GE(all.size(), 200u);
  }
}

}  // namespace
}  // namespace trl::runtime
