// The enumerators of Operator. A new operator recompiles every file that includes this one.
#pragma once

#include "base/operators/operator.hpp"

namespace trl::operators {

enum class Operator : std::uint8_t {
#define TRL_ELEMENT(name, ...) name,
#define TRL_LINE(name, ...) name,
#define TRL_OPERATOR(name, ...) name,
#define TRL_UNWRITTEN(name, ...) name,
#define TRL_ALIAS(name, other, ...) name,
#include "base/operators/operators.def"
};

}  // namespace trl::operators
