#include "base/headers/headers.hpp"

template class nlohmann::basic_json<>;
namespace nlohmann::detail {
template class serializer<json>;
template class lexer<json, StringInput>;
template class parser<json, StringInput>;
}  // namespace nlohmann::detail
template class std::vector<nlohmann::json>;
template class std::map<std::string, nlohmann::json, std::less<>>;

#ifdef TRL_LEAN_JSON
// In the lean copy of the header (packaging/cmake/LeanJson.cmake), these functions have no bodies. So they
// are defined here.
nlohmann::json nlohmann::literals::json_literals::operator""_json(const char* text, std::size_t length) {
  return json::parse(text, text + length);
}
nlohmann::json::json_pointer nlohmann::literals::json_literals::operator""_json_pointer(const char* text,
                                                                                        std::size_t length) {
  return json::json_pointer(std::string(text, length));
}
#endif
