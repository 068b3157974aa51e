#include <fmt/format.h>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(large_learning_rate)
namespace {

/// Weights of language models are of the size of 0.02, and Kingma and Ba (arXiv 1412.6980, section 2.1) bound
/// a step of Adam by about the learning rate. Two steps of this rate may turn a weight around.
constexpr double large = 0.01;

void check_large_learning_rate(Inspection& inspection) {
  for (const auto& stage : inspection.stages()) {
    const Value* rate = stage.train->field("learning_rate");
    if (rate == nullptr || !rate->given || !rate->plain.is_number() || rate->number() < large) continue;
    inspection.report(
        found(rules::large_learning_rate, rate->range,
              fmt::format("a step of `{}` moves each weight by up to about {:.6g}, and weights are of the "
                          "size of 0.02: what the "
                          "model knows is lost in the first ones",
                          stage.train->name, rate->number()))
            .helped("rates of AdamW are mostly between 1e-6, for every weight, and 1e-3, for an adapter"),
        {stage.train});
  }
}

}  // namespace

const Rule rules::large_learning_rate{
    "large_learning_rate",
    Severity::warning,
    true,
    "A step of AdamW is about as large as the learning rate, and the weights "
    "themselves are of the size of 0.02.",
    R"(import example
train t : example.reinforce { learning_rate = 1e-3 }
experiment e : example.study { train = t }
)",
    R"(import example
train t : example.reinforce { learning_rate = 0.5 }
experiment e : example.study { train = t }
)",
    check_large_learning_rate};

}  // namespace trl::language
