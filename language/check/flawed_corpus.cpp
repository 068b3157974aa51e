#include <fmt/format.h>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(flawed_corpus)
namespace {

void check_flawed_corpus(Inspection& inspection) {
  for (const auto& stage : inspection.stages()) {
    const Value* data = stage.train->field("data");
    const Value* flawed = data == nullptr || !stage.train->sound("data") ? nullptr : data->entry("flawed");
    if (flawed == nullptr || flawed->number() < 1) continue;
    inspection.report(
        found(rules::flawed_corpus, flawed->range,
              "every answer that `" + stage.train->name + "` learns from has a planted mistake")
            .helped("`flawed` is the share of answers with a mistake: write `flawed = 0%` for right answers "
                    "alone"),
        {stage.train});
  }
}

}  // namespace

const Rule rules::flawed_corpus{"flawed_corpus",
                                Severity::warning,
                                true,
                                "A model that learns from wrong answers alone learns to write wrong answers.",
                                R"(import windtunnel
import example
train t : sft { data = windtunnel.corpus(level1 = 160, flawed = 30%) }
experiment e : example.study { train = t }
)",
                                R"(import windtunnel
import example
train t : sft { data = windtunnel.corpus(level1 = 160, flawed = 100%) }
experiment e : example.study { train = t }
)",
                                check_flawed_corpus};

}  // namespace trl::language
