#include <fmt/format.h>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(corpus_without_tasks)
namespace {

void check_corpus_without_tasks(Inspection& inspection) {
  for (const auto& stage : inspection.stages()) {
    const Value* data = stage.train->field("data");
    if (data == nullptr || !data->is(Value::Kind::call)) continue;
    const bool levels = data->name == "kernelbook";
    if (!levels && data->entry("samples") != nullptr) continue;
    const Value* exclude = data->entry("exclude");
    const auto total = corpus_samples(*data, inspection.suites);
    if (!total) continue;
    if (*total == 0) {
      inspection.report(found(rules::corpus_without_tasks, data->range, "the corpus has no samples")
                            .helped("say how many samples each group has: `level1 = 150`"),
                        {stage.train});
      continue;
    }
    for (const auto& [group, value] : data->entries) {
      const auto* suite = labelled_suite(*data, group, inspection.suites);
      if (suite == nullptr || value.number() <= 0 || exclude == nullptr) continue;
      std::size_t left = suite->size();
      for (const SuiteTask& t : *suite)
        for (const SuiteTask* out : exclude->tasks)
          if (out->overlap == t.overlap) {
            --left;
            break;
          }
      if (left > 0) continue;
      inspection.report(
          found(rules::corpus_without_tasks, value.range,
                fmt::format("{} samples of `{}` are asked for, but all of its {} tasks are excluded",
                            value.number(), group, suite->size()))
              .note("excluded here", exclude->range)
              .helped("exclude fewer, or write `" + group + " = 0`")
              .suggest("write `0`", value.range, "0"),
          {stage.train});
    }
  }
}

}  // namespace

const Rule rules::corpus_without_tasks{
    "corpus_without_tasks",
    Severity::error,
    true,
    "A corpus cannot have samples of tasks that do not exist or are all excluded.",
    R"(import windtunnel
import example
train t : sft { data = windtunnel.corpus(level1 = 160, level2 = 40, exclude = windtunnel.level2[2..100]) }
experiment e : example.study { train = t }
)",
    R"(import windtunnel
import example
train t : sft { data = windtunnel.corpus(level1 = 160, level2 = 40, exclude = windtunnel.level2) }
experiment e : example.study { train = t }
)",
    check_corpus_without_tasks};

}  // namespace trl::language
