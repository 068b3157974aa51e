// The number of a piece of a vocabulary.
#pragma once

#include <cstdint>

namespace trl::runtime {

using Token = std::int32_t;

}  // namespace trl::runtime
