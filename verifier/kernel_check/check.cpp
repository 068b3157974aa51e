#include "verifier/kernel_check/check.hpp"

namespace trl::kernel_check {

const std::vector<const Check*>& all_checks() {
  static const std::vector<const Check*> all = {
#define TRL_CHECK(id) &checks::id,
#include "verifier/kernel_check/checks.def"
#undef TRL_CHECK
  };
  return all;
}

const Check* find_check(std::string_view id) {
  for (const Check* one : all_checks())
    if (one->id == id) return one;
  return nullptr;
}

}  // namespace trl::kernel_check
