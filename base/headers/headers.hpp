#pragma once
/// Headers that most files include, precompiled. Each file must still include what it uses: the preset
/// `debug` builds without precompiled headers and shows missing includes.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

// JSON's reader, writer and container are compiled once, in json.cpp.
extern template class nlohmann::basic_json<>;
namespace nlohmann::detail {
using StringInput = iterator_input_adapter<std::string::const_iterator>;
extern template class serializer<json>;
extern template class lexer<json, StringInput>;
extern template class parser<json, StringInput>;
}  // namespace nlohmann::detail
extern template class std::vector<nlohmann::json>;
extern template class std::map<std::string, nlohmann::json, std::less<>>;
