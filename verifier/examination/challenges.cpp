#include "verifier/examination/challenges.hpp"

#include <fmt/format.h>

#include "verifier/examination/judge.hpp"
#include "verifier/plan/commitment.hpp"

namespace trl::runtime {

std::vector<Challenge> challenges_of(const Question& question, const std::string& commitment,
                                     const TestCase& test_case) {
  std::vector<ElementType> types;
  std::vector<bool> fixed;
  for (const TensorShape& input : input_shapes(question.task, test_case.variation)) {
    types.push_back(element_type(input.dtype).value());
    fixed.push_back(!input.domain.is_elementwise());
  }
  return draw_challenges(test_case.inputs, types,
                         input_key(question.secret, commitment, "challenge " + test_case.variation.label()),
                         fixed);
}

std::optional<ReplayFinding> judge_challenged(const Question& question, const Plan& plan,
                                              const TestCase& test_case,
                                              const std::vector<Challenge>& challenges,
                                              const std::vector<std::vector<double>>& outputs) {
  ReplayResult result;
  result.writers.assign(test_case.expected.size(), Writer::kernel);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    result.output = outputs[i];
    const std::vector<InputData> inputs = challenged(test_case.inputs, challenges.at(i));
    auto wrong = judge_values(
        plan, result, expect(question.task, test_case.variation, inputs, question.protocol.precision));
    if (!wrong) continue;
    const std::string& input = inputs[challenges[i].input].name;
    if (!judge_values(plan, result, test_case.expected))
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
