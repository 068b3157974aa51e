#include "interpreter/curve.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace trl::interpreter {
using nlohmann::json;

double brief(double number) { return std::strtod(fmt::format("{:.5g}", number).c_str(), nullptr); }

void Curve::widen() {
  stride_ *= 2;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const Place place = places_[i];
    if (i % 2 == 0) places_[i / 2] = {};
    places_[i / 2].sum += place.sum, places_[i / 2].weight += place.weight;
  }
  places_.resize((places_.size() + 1) / 2);
}

void Curve::add(std::int64_t at, double value, double weight) {
  constexpr std::int64_t furthest = std::int64_t{1} << 60;  // so that strides don't overflow
  if (at < 0 || at > furthest || weight <= 0 || !std::isfinite(value)) return;
  while (static_cast<std::size_t>(at / stride_) >= most) widen();
  const auto place = static_cast<std::size_t>(at / stride_);
  if (place >= places_.size()) places_.resize(place + 1);
  places_[place].sum += weight * value, places_[place].weight += weight;
}

void Curve::add(const Curve& other, std::int64_t from) {
  for (std::size_t i = 0; i < other.places_.size(); ++i)
    if (const auto& place = other.places_[i]; place.weight > 0)
      add(from + static_cast<std::int64_t>(i) * other.stride_, place.sum / place.weight, place.weight);
}

std::vector<Curve::Point> Curve::points() const {
  std::vector<Point> out;
  for (std::size_t i = 0; i < places_.size(); ++i)
    if (places_[i].weight > 0)
      out.push_back(
          {static_cast<double>(i) * static_cast<double>(stride_) + static_cast<double>(stride_ - 1) / 2,
           places_[i].sum / places_[i].weight});
  return out;
}

json Curve::as_json() const {
  json values = json::array();
  for (const auto& place : places_)
    values.push_back(place.weight > 0 ? json(brief(place.sum / place.weight)) : json());
  return {{"stride", stride_}, {"values", std::move(values)}};
}

Curve Curve::read(const json& value) {
  Curve out;
  if (!value.is_object() || !value.contains("stride") || !value.contains("values")) return out;
  const auto &stride = value["stride"], &values = value["values"];
  const bool power = stride.is_number_integer() && stride.get<std::int64_t>() > 0 &&
                     (stride.get<std::int64_t>() & (stride.get<std::int64_t>() - 1)) == 0;
  if (!power || !values.is_array() || values.size() > most) return out;
  out.stride_ = stride;
  for (const auto& one : values)
    out.places_.push_back(one.is_number() ? Place{one.get<double>() * static_cast<double>(out.stride_),
                                                  static_cast<double>(out.stride_)}
                                          : Place{});
  return out;
}

Curve::Band Curve::band(std::span<const Curve> curves) {
  std::vector<Curve> alike(curves.begin(), curves.end());
  std::int64_t stride = 1;
  for (const auto& curve : alike) stride = std::max(stride, curve.stride_);
  std::size_t longest = 0;
  for (auto& curve : alike) {
    while (curve.stride_ < stride) curve.widen();
    longest = std::max(longest, curve.places_.size());
  }
  Band out;
  for (std::size_t i = 0; i < longest; ++i) {
    double sum = 0, low = 0, high = 0;
    int count = 0;
    for (const auto& curve : alike) {
      if (i >= curve.places_.size() || curve.places_[i].weight <= 0) continue;
      const double value = curve.places_[i].sum / curve.places_[i].weight;
      low = count ? std::min(low, value) : value, high = count ? std::max(high, value) : value;
      sum += value, ++count;
    }
    if (count == 0) continue;
    out.at.push_back(static_cast<double>(i) * static_cast<double>(stride) +
                     static_cast<double>(stride - 1) / 2);
    out.mean.push_back(sum / count), out.low.push_back(low), out.high.push_back(high);
    out.curves.push_back(count);
  }
  return out;
}

}  // namespace trl::interpreter
