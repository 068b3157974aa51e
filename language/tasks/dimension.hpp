// The size of one dimension of a shape, as far as it is known before sizes are.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/tasks/extent.hpp"

namespace trl::language::tasks {

using trl::tasks::Extent;
using trl::tasks::renamed;
using trl::tasks::Sizes;

/// Whole numbers and named dimensions joined by + - * and floor division by a number, in a normal form: two
/// are equal whatever the sizes when they are equal here. Every operation throws std::overflow_error when
/// numbers or terms get too large.
class Dimension {
 public:
  Dimension(std::int64_t number = 0);  // NOLINT: a number is a dimension
  /// `place` is that of the declaration: it orders what is written.
  static Dimension symbol(const std::string& name, std::size_t place);

  std::optional<std::int64_t> number() const;
  bool is(std::int64_t value) const { return number() == value; }

  Dimension operator+(const Dimension& other) const;
  Dimension operator-(const Dimension& other) const;
  Dimension operator*(const Dimension& other) const;
  /// Floor division; `by` ≥ 1.
  Dimension over(std::int64_t by) const;
  /// The quotient, where it is exact whatever the sizes.
  std::optional<Dimension> exactly_over(const Dimension& by) const;

  std::int64_t at(const Sizes& sizes) const;
  /// Reads what `text()` writes; `named` gives the dimensions of names. Nothing if it isn't that.
  static std::optional<Dimension> parse(
      const std::string& text, const std::function<std::optional<Dimension>(const std::string&)>& named);
  /// "H", "2 * C", "(H + 1) // 2 - 2".
  std::string text() const;
  /// The same as tasks have it.
  Extent extent() const;

  bool operator==(const Dimension& other) const;

 private:
  /// A symbol, or the floor of a dimension over a number.
  struct Atom {
    std::size_t place = 0;
    std::string text;
    std::shared_ptr<const Dimension> dividend;
    std::int64_t divisor = 1;
    bool operator<(const Atom& other) const;
    bool operator==(const Atom& other) const;
  };
  using Product = std::vector<Atom>;  // sorted
  /// Higher degrees first, then by their atoms: an order that products keep, so that division ends.
  struct Order {
    bool operator()(const Product& a, const Product& b) const;
  };

  void add(const Product& product, std::int64_t times);
  static std::string text_of(const Product& product);

  std::map<Product, std::int64_t, Order> terms_;  // none is 0
};

}  // namespace trl::language::tasks
