// Settings of the command line: what is wrong with one is said with the setting that works.
#include <gtest/gtest.h>

#include "language/diagnostics/render.hpp"
#include "tests/language/stub.hpp"

namespace trl::language {
namespace {

const char* const a_study = R"(import example
lora writer { rank = 8 }
extension stages : staged_evaluation {}
train warm : example.reinforce { min_reward = 0.8 }
train main : warm { rounds = 3 }
split asked = example.hard[3..4]
let most = 256
evaluation exam { split = asked, max_tokens = most }
experiment study : example.study { adapter = writer, train = warm -> main, evaluate = exam, extensions = [stages], seeds = 1..3 }
experiment ranks : study { vary = grid(writer.rank = [4, 8]), extensions = [] }
)";

Checked checked_with(const std::string& setting, const std::string& text = a_study) {
  auto options = test::in_memory({{"test.trl", text}});
  options.sets = {setting};
  return check_file("test.trl", options);
}

struct SettingsCase {
  const char *written, *meant;
};

class Settings : public testing::TestWithParam<SettingsCase> {};

TEST_P(Settings, ThatLeadNowhereNameOneThatWorks) {
  const Checked checked = checked_with(GetParam().written);
  ASSERT_TRUE(checked.has_errors()) << GetParam().written;
  const std::string said = render(checked.diagnostics, checked.sources);
  EXPECT_NE(said.find(std::string("`--set ") + GetParam().meant + "`"), std::string::npos) << said;
  const Checked then = checked_with(GetParam().meant);
  EXPECT_FALSE(then.has_errors()) << render(then.diagnostics, then.sources);
}

INSTANTIATE_TEST_SUITE_P(
    Habits, Settings,
    testing::Values(
        SettingsCase{"seeds=1..2", "study.seeds=1..2"},
        SettingsCase{"experiment.seeds=1..2", "ranks.seeds=1..2"},
        SettingsCase{"experiment.study.seeds=1..2", "study.seeds=1..2"},
        SettingsCase{"experiments.study.seeds=1..2", "study.seeds=1..2"},
        SettingsCase{"study.experiment.seeds=1..2", "study.seeds=1..2"},
        SettingsCase{"evaluation.exam.samples=2", "exam.samples=2"},
        SettingsCase{"samples=2", "exam.samples=2"},
        SettingsCase{"exam.evaluation.samples=2", "exam.samples=2"},
        SettingsCase{"train.main.rounds=2", "main.rounds=2"}, SettingsCase{"rounds=2", "main.rounds=2"},
        SettingsCase{"train.rounds=2", "warm.rounds=2"}, SettingsCase{"best_of_n.rounds=2", "main.rounds=2"},
        SettingsCase{"+main.rounds=2", "main.rounds=2"}, SettingsCase{"++main.rounds=2", "main.rounds=2"},
        SettingsCase{"--main.rounds=2", "main.rounds=2"}, SettingsCase{"main/rounds=2", "main.rounds=2"},
        SettingsCase{"main.rounds:2", "main.rounds=2"}, SettingsCase{"main::rounds=2", "main.rounds=2"},
        SettingsCase{"/main/rounds=2", "main.rounds=2"},
        SettingsCase{"main.max-tokens=128", "main.max_tokens=128"},
        SettingsCase{"lr=1e-4", "main.learning_rate=1e-4"},
        SettingsCase{"main.lr=1e-4", "main.learning_rate=1e-4"},
        SettingsCase{"stages.full=0.1", "stages.failing.full=0.1"},
        SettingsCase{"failing.full=0.1", "stages.failing.full=0.1"},
        SettingsCase{"study.rounds=2", "main.rounds=2"},
        SettingsCase{"study.train.rounds=2", "main.rounds=2"}, SettingsCase{"let.most=300", "most=300"}));

TEST(SettingsOfTheCommandLine, WithoutAValueSayThePath) {
  const Checked checked = checked_with("~main.rounds");
  const std::string said = render(checked.diagnostics, checked.sources);
  EXPECT_NE(said.find("`--set main.rounds=…`"), std::string::npos) << said;
}

TEST(SettingsOfTheCommandLine, PartedByABlankAreOneMistake) {
  auto options = test::in_memory({{"test.trl", a_study}});
  options.sets = {"main.rounds", "2"};
  const Checked checked = check_file("test.trl", options);
  ASSERT_EQ(checked.diagnostics.size(), 1u) << render(checked.diagnostics, checked.sources);
  EXPECT_NE(checked.diagnostics[0].help.find("`--set main.rounds=2`"), std::string::npos);
}

TEST(SettingsOfTheCommandLine, OfWeightsAsTextNameTheFunction) {
  const std::string text =
      "import example\nmodel base { weights = huggingface(\"a/b\") }\n"
      "experiment study : example.study { model = base }\n";
  for (const auto& [value, call] : {std::pair{"Qwen/Qwen2.5-7B", "huggingface(\"Qwen/Qwen2.5-7B\")"},
                                    {"Qwen/Qwen3-8B", "huggingface(\"Qwen/Qwen3-8B\")"},
                                    {"/models/qwen", "path(\"/models/qwen\")"}}) {
    auto options = test::in_memory({{"test.trl", text}});
    options.sets = {std::string("base.weights=") + value};
    const Checked checked = check_file("test.trl", options);
    const std::string said = render(checked.diagnostics, checked.sources);
    EXPECT_NE(said.find(std::string("write `--set 'base.weights=") + call + "'`"), std::string::npos) << said;
  }
}

TEST(SettingsOfTheCommandLine, WithSeveralValuesNameTheirOwnPath) {
  const Checked checked = checked_with("main.rounds=[2,4]");
  const std::string said = render(checked.diagnostics, checked.sources);
  EXPECT_NE(said.find("`vary = grid(main.rounds = [2,4])`"), std::string::npos) << said;
}

TEST(SettingsOfTheCommandLine, OfAModelByItsWeightsNameTheFieldOfTheModel) {
  const std::string text =
      "import example\nmodel base { weights = huggingface(\"a/b\") }\n"
      "experiment e : example.study { model = base }\n";
  for (const char* const written : {"model=huggingface(\"c/d\")", "e.model=huggingface(\"c/d\")"}) {
    const Checked checked = checked_with(written, text);
    ASSERT_EQ(checked.diagnostics.size(), 1u) << render(checked.diagnostics, checked.sources);
    EXPECT_NE(checked.diagnostics[0].help.find("`--set base.weights=huggingface(\"c/d\")`"),
              std::string::npos)
        << render(checked.diagnostics, checked.sources);
  }
}

TEST(SettingsOfTheCommandLine, DontChangeWhatTheExperimentVaries) {
  const std::string alone = R"(import example
lora writer { rank = 8 }
experiment ranks : example.study { adapter = writer, vary = grid(writer.rank = [4, 8]) }
)";
  const Checked checked = checked_with("writer.rank=32", alone);
  ASSERT_EQ(checked.diagnostics.size(), 1u) << render(checked.diagnostics, checked.sources);
  EXPECT_TRUE(checked.has_errors());
  EXPECT_NE(checked.diagnostics[0].message.find("`ranks` varies it"), std::string::npos);
  EXPECT_FALSE(checked_with("writer.alpha=16", alone).has_errors());
  // Where another experiment of the file takes it, it is a warning.
  const Checked both = checked_with("writer.rank=32");
  EXPECT_FALSE(both.has_errors()) << render(both.diagnostics, both.sources);
  ASSERT_EQ(both.diagnostics.size(), 1u) << render(both.diagnostics, both.sources);
  // The same of an experiment's own override.
  const Checked own =
      test::check_text(alone + "experiment other : ranks { override { writer.rank = 16 } }\n");
  ASSERT_EQ(own.diagnostics.size(), 1u) << render(own.diagnostics, own.sources);
  EXPECT_EQ(own.diagnostics[0].rule, "unused_override");
}

