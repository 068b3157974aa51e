// The page's answers are those of trl's commands, for every example of the tour and every file of mistakes.
#include "editors/web/page.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <utility>

#include "base/support/files.hpp"

namespace trl::page {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct Example {
  std::string name, text;
};

/// The examples of docs/tour.md; those that are wrong on purpose are called bad.trl there.
std::vector<Example> tour() {
  std::vector<Example> examples;
  std::istringstream lines(read_text(fs::path(TRL_SOURCE) / "docs" / "tour.md"));
  bool inside = false, kept = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      kept = !inside && line.starts_with("```trl ");
      if (kept) examples.push_back({line == "```trl bad" ? "bad.trl" : line.substr(7), ""});
      inside = !inside;
    } else if (inside && kept) {
      examples.back().text += line + "\n";
    }
  }
  return examples;
}

std::vector<Example> mistakes() {
  std::vector<Example> files;
  for (const auto& entry : fs::directory_iterator(fs::path(TRL_SOURCE) / "tests" / "language" / "bad"))
    if (entry.path().extension() == ".trl")
      files.push_back({entry.path().filename().string(), read_text(entry.path())});
  return files;
}

/// A folder with the library, in which both the page and trl run, so that the paths in messages are the same.
class PageTest : public ::testing::Test {
 protected:
  PageTest() : folder_(fs::temp_directory_path() / ("page_tests." + std::to_string(::getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    fs::create_directory_symlink(fs::path(TRL_SOURCE) / "stdlib", folder_ / "stdlib");
    fs::current_path(folder_);
    ::setenv("TRL_HOME", ".", 1);
    ::setenv("NO_COLOR", "1", 1);
    // As in a browser, nobody tries trivial answers on tasks that the library doesn't have.
    ::setenv("TRL_VERIFY", "/nonexistent", 1);
    ::setenv("XDG_CACHE_HOME", (folder_ / "cache").c_str(), 1);
    ::setenv("HF_HUB_CACHE", (folder_ / "hub").c_str(), 1);
  }
  ~PageTest() override {
    fs::current_path("/");
    fs::remove_all(folder_);
  }

  json ask(const std::string& method, const json& params) {
    const auto answers = page_.receive(
        json({{"jsonrpc", "2.0"}, {"id", "page 1"}, {"method", method}, {"params", params}}).dump());
    EXPECT_EQ(answers.size(), 1U);
    const json answer = json::parse(answers.at(0));
    EXPECT_EQ(answer.value("id", json()), "page 1");
    EXPECT_TRUE(answer.contains("result")) << answer.dump();
    return answer.value("result", json::object());
  }

  /// What trl prints on both outputs.
  static std::string trl(const std::string& arguments) {
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen((TRL " " + arguments + " 2>&1").c_str(), "r"),
                                                     ::pclose);
    std::string text;
    std::array<char, 4096> bytes;
    while (const auto count = std::fread(bytes.data(), 1, bytes.size(), pipe.get()))
      text.append(bytes.data(), count);
    return text;
  }

  fs::path folder_;
  Page page_{"test"};
};

/// Takes out what trl says of tasks on which it can try nothing here. Whether it said so.
bool takes_untried_out(std::string& text) {
  static const std::regex note(
      "[^\n]*note\\[degenerate_task\\]: [0-9]+ tasks? (were|was) not tried with trivial "
      "answers[^\n]*\n[^\n]*\n[^\n]*\n(  = help: [^\n]*\n)?\n?");
  const auto without = std::regex_replace(text, note, "");
  return std::exchange(text, without) != without;
}

/// Takes out what trl says of weights and data that aren't on this machine; the page has no files.
void takes_absent_files_out(std::string& text) {
  static const std::regex note("[^\n]*note\\[missing_weights\\][^\n]*\n[^\n]*\n[^\n]*\n[^\n]*\n\n?");
  text = std::regex_replace(text, note, "");
}

TEST_F(PageTest, ChecksAsTrlDoes) {
  auto examples = tour();
  ASSERT_GT(examples.size(), 10U);
  setenv("MODELS_KEY", "a key", 1);  // the page knows no environment, so that nothing is missing there
  for (auto& file : mistakes()) examples.push_back(std::move(file));
  for (const auto& [name, text] : examples) {
    write_text(name, text);
    const json answer = ask("trl/check", {{"name", name}, {"text", text}});
    if (text.find("kernelbench(path(") != std::string::npos) {  // the page has no files, and says so
      EXPECT_NE(answer.at("err").get<std::string>().find("can't be read here"), std::string::npos) << name;
      continue;
    }
    std::string printed = trl("check " + name);
    takes_absent_files_out(printed);
    EXPECT_EQ(answer.at("untried"), takes_untried_out(printed)) << text;
    EXPECT_EQ(answer.at("err").get<std::string>() + answer.at("out").get<std::string>(), printed) << text;
  }
}

TEST_F(PageTest, ShowsAsTrlDoes) {
  for (const auto& [name, text] : tour()) {
    if (name == "bad.trl") continue;
    write_text(name, text);
    const json answer = ask("trl/show", {{"name", name}, {"text", text}});
    EXPECT_EQ(answer.value("err", "") + answer.value("text", ""), trl("show " + name)) << text;
    const json changed = ask("trl/show", {{"name", name}, {"text", text}, {"changed", true}});
    EXPECT_EQ(changed.value("err", "") + changed.value("text", ""), trl("show --changed " + name)) << text;
  }
}

/// Takes out the line that only counts the note of `takes_untried_out`.
void takes_count_of_untried_out(std::string& text) {
  static const std::regex line("^[^\n]*: 1 note \\(degenerate_task\\); see [^\n]*\n");
  text = std::regex_replace(text, line, "");
}

/// A plan's text without what depends on the store: how long the rest takes by what was made before.
std::string without_forecast(std::string text) {
  const auto begin = text.find("  No forecast: ");
  if (begin == std::string::npos) return text;
  const auto empty_line = text.find("\n\n", begin);
  return text.erase(begin, empty_line == std::string::npos ? std::string::npos : empty_line + 1 - begin);
}

TEST_F(PageTest, PlansAsTrlDoes) {
  auto examples = tour();
  // An experiment on a declared machine, which has a cost.
  examples.push_back(
      {"replication.trl", read_text(fs::path(TRL_SOURCE) / "experiments" / "replication.trl")});
  for (const auto& [name, text] : examples) {
    if (name == "bad.trl") continue;
    const json answer = ask("trl/plan", {{"name", name}, {"text", text}});
    if (!answer.contains("text")) continue;
    write_text(name, text);
    std::string printed = trl("plan --cost " + name + " " + answer.at("experiment").get<std::string>());
    takes_count_of_untried_out(printed);
    EXPECT_EQ(answer.at("err").get<std::string>() + answer.at("text").get<std::string>() +
                  answer.at("cost").get<std::string>(),
              without_forecast(printed))
        << name;
    EXPECT_EQ(answer.at("cost").get<std::string>().find("no cost") == std::string::npos,
              name == "replication.trl" || text.find("endpoint(") != std::string::npos)
        << name;
  }
}

TEST_F(PageTest, NamesWhatEachRowSharesWithOthers) {
  json answer;
  for (const auto& [name, text] : tour())
    if (name == "design.trl") answer = ask("trl/plan", {{"name", name}, {"text", text}, {"of", "rates"}});
  ASSERT_TRUE(answer.contains("stages")) << answer.dump();
  EXPECT_EQ(answer.at("experiments"), json({"extensions", "rates"}));
  ASSERT_EQ(answer.at("rows").size(), 7U);  // six cells and the model alone
  std::size_t shared = 0;
  for (const auto& stage : answer.at("stages")) {
    ASSERT_FALSE(stage.at("uses").empty()) << stage.dump();
    shared += stage.at("uses").size() > 1;
    for (const auto& from : stage.at("from")) EXPECT_LT(from.at("of"), answer.at("stages").size());
  }
  // The exam's tasks and the first round's answers at least: learning rates act after them.
  EXPECT_GE(shared, 2U);
}

TEST_F(PageTest, SaysWhatItCannotShowOrPlan) {
  const json unknown =
      ask("trl/show", {{"name", "a.trl"}, {"text", "import example\nsplit s = example.easy\n"}, {"of", "t"}});
  EXPECT_EQ(unknown.value("error", ""), "a.trl declares no t");
  const json nothing = ask("trl/plan", {{"name", "a.trl"}, {"text", "import example\n"}});
  EXPECT_EQ(nothing.value("error", ""), "a.trl declares no experiment, so there is nothing to plan");
  const auto answers = page_.receive(R"({"jsonrpc":"2.0","id":1,"method":"trl/check","params":{}})");
  EXPECT_TRUE(json::parse(answers.at(0)).contains("error"));
}

TEST_F(PageTest, ServesAnEditor) {
  const auto send = [&](const json& message) { return page_.receive(message.dump()); };
  const auto hello = send({{"jsonrpc", "2.0"},
                           {"id", 1},
                           {"method", "initialize"},
                           {"params", {{"capabilities", json::object()}}}});
  ASSERT_EQ(hello.size(), 1U);
  EXPECT_TRUE(json::parse(hello[0]).at("result").at("capabilities").contains("hoverProvider"));
  const json document = {
      {"uri", "file:///a.trl"}, {"languageId", "trl"}, {"version", 1}, {"text", "lora l { rnk = 16 }\n"}};
  EXPECT_TRUE(
      send({{"jsonrpc", "2.0"}, {"method", "textDocument/didOpen"}, {"params", {{"textDocument", document}}}})
          .empty());
  const auto published = page_.settle();
  ASSERT_EQ(published.size(), 1U);
  const json found = json::parse(published[0]);
  EXPECT_EQ(found.at("method"), "textDocument/publishDiagnostics");
  EXPECT_EQ(found.at("params").at("diagnostics").at(0).at("code"), "unknown_field");
  EXPECT_TRUE(page_.settle().empty());
}

}  // namespace
}  // namespace trl::page
