#include "base/contract/stages/pairs.hpp"
#include "base/support/error.hpp"
#include "interpreter/local/local_stage.hpp"
#include "interpreter/python_program.hpp"

namespace trl::interpreter {
using nlohmann::json;

json run_pairs(const LocalStage& stage) {
  json request = {{"rows", stage.outside.at("rows").string()},
                  {"output", stage.output.string()},
                  {"licenses", nullptr},
                  {"seed", nullptr}};
  request.update(contract::PairsSpec::read(stage.spec).write());
  const std::string text =
      run_python({stage.home, "verifier/kernelbench/make_pairs.py", {}, request.dump(), stage.stopped});
  const json report = json::parse(text, nullptr, false);
  if (!report.is_object())
    throw UserError("verifier/kernelbench/make_pairs.py answered what isn't understood: " +
                    text.substr(0, 100));
  return report;
}

}  // namespace trl::interpreter
