#include "headers/headers.hpp"

template class nlohmann::basic_json<>;
namespace nlohmann::detail {
template class serializer<json>;
template class lexer<json, StringInput>;
template class parser<json, StringInput>;
}  // namespace nlohmann::detail
template class std::vector<nlohmann::json>;
template class std::map<std::string, nlohmann::json, std::less<>>;
