// What is suggested was tried before.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "language/diagnostics/render.hpp"
#include "language/program/tried_fixes.hpp"
#include "tests/has.hpp"
#include "tests/language/habits.hpp"
#include "tests/language/mistakes.hpp"
#include "tests/language/stub.hpp"

namespace trl::language {
namespace {

Checked tried(const std::string& program) {
  CheckOptions options = test::in_memory({{"test.trl", program}});
  options.try_fixes = true;
  return check_file("test.trl", options);
}

std::string said(const std::string& program) {
  const Checked checked = tried(program);
  return render(checked.diagnostics, checked.sources);
}

/// A study with one of its parts replaced.
std::string study(const std::string& part, const std::string& instead) {
  std::string text =
      "import example\n"
      "import windtunnel\n"
      "model base { weights = windtunnel.base, quantize = none, prompt = module }\n"
      "lora writer { rank = 16 }\n"
      "train rl : best_of_n { tasks = example.easy, rounds = 2, learning_rate = 1e-3, max_tokens = 256 }\n"
      "train unfiltered : rl { keep_by = random }\n"
      "machine node { memory = 80 GiB, spot = 6 usd / 1 h }\n"
      "experiment e : example.study {\n"
      "  model = base, adapter = writer, train = rl, controls = [unfiltered], machine = node\n}\n"
      "table main { of = e, rows = cells + controls, columns = [correct, speedup] }\n";
  const std::size_t at = text.find(part);
  EXPECT_NE(at, text.npos) << part;
  return text.replace(at, part.size(), instead);
}

TEST(TriedFixes, MendWhatTheyAreShownFor) {
  std::size_t shown = 0;
  for (const test::Habit& habit : test::habits()) {
    const Checked before = tried(habit.program);
    for (const Diagnostic& d : before.diagnostics)
      for (const Fix& fix : d.fixes) {
        std::string text = habit.program;
        text.replace(fix.range.begin, fix.range.end - fix.range.begin, fix.text);
        const Checked after = test::check_text(text);
        const auto of = [&](const Checked& checked) {
          return std::count_if(checked.diagnostics.begin(), checked.diagnostics.end(), [&](const auto& one) {
            return one.rule == d.rule && one.message == d.message;
          });
        };
        EXPECT_LT(of(after), of(before)) << habit.what << "\n" << render(d, before.sources) << text;
        ++shown;
      }
  }
  EXPECT_GE(shown, 60);
}

TEST(TriedFixes, ThatMendSingleMistakesStay) {
  std::set<std::string> kinds;
  for (const test::Mistake& mistake : test::mistakes()) {
    if (!mistake.mendable || !kinds.insert(mistake.kind).second) continue;
    const Checked without = test::check_text(mistake.program), with = tried(mistake.program);
    for (std::size_t i = 0; i < without.diagnostics.size(); ++i) {
      const Diagnostic& d = without.diagnostics[i];
      if (d.rule != mistake.rule || d.range.begin != mistake.at || d.fixes.empty()) continue;
      std::string text = mistake.program;
      const Fix& fix = d.fixes.front();
      text.replace(fix.range.begin, fix.range.end - fix.range.begin, fix.text);
      if (test::check_text(text).has_errors()) continue;
      EXPECT_FALSE(with.diagnostics.at(i).fixes.empty()) << mistake.kind << "\n"
                                                         << render(d, without.sources);
    }
  }
  EXPECT_GE(kinds.size(), 30);
}

// A misspelt word is corrected whatever else is wrong with what it begins.
TEST(TriedFixes, OfMisspeltWordsStay) {
  std::size_t kept = 0;
  std::string dropped;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(TRL_LANGUAGE_TESTS) / "bad")) {
    if (entry.path().extension() != ".trl") continue;
    const std::string text = read_from_disk(entry.path().string()).value();
    const Checked without = test::check_text(text), with = tried(text);
    for (std::size_t i = 0; i < without.diagnostics.size(); ++i) {
      const Diagnostic& d = without.diagnostics[i];
      // `import exampel` above `import example` isn't corrected to a second import.
      if (d.rule == "syntax" || d.rule == "unknown_import" || d.fixes.empty() || !d.fixes.front().certain)
        continue;
      ++kept;
      if (with.diagnostics.at(i).fixes.empty())
        dropped += entry.path().filename().string() + "\n" + render(d, without.sources);
    }
  }
  EXPECT_GE(kept, 15);
  EXPECT_EQ(dropped, "");
}

