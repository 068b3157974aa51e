// Kernels that Triton compiled, compared with torch in f64.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "tests/executor/case_file.hpp"
#include "tests/executor/same_run.hpp"
#include "verifier/executor/launch/trace.hpp"

namespace trl::executor::test {
namespace {

Module module_of(const nlohmann::json& launch) {
  auto parsed = parse(launch["ttir"].get<std::string>());
  if (const auto* error = std::get_if<ParseError>(&parsed)) {
    throw std::runtime_error(std::to_string(error->line) + ":" + std::to_string(error->column) + ": " +
                             error->message);
  }
  return std::get<Module>(parsed);
}

Report run_all(const nlohmann::json& one, Memory& memory, const Options& options) {
  Report all;
  for (const auto& launch : one["launches"]) {
    const Report report = run(module_of(launch), launch_of(launch), memory, options);
    all.ok = all.ok && report.ok;
    all.threads = std::max(all.threads, report.threads);
    all.counters += report.counters;
    all.findings.insert(all.findings.end(), report.findings.begin(), report.findings.end());
  }
  return all;
}

std::string describe(const Report& report) {
  std::string text;
  for (const Finding& finding : report.findings) {
    text += finding.file + ":" + std::to_string(finding.line) + ":" + std::to_string(finding.column) + ": " +
            std::string(name(finding.kind)) + ": " + finding.message + "\n";
  }
  return text;
}

bool close(double got, double want, double tolerance) {
  if (std::isnan(want)) return std::isnan(got);
  if (std::isinf(want)) return got == want;
  return std::abs(got - want) <= tolerance + tolerance * std::abs(want);
}

class Cases : public testing::Test {
 protected:
  void SetUp() override {
    if (cases().cases.empty())
      GTEST_SKIP() << "no cases: TRL_EXECUTOR_CASES names no folder of make_cases.py";
  }
};

TEST_F(Cases, ValuesAreThoseOfTorch) {
  for (const auto& one : cases().cases) {
    if (!one["finding"].is_null() || !one["refused"].is_null()) continue;
    SCOPED_TRACE(one["name"].get<std::string>());
    Memory memory = cases().memory(one);
    Report report;
    try {
      report = run_all(one, memory, {});
    } catch (const std::runtime_error& error) {
      ADD_FAILURE() << error.what();
      continue;
    }
    EXPECT_TRUE(report.ok) << describe(report);
    for (const auto& expected : one["expected"]) {
      const Buffer& buffer = memory.buffer(expected["buffer"]);
      const std::span<const std::byte> values = cases().bytes(expected["values"]);
      const std::size_t count = values.size() / 8;
      if (expected["exact"]) {
        std::vector<std::int64_t> want(count);
        std::memcpy(want.data(), values.data(), values.size());
        const std::vector<std::int64_t> got = integers(buffer, expected["dtype"]);
        EXPECT_EQ(got, want);
        continue;
      }
      std::vector<double> want(count);
      std::memcpy(want.data(), values.data(), values.size());
      const std::vector<double> got = numbers(buffer, expected["dtype"]);
      ASSERT_EQ(got.size(), count);
      for (std::size_t i = 0; i < count; ++i) {
        if (close(got[i], want[i], expected["tolerance"])) continue;
        ADD_FAILURE() << "element " << i << " is " << got[i] << ", not " << want[i];
        break;
      }
    }
  }
}

TEST_F(Cases, WhatIsNotRunIsRefusedByName) {
  for (const auto& one : cases().cases) {
    if (one["refused"].is_null()) continue;
    SCOPED_TRACE(one["name"].get<std::string>());
    const std::string text = one["launches"][0]["ttir"], word = one["refused"];
    const auto parsed = parse(text);
    const auto* error = std::get_if<ParseError>(&parsed);
    ASSERT_NE(error, nullptr) << "it runs";
    EXPECT_NE(error->message.find(word), std::string::npos) << error->message;
    EXPECT_NE(error->message.find("supported by the executor"), std::string::npos) << error->message;
    // The line is that of the operation in the text, whose debug location leads to the candidate's line.
    std::size_t begin = 0;
    for (int line = 1; line < error->line; ++line) begin = text.find('\n', begin) + 1;
    const std::string line = text.substr(begin, text.find('\n', begin) - begin);
    EXPECT_NE(line.find(word), std::string::npos) << line;
  }
}

TEST_F(Cases, MemoryErrorsAreFoundAtTheirLine) {
  for (const auto& one : cases().cases) {
    if (one["finding"].is_null()) continue;
    SCOPED_TRACE(one["name"].get<std::string>());
    Memory memory = cases().memory(one);
    Options options;
    options.limits.max_operations = 10'000'000;
    const Report report = run_all(one, memory, options);
    EXPECT_FALSE(report.ok);
    const auto& wanted = one["finding"];
    bool found = false;
    for (const Finding& finding : report.findings) {
      found = found || (name(finding.kind) == wanted["kind"].get<std::string>() &&
                        (!wanted.contains("line") || finding.line == wanted["line"]) &&
                        (!wanted.contains("column") || finding.column == wanted["column"]) &&
                        finding.file.ends_with(wanted.value("file", "")));
    }
    EXPECT_TRUE(found) << "wanted " << wanted << "\n" << describe(report);
  }
}

TEST_F(Cases, TolerantRunsGoOn) {
  for (const auto& one : cases().cases) {
    if (one["finding"].is_null()) continue;
    SCOPED_TRACE(one["name"].get<std::string>());
    Memory memory = cases().memory(one);
    Options options;
    options.strict = false;
    options.limits.max_operations = 10'000'000;
    const Report report = run_all(one, memory, options);
    const std::string kind = one["finding"]["kind"];
    EXPECT_EQ(report.ok, kind != "timeout" && kind != "division_by_zero" && kind != "deadlock")
        << describe(report);
    EXPECT_FALSE(report.findings.empty());
  }
}

TEST_F(Cases, RunsRepeatBitForBit) {
  for (const auto& one : cases().cases) {
    if (!one["refused"].is_null()) continue;
    Memory first = cases().memory(one), second = first;
    Options options;
    options.limits.max_operations = 10'000'000;
    const Report a = run_all(one, first, options), b = run_all(one, second, options);
    EXPECT_EQ(describe(a), describe(b));
    EXPECT_EQ(a.counters.operations, b.counters.operations);
    EXPECT_EQ(a.counters.sectors_read, b.counters.sectors_read);
    for (int i = 0; i < first.size(); ++i)
      EXPECT_EQ(first.buffer(i).bytes, second.buffer(i).bytes) << one["name"];
  }
}

TEST_F(Cases, ThreadsAndTracesChangeNothing) {
  int together = 0;
  for (const auto& one : cases().cases) {
    if (!one["refused"].is_null()) continue;
    SCOPED_TRACE(one["name"].get<std::string>());
    Options options;
    options.strict = false;
    options.order = 5;
    options.threads_from = 0;
    options.limits.max_operations = 10'000'000;
    Memory alone = cases().memory(one);
    const std::string expected = everything(run_all(one, alone, options), alone);
    for (const int threads : {2, 5}) {
      options.threads = threads;
      Memory memory = cases().memory(one);
      const Report report = run_all(one, memory, options);
      together += report.threads > 1;
      EXPECT_EQ(everything(report, memory), expected) << threads << " threads";
    }
    Trace trace;
    options.trace = &trace;
    Memory memory = cases().memory(one);
    EXPECT_EQ(everything(run_all(one, memory, options), memory), expected) << "traced";
  }
  EXPECT_GT(together, 50);
}

}  // namespace
}  // namespace trl::executor::test
