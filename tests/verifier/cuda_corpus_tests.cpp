// CUDA candidates judged by the complete pipeline, as far as that is possible without a GPU: right ones are
// recorded, checked and compiled at every size, and none passes. cuda_corpus_gpu_tests continues from there.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <future>
#include <map>
#include <set>

#include "tests/verifier/candidates.hpp"
#include "tests/verifier/corpus.hpp"

namespace trl::runtime {
namespace {

using corpus::Expectation;

Protocol strict() {
  return Protocol::parse(
      {{"variations", {"original", "resize(150%)"}}, {"strict", true}, {"limits", {{"seconds", 10}}}});
}

/// Only candidates whose name contains TRL_CORPUS_FILTER, where that is set: for work on the corpus.
std::vector<corpus::Candidate> candidates_of(const std::string& folder) {
  std::vector<corpus::Candidate> all = corpus::load(folder);
  if (const char* filter = std::getenv("TRL_CORPUS_FILTER"))
    std::erase_if(all, [&](const auto& one) { return one.name.find(filter) == std::string::npos; });
  return all;
}

bool whole() { return std::getenv("TRL_CORPUS_FILTER") == nullptr; }

/// The examination of each candidate, in two worker slots that are kept, because starting one takes seconds.
std::vector<Examined> examine_all(const std::vector<corpus::Candidate>& all) {
  static const auto compiled = std::make_shared<CompiledKernels>();
  static Verifier verifiers[] = {{find_installation(), !candidates::unconfined(), compiled},
                                 {find_installation(), !candidates::unconfined(), compiled}};
  std::vector<Examined> examined(all.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&](Verifier& verifier) {
    for (std::size_t i = next++; i < all.size(); i = next++)
      examined[i] = verifier.examine(all[i].task, all[i].answer, strict(), candidates::secret());
  };
  auto other = std::async(std::launch::async, [&] { work(verifiers[1]); });
  work(verifiers[0]);
  other.get();
  return examined;
}

std::string row(const corpus::Candidate& candidate, const Verdict& verdict) {
  return fmt::format("{},{},{},{},\"{}\"\n", candidate.name, verdict.failed, verdict.reason, verdict.line,
                     verdict.message);
}

/// Whether the verdict neither refuses nor accepts the candidate, since only a GPU can judge its values.
bool left_to_a_gpu(const Verdict& verdict) {
  return verdict.valid && verdict.compiled == true && verdict.failed == "full" &&
         verdict.reason == "needs_gpu" && !verdict.correct && !verdict.values;
}

/// Whether the verdict is the one that the template's head expects.
bool as_expected(const corpus::Candidate& candidate, const Verdict& verdict) {
  switch (candidate.expect.when) {
    case Expectation::When::refused:
      return verdict.failed == "syntax" && candidate.expect.accepts(verdict.reason);
    case Expectation::When::compiled:
      return verdict.failed == "compile" && candidate.expect.accepts(verdict.reason);
    case Expectation::When::formed:
      return verdict.failed == "full" && candidate.expect.accepts(verdict.reason);
    case Expectation::When::replayed:
      return left_to_a_gpu(verdict);
    case Expectation::When::unstated:
      return false;
  }
  return false;
}

TEST(CudaCorpus, NoRightCandidateIsRefused) {
  const std::vector<corpus::Candidate> all = candidates_of("cuda_right");
  const std::vector<Examined> examined = examine_all(all);
  std::string refused;
  std::map<std::string, std::set<std::string>> kernels;  // distinct texts in each family
  for (std::size_t i = 0; i < all.size(); ++i) {
    kernels[all[i].family].insert(all[i].answer);
    if (!left_to_a_gpu(examined[i].verdict)) refused += row(all[i], examined[i].verdict);
    for (const Plan& plan : examined[i].recording.plans)
      if (plan.error && !plan.label.starts_with("stretched("))
        refused += all[i].name + " at another size: " + plan.error->message + "\n";
  }
  EXPECT_EQ(refused, "") << "name,stage,reason,line,message";
  if (!whole()) return;
  std::size_t distinct = 0;
  for (const auto& [family, texts] : kernels) {
    EXPECT_GE(texts.size(), 6u) << family;
    distinct += texts.size();
  }
  EXPECT_GE(kernels.size(), 10u);
  EXPECT_GE(distinct, 60u);
  fmt::print("{} right candidates of {} texts and {} families\n", all.size(), distinct, kernels.size());
}

void expect_as_their_heads_say(const std::string& folder, std::size_t at_least) {
  const std::vector<corpus::Candidate> all = candidates_of(folder);
  const std::vector<Examined> examined = examine_all(all);
  std::string otherwise, rewarded;
  std::map<std::string, int> reasons;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Verdict& verdict = examined[i].verdict;
    ++reasons[verdict.reason];
    if (!as_expected(all[i], verdict)) otherwise += row(all[i], verdict);
    if (verdict.correct || verdict.values || verdict.speedup != 0) rewarded += row(all[i], verdict);
    if (std::getenv("TRL_CORPUS_SHOW") != nullptr) fmt::print("{}", row(all[i], verdict));
  }
  EXPECT_EQ(otherwise, "") << "name,stage,reason,line,message";
  EXPECT_EQ(rewarded, "") << "name,stage,reason,line,message";
  fmt::print("{} of {}:", all.size(), folder);
  for (const auto& [reason, count] : reasons) fmt::print(" {} {}", count, reason);
  fmt::print("\n");
  if (whole()) {
    EXPECT_GE(all.size(), at_least);
  }
}

TEST(CudaCorpus, WrongTwinsAreRefusedAsTheirHeadsSay) { expect_as_their_heads_say("cuda_wrong", 60); }

TEST(CudaCorpus, EveryRightTemplateHasAWrongTwin) {
  std::set<std::string> right, texts, twins;
  for (const corpus::Candidate& one : corpus::load("cuda_right")) {
    right.insert(one.name.substr(0, one.name.find('/')));
    texts.insert(one.answer);
  }
  for (const corpus::Candidate& one : corpus::load("cuda_wrong")) {
    twins.insert(one.of);
    EXPECT_FALSE(texts.contains(one.answer)) << one.name << " changes nothing";
  }
  EXPECT_EQ(twins, right);
}

TEST(CudaCorpus, HostileCandidatesEarnNothing) { expect_as_their_heads_say("cuda_hostile", 60); }

}  // namespace
}  // namespace trl::runtime
