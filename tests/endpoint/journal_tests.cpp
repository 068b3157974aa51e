#include "base/contract/asked.hpp"
#include "runtime/endpoint/journal.hpp"

#include <gtest/gtest.h>

#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "tests/support/scratch.hpp"

namespace trl::runtime {
namespace {

using test::Scratch;

contract::Asked answer_of(const std::string& text) {
  contract::Asked answer;
  answer.asked = "digest", answer.body = {{"model", "m"}}, answer.answer = text, answer.finish = "stop";
  answer.answer_tokens = 3, answer.model = "m-1", answer.attempts = 2, answer.seconds = 0.25;
  return answer;
}

bool impatient() { return false; }

TEST(Journal, HoldsAnswersOverAnEnd) {
  const Scratch folder;
  {
    Journal journal(folder.path / "deep/er", "key", impatient);
    EXPECT_EQ(journal.size(), 0u);
    journal.add("one", answer_of("first\nline \xff"));
    journal.add("two", answer_of(""));
    EXPECT_EQ(journal.find("two")->answer, "");
  }
  Journal journal(folder.path / "deep/er", "key", impatient);
  EXPECT_EQ(journal.size(), 2u);
  EXPECT_EQ(journal.damaged(), 0u);
  EXPECT_EQ(journal.find("three"), nullptr);
  auto expected = answer_of("first\nline \xef\xbf\xbd");
  EXPECT_EQ(journal.find("one")->write(), expected.write()) << "what is no UTF-8 becomes U+FFFD";
  EXPECT_FALSE(journal.find("one")->prompt_tokens);
}

// A process that is killed leaves a part of its last line, wherever it was cut.
TEST(Journal, ACutLineIsWrittenOver) {
  const Scratch folder;
  const auto file = folder.path / "answers.jsonl";
  {
    Journal journal(folder.path, "key", impatient);
    journal.add("one", answer_of("first"));
    journal.add("two", answer_of("second"));
  }
  const auto whole = read_text(file);
  const auto first = whole.find('\n') + 1;
  for (std::size_t cut = first; cut < whole.size(); cut += 7) {
    write_text(file, whole.substr(0, cut));
    {
      Journal journal(folder.path, "key", impatient);
      EXPECT_EQ(journal.size(), 1u) << cut;
      EXPECT_EQ(journal.damaged(), 0u) << cut;
      journal.add("three", answer_of("third"));
    }
    Journal journal(folder.path, "key", impatient);
    EXPECT_EQ(journal.size(), 2u) << cut;
    EXPECT_EQ(journal.find("three")->answer, "third") << cut;
    EXPECT_EQ(journal.damaged(), 0u) << cut;
  }
}

TEST(Journal, DamagedAndForeignLinesDontCount) {
  const Scratch folder;
  const auto file = folder.path / "answers.jsonl";
  {
    Journal journal(folder.path, "key", impatient);
    for (const char* name : {"one", "two", "three"}) journal.add(name, answer_of(name));
  }
  const auto whole = read_text(file);
  for (const auto& [from, to] : {std::pair{"\"two\"", "\"tow\""},
                                 {"\"stop\"", "\"halt\""},
                                 {"\"answer_tokens\":3", "\"answer_tokens\":9"},
                                 {"{", "["},
                                 {"\n", "\nnull\n\n[]\n"}}) {
    auto text = whole;
    const auto second = text.find('\n') + 1;
    const auto at = text.find(from, from[0] == '\n' ? 0 : second);
    ASSERT_NE(at, std::string::npos) << from;
    text.replace(at, std::string(from).size(), to);
    write_text(file, text);
    Journal journal(folder.path, "key", impatient);
    EXPECT_GT(journal.damaged(), 0u) << from;
    EXPECT_NE(journal.find("one"), nullptr) << from;
    EXPECT_NE(journal.find("three"), nullptr) << from;
    EXPECT_EQ(journal.find("two") != nullptr, from[0] == '\n') << from;
    journal.add("four", answer_of("fourth"));
  }
  write_text(file, whole);
  Journal other(folder.path, "another key", impatient);
  EXPECT_EQ(other.size(), 0u) << "answers of another stage";
}

TEST(Journal, OneProcessHasIt) {
  const Scratch folder;
  Journal journal(folder.path, "key", impatient);
  int looks = 0;
  EXPECT_THROW(Journal(folder.path, "key", [&] { return ++looks < 3; }), UserError);
  EXPECT_EQ(looks, 3);
}

TEST(Journal, AFolderThatCantBeMadeIsSaid) {
  const Scratch folder;
  write_text(folder.path / "file", "");
  EXPECT_THROW(Journal(folder.path / "file/below", "key", impatient), DiskError);
}

}  // namespace
}  // namespace trl::runtime
