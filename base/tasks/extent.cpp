#include "base/tasks/extent.hpp"

#include <fmt/format.h>

#include <optional>

#include "base/operators/size_text.hpp"
#include "base/support/error.hpp"

namespace trl::tasks {
namespace {

using nlohmann::json;

/// Numbers for a size's text.
struct Numbers {
  const Sizes& sizes;

  std::optional<std::int64_t> named(const std::string& name) const {
    const auto known = sizes.find(name);
    return known == sizes.end() ? std::nullopt : std::optional(known->second);
  }
  static std::int64_t number(std::int64_t value) { return value; }
  static std::optional<std::int64_t> joined(std::int64_t a, char sign, std::int64_t b) {
    if (sign == '/') return b < 1 ? std::nullopt : std::optional(a / b - (a % b < 0));
    std::int64_t out = 0;
    const bool over = sign == '+'   ? __builtin_add_overflow(a, b, &out)
                      : sign == '-' ? __builtin_sub_overflow(a, b, &out)
                                    : __builtin_mul_overflow(a, b, &out);
    return over ? std::nullopt : std::optional(out);
  }
};

}  // namespace

std::int64_t Extent::at(const Sizes& sizes) const {
  if (name.empty()) return size;
  if (const auto known = sizes.find(name); known != sizes.end()) return known->second;
  const Numbers numbers{sizes};
  if (const auto value = operators::SizeText<std::int64_t, Numbers>(name, numbers).read()) return *value;
  throw UserError(fmt::format("the size \"{}\" can't be found", name),
                  "docs/interfaces.md, 1, describes sizes; every name in one is a dimension of its task");
}

Extent parse_extent(const json& extent) {
  return extent.is_string() ? Extent{extent.get<std::string>(), 0} : Extent{"", extent.get<std::int64_t>()};
}

json extent_json(const Extent& extent) { return extent.name.empty() ? json(extent.size) : json(extent.name); }

Shape parse_shape(const json& shape) {
  Shape parsed;
  for (const json& extent : shape) parsed.push_back(parse_extent(extent));
  return parsed;
}

json shape_json(const Shape& shape) {
  json out = json::array();
  for (const Extent& extent : shape) out.push_back(extent_json(extent));
  return out;
}

std::vector<std::string> names_in(const Extent& extent) {
  std::vector<std::string> names;
  renamed(extent.name, [&](const std::string& name) {
    names.push_back(name);
    return name;
  });
  return names;
}

}  // namespace trl::tasks
