#include "runtime/verify/examination/challenges.hpp"

#include <fmt/format.h>

#include "runtime/verify/examination/judge.hpp"
#include "runtime/verify/plan/seal.hpp"

namespace trl::runtime {

std::vector<Challenge> challenges_of(const Question& question, const std::string& seal, const Trial& trial) {
  std::vector<ElementType> types;
  for (const TensorShape& input : input_shapes(question.task, trial.variation))
    types.push_back(element_type(input.dtype).value());
  return draw_challenges(trial.inputs, types,
                         input_key(question.secret, seal, "challenge " + trial.variation.label()));
}

std::optional<ReplayFinding> judge_challenged(const Question& question, const Plan& plan, const Trial& trial,
                                              const std::vector<Challenge>& challenges,
                                              const std::vector<std::vector<double>>& outputs) {
  ReplayResult result;
  result.writers.assign(trial.expected.size(), Writer::kernel);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    result.output = outputs[i];
    const std::vector<InputData> inputs = challenged(trial.inputs, challenges.at(i));
    auto wrong = judge_values(plan, result,
                              expect(question.task, trial.variation, inputs, question.protocol.precision));
    if (!wrong) continue;
    const std::string& input = inputs[challenges[i].input].name;
    if (!judge_values(plan, result, trial.expected))
      wrong = ReplayFinding{"kept_output",
                            fmt::format("with other values in `{}` than in the runs before it, a timed "
                                        "run gives the output of those",
                                        input)};
    else
      wrong->message += fmt::format(", when timed with other values in `{}` than in the runs before", input);
    return wrong;
  }
  return std::nullopt;
}

}  // namespace trl::runtime