TEST(TriedFixes, AreNoneWhereNothingIsMended) {
  // Each suggested a text that was wrong itself, or another field than the one that is meant.
  for (const auto& [program, no_text] : std::vector<std::pair<std::string, std::string>>{
           {study("max_tokens = 256", "max_tokens = 256, reward = lambda c: float(c.correct)"), "lambda, c"},
           {study("best_of_n { tasks", "grpo { min_reward = 0.5, tasks"), "plan_reward ="},
           {study("table main", "suite kb { task 1 }\ntable main"), "tasks 1"},
           {study("prompt = module", "prompt = few_shot"), "zero_shot }"}}) {
    const std::string text = said(program);
    EXPECT_FALSE(has(text, "fix: ") && has(text, no_text)) << text;
    EXPECT_FALSE(has(text, "perhaps: ") && has(text, no_text)) << text;
  }
}

TEST(TriedFixes, AnswersNameWhatWorks) {
  for (const auto& [program, words] : std::vector<std::pair<std::string, std::vector<std::string>>>{
           {study("6 usd / 1 h", "3.5 usd/h"), {"the unit `h` has no number", "spot = 3.5 usd/1 h"}},
           {study("correct, speedup", "correct, fast"), {"write `fast(1)`", "columns = [correct, fast(1)]"}},
           {study("quantize = none", "quantize = 4bit"), {"quantize = nf4"}},
           {study("quantize = none", "quantize = 8-bit"), {"int8"}},
           {study("rounds = 2", "rounds = ${rounds}"), {"let rounds = 3"}},
           {study("machine = node", "machine = node, vary = grid(rank = [8, 16])"),
            {"grid(writer.rank = [8, 16])"}},
           {study("best_of_n { tasks", "grpo { min_reward = 0.5, tasks"),
            {"`min_reward` is a field of `best_of_n`"}},
           {study("prompt = module", "prompt = few_shot"), {"one_shot"}}}) {
    const std::string text = said(program);
    for (const std::string& word : words) EXPECT_TRUE(has(text, word)) << word << "\n" << text;
  }
}

