// Measures how many mistakes are found at the right place and corrected by the first fix, and that correct
// programs have no finding.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>

#include "language/diagnostics/render.hpp"
#include "tests/language/mistakes.hpp"
#include "tests/language/stub.hpp"

namespace trl::language {
namespace {

struct Outcome {
  bool found = false;    ///< the rule was found at the right line and column
  bool offered = false;  ///< a fix gives the intended text
  std::size_t others = 0;
};

std::string applied(const std::string& text, const Fix& fix) {
  std::string out = text;
  return out.replace(fix.range.begin, fix.range.end - fix.range.begin, fix.text);
}

Outcome outcome_of(const test::Mistake& mistake) {
  const Checked checked = test::check_text(mistake.program);
  const Source& source = checked.sources[0];
  const Position wanted = source.position(mistake.at);
  Outcome out;
  for (const Diagnostic& d : checked.diagnostics) {
    const Position begin = source.position(d.range.begin);
    const bool here = d.rule == mistake.rule && d.range.file == 0 && begin.line == wanted.line &&
                      begin.column == wanted.column;
    if (!here || out.found) {
      ++out.others;
      continue;
    }
    out.found = true;
    if (d.fixes.empty()) continue;
    const std::string fixed = applied(mistake.program, d.fixes.front());
    out.offered = mistake.fixed.empty() ? !test::check_text(fixed).has_errors() : fixed == mistake.fixed;
    if (mistake.fixed.empty() && d.severity != Severity::error)
      for (const Diagnostic& left : test::check_text(fixed).diagnostics)
        out.offered = out.offered && left.rule != mistake.rule;
  }
  return out;
}

TEST(Mistakes, AreFoundWhereTheyAreAndMended) {
  struct Row {
    int made = 0, found = 0, mendable = 0, fixed = 0, others = 0;
  };
  std::map<std::string, Row> kinds;
  Row all;
  std::string missed;
  for (const test::Mistake& mistake : test::mistakes()) {
    const Outcome outcome = outcome_of(mistake);
    for (Row* row : {&kinds[mistake.kind], &all}) {
      ++row->made;
      row->found += outcome.found;
      row->mendable += mistake.mendable;
      row->fixed += mistake.mendable && outcome.offered;
      row->others += static_cast<int>(outcome.others);
    }
    if (outcome.found && (!mistake.mendable || outcome.offered)) continue;
    const Checked checked = test::check_text(mistake.program);
    const Position wanted = checked.sources[0].position(mistake.at);
    missed += mistake.kind + ": " + (outcome.found ? "no right fix" : "not found") + ", " + mistake.rule +
              " wanted at " + std::to_string(wanted.line) + ":" + std::to_string(wanted.column) + "\n" +
              std::string(checked.sources[0].line(wanted.line)) + "\n" +
              render(checked.diagnostics, checked.sources).substr(0, 900) + "\n";
  }
  std::printf("%-40s %6s %6s %9s %6s %7s\n", "kind of mistake", "made", "found", "mendable", "mended",
              "others");
  for (const auto& [kind, row] : kinds)
    std::printf("%-40s %6d %6d %9d %6d %7d\n", kind.c_str(), row.made, row.found, row.mendable, row.fixed,
                row.others);
  std::printf("%-40s %6d %6d %9d %6d %7d\n", (std::to_string(kinds.size()) + " kinds").c_str(), all.made,
              all.found, all.mendable, all.fixed, all.others);
  EXPECT_GE(all.made, 150);
  EXPECT_GE(kinds.size(), 30u);
  EXPECT_EQ(all.found, all.made) << missed;
  EXPECT_GE(all.fixed, 0.95 * all.mendable) << missed;
}

TEST(NearMisses, AreNotRejected) {
  std::string wrong;
  int rejected = 0, warned = 0;
  const auto all = test::near_misses();
  for (const test::NearMiss& one : all) {
    const Checked checked = test::check_text(one.program);
    rejected += checked.has_errors();
    warned += !checked.has_errors() && !checked.diagnostics.empty();
    if (!checked.diagnostics.empty())
      wrong += one.what + "\n" + render(checked.diagnostics, checked.sources) + "\n";
  }
  std::printf("near-misses: %zu, rejected %d, warned of %d\n", all.size(), rejected, warned);
  EXPECT_GE(all.size(), 60u);
  EXPECT_EQ(rejected, 0) << wrong;
  EXPECT_EQ(warned, 0) << wrong;
}

}  // namespace
}  // namespace trl::language
