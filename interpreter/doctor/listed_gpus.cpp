#include "interpreter/doctor/listed_gpus.hpp"

#include <cstdlib>
#include <sstream>

namespace trl::interpreter {

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(" \t\r\n"), end = text.find_last_not_of(" \t\r\n");
  return begin == std::string::npos ? "" : text.substr(begin, end + 1 - begin);
}

std::string last_line(const std::string& text) {
  const auto end = text.find_last_not_of("\n ");
  if (end == std::string::npos) return "";
  const auto begin = text.rfind('\n', end);
  return text.substr(begin == std::string::npos ? 0 : begin + 1,
                     end - (begin == std::string::npos ? 0 : begin));
}

std::vector<ListedGpu> listed_gpus(const Machine& machine) {
  const Filtered listed = machine.run(
      {"nvidia-smi", "--query-gpu=name,memory.total,driver_version", "--format=csv,noheader,nounits"});
  std::vector<ListedGpu> gpus;
  if (listed.status != 0) return gpus;
  std::istringstream lines(listed.out);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string name, mebibytes, driver;
    if (!std::getline(fields, name, ',') || !std::getline(fields, mebibytes, ',') ||
        !std::getline(fields, driver))
      continue;
    gpus.push_back({trimmed(name), trimmed(driver), std::strtod(mebibytes.c_str(), nullptr) * 1024 * 1024});
  }
  return gpus;
}

}  // namespace trl::interpreter
