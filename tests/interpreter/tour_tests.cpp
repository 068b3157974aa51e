// Executes every example of the pages that teach: their outputs must be those of the real binary.
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <sstream>

#include "base/support/files.hpp"
#include "interpreter/files.hpp"
#include "tests/interpreter/trl_process.hpp"

namespace trl::interpreter {
namespace {

namespace fs = std::filesystem;

/// A line of the page, or a fenced block.
struct Part {
  bool block = false;
  std::string info, text;  ///< for a block: its language, and the text between its fences
};

std::vector<Part> parts_of(const std::string& page) {
  std::vector<Part> parts;
  std::istringstream lines(page);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      if (!inside) parts.push_back({true, line.substr(3), ""});
      inside = !inside;
    } else if (inside) {
      parts.back().text += line + "\n";
    } else {
      parts.push_back({false, "", line});
    }
  }
  return parts;
}

std::string page_of(const std::vector<Part>& parts) {
  std::string page;
  for (const Part& part : parts) {
    if (part.block) page += "```" + part.info + "\n" + part.text + "```\n";
    if (!part.block) page += part.text + "\n";
  }
  return page;
}

/// Runs the commands of a console block and returns them with their output.
std::string console(const testing::TrlFolder& folder, const std::string& block) {
  std::string text;
  std::istringstream lines(block);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("$ trl ")) continue;
    const auto ended = folder.shell("$trl " + line.substr(6), {{"NO_COLOR", "1"}});
    text += line + "\n" + ended.out + ended.err;
  }
  return text;
}

struct Lesson {
  const char* page;
  int good, bad, consoles;  ///< how many examples of each kind it has at least
};

class Lessons : public ::testing::TestWithParam<Lesson> {};

TEST_P(Lessons, EveryExampleDoesWhatThePageSays) {
  const testing::TrlFolder folder(TRL, FAKE_WORKER, fs::path(SOURCE) / "small.trl");
  const fs::path file = fs::path(DOCS) / GetParam().page;
  const std::string page = read_text(file);
  std::vector<Part> parts = parts_of(page);
  int good = 0, bad = 0, consoles = 0;
  std::set<std::string> written;  // files of the page's blocks
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Part& part = parts[i];
    if (!part.block) continue;
    if (part.info == "trl bad") {
      ++bad;
      write_text(folder.path() / "bad.trl", part.text);
      const auto ended = folder.trl("check bad.trl", {{"NO_COLOR", "1"}});
      EXPECT_FALSE(ended.err.empty()) << "it has no error, although the page says so:\n" << part.text;
      while (++i < parts.size() && !parts[i].block) {
      }
      ASSERT_TRUE(i < parts.size() && parts[i].info == "text") << "its diagnostics have to follow:\n"
                                                               << part.text;
      parts[i].text = ended.err;
    } else if (part.info == "trl" || part.info.starts_with("trl ")) {
      ++good;
      const std::string name = part.info == "trl" ? "example.trl" : part.info.substr(4);
      // A command of the page may have written the file: then the page shows what that wrote.
      if (written.insert(name).second && fs::exists(folder.path() / name))
        part.text = read_text(folder.path() / name);
      else
        write_text(folder.path() / name, part.text);
      const auto ended = folder.trl("check " + name);
      EXPECT_EQ(ended.out, name + " is fine\n") << ended.err << part.text;
    } else if (part.info == "console") {
      ++consoles;
      part.text = console(folder, part.text);
    } else {
      ADD_FAILURE() << "a block of a kind that no test executes: " << part.info;
    }
  }
  EXPECT_TRUE(good >= GetParam().good && bad >= GetParam().bad && consoles >= GetParam().consoles)
      << "is this " << file << "?";
  if (std::getenv("TRL_RENEW")) replace_text(file, page_of(parts));
  EXPECT_EQ(page_of(parts), page) << file
                                  << " does not agree with trl. Renew it, and review the change, with:\n"
                                     "  TRL_RENEW=1 ctest --test-dir build/release -R file_commands";
}

INSTANTIATE_TEST_SUITE_P(Docs, Lessons,
                         ::testing::Values(Lesson{"tour.md", 9, 5, 4}, Lesson{"first_study.md", 1, 0, 2},
                                           Lesson{"large_studies.md", 2, 0, 0}),
                         [](const auto& of) {
                           const std::string page = of.param.page;
                           return page.substr(0, page.find('.'));
                         });

}  // namespace
}  // namespace trl::interpreter
