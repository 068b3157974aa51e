// What each group of tasks has of a round follows from what the model can already do.
#include "base/contract/form.hpp"
#include "base/contract/stages/draw.hpp"
#include "interpreter/plan/extensions/extensions.hpp"
#include "interpreter/stage/stage.hpp"

namespace trl::interpreter {

const Extension extensions::adaptive_curriculum = {
    .variant = "adaptive_curriculum",
    .draw =
        [](const nlohmann::json& declared, contract::DrawSpec& spec) {
          auto share = contract::field_of<contract::DrawSpec::Share>(declared, "share");
          for (auto& [group, formula] : share) formula = normalised_formula(formula);
          spec.share = std::move(share);
        },
};

}  // namespace trl::interpreter