TEST(Seeds, ANumberOfThemIsWarnedOf) {
  const auto rules = [](const std::string& seeds) {
    std::string out;
    for (const Diagnostic& d :
         test::check_text("import example\nexperiment e : example.study { seeds = " + seeds + " }\n")
             .diagnostics)
      out += d.rule;
    return out;
  };
  EXPECT_EQ(rules("3"), "lone_seed");
  EXPECT_EQ(rules("1"), "");
  EXPECT_EQ(rules("[3]"), "");
  EXPECT_EQ(rules("3..3"), "");
  EXPECT_EQ(rules("1..3"), "");
  const Checked outside = checked_with("study.seeds=3");
  ASSERT_GE(outside.diagnostics.size(), 1u);
  EXPECT_EQ(outside.diagnostics[0].rule, "lone_seed");
}

TEST(Settings, OneThatIsSetAgainChangesNothing) {
  auto options = test::in_memory({{"test.trl", a_study}});
  options.sets = {"main.rounds=2", "warm.rounds=5", "main.rounds=4"};
  const Checked checked = check_file("test.trl", options);
  ASSERT_EQ(checked.diagnostics.size(), 1u) << render(checked.diagnostics, checked.sources);
  EXPECT_EQ(checked.diagnostics[0].rule, "unused_override");
  EXPECT_EQ(checked.diagnostics[0].message, "`main.rounds` changes nothing: it is set again");
  EXPECT_EQ(checked.diagnostics[0].severity, Severity::warning);
  EXPECT_EQ(checked.resolved->at("experiments").at("study").at("train").at(1).at("rounds"), 4);
}

}  // namespace
}  // namespace trl::language
