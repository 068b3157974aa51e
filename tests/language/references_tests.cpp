// References between declarations.
#include <gtest/gtest.h>

#include "language/program/references.hpp"
#include "tests/language/stub.hpp"

namespace trl::language {
namespace {

/// References as text: "e -train-> t", "u => t" for derivations, "e ~t.rounds~> t" for overrides.
std::vector<std::string> arrows(const References& references) {
  std::vector<std::string> out;
  for (const Reference& r : references.references) {
    const std::string from = references.declarations[r.from].name, to = references.declarations[r.to].name;
    const char* ends[] = {" -", "->", " =", "=>", " ~", "~>"};
    const auto kind = 2 * static_cast<std::size_t>(r.kind);
    out.push_back(from + ends[kind] + r.field + ends[kind + 1] + " " + to);
  }
  return out;
}

std::vector<std::string> names(const References& references) {
  std::vector<std::string> out;
  for (const auto& d : references.declarations) out.push_back(d.kind + " " + d.name);
  return out;
}

References of(const std::string& text, const std::string& name = "") {
  return references_of("test.trl", test::in_memory({{"test.trl", text}}), name);
}

constexpr const char* program = R"(import example
let n = 2
let twice(c: verdict) = if c.correct then 1 else n * c.credit / 4
split part = example.easy[1..n]
train t : example.reinforce { tasks = part, reward = twice, epochs = q.rank }
train controls : t { keep = 1 }
lora q { rank = 2 }
experiment e : example.study {
  train = t, adapter = q, controls = [controls, t]
  override { t.rounds = n }
}
table m { of = e, rows = cells + controls }
)";

TEST(References, AreThoseOfValuesDerivationsAndOverrides) {
  const References all = of(program);
  ASSERT_TRUE(all.found);
  EXPECT_EQ(arrows(all), (std::vector<std::string>{
                             "twice --> n",
                             "part --> n",
                             "part --> example.easy",
                             "t -reward-> twice",
                             "t -tasks-> part",
                             "t -epochs-> q",
                             "t ==> example.reinforce",
                             "controls ==> t",
                             "e -override-> n",
                             "e -controls-> t",
                             "e -train-> t",
                             "e ~t.rounds~> t",
                             "e -controls-> controls",
                             "e -adapter-> q",
                             "e ==> example.study",
                             "m -of-> e",
                             "example.reinforce -tasks-> example.easy",
                             "example.reinforce -tasks-> example.hard",
                             "example.exam -split-> example.hard",
                             "example.study -model-> example.base",
                             "example.study -adapter-> example.writer",
                             "example.study -train-> example.reinforce",
                             "example.study -evaluate-> example.exam",
                         }))
      << "a choice of a field, as in `rows = controls`, is not a reference";
}

TEST(References, OfOneDeclarationAreThoseThatItReaches) {
  EXPECT_EQ(names(of(program, "part")),
            (std::vector<std::string>{"let n", "split part", "suite example.easy"}));
  EXPECT_FALSE(of(program, "nobody").found);
  EXPECT_EQ(of(program).known.size(), 8u);
  EXPECT_TRUE(of("train t : nothing {}\n").checked.has_errors());
}

TEST(References, OfAnEmptyFileAreNone) {
  const References none = of("");
  EXPECT_TRUE(none.found);
  EXPECT_TRUE(none.declarations.empty());
}

}  // namespace
}  // namespace trl::language
