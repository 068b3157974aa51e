// The table of operators: that its rows are whole, and that lists elsewhere are what it says.
#include <gtest/gtest.h>

#include <cmath>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>

#include "base/operators/dtype.hpp"
#include "base/operators/einsum.hpp"
#include "base/operators/operator.hpp"
#include "tests/golden.hpp"
#include "tests/operators/markdown_list.hpp"

namespace trl::operators {
namespace {

using Kind = Parameter::Kind;

std::string read(const std::string& path) {
  std::ifstream file(path);
  return {(std::istreambuf_iterator<char>(file)), {}};
}

TEST(Table, FindsEveryRowByItsNameAndPlace) {
  for (const Row& own : table()) {
    EXPECT_EQ(&row(own.id), &own) << own.name;
    EXPECT_EQ(operator_called(own.name), own.id) << own.name;
    EXPECT_EQ(name_of(own.id), own.name);
  }
  EXPECT_EQ(operator_called("conv4d"), std::nullopt);
  EXPECT_EQ(operator_called(""), std::nullopt);
}

TEST(Table, SaysWhatAnOperatorIs) {
  for (const Row& own : table()) {
    EXPECT_TRUE(own.doc.ends_with(".")) << own.name;
    ASSERT_FALSE(own.parameters.empty()) << own.name;
    // A tensor comes first, but for an equation, and but for operators that make one of sizes.
    EXPECT_TRUE(own.parameters.front().is_tensor() || own.parameters.front().kind == Kind::text ||
                own.family == Family::made_of_sizes)
        << own.name;
    EXPECT_FALSE(own.python.callee.empty()) << own.name;
    // The generator writes what lies on a matrix, whose shape readers infer.
    EXPECT_EQ(own.form == Form::Stated, !row(own.lowered).written_answers) << own.name;
    EXPECT_FALSE(row(own.lowered).is_alias()) << own.name;
    EXPECT_EQ(row(own.lowered).form, own.form) << own.name;
  }
}

TEST(Table, HasParametersThatGoTogether) {
  for (const Row& own : table()) {
    std::set<std::string> names;
    for (const Parameter& parameter : own.parameters) {
      const std::string what = own.name + "." + parameter.name;
      EXPECT_TRUE(names.insert(parameter.name).second) << what;
      EXPECT_TRUE(!parameter.needed || parameter.default_value.is_null()) << what;
      EXPECT_TRUE(!parameter.quiet || !parameter.default_value.is_null()) << what;
      EXPECT_EQ(parameter.kind == Kind::choice, !parameter.choices.empty()) << what;
      // Names decide what a task's key says (docs/interfaces.md, 1): one name means one thing.
      if (!parameter.is_tensor()) {
        EXPECT_EQ(is_constant(parameter.name), parameter.kind == Kind::real) << what;
        EXPECT_EQ(is_word(parameter.name), parameter.kind == Kind::choice || parameter.kind == Kind::text)
            << what;
      }
    }
  }
}

TEST(Table, WritesParametersOnceInPython) {
  for (const Row& own : table()) {
    std::set<std::string> written;
    const auto once = [&](const std::string& name) {
      EXPECT_TRUE(own.parameter(name) || name == "None" || name.find('=') != std::string::npos)
          << own.name << " has no parameter " << name;
      if (own.parameter(name)) {
        EXPECT_TRUE(written.insert(name).second) << own.name << " writes " << name << " twice";
      }
    };
    for (const std::string& name : own.python.positional) once(name);
    for (const std::string& name : own.python.named) once(name);
    if (own.python.style != Python::Style::call || own.form == Form::Reduction || own.form == Form::Along)
      continue;
    for (const Parameter& parameter : own.parameters)
      EXPECT_TRUE(parameter.is_tensor() || written.contains(parameter.name))
          << "the prompt of " << own.name << " never says its " << parameter.name;
  }
}

TEST(Table, HasTheNumbersThatTheSeamsLeaveOutOfKeys) {
  std::set<std::string> numbers;
  for (const Row& own : table())
    for (const Parameter& parameter : own.parameters)
      if (parameter.kind == Kind::real) numbers.insert(parameter.name);
  std::string listed;
  for (const std::string& name : numbers) listed += (listed.empty() ? "(" : " ") + name;
  std::string page = read(TRL_SOURCE "/docs/interfaces.md");
  std::replace(page.begin(), page.end(), '\n', ' ');
  EXPECT_NE(page.find("numbers that no shape depends on " + listed + ")"), std::string::npos) << listed;
}

TEST(Einsum, ReadsEquationsAndSaysWhatIsWrong) {
  const auto own = parse_einsum("bij, bjk -> bik");
  ASSERT_TRUE(own);
  EXPECT_EQ(own->x, "bij");
  EXPECT_EQ(own->out, "bik");
  EXPECT_EQ(own->summed(), "j");
  EXPECT_EQ(parse_einsum("i,j->")->summed(), "ij");
  for (const auto& [equation, part] : std::map<std::string, std::string>{{"ij,jk", "no `->`"},
                                                                         {"ij->i", "joins two tensors"},
                                                                         {"i,j,k->i", "joins two tensors"},
                                                                         {"ii,j->ij", "twice"},
                                                                         {"i,j->ik", "an axis k"},
                                                                         {"...i,j->ij", "one letter"},
                                                                         {",j->j", "at least one axis"}}) {
    std::string problem;
    EXPECT_FALSE(parse_einsum(equation, &problem)) << equation;
    EXPECT_NE(problem.find(part), std::string::npos) << equation << ": " << problem;
  }
}

TEST(Dtypes, HaveWhatTheirBitsHold) {
  for (const Dtype& row : dtypes) EXPECT_EQ(dtype_called(row.name), &row);
  for (int type = 0; type <= static_cast<int>(ElementType::i1); ++type)
    EXPECT_EQ(static_cast<int>(row_of(static_cast<ElementType>(type)).element), type);
  for (const Dtype& row : all_dtypes) {
    if (!row.integer()) continue;
    const double bits = 8 * row.bytes - (row.name.front() == 'i');
    EXPECT_NEAR(row.largest, std::ldexp(1.0, static_cast<int>(bits)) - 1, row.bytes == 8 ? 2048 : 0)
        << row.name;
  }
  EXPECT_EQ(dtype_called("f16")->unit(), 0x1p-11);
  EXPECT_EQ(dtype_called("float32"), nullptr);
  EXPECT_EQ(dtype_called("u32"), nullptr) << "no task has it";
}

TEST(Table, IsWhatTheSeamsList) {
  const std::string file = "docs/interfaces.md";
  std::string page = read(TRL_SOURCE "/" + file);
  for (const bool stated : {false, true}) {
    const std::string name = stated ? "stated operators" : "inferred operators";
    const std::string begin = "<!-- " + name + ": made by operators_tests -->\n",
                      end = "<!-- end of " + name + " -->\n";
    const auto from = page.find(begin), to = page.find(end);
    ASSERT_TRUE(from != std::string::npos && to != std::string::npos && from < to) << name;
    const std::string listed = page.substr(from + begin.size(), to - from - begin.size());
    EXPECT_TRUE(renewed(file) || listed == markdown_list(stated)) << name << ": ./trl renew operators";
    page.replace(from + begin.size(), listed.size(), markdown_list(stated));
  }
  if (const auto path = renewed(file)) std::ofstream(*path) << page;
}

}  // namespace
}  // namespace trl::operators
