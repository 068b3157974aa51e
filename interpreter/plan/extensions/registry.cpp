#include "interpreter/plan/extensions/extensions.hpp"

namespace trl::interpreter {

const std::vector<const Extension*>& all_extensions() {
  static const std::vector<const Extension*> all = {
#define EXTENSION(name) &extensions::name,
#include "interpreter/plan/extensions/extensions.def"
#undef EXTENSION
  };
  return all;
}

}  // namespace trl::interpreter
