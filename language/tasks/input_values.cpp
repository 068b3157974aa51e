#include "language/tasks/input_values.hpp"

#include <fmt/format.h>

#include <cmath>

#include "language/tasks/call.hpp"
#include "operators/dtype.hpp"

namespace trl::language::tasks {
namespace {

using nlohmann::json;

class Reader {
 public:
  Reader(const json& param, const Type& type, const std::function<Dimension(const json&)>& size)
      : param_(param), type_(type), dtype_(*operators::dtype_called(type.dtype)), size_(size) {}

  InputValues read() const {
    if (!param_.contains("values")) {
      if (!dtype_.integer()) return {};
      fail(fmt::format("`{}` is {} and doesn't say what its values are", name(), type_.dtype));
    }
    const json& values = param_["values"];
    if (dtype_.boolean()) fail("a condition is true or false, and says no values");
    if (values.is_object() && values.contains("range")) return range(values["range"]);
    if (values.is_object() && values.contains("call")) return call(values);
    if (dtype_.integer()) return indices(values);
    const std::string word = values.is_string() ? values.get<std::string>() : "";
    if (word == "positive") return {{{"kind", word}}, {}, {}};
    if (word == "one_hot") {
      if (type_.shape.empty())
        fail("one_hot needs an axis: in each row one number is 1 and the others are 0");
      return {{{"kind", word}}, {}, {}};
    }
    fail(fmt::format("`{}` is {}; no values of it are called that", name(), type_.dtype));
  }

 private:
  std::string name() const { return param_.at("name").get<std::string>(); }

  [[noreturn]] void fail(const std::string& message) const {
    fail_at(param_, message, {fmt::format("values are written {}", input_forms(type_.dtype))});
  }

  double number(const json& node) const {
    if (node.is_number()) return node.get<double>();
    if (node.is_object() && node.contains("const")) return node["const"].get<double>();
    if (node.is_object() && node.value("op", "") == "neg") return -number(node["args"].at(0));
    fail("the ends of a range are numbers, and so are those of normal");
  }

  /// A number that the dtype holds.
  double held(const json& node) const {
    const double value = number(node);
    const double least = dtype_.integer() ? dtype_.smallest : -dtype_.largest;
    if (!(value >= least && value <= dtype_.largest))
      fail(fmt::format("`{}` is {}, which doesn't hold {}", name(), type_.dtype, value));
    if (dtype_.integer() && value != std::floor(value))
      fail(fmt::format("`{}` is {}, and {} is no integer", name(), type_.dtype, value));
    return value;
  }

  InputValues range(const json& ends) const {
    const double low = held(ends.at(0)), high = held(ends.at(1));
    if (dtype_.integer() ? low > high : low >= high)
      fail(fmt::format("the values of `{}` go from {} to {}: nothing lies between", name(), low, high));
    if (dtype_.integer() && low == 0 && high < 1e9)
      return {{}, Dimension(static_cast<std::int64_t>(high) + 1), {}};
    return {{{"kind", "range"}, {"low", low}, {"high", high}}, {}, {}};
  }

  InputValues call(const json& values) const {
    const std::string called = values["call"];
    const json& args = values.at("args");
    if (called == "normal" && !dtype_.integer() && args.size() == 2) {
      const double mean = held(args[0]), deviation = held(args[1]);
      if (deviation <= 0) fail(fmt::format("the deviation {} isn't above 0", deviation));
      // Six deviations are never drawn in practice; what lies beyond the dtype would be infinite.
      if (std::abs(mean) + 6 * deviation > dtype_.largest)
        fail(fmt::format("numbers about {} with the deviation {} go beyond what {} holds", mean, deviation,
                         type_.dtype));
      return {{{"kind", "normal"}, {"mean", mean}, {"deviation", deviation}}, {}, {}};
    }
    if (called == "offsets" && dtype_.integer() && args.size() == 1) {
      if (type_.rank() != 1)
        fail("offsets are a vector: from 0 to the number of rows, one more than there are segments");
      const Dimension of = size_(args[0]);
      return {{{"kind", "offsets"}, {"of", of.written()}}, {}, of};
    }
    fail(fmt::format("`{}` is {}; {} doesn't say what its values are", name(), type_.dtype, called));
  }

  InputValues indices(const json& values) const {
    const Dimension below = size_(values);
    if (const auto size = below.number(); size && static_cast<double>(*size) - 1 > dtype_.largest)
      fail(fmt::format("`{}` is {}, which holds no number above {}", name(), type_.dtype, dtype_.largest));
    return {{}, below, {}};
  }

  const json& param_;
  const Type& type_;
  const operators::Dtype& dtype_;
  const std::function<Dimension(const json&)>& size_;
};

}  // namespace

InputValues input_values(const json& param, const Type& type,
                         const std::function<Dimension(const json&)>& size) {
  return Reader(param, type, size).read();
}

std::string input_forms(const std::string& dtype) {
  if (operators::is_integer(dtype))
    return fmt::format(
        "{0}(C) for integers from 0 to below C, {0}({1}) for a range with both ends, {0}(offsets(N)) for "
        "a vector that ascends from 0 to N",
        dtype, dtype == "u8" ? "1..255" : "-8..7");
  return fmt::format(
      "{0}(0..1), {0}(positive), {0}(normal(0, 3)), {0}(one_hot); {0}[…] alone is normal(0, 1)", dtype);
}

}  // namespace trl::language::tasks
