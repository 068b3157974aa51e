#pragma once
#include <string_view>

namespace trl::kernel_check {

/// Moves the code of the dynamic library whose path contains `library` to huge pages, if the machine has
/// them. A forked child then has that code mapped from the start, whereas pages of a file would be faulted in
/// one by one. Does nothing where that isn't possible.
void move_to_huge_pages(std::string_view library);

}  // namespace trl::kernel_check
