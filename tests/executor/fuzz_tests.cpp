// Mutated TTIR may be refused or run to any verdict, but nothing else may happen. The debug preset's
// sanitizers check that.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "tests/executor/case_file.hpp"
#include "tests/executor/same_run.hpp"
#include "verifier/executor/launch/trace.hpp"

namespace trl::executor::test {
namespace {

/// One random edit: a byte or a digit changed, a piece removed, doubled or swapped, a number made huge, or a
/// type exchanged.
std::string damaged(std::string text, std::mt19937& random, const std::string& other) {
  const auto below = [&random](std::size_t n) { return n == 0 ? 0 : random() % n; };
  static const char* const words[] = {
      "i1",      "i32",       "i64",  "f16",     "f32",       "-1",         "0",       "99999999999",
      "tensor<", "x1048576x", "%0",   "%c0_i32", "dense<",    "!tt.ptr<",   "{",       "}",
      "(",       ")",         "loc(", "#loc",    "scf.yield", "arith.addi", "tt.load", "tt.store"};
  const std::size_t at = below(text.size()), length = 1 + below(30);
  switch (below(9)) {
    case 0:
      text[at] = static_cast<char>(random());
      break;
    case 1:
      text.erase(at, length);
      break;
    case 2:
      text.insert(at, text.substr(below(text.size()), length));
      break;
    case 3:
      text.insert(at, other.substr(below(other.size()), 10 * length));
      break;
    case 4:
      text.replace(at, below(5), words[below(std::size(words))]);
      break;
    case 5: {
      const std::size_t digit = text.find_first_of("0123456789", at);
      if (digit != std::string::npos) text[digit] = static_cast<char>('0' + below(10));
      break;
    }
    case 6: {
      const std::size_t value = text.find('%', at), from = text.find('%', below(text.size()));
      if (value != std::string::npos && from != std::string::npos) {
        const std::size_t end = text.find_first_of(" ,):", from);
        const std::size_t old_end = text.find_first_of(" ,):", value);
        if (end != std::string::npos && old_end != std::string::npos) {
          const std::string taken = text.substr(from, end - from);
          text.replace(value, old_end - value, taken);
        }
      }
      break;
    }
    case 7: {  // moves a line elsewhere
      const std::size_t begin = text.rfind('\n', at), end = text.find('\n', at);
      if (begin != std::string::npos && end != std::string::npos) {
        const std::string line = text.substr(begin, end - begin);
        text.erase(begin, end - begin);
        const std::size_t to = text.find('\n', below(text.size()));
        if (to != std::string::npos) text.insert(to, line);
      }
      break;
    }
    default:
      text.resize(at);
      break;
  }
  return text;
}

TEST(Fuzz, DamagedTextIsRefusedOrRuns) {
  if (cases().cases.empty()) GTEST_SKIP() << "no cases";
  // $TRL_FUZZ_ROUNDS and $TRL_FUZZ_SEED allow longer runs.
  const auto setting = [](const char* name, int otherwise) {
    const char* const text = std::getenv(name);
    return text == nullptr ? otherwise : std::atoi(text);
  };
  const int rounds = setting("TRL_FUZZ_ROUNDS", 6000);
  std::mt19937 random(static_cast<unsigned>(setting("TRL_FUZZ_SEED", 7)));
  std::vector<std::string> texts;
  std::vector<const nlohmann::json*> owners;
  for (const auto& one : cases().cases) {
    const std::string name = one["name"];
    // One kernel of each family is enough, since the kernels of the operators are similar.
    if (name.find("whole ") == 0 || name.find("cast ") == 0) {
      if (random() % 8 != 0) continue;
    }
    texts.push_back(one["launches"][0]["ttir"]);
    owners.push_back(&one);
  }
  int ran = 0, refused = 0;
  for (int round = 0; round < rounds; ++round) {
    const std::size_t pick = random() % texts.size();
    std::string text = damaged(texts[pick], random, texts[random() % texts.size()]);
    while (random() % 3 == 0) text = damaged(std::move(text), random, texts[random() % texts.size()]);
    const auto parsed = parse(text);
    if (std::holds_alternative<ParseError>(parsed)) {
      ++refused;
      continue;
    }
    ++ran;
    Memory memory = cases().memory(*owners[pick]);
    Options options;
    options.strict = random() % 2 == 0;
    options.limits.max_operations = 2'000'000;
    options.limits.max_block_bytes = 64 << 20;
    Launch launch = launch_of((*owners[pick])["launches"][0]);
    launch.kernel.clear();
    if (random() % 3 == 0) options.order = random() | 1;
    const Report report = run(std::get<Module>(parsed), launch, memory, options);
    // Runs the same with several threads, or with tracing of NaN and infinities.
    Trace trace;
    if (random() % 2 == 0) {
      options.threads = 3;
      options.threads_from = 0;
    } else {
      options.trace = &trace;
    }
    Memory again = cases().memory(*owners[pick]);
    const Report repeated = run(std::get<Module>(parsed), launch, again, options);
    ASSERT_EQ(everything(repeated, again), everything(report, memory)) << text;
  }
  // Both outcomes must have occurred, or the test would prove little.
  EXPECT_GT(ran, 300);
  EXPECT_GT(refused, 300);
}

}  // namespace
}  // namespace trl::executor::test
