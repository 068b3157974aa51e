// Candidates as models write them, judged by the complete pipeline: no honest one is refused, and no hostile
// one is rewarded.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <future>
#include <map>
#include <set>

#include "tests/long_tests.hpp"
#include "tests/verifier/candidates.hpp"
#include "tests/verifier/corpus.hpp"

namespace trl::runtime {
namespace {

/// A strict protocol with the task's own sizes and with odd ones.
Protocol strict() {
  return Protocol::parse({{"variations", {"original", "resize(150%)"}},
                          {"compile", "after_values"},
                          {"strict", true},
                          {"limits", {{"seconds", 10}}}});
}

/// The task's own sizes, and inputs at the edges.
Protocol with_extremes() {
  return Protocol::parse({{"variations", {"original", "extreme"}},
                          {"compile", "after_values"},
                          {"strict", true},
                          {"limits", {{"seconds", 10}}}});
}

/// Odd sizes instead, and PyTorch may finish what kernels computed, as training may allow.
Protocol with_epilogue() {
  return Protocol::parse({{"variations", {"original", "resize(150%)"}},
                          {"tiny", true},
                          {"compile", "after_values"},
                          {"memory_checks", true},
                          {"framework", "epilogue"},
                          {"limits", {{"seconds", 10}}}});
}

/// As training judges without extensions: the task's own sizes, and values alone.
Protocol training() { return Protocol::parse({{"variations", {"original"}}, {"limits", {{"seconds", 10}}}}); }

Protocol protocol_of(const corpus::Candidate& candidate) {
  return candidate.protocol == "epilogue"   ? with_epilogue()
         : candidate.protocol == "extreme"  ? with_extremes()
         : candidate.protocol == "training" ? training()
                                            : strict();
}

/// Whether the candidate's name contains the filter, if one is set: for work on the corpus.
bool wanted(const corpus::Candidate& candidate) {
  const char* filter = std::getenv("TRL_CORPUS_FILTER");
  return filter == nullptr || candidate.name.find(filter) != std::string::npos;
}

std::vector<corpus::Candidate> candidates_of(const std::string& folder) {
  std::vector<corpus::Candidate> all = corpus::load(folder);
  std::erase_if(all, [](const auto& candidate) { return !wanted(candidate); });
  return all;
}

/// One candidate of each template, the first and the last of a template in turn; all of them with
/// TRL_LONG_TESTS or a filter.
std::vector<corpus::Candidate> one_of_each_template(const std::string& folder) {
  const auto all = candidates_of(folder);
  if (trl::long_tests() || std::getenv("TRL_CORPUS_FILTER") != nullptr) return all;
  const auto name = [](const corpus::Candidate& one) {
    return one.family + "/" + one.name.substr(0, one.name.find('/'));
  };
  std::vector<corpus::Candidate> chosen;
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    while (end < all.size() && name(all[end]) == name(all[begin])) ++end;
    chosen.push_back(all[chosen.size() % 2 == 0 ? begin : end - 1]);
  }
  return chosen;
}

// The verdict of each candidate, reached in two worker slots.
std::vector<Verdict> judge_all(const std::vector<corpus::Candidate>& all,
                               const std::string& secret = candidates::secret()) {
  std::vector<Verdict> verdicts(all.size());
  std::atomic<std::size_t> next = 0;
  auto compiled = std::make_shared<CompiledKernels>();
  const auto work = [&] {
    Verifier verifier(find_installation(), !candidates::unconfined(), compiled);
    for (std::size_t i = next++; i < all.size(); i = next++)
      verdicts[i] = verifier.verify(all[i].task, all[i].answer, protocol_of(all[i]), secret);
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
  const std::vector<corpus::Candidate> every = candidates_of("honest"), all = one_of_each_template("honest");
  std::set<std::string> distinct;
  for (const corpus::Candidate& candidate : every) distinct.insert(candidate.task.key + candidate.answer);
  EXPECT_EQ(distinct.size(), every.size()) << "a parameter that the text does not use";
  const std::vector<Verdict> verdicts = judge_all(all);
  std::string refused;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (!verdicts[i].correct) refused += row(all[i], verdicts[i]);
  EXPECT_EQ(refused, "") << "name,stage,reason,variation,line,message";
  fmt::print("{} honest candidates\n", all.size());
  if (std::getenv("TRL_CORPUS_FILTER") == nullptr) {
    EXPECT_GE(all.size(), 300u);
  }
}

TEST(Corpus, NoHostileCandidateIsRewarded) {
  // An honest candidate after every eighth one: its verdict must stay right whatever the others did.
  std::vector<corpus::Candidate> all;
  const corpus::Candidate control = corpus::load("honest").front();
  for (corpus::Candidate& candidate : one_of_each_template("hostile")) {
    if (all.size() % 9 == 0) all.push_back(control);
    all.push_back(std::move(candidate));
  }
  const std::vector<Verdict> verdicts = judge_all(all);
  std::string rewarded, changed;
  std::size_t hostile = 0;
  std::map<std::string, int> reasons;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].name == control.name) {
      if (!verdicts[i].correct || verdicts[i].to_json() != verdicts[0].to_json())
        changed += row(all[i], verdicts[i]);
      continue;
    }
    ++hostile;
    ++reasons[verdicts[i].reason];
    if (verdicts[i].correct || verdicts[i].speedup != 0) rewarded += row(all[i], verdicts[i]);
    if (std::getenv("TRL_CORPUS_SHOW") != nullptr) fmt::print("{}", row(all[i], verdicts[i]));
  }
  EXPECT_EQ(rewarded, "") << "name,stage,reason,variation,line,message";
  EXPECT_EQ(changed, "") << "a control after hostile candidates";
  fmt::print("{} hostile candidates:", hostile);
  for (const auto& [reason, count] : reasons) fmt::print(" {} {}", count, reason);
  fmt::print("\n");
  if (std::getenv("TRL_CORPUS_FILTER") == nullptr) {
    EXPECT_GE(hostile, 250u);
  }
}

