#include "language/tasks/dimension.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "base/operators/size_text.hpp"

namespace trl::language::tasks {
namespace {

constexpr std::size_t most_terms = 64, most_factors = 16;

[[noreturn]] void too_large() { throw std::overflow_error("a size is too large"); }

std::int64_t times(std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  if (__builtin_mul_overflow(a, b, &out)) too_large();
  return out;
}

std::int64_t plus(std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  if (__builtin_add_overflow(a, b, &out)) too_large();
  return out;
}

/// Rounds down; `by` ≥ 1.
std::int64_t floored(std::int64_t a, std::int64_t by) { return a / by - (a % by < 0); }

}  // namespace

bool Dimension::Atom::operator<(const Atom& other) const {
  return place != other.place ? place < other.place : text < other.text;
}
bool Dimension::Atom::operator==(const Atom& other) const { return text == other.text; }

bool Dimension::Order::operator()(const Product& a, const Product& b) const {
  return a.size() != b.size() ? a.size() > b.size() : a < b;
}

Dimension::Dimension(std::int64_t number) { add({}, number); }

Dimension Dimension::symbol(const std::string& name, std::size_t place) {
  Dimension out;
  out.add({{place, name, nullptr, 1}}, 1);
  return out;
}

std::optional<std::int64_t> Dimension::number() const {
  if (terms_.empty()) return 0;
  if (terms_.size() == 1 && terms_.begin()->first.empty()) return terms_.begin()->second;
  return std::nullopt;
}

void Dimension::add(const Product& product, std::int64_t amount) {
  if (product.size() > most_factors) too_large();
  std::int64_t& own = terms_[product];
  own = plus(own, amount);
  if (own == 0) terms_.erase(product);
  if (terms_.size() > most_terms) too_large();
}

Dimension Dimension::operator+(const Dimension& other) const {
  Dimension out = *this;
  for (const auto& [product, amount] : other.terms_) out.add(product, amount);
  return out;
}

Dimension Dimension::operator-(const Dimension& other) const { return *this + other * -1; }

Dimension Dimension::operator*(const Dimension& other) const {
  Dimension out;
  for (const auto& [a, x] : terms_)
    for (const auto& [b, y] : other.terms_) {
      Product both;
      std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
      out.add(both, times(x, y));
    }
  return out;
}

Dimension Dimension::over(std::int64_t by) const {
  if (by == 1) return *this;
  // Multiples of the divisor are taken out of the floor; the coefficients of the rest are in [0, by).
  Dimension whole, rest;
  std::int64_t common = by;
  for (const auto& [product, amount] : terms_) {
    const std::int64_t quotient = floored(amount, by), left = plus(amount, -times(quotient, by));
    if (quotient != 0) whole.add(product, quotient);
    if (left != 0) rest.add(product, left);
    if (!product.empty()) common = std::gcd(common, left);
  }
  if (const auto number = rest.number()) return whole + floored(*number, by);
  if (common > 1) {
    Dimension smaller;
    for (const auto& [product, amount] : rest.terms_) smaller.add(product, floored(amount, common));
    return whole + smaller.over(by / common);
  }
  // floor((floor(p / a) + r) / b) is floor((p + a r) / (a b)).
  for (const auto& [product, amount] : rest.terms_)
    if (product.size() == 1 && amount == 1 && product[0].dividend) {
      const Atom inner = product[0];
      Dimension others = rest;
      others.add(product, -1);
      return whole + (*inner.dividend + others * inner.divisor).over(times(inner.divisor, by));
    }
  const bool single = rest.terms_.size() == 1;
  const std::string text = (single ? rest.text() : "(" + rest.text() + ")") + " // " + std::to_string(by);
  Dimension floor;
  floor.add({{std::numeric_limits<std::size_t>::max(), text, std::make_shared<Dimension>(rest), by}}, 1);
  return whole + floor;
}

std::optional<Dimension> Dimension::exactly_over(const Dimension& by) const {
  if (by.terms_.empty()) return std::nullopt;
  const auto& [leading, coefficient] = *by.terms_.begin();
  Dimension rest = *this, quotient;
  while (!rest.terms_.empty()) {
    const auto& [product, amount] = *rest.terms_.begin();
    if (amount % coefficient != 0 ||
        !std::includes(product.begin(), product.end(), leading.begin(), leading.end()))
      return std::nullopt;
    Product left;
    std::set_difference(product.begin(), product.end(), leading.begin(), leading.end(),
                        std::back_inserter(left));
    Dimension step;
    step.add(left, amount / coefficient);
    quotient = quotient + step;
    rest = rest - step * by;
  }
  return quotient;
}

std::int64_t Dimension::at(const Sizes& sizes) const {
  std::int64_t sum = 0;
  for (const auto& [product, amount] : terms_) {
    std::int64_t term = amount;
    for (const Atom& atom : product)
      term =
          times(term, atom.dividend ? floored(atom.dividend->at(sizes), atom.divisor) : sizes.at(atom.text));
    sum = plus(sum, term);
  }
  return sum;
}

namespace {

/// Dimensions for a size's text.
struct Dimensions {
  const std::function<std::optional<Dimension>(const std::string&)>& by_name;

  std::optional<Dimension> named(const std::string& name) const { return by_name(name); }
  static Dimension number(std::int64_t value) { return value; }
  static std::optional<Dimension> joined(const Dimension& a, char sign, const Dimension& b) {
    if (sign == '+') return a + b;
    if (sign == '-') return a - b;
    if (sign == '*') return a * b;
    const auto by = b.number();
    return by && *by >= 1 ? std::optional(a.over(*by)) : std::nullopt;
  }
};

}  // namespace

std::optional<Dimension> Dimension::parse(
    const std::string& text, const std::function<std::optional<Dimension>(const std::string&)>& named) {
  const Dimensions dimensions{named};
  return operators::SizeText<Dimension, Dimensions>(text, dimensions).read();
}

std::string Dimension::text_of(const Product& product) {
  std::string out;
  for (const Atom& atom : product) {
    const bool bracket = product.size() > 1 && atom.dividend;
    out += (out.empty() ? "" : " * ") + (bracket ? "(" + atom.text + ")" : atom.text);
  }
  return out;
}

std::string Dimension::text() const {
  std::string out;
  for (const auto& [product, amount] : terms_) {
    const bool negative = amount < 0;
    const std::string size = std::to_string(amount).substr(negative);
    std::string term = text_of(product);
    if (product.empty())
      term = size;
    else if (size != "1")
      term = size + " * " + (product.size() == 1 && product[0].dividend ? "(" + term + ")" : term);
    out += out.empty() ? (negative ? "-" : "") : (negative ? " - " : " + ");
    out += term;
  }
  return out.empty() ? "0" : out;
}

Extent Dimension::extent() const {
  if (const auto only = number()) return {"", *only};
  return {text(), 0};
}

bool Dimension::operator==(const Dimension& other) const { return terms_ == other.terms_; }

}  // namespace trl::language::tasks
