// Modules beside each other: suites of one name, settings of what a module declares, and errors in the
// library.
#include <gtest/gtest.h>

#include "language/diagnostics/render.hpp"
#include "language/schema/embedded.hpp"
#include "tests/language/stub.hpp"

namespace trl::language {
namespace {

std::string said(const Checked& checked) { return render(checked.diagnostics, checked.sources); }

/// The names of the suites of a program's tasks.
std::set<std::string> suites_of(const Checked& checked) {
  std::set<std::string> out;
  for (const auto& [id, task] : checked.resolved->at("tasks").items()) out.insert(task.at("suite"));
  return out;
}

TEST(Modules, OfTheLibraryCanBeImportedTogether) {
  std::vector<std::string> names;
  for (const auto& [file, text] : embedded())
    if (file != "schema.trl") names.push_back(file.substr(0, file.size() - 4));
  ASSERT_GE(names.size(), 4u);
  for (const auto& first : names)
    for (const auto& second : names) {
      if (first == second) continue;
      CheckOptions options;  // with the library as it is
      options.read = [&](const std::string& path) -> std::optional<std::string> {
        if (path != "test.trl") return std::nullopt;
        return "import " + first + "\nimport " + second + "\n";
      };
      const Checked checked = check_file("test.trl", options);
      EXPECT_TRUE(checked.diagnostics.empty()) << said(checked);
    }
}

TEST(Modules, HaveSuitesOfOneNameWhichTheirsTellsApart) {
  const Checked both = test::check_text(R"(import windtunnel
import kernelbench
split a = windtunnel.level1[1..2] + kernelbench.level1[1..2]
extension pace : adaptive_curriculum { share { windtunnel.level1 = 0.5 * accuracy(kernelbench.level1), kernelbench.level1 = rest } }
)");
  ASSERT_TRUE(both.diagnostics.empty()) << said(both);
  const auto named = suites_of(both);
  EXPECT_TRUE(named.contains("windtunnel.level1") && named.contains("kernelbench.level1"));
  EXPECT_FALSE(named.contains("level1"));
  EXPECT_EQ((*both.resolved)["tasks"]["windtunnel.level1/1"]["suite"], "windtunnel.level1");
  const Checked bare = test::check_text(R"(import windtunnel
import kernelbench
split a = windtunnel.level1[1..2] + kernelbench.level1[1..2]
extension pace : adaptive_curriculum { share { level1 = rest } }
)");
  EXPECT_NE(said(bare).find("there is no suite `level1`"), std::string::npos) << said(bare);
}

TEST(Modules, LeaveTheNameOfTheOnlyOneThatIsUsed) {
  // So its stages are the same whatever else is imported.
  for (const char* imports :
       {"import windtunnel\nimport kernelbench\n", "import kernelbench\nimport windtunnel\n"}) {
    const Checked used = test::check_text(imports + std::string("split a = windtunnel.level1[1..2]\n"));
    ASSERT_TRUE(used.diagnostics.empty()) << said(used);
    EXPECT_EQ((*used.resolved)["tasks"]["level1/1"].value("source", ""), "");
    const Checked other = test::check_text(imports + std::string("split a = kernelbench.level1[1..2]\n"));
    EXPECT_EQ((*other.resolved)["tasks"]["level1/1"]["source"], "KernelBench/level1");
    const Checked corpus =
        test::check_text(imports + std::string("train t : sft { data = windtunnel.corpus(level1 = 160) }\n"));
    EXPECT_TRUE(suites_of(corpus).contains("kernelbench.level1")) << said(corpus);
  }
  const Checked own = test::check_text(
      "import windtunnel\nsuite level1 { task a[N = 64](x: f32[N]) = exp(x) * x }\n"
      "split a = level1 + windtunnel.level1[1]\n");
  ASSERT_TRUE(own.diagnostics.empty()) << said(own);
  EXPECT_TRUE(suites_of(own).contains("windtunnel.level1") && suites_of(own).contains("level1"));
}

TEST(Modules, AreToldApartByTheirImports) {
  const std::string suite = "suite mine { task one[N = 64](x: f32[N]) = exp(x) * x }\n";
  const Checked checked = test::check_text("import a.x as first\nimport b.x as second\nimport x as third\n",
                                           {{"a/x.trl", suite}, {"b/x.trl", suite}, {"x.trl", suite}});
  EXPECT_TRUE(checked.diagnostics.empty()) << said(checked);
  EXPECT_EQ(suites_of(checked), (std::set<std::string>{"a.x.mine", "b.x.mine", "x.mine"}));
  const Checked same =
      test::check_text("import a.y\nimport x\nsuite mine { task one[N = 64](x: f32[N]) = exp(x) }\n",
                       {{"a/y.trl", "import x\n"}, {"a/x.trl", suite}, {"x.trl", suite}});
  EXPECT_NE(said(same).find("another suite is also called `x.mine`"), std::string::npos) << said(same);
}

TEST(Modules, GiveACheckoutOfKernelBenchByASetting) {
  const std::string split = "import kernelbench\nsplit a = kernelbench.level1[1..3]\n";
  const auto checked = [&](const std::string& text, const std::vector<std::string>& sets,
                           const std::map<std::string, std::string>& more = {}) {
    auto files = more;
    files["test.trl"] = text;
    auto options = test::in_memory(files);
    options.sets = sets;
    return check_file("test.trl", options);
  };
  const Checked numbers = checked(split, {});
  EXPECT_FALSE((*numbers.resolved)["tasks"]["level1/1"].contains("module")) << said(numbers);
  const std::string bench = "kernelbench.checkout=path(\"bench\")";
  const Checked read = checked(split, {bench});
  ASSERT_TRUE(read.diagnostics.empty()) << said(read);
  EXPECT_TRUE((*read.resolved)["tasks"]["level1/1"].contains("module"));
  EXPECT_FALSE((*read.resolved)["tasks"].contains("level1/6"));
  // A module that only an imported file imports is known by its name, too.
  const Checked through = checked("import between\nsplit b = between.a\n", {bench}, {{"between.trl", split}});
  ASSERT_TRUE(through.diagnostics.empty()) << said(through);
  EXPECT_TRUE((*through.resolved)["tasks"]["level1/1"].contains("module"));

  const Checked absent = checked(split, {"kernelbench.checkout=path(\"nowhere\")"});
  ASSERT_TRUE(absent.has_errors());
  EXPECT_EQ(absent.sources[absent.diagnostics.front().range.file].path(), "--set") << said(absent);
  // A name that is nearly right, or lacks its module, is led to the right one.
  const std::map<std::string, std::string> between = {{"between.trl", split + "let book = path(\"rows\")\n"}};
  const auto misspelt = said(checked("import between\n", {"kernelbench.checkuot=path(\"bench\")"}, between));
  EXPECT_NE(misspelt.find("`kernelbench` has no `checkuot`"), std::string::npos) << misspelt;
  EXPECT_NE(misspelt.find("did you mean `checkout`?"), std::string::npos) << misspelt;
  const auto without = said(checked("import between\n", {"book=path(\"rows\")"}, between));
  EXPECT_NE(without.find("did you mean `between.book`?"), std::string::npos) << without;
  const Checked nowhere = checked("import windtunnel\nsplit b = windtunnel.level1[1]\n", {bench});
  EXPECT_NE(said(nowhere).find("there is no `kernelbench` to override"), std::string::npos) << said(nowhere);
}

TEST(Modules, OfTheLibraryHaveTheirErrorsAtTheImport) {
  auto options =
      test::in_memory({{"test.trl", "import between\nsplit b = between.a\n"},
                       {"between.trl", "lora l {}\nimport kernelbench\nsplit a = kernelbench.level4[1]\n"}});
  options.sets = {"kernelbench.checkout=path(\"bench\")"};  // which has no level 4
  const Checked checked = check_file("test.trl", options);
  ASSERT_TRUE(checked.has_errors());
  const Diagnostic& d = checked.diagnostics.front();
  EXPECT_EQ(checked.sources[d.range.file].path(), "between.trl") << said(checked);
  EXPECT_EQ(checked.sources.text(d.range), "import kernelbench") << said(checked);
  EXPECT_EQ(d.message, "in `kernelbench`: `bench` has no level 4");
  ASSERT_FALSE(d.notes.empty());
  EXPECT_EQ(checked.sources[d.notes.front().range.file].path(), "stdlib:kernelbench.trl");
}

}  // namespace
}  // namespace trl::language
