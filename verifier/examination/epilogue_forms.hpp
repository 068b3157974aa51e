#pragma once
#include <map>
#include <string>

namespace trl::runtime::epilogue_forms {

/// recorder/epilogue.ttir as it was at build time, by its name.
const std::map<std::string, std::string>& embedded();

}  // namespace trl::runtime::epilogue_forms
