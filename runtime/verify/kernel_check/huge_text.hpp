#pragma once
#include <string_view>

namespace trl::kernel_check {

/// Moves the code of the dynamic library whose path holds `library` to huge pages of this process, where the
/// machine has them. A child then has that code from its first instruction; pages of a file it would fault in
/// one after another. Nothing happens where that isn't possible.
void move_to_huge_pages(std::string_view library);

}  // namespace trl::kernel_check
