#pragma once
#include <map>
#include <string>

namespace trl::runtime::epilogue_forms {

/// Maps the file name "epilogue.ttir" to the text that recorder/epilogue.ttir had at build time.
const std::map<std::string, std::string>& embedded();

}  // namespace trl::runtime::epilogue_forms
