// The symbolic size of a dimension of a shape, such as "2 * C", before the sizes of the named dimensions are
// known.
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

/// An expression of integers and named dimensions, joined by +, -, * and floor division by a number, in a
/// normal form. Two expressions with the same normal form are equal at all sizes. Every operation throws
/// std::overflow_error if numbers or terms get too large.
class Dimension {
 public:
  Dimension(std::int64_t number = 0);  // NOLINT: a number is a dimension
  /// Makes a named dimension. `place` is its number in the order of declarations, which decides the order of
  /// terms in `text`.
  static Dimension symbol(const std::string& name, std::size_t place);

  std::optional<std::int64_t> number() const;
  bool is(std::int64_t value) const { return number() == value; }

  Dimension operator+(const Dimension& other) const;
  Dimension operator-(const Dimension& other) const;
  Dimension operator*(const Dimension& other) const;
  /// Floor division by a number; `by` must be at least 1.
  Dimension over(std::int64_t by) const;
  /// The quotient, if the division is exact at all sizes; otherwise nothing.
  std::optional<Dimension> exactly_over(const Dimension& by) const;

  std::int64_t at(const Sizes& sizes) const;
  /// Reads a text that `text()` has written. `named` looks up the dimension with a name. Returns nothing for
  /// any other text.
  static std::optional<Dimension> parse(
      const std::string& text, const std::function<std::optional<Dimension>(const std::string&)>& named);
  /// The expression as text: "H", "2 * C", "(H + 1) // 2 - 2".
  std::string text() const;
  /// The dimension in the form that lowered tasks have.
  Extent extent() const;

  bool operator==(const Dimension& other) const;

 private:
  /// A named dimension, or the floor of an expression divided by a number.
  struct Atom {
    std::size_t place = 0;
    std::string text;
    std::shared_ptr<const Dimension> dividend;
    std::int64_t divisor = 1;
    bool operator<(const Atom& other) const;
    bool operator==(const Atom& other) const;
  };
  using Product = std::vector<Atom>;  // sorted
  /// Orders products by degree, the highest first, and then by their atoms. Multiplying two products by a
  /// third keeps their order, so polynomial division terminates.
  struct Order {
    bool operator()(const Product& a, const Product& b) const;
  };

  void add(const Product& product, std::int64_t times);
  static std::string text_of(const Product& product);

  std::map<Product, std::int64_t, Order> terms_;  // the coefficient of each product, never 0
};

}  // namespace trl::language::tasks
