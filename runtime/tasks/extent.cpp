#include "runtime/tasks/extent.hpp"

#include <fmt/format.h>

#include <cctype>

#include "ground/error.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

/// Reads sums of products of names, numbers, brackets and floor divisions.
class Reader {
 public:
  Reader(const std::string& text, const Sizes& sizes) : text_(text), sizes_(sizes) {}

  std::int64_t read() {
    const std::int64_t value = sum(0);
    if (at_ != text_.size()) fail();
    return value;
  }

 private:
  static constexpr int deepest = 50;

  std::int64_t sum(int depth) {
    if (depth > deepest) fail();
    std::int64_t value = accept("-") ? combined(0, product(depth), '-') : product(depth);
    for (;;) {
      if (accept("+"))
        value = combined(value, product(depth), '+');
      else if (accept("-"))
        value = combined(value, product(depth), '-');
      else
        return value;
    }
  }

  std::int64_t product(int depth) {
    std::int64_t value = factor(depth);
    for (;;) {
      if (accept("//")) {
        const std::int64_t by = factor(depth);
        if (by < 1) fail();
        value = value / by - (value % by < 0);
      } else if (accept("*")) {
        value = combined(value, factor(depth), '*');
      } else {
        return value;
      }
    }
  }

  std::int64_t factor(int depth) {
    if (accept("(")) {
      const std::int64_t value = sum(depth + 1);
      if (!accept(")")) fail();
      return value;
    }
    const std::size_t from = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_'))
      ++at_;
    const std::string word = text_.substr(from, at_ - from);
    if (word.empty() || word.size() > 100) fail();
    if (const auto known = sizes_.find(word); known != sizes_.end()) return known->second;
    if (!std::isdigit(static_cast<unsigned char>(word[0])) || word.size() > 18) fail();
    std::int64_t value = 0;
    for (const char digit : word) {
      if (!std::isdigit(static_cast<unsigned char>(digit))) fail();
      value = 10 * value + (digit - '0');
    }
    return value;
  }

  std::int64_t combined(std::int64_t a, std::int64_t b, char sign) {
    std::int64_t out = 0;
    const bool over = sign == '+'   ? __builtin_add_overflow(a, b, &out)
                      : sign == '-' ? __builtin_sub_overflow(a, b, &out)
                                    : __builtin_mul_overflow(a, b, &out);
    if (over) fail();
    return out;
  }

  bool accept(const std::string& sign) {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    if (text_.compare(at_, sign.size(), sign) != 0) return false;
    at_ += sign.size();
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return true;
  }

  [[noreturn]] void fail() const {
    throw UserError(fmt::format("the size \"{}\" can't be found", text_),
                    "docs/interfaces.md, 1, describes sizes; every name in one is a dimension of its task");
  }

  const std::string& text_;
  const Sizes& sizes_;
  std::size_t at_ = 0;
};

}  // namespace

std::int64_t Extent::at(const Sizes& sizes) const {
  if (name.empty()) return size;
  if (const auto known = sizes.find(name); known != sizes.end()) return known->second;
  return Reader(name, sizes).read();
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

}  // namespace trl::runtime
