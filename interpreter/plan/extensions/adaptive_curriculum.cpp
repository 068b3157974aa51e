// Each group's share of a round's tasks follows from the model's accuracy on the groups.
#include "base/contract/form.hpp"
#include "base/contract/stages/draw.hpp"
#include "interpreter/plan/extensions/extensions.hpp"

namespace trl::interpreter {

const Extension extensions::adaptive_curriculum = {
    .variant = "adaptive_curriculum",
    .draw =
        [](const nlohmann::json& declared, contract::DrawSpec& spec) {
          auto share = contract::field_of<contract::DrawSpec::Share>(declared, "share");
          for (auto& [group, of] : share)
            if (of.formula) of.formula = of.formula->normalised();
          spec.share = std::move(share);
        },
};

}  // namespace trl::interpreter
