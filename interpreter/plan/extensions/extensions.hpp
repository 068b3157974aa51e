// Each file of this folder defines one of these.
#pragma once

#include "interpreter/plan/extension.hpp"

namespace trl::interpreter::extensions {

#define EXTENSION(name) extern const Extension name;
#include "interpreter/plan/extensions/extensions.def"
#undef EXTENSION

}  // namespace trl::interpreter::extensions
