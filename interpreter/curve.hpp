// A curve of bounded size: the course of a number over the steps or rounds of training.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

namespace trl::interpreter {

/// The values at positions 0, 1, 2, …, in at most `most` places. Once there are more positions, each place
/// stands for twice as many neighbouring positions and holds their mean.
class Curve {
 public:
  static constexpr std::size_t most = 128;

  /// Adds a value at a position, which counts `weight` times. Negative positions are left out.
  void add(std::int64_t at, double value, double weight = 1);
  /// Adds the places of another curve, whose position 0 is this curve's position `from`.
  void add(const Curve& other, std::int64_t from);
  bool empty() const { return places_.empty(); }

  /// A place of the curve that has a value.
  struct Point {
    double at = 0;  ///< the middle of the positions for which the place stands
    double value = 0;
    bool operator==(const Point&) const = default;
  };
  std::vector<Point> points() const;

  /// {"stride": 2, "values": [0.5, null, …]}, numbers with five digits.
  nlohmann::json as_json() const;
  /// Reads `as_json`; an empty curve for anything else.
  static Curve read(const nlohmann::json& value);

  /// The mean of several curves, such as one curve for each seed, and their lowest and highest values.
  struct Band {
    std::vector<double> at, mean, low, high;
    std::vector<int> curves;  ///< how many curves have a value there
  };
  static Band band(std::span<const Curve> curves);

 private:
  struct Place {
    double sum = 0, weight = 0;
  };
  void widen();

  std::int64_t stride_ = 1;  ///< the number of positions for which a place stands, a power of 2
  std::vector<Place> places_;
};

/// A number with five digits, so that its JSON is short.
double brief(double number);

}  // namespace trl::interpreter
