// Changes only the random draws of training: they come from another seed.
#include <fmt/format.h>

#include "base/contract/document.hpp"
#include "base/support/random.hpp"
#include "interpreter/plan/extensions/extensions.hpp"

namespace trl::interpreter {

const Extension extensions::placebo = {
    .variant = "placebo",
    .seed =
        [](const nlohmann::json& declared, std::uint64_t seed) {
          const auto version = contract::Declaration::read(declared).carried_out_by().dump();
          // 53 bits, which every reader of JSON keeps exactly.
          return random_key(fmt::format("{}/placebo/{}/0/0", seed, version)).value >> 11U;
        },
};

}  // namespace trl::interpreter
