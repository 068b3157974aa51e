#include "interpreter/report/pdf.hpp"

#include <charconv>
#include <nlohmann/json.hpp>

#include "base/support/home.hpp"
#include "interpreter/python_program.hpp"

namespace trl::interpreter {
namespace {
using nlohmann::json;

std::string from_hexadecimal(const std::string& digits) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    unsigned char byte = 0;
    std::from_chars(digits.data() + i, digits.data() + i + 2, byte, 16);
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

}  // namespace

std::map<std::string, std::string> pdfs_of(const std::vector<const Picture*>& pictures,
                                           const std::string& font) {
  std::map<std::string, std::string> files;
  if (pictures.empty()) return files;
  json request = {{"font", font}, {"pictures", json::array()}};
  for (const Picture* picture : pictures) {
    request["pictures"].push_back(picture->graphic.as_json());
    request["pictures"].back()["name"] = picture->name;
  }
  run_python({find_home("stdlib"), "interpreter/report/pdf.py", {}, request.dump(), {}},
             [&](const std::string& line) {
               const json drawn = json::parse(line);
               files[drawn.at("name")] = from_hexadecimal(drawn.at("pdf").get<std::string>());
             });
  return files;
}

}  // namespace trl::interpreter
