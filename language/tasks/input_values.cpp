#include "language/tasks/input_values.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/operators/dtype.hpp"
#include "language/tasks/call.hpp"
#include "language/tasks/tasks.hpp"

namespace trl::language::tasks {
namespace {

using nlohmann::json;

using ValuesKind = trl::tasks::InputValues::Kind;

class Reader {
 public:
  Reader(const json& param, const Type& type, const std::function<Dimension(const json&)>& size)
      : param_(param), type_(type), dtype_(*operators::dtype_called(type.dtype)), size_(size) {}

  DeclaredValues read() const {
    if (!param_.contains("values")) {
      if (!dtype_.integer()) return {};
      fail(fmt::format("`{}` is {} and doesn't say what its values are", name(), type_.dtype));
    }
    const json& values = param_["values"];
    if (dtype_.boolean()) fail("a condition is true or false, and says no values");
    if (values.is_object() && values.contains("range")) return range(values["range"]);
    if (values.is_object() && values.contains("call") && !matrix_called(values["call"])) return call(values);
    if (!dtype_.integer() && values.is_object() && values.contains("call"))
      return matrix(*matrix_called(values["call"]), values.at("args"));
    if (dtype_.integer()) return indices(values);
    const std::string word = values.is_string() ? values.get<std::string>() : "";
    if (const auto kind = matrix_called(word)) return matrix(*kind, json::array());
    if (word == "positive") return {{ValuesKind::positive}, {}, {}};
    if (word == "one_hot") {
      if (type_.shape.empty())
        fail("one_hot needs an axis: in each row one number is 1 and the others are 0");
      return {{ValuesKind::one_hot}, {}, {}};
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
    if (node.is_object() && node.contains("name"))
      fail("the ends of a range are numbers; indices below " + node["name"].get<std::string>() + " are i64(" +
           node["name"].get<std::string>() + ")");
    fail("the ends of a range are numbers, and so are those of normal");
  }

  /// Returns a number; fails if the dtype can't hold it.
  double held(const json& node) const {
    const double value = number(node);
    const double least = dtype_.integer() ? dtype_.smallest : -dtype_.largest;
    if (!(value >= least && value <= dtype_.largest))
      fail(fmt::format("`{}` is {}, which doesn't hold {}", name(), type_.dtype, value));
    if (dtype_.integer() && value != std::floor(value))
      fail(fmt::format("`{}` is {}, and {} is no integer", name(), type_.dtype, value));
    return value;
  }

  DeclaredValues range(const json& ends) const {
    const double low = held(ends.at(0)), high = held(ends.at(1));
    if (dtype_.integer() ? low > high : low >= high)
      fail(fmt::format("the values of `{}` go from {} to {}: nothing lies between", name(), low, high));
    if (dtype_.integer() && low == 0 && high < 1e9)
      return {{}, Dimension(static_cast<std::int64_t>(high) + 1), {}};
    return {{ValuesKind::range, low, high}, {}, {}};
  }

  DeclaredValues call(const json& values) const {
    const std::string called = values["call"];
    const json& args = values.at("args");
    if (called == "normal" && !dtype_.integer() && args.size() == 2) {
      const double mean = held(args[0]), deviation = held(args[1]);
      if (deviation <= 0) fail(fmt::format("the deviation {} isn't above 0", deviation));
      // Numbers more than six deviations from the mean practically never occur; if the dtype couldn't hold
      // those within, inputs would be infinite.
      if (std::abs(mean) + 6 * deviation > dtype_.largest)
        fail(fmt::format("numbers about {} with the deviation {} go beyond what {} holds", mean, deviation,
                         type_.dtype));
      return {{ValuesKind::normal, 0, 0, mean, deviation}, {}, {}};
    }
    if (called == "offsets" && dtype_.integer() && args.size() == 1) {
      if (type_.rank() != 1)
        fail("offsets are a vector: from 0 to the number of rows, one more than there are segments");
      const Dimension of = size_(args[0]);
      return {{ValuesKind::offsets, 0, 0, 0, 1, of.extent()}, {}, of};
    }
    fail(fmt::format("`{}` is {}; {} doesn't say what its values are", name(), type_.dtype, called));
  }

  static std::optional<ValuesKind> matrix_called(const std::string& word) {
    for (const ValuesKind kind :
         {ValuesKind::symmetric, ValuesKind::upper_triangular, ValuesKind::lower_triangular})
      if (trl::tasks::name(kind) == word) return kind;
    return std::nullopt;
  }

  DeclaredValues matrix(ValuesKind kind, const json& args) const {
    const std::string word = trl::tasks::name(kind);
    const std::size_t rank = type_.shape.size();
    if (rank < 2 || !(type_.shape[rank - 1] == type_.shape[rank - 2]))
      fail(fmt::format("{} matrices are square: the last two dimensions are the same one", word));
    DeclaredValues out{{kind}, {}, {}};
    if (args.size() == 1 && args[0].is_object() && args[0].contains("range")) {
      const trl::tasks::InputValues ends = range(args[0]["range"]).values;
      out.values.low = ends.low, out.values.high = ends.high;
    } else if (!args.empty()) {
      fail(fmt::format("{} may say between which numbers: {}(0..1)", word, word));
    }
    return out;
  }

  DeclaredValues indices(const json& values) const {
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

DeclaredValues input_values(const json& param, const Type& type,
                            const std::function<Dimension(const json&)>& size) {
  return Reader(param, type, size).read();
}

const std::vector<ValueForm>& value_forms() {
  static const std::vector<ValueForm> all = {
      {"below", "(C)", "Integers from 0 to below a size or a number; these alone may be places of a tensor.",
       true, false},
      {"range", "(0..1)", "Numbers from one to another, both included.", true, true},
      {"positive", "(positive)", "Numbers above 0.", false, true},
      {"normal", "(normal(0, 3))",
       "Any numbers, drawn with this mean and standard deviation; without parentheses normal(0, 1).", false,
       true},
      {"one_hot", "(one_hot)", "In each row along the last axis one number is 1 and the others are 0.", false,
       true},
      {"offsets", "(offsets(N))",
       "A vector of integers that ascend from 0 to N: where segments of N rows begin and end.", true, false},
      {"symmetric", "(symmetric)",
       "Matrices along the last two axes that equal their transposes; symmetric(0..1) says between which "
       "numbers.",
       false, true},
      {"upper_triangular", "(upper_triangular)",
       "Matrices along the last two axes with zeros below the diagonal; a range may follow in parentheses.",
       false, true},
      {"lower_triangular", "(lower_triangular)",
       "Matrices along the last two axes with zeros above the diagonal; a range may follow in parentheses.",
       false, true}};
  return all;
}

std::string input_forms(const std::string& dtype) {
  const bool integers = operators::is_integer(dtype);
  std::string out;
  for (const ValueForm& form : value_forms())
    if (integers ? form.of_integers : form.of_reals) out += (out.empty() ? "" : ", ") + dtype + form.written;
  return out;
}

std::string input_dtypes() {
  std::string out;
  for (const operators::Dtype& row : operators::dtypes)
    if (row.name != "f64" && !row.boolean()) out += (out.empty() ? "" : ", ") + std::string(row.name);
  return out;
}

namespace {

std::string meaning_of(const operators::Dtype& row) {
  if (row.integer())
    return fmt::format("Integers of {} bits, {} to {}.", 8 * row.bytes, row.smallest, row.largest);
  if (row.storage())
    return fmt::format("Real numbers in 8 bits, up to {}, PyTorch's {}; to(x, f16) comes before arithmetic.",
                       row.largest, row.torch);
  return fmt::format("Real numbers in {} bits, {} of them the significand's.", 8 * row.bytes,
                     row.significand);
}

}  // namespace
}  // namespace trl::language::tasks

namespace trl::language {

const std::vector<InputDoc>& input_docs() {
  static const std::vector<InputDoc> all = [] {
    std::vector<InputDoc> docs;
    for (const operators::Dtype& row : operators::dtypes)
      if (row.name != "f64" && !row.boolean())
        docs.push_back({std::string(row.name),
                        fmt::format("x: {}{}[M]", row.name, row.integer() ? "(C)" : ""),
                        tasks::meaning_of(row)});
    for (const tasks::ValueForm& form : tasks::value_forms())
      docs.push_back(
          {form.name, fmt::format("x: {}{}[M]", form.of_reals ? "f32" : "i64", form.written), form.meaning});
    return docs;
  }();
  return all;
}

}  // namespace trl::language
