// The CUDA corpora on a real GPU: right candidates are correct at every size; wrong twins and hostile
// candidates are not. Without a GPU everything here is skipped; packaging/scripts/gpu runs it from the
// package.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "base/support/error.hpp"
#include "tests/verifier/candidates.hpp"
#include "tests/verifier/corpus.hpp"

namespace trl::runtime {
namespace {

using corpus::Expectation;

/// An exam without variations of the dtype, since each kernel is written for its task's own.
Protocol exam() {
  return Protocol::parse({{"variations", {"original", "scale(2)", "reseed", "resize(150%)"}},
                          {"tiny", true},
                          {"compile", "all"},
                          {"strict", true},
                          {"timed", true},
                          {"timing", {{"warmup", 2}, {"trials", 10}, {"trim", 0.1}}},
                          {"limits", {{"seconds", 10}}}});
}

class CudaCorpusOnGpu : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    try {
      auto gpu = std::make_shared<ExclusiveGpu>(find_installation());
      gpu->ready();
      verifier_ = std::make_unique<Verifier>(find_installation(), !candidates::unconfined());
      verifier_->set_gpu(gpu);
    } catch (const UserError& error) {
      verifier_.reset(), why_ = error.what();
    }
  }
  static void TearDownTestSuite() { verifier_.reset(); }
  void SetUp() override {
    if (!verifier_) GTEST_SKIP() << "no GPU: " << why_;
  }

  /// The verdicts on a folder's candidates, or on those whose name contains TRL_CORPUS_FILTER.
  static std::vector<std::pair<corpus::Candidate, Verdict>> judged(const std::string& folder) {
    const char* filter = std::getenv("TRL_CORPUS_FILTER");
    std::vector<std::pair<corpus::Candidate, Verdict>> all;
    for (corpus::Candidate& one : corpus::load(folder)) {
      if (filter != nullptr && one.name.find(filter) == std::string::npos) continue;
      Verdict verdict = verifier_->verify(one.task, one.answer, exam(), candidates::secret());
      all.emplace_back(std::move(one), std::move(verdict));
    }
    return all;
  }

  static std::string row(const corpus::Candidate& candidate, const Verdict& verdict) {
    return fmt::format("{},{},{},{},{},\"{}\"\n", candidate.name, verdict.failed, verdict.reason,
                       verdict.variation, verdict.line, verdict.message);
  }

  /// Expects that none is correct, and that each fails for a reason that its head names.
  static void expect_as_their_heads_say(const std::string& folder) {
    std::string otherwise, rewarded;
    std::map<std::string, int> reasons;
    for (const auto& [candidate, verdict] : judged(folder)) {
      ++reasons[verdict.reason];
      if (verdict.correct || verdict.speedup != 0)
        rewarded += row(candidate, verdict);
      else if (!candidate.expect.accepts(verdict.reason))
        otherwise += row(candidate, verdict);
    }
    EXPECT_EQ(rewarded, "") << "name,stage,reason,variation,line,message";
    EXPECT_EQ(otherwise, "") << "name,stage,reason,variation,line,message";
    fmt::print("{}:", folder);
    for (const auto& [reason, count] : reasons) fmt::print(" {} {}", count, reason);
    fmt::print("\n");
  }

  static std::unique_ptr<Verifier> verifier_;
  static inline std::string why_;  // there is no GPU
};

std::unique_ptr<Verifier> CudaCorpusOnGpu::verifier_;

TEST_F(CudaCorpusOnGpu, RightCandidatesAreCorrect) {
  std::string refused;
  std::size_t correct = 0;
  for (const auto& [candidate, verdict] : judged("cuda_right"))
    if (verdict.correct)
      ++correct;
    else
      refused += row(candidate, verdict);
  EXPECT_EQ(refused, "") << "name,stage,reason,variation,line,message";
  fmt::print("{} right candidates are correct\n", correct);
}

TEST_F(CudaCorpusOnGpu, NoWrongTwinPasses) { expect_as_their_heads_say("cuda_wrong"); }

TEST_F(CudaCorpusOnGpu, NoHostileCandidateIsRewarded) { expect_as_their_heads_say("cuda_hostile"); }

}  // namespace
}  // namespace trl::runtime
