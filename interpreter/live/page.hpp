#pragma once
#include <map>
#include <string>

namespace trl::interpreter::live_page {

/// The texts of files that are embedded in the binary, by file name. The only file is `page.html`, in which
/// @NONCE@ stands for the nonce of its style and its script.
const std::map<std::string, std::string>& embedded();

}  // namespace trl::interpreter::live_page