// Each of a reader's slips gets one answer, with what is written instead.
TEST(TriedFixes, MendWordsOfOtherLanguages) {
  const auto rl = [](const std::string& field) {
    return study("max_tokens = 256", "max_tokens = 256, " + field);
  };
  const auto task = [](const std::string& line) { return "suite own {\n  " + line + "\n}\n"; };
  const std::string priced =
      "import example\nmodel m { weights = endpoint(\"http://localhost:8000/v1\", requests_per_minute = 500) "
      "}\n"
      "experiment e { model = m, evaluate = example.exam }\ntable t { of = e, columns = [correct, usd] }\n";
  struct Slip {
    std::string program, meant, not_said;
    std::ptrdiff_t findings = 1;
  };
  for (const auto& [program, meant, not_said, findings] : std::vector<Slip>{
           {rl("reward = lambda c: 1.0 if c.correct else 0.0"), "reward(c) = if c.correct then 1.0 else 0.0",
            ""},
           {rl("reward = lambda c: min(c.speedup, 1)"), "reward(c) = min(c.speedup, 1) }", "", 2},
           {rl("reward(c) = 0.7 + 0.3 * min(c.speedup, 1) if c.correct else 0"),
            "reward(c) = if c.correct then 0.7 + 0.3 * min(c.speedup, 1) else 0 }", ""},
           {rl("reward(c) = if c.correct then 1 else -1"), "clamp it: `if c.correct then 1 else 0`", "min("},
           {rl("min_reward = 0.9, reward(c) = if c.correct then 0.8 else 0"), "such as half of it, 0.4", ""},
           {rl("candidates = 8, keep = 12"), "candidates = 8, keep = 4", "`unfiltered`"},
           {study("rank = 16", "rank = 16, dropout = None"), "leave the field out, which means 5%",
            "`none`, or"},
           {study("rank = 16", "rank = 16, dropout = none"), "dropout = 0 }", ""},
           {study("rank = 16", "rank = None"), "leave the field out, which means 16", "write 0"},
           {task("task s[M = 64, N = 256](x: f32[M, N]) = softmax(x / sqrt(N))"),
            "softmax(x / sqrt(N), axis = 1)", "size"},
           {task("task s[M = 64, N = 256](x: [M, N] f32) = relu(x)"), "(x: f32[M, N]) = relu(x)", "grid"},
           {task("task s[M = 64, N = 256](x: [M, N]) = relu(x)"), "`x: f32[M, N]`", "grid"},
           {task("task s[M = 64, N = 256](x: f32[M, N]) { mean(x, axis = 1) }"),
            "(x: f32[M, N]) = mean(x, axis = 1)", ""},
           {task("def s(x): mean(x)"), "`task t[N = 1024](x: f32[N]) = relu(x)`", "", 2},
           {"let paid(c: verdict): float = if c.correct then 1 else 0\n",
            "perhaps: let paid(c: verdict) = if c.correct then 1 else 0", ""},
           {"import example\nextension memory = memory_checks {}\n", "extension memory : memory_checks {}",
            ""},
           {study("train rl : best_of_n", "best_of_n rl"), "train rl : best_of_n { tasks", ""},
           {"answer = 512 tokens\n", "let answer = 512 tokens", ""},
           {rl("temperature = 1").replace(rl("temperature = 1").find("256"), 3, "2 KiB"), "max_tokens = 2048",
            ""},
           {study("machine = node", "machine = node, seeds = 3..1    # three"), "seeds = 1..3    # three",
            ""},
           {priced, "add `name = …`", "asks none"},
           {study("train rl : best_of_n", "train rl : ppo") +
                "hypothesis h { of = e, contrast = rl.keep, metric = correct }\n",
            "`grpo`", "has no field"}}) {
    const Checked checked = tried(program);
    const std::string text = render(checked.diagnostics, checked.sources);
    EXPECT_TRUE(has(text, meant)) << meant << "\n" << text;
    EXPECT_TRUE(not_said.empty() || !has(text, not_said)) << not_said << "\n" << text;
    const auto errors = std::count_if(checked.diagnostics.begin(), checked.diagnostics.end(),
                                      [](const Diagnostic& d) { return d.severity != Severity::note; });
    EXPECT_LE(errors, findings) << text;
  }
}

TEST(Settings, ReachHypotheses) {
  CheckOptions options = test::in_memory(
      {{"test.trl", study("machine = node", "machine = node, vary = grid(rl.keep = [1, 2]), seeds = 1..3") +
                        "hypothesis h { of = e, contrast = rl.keep, metric = correct }\n"}});
  options.sets = {"h.smallest_effect=90%"};
  const Checked checked = check_file("test.trl", options);
  ASSERT_TRUE(checked.resolved) << render(checked.diagnostics, checked.sources);
  EXPECT_EQ(checked.resolved->at("hypotheses").at("h").at("smallest_effect"), 0.9);
}

TEST(Settings, AreFormulas) {
  const auto with = [](const std::string& set) {
    CheckOptions options = test::in_memory({{"test.trl", study("rounds = 2", "rounds = 2")}});
    options.sets = {set};
    return check_file("test.trl", options);
  };
  const Checked checked = with("rl.reward(c)=if c.correct then 1 else 0");
  ASSERT_TRUE(checked.resolved) << render(checked.diagnostics, checked.sources);
  EXPECT_NE(checked.resolved->dump().find("\"params\":[\"c\"]"), std::string::npos);
  const Checked wrong = with("rl.rounds(c)=3");
  EXPECT_TRUE(has(render(wrong.diagnostics, wrong.sources), "takes no parameters"));
}

}  // namespace
}  // namespace trl::language
