// A token: the id of an entry of a tokenizer's vocabulary.
#pragma once

#include <cstdint>

namespace trl::runtime {

using Token = std::int32_t;

}  // namespace trl::runtime
