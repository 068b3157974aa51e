// Declares the extensions. Each .cpp file of this folder defines one of them.
#pragma once

#include "interpreter/plan/extension.hpp"

namespace trl::interpreter::extensions {

#define EXTENSION(name) extern const Extension name;
#include "interpreter/plan/extensions/extensions.def"
#undef EXTENSION

}  // namespace trl::interpreter::extensions
