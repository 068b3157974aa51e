#include "tests/executor/case_file.hpp"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include "verifier/executor/values/half.hpp"

namespace trl::executor::test {

CaseFile CaseFile::read(const std::string& folder) {
  CaseFile file;
  std::ifstream json(folder + "/cases.json"), data(folder + "/data.bin", std::ios::binary);
  if (!json || !data) return file;
  file.cases = nlohmann::json::parse(json);
  const std::string bytes((std::istreambuf_iterator<char>(data)), std::istreambuf_iterator<char>());
  file.data.resize(bytes.size());
  std::memcpy(file.data.data(), bytes.data(), bytes.size());
  return file;
}

std::span<const std::byte> CaseFile::bytes(const nlohmann::json& place) const {
  return std::span(data).subspan(place[0].get<std::size_t>(), place[1].get<std::size_t>());
}

Memory CaseFile::memory(const nlohmann::json& one) const {
  Memory memory;
  for (const auto& buffer : one["buffers"]) {
    if (buffer.contains("unwritten")) {
      memory.add_unwritten(buffer["name"], buffer["unwritten"].get<std::size_t>(), buffer["writable"]);
    } else {
      memory.add_buffer(buffer["name"], bytes(buffer["data"]), buffer["writable"]);
    }
  }
  return memory;
}

Launch launch_of(const nlohmann::json& one) {
  Launch launch;
  launch.kernel = one["kernel"];
  for (int axis = 0; axis < 3; ++axis) launch.grid[axis] = one["grid"][static_cast<std::size_t>(axis)];
  for (const auto& argument : one["args"]) {
    if (argument.contains("buffer")) {
      launch.args.push_back(PointerArg{argument["buffer"], argument["offset"]});
    } else if (argument.contains("i1")) {
      launch.args.push_back(argument["i1"].get<bool>());
    } else if (argument.contains("i32")) {
      launch.args.push_back(argument["i32"].get<std::int32_t>());
    } else if (argument.contains("i64")) {
      launch.args.push_back(argument["i64"].get<std::int64_t>());
    } else if (argument.contains("f64")) {
      launch.args.push_back(argument["f64"].get<double>());
    } else {
      launch.args.push_back(argument["f32"].get<float>());
    }
  }
  return launch;
}

namespace {
template <class To, class From, class Convert>
std::vector<To> read_as(const Buffer& buffer, Convert convert) {
  std::vector<To> values;
  for (std::size_t at = 0; at + sizeof(From) <= buffer.bytes.size(); at += sizeof(From)) {
    From element;
    std::memcpy(&element, buffer.bytes.data() + at, sizeof element);
    values.push_back(static_cast<To>(convert(element)));
  }
  return values;
}
}  // namespace

std::vector<double> numbers(const Buffer& buffer, const std::string& dtype) {
  const auto same = [](auto element) { return element; };
  if (dtype == "f64") return read_as<double, double>(buffer, same);
  if (dtype == "f32") return read_as<double, float>(buffer, same);
  if (dtype == "f16") return read_as<double, std::uint16_t>(buffer, half::from_f16_bits);
  if (dtype == "bf16") return read_as<double, std::uint16_t>(buffer, half::from_bf16_bits);
  if (dtype == "f8e4m3") return read_as<double, std::uint8_t>(buffer, half::from_f8e4m3_bits);
  if (dtype == "f8e5m2") return read_as<double, std::uint8_t>(buffer, half::from_f8e5m2_bits);
  const std::vector<std::int64_t> whole = integers(buffer, dtype);
  return {whole.begin(), whole.end()};
}

std::vector<std::int64_t> integers(const Buffer& buffer, const std::string& dtype) {
  const auto same = [](auto element) { return element; };
  if (dtype == "i8") return read_as<std::int64_t, std::int8_t>(buffer, same);
  if (dtype == "i16") return read_as<std::int64_t, std::int16_t>(buffer, same);
  if (dtype == "u8") return read_as<std::int64_t, std::uint8_t>(buffer, same);
  if (dtype == "u16") return read_as<std::int64_t, std::uint16_t>(buffer, same);
  if (dtype == "u32") return read_as<std::int64_t, std::uint32_t>(buffer, same);
  if (dtype == "i32") return read_as<std::int64_t, std::int32_t>(buffer, same);
  return read_as<std::int64_t, std::int64_t>(buffer, same);
}

const CaseFile& cases() {
  static const CaseFile file = [] {
    const char* const folder = std::getenv("TRL_EXECUTOR_CASES");
    return folder == nullptr ? CaseFile{} : CaseFile::read(folder);
  }();
  return file;
}

}  // namespace trl::executor::test