// ---- mistakes that need a second block ----

/// The family second_block of a folder as training judges it, with the tasks at sizes as `largest` of
/// kernelbench(…) gives: every dimension is doubled as long as no tensor has more elements than that.
std::vector<corpus::Candidate> second_blocks(const std::string& folder, std::int64_t largest) {
  std::vector<corpus::Candidate> all = candidates_of(folder);
  std::erase_if(all, [](const auto& candidate) { return candidate.family != "second_block"; });
  for (corpus::Candidate& one : all) {
    one.protocol = "training";
    one.name = fmt::format("{}, {}", one.name, largest);
    const auto most = [&] {
      std::int64_t elements = output_elements(one.task, {});
      for (const TensorShape& input : input_shapes(one.task, {}))
        elements = std::max(elements, input.elements());
      return elements;
    };
    auto fitting = one.task.dims;
    while (most() <= largest) {
      fitting = one.task.dims;
      for (auto& [name, size] : one.task.dims) size *= 2;
    }
    one.task.dims = fitting;
  }
  return all;
}

// TRL_SECOND_BLOCK_SECRETS=5 tries as many secrets.
int secrets() {
  const char* written = std::getenv("TRL_SECOND_BLOCK_SECRETS");
  return written == nullptr ? 1 : std::stoi(written);
}

TEST(SecondBlock, IsSeenInTrainingWhateverTheSizes) {
  std::size_t judged = 0;
  for (const std::int64_t largest : {4096, 65536})
    for (int secret = 0; secret < secrets(); ++secret) {
      const std::vector<corpus::Candidate> all = second_blocks("hostile", largest);
      const std::vector<Verdict> verdicts = judge_all(all, fmt::format("second block {}", secret));
      for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_FALSE(verdicts[i].correct) << row(all[i], verdicts[i]);
        EXPECT_TRUE(verdicts[i].valid) << row(all[i], verdicts[i]);
      }
      judged += all.size();
    }
  fmt::print("{} candidates whose mistake needs a second block\n", judged);
}

TEST(SecondBlock, OfAnHonestCandidateIsRight) {
  std::string refused;
  std::size_t judged = 0;
  for (const std::int64_t largest : {4096, 65536})
    for (int secret = 0; secret < secrets(); ++secret) {
      const std::vector<corpus::Candidate> all = second_blocks("honest", largest);
      const std::vector<Verdict> verdicts = judge_all(all, fmt::format("second block {}", secret));
      for (std::size_t i = 0; i < all.size(); ++i)
        if (!verdicts[i].correct) refused += row(all[i], verdicts[i]);
      judged += all.size();
    }
  EXPECT_EQ(refused, "") << "name,stage,reason,variation,line,message";
  fmt::print("{} honest neighbours\n", judged);
}

}  // namespace
}  // namespace trl::runtime
