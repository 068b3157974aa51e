#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "base/operators/domain.hpp"
#include "base/operators/dtype.hpp"
#include "base/operators/operator_ids.hpp"

namespace trl::operators {
namespace {

using Kind = Parameter::Kind;
using Parameters = std::vector<Parameter>;
using Names = std::vector<std::string>;
using enum Rounding;
using enum Family;

// Functions that make parameters, used by the rows of the table. Parameters made with a second argument have
// a default value.

Parameter made(const std::string& name, Kind kind, bool needed, nlohmann::json default_value = nullptr) {
  return {name, kind, needed, std::move(default_value), false, {}};
}

Parameter tensor(const std::string& name = "x") { return made(name, Kind::tensor, true); }
Parameter optional_tensor(const std::string& name) { return made(name, Kind::tensor, false); }
Parameter operand(const std::string& name) { return made(name, Kind::operand, true); }
Parameter tensors(const std::string& name) { return made(name, Kind::tensors, true); }
Parameter real(const std::string& name) { return made(name, Kind::real, true); }
Parameter real(const std::string& name, double default_value) {
  return made(name, Kind::real, false, default_value);
}
Parameter optional_real(const std::string& name) { return made(name, Kind::real, false); }
Parameter integer(const std::string& name) { return made(name, Kind::integer, true); }
Parameter integer(const std::string& name, std::int64_t default_value) {
  return made(name, Kind::integer, false, default_value);
}
Parameter flag(const std::string& name, bool default_value) {
  return made(name, Kind::flag, false, default_value);
}
Parameter axis(const std::string& name = "axis") { return made(name, Kind::axis, true); }
Parameter axis(const std::string& name, std::int64_t default_value) {
  return made(name, Kind::axis, false, default_value);
}
Parameter optional_axis(const std::string& name) { return made(name, Kind::axis, false); }
Parameter axes() { return made("axis", Kind::axes, true); }
Parameter optional_axes() { return made("axis", Kind::axes, false); }
Parameter window(const std::string& name) { return made(name, Kind::window, true); }
Parameter window(const std::string& name, std::int64_t default_value) {
  return made(name, Kind::window, false, default_value);
}
Parameter optional_window(const std::string& name) { return made(name, Kind::window, false); }
Parameter size(const std::string& name) { return made(name, Kind::size, true); }
Parameter size(const std::string& name, std::int64_t default_value) {
  return made(name, Kind::size, false, default_value);
}
Parameter sizes(const std::string& name) { return made(name, Kind::sizes, true); }
Parameter integers(const std::string& name) { return made(name, Kind::integers, true); }
/// Makes a parameter whose value is one of `choices`; the first one is the default.
Parameter choice(const std::string& name, std::vector<std::string> choices) {
  Parameter out = made(name, Kind::choice, false, choices.front());
  out.choices = std::move(choices);
  return out;
}
Parameter text(const std::string& name) { return made(name, Kind::text, true); }
/// Makes a parameter that names the result's dtype, with the default `default_value` if it is given.
Parameter dtype(const char* default_value = nullptr) {
  Parameter out = made("dtype", Kind::choice, default_value == nullptr);
  if (default_value != nullptr) out.default_value = default_value;
  for (const Dtype& own : dtypes)
    if (own.name != "f64" && own.name != "i1") out.choices.emplace_back(own.name);
  return out;
}
Parameter quiet(Parameter parameter) {
  parameter.quiet = true;
  return parameter;
}

Parameter keepdim() { return flag("keepdim", false); }
Parameter reduced() { return choice("reduction", {"mean", "sum", "none"}); }
Parameters convolution() {
  return {tensor(),
          tensor("weight"),
          optional_tensor("bias"),
          window("stride", 1),
          window("padding", 0),
          window("dilation", 1),
          size("groups", 1)};
}
Parameters transposed_convolution() {
  return {tensor(),
          tensor("weight"),
          optional_tensor("bias"),
          window("stride", 1),
          window("padding", 0),
          window("output_padding", 0),
          size("groups", 1),
          window("dilation", 1)};
}
Parameters mean_pool() {
  return {tensor(), window("kernel_size"), optional_window("stride"), window("padding", 0)};
}
Parameters max_pool() {
  Parameters all = mean_pool();
  all.push_back(window("dilation", 1));
  return all;
}

// Functions that make PyTorch's spelling of an operator, one for each kind of syntax.

Python torch(const std::string& name, Names positional = {}, Names named = {}) {
  return {Python::Style::call, "torch." + name, std::move(positional), std::move(named), ""};
}
Python functional(const std::string& name, Names positional = {}, Names named = {}) {
  return {Python::Style::call, "F." + name, std::move(positional), std::move(named), ""};
}
Python values_of(Python call) {
  call.result = ".values";
  return call;
}
Python infix(const char* sign) { return {Python::Style::infix, sign, {}, {}, ""}; }
Python prefix(const char* sign) { return {Python::Style::prefix, sign, {}, {}, ""}; }
Python method(const char* name, Names positional) {
  return {Python::Style::method, name, std::move(positional), {}, ""};
}
Python own(const char* callee) { return {Python::Style::own, callee, {}, {}, ""}; }
Names of_convolution() { return {"stride", "padding", "dilation", "groups"}; }
Names of_transposed_convolution() { return {"stride", "padding", "output_padding", "groups", "dilation"}; }

// Functions that make rows of the table. The table's macros add the id, the name, the operator in tasks
// (Row::lowered), and whether the generator of answers writes the operator.

Row made(Form form, Family family, Reach reach, Parameters parameters, Python python, Rounding rounding,
         const char* doc) {
  return {{}, "", form, family, std::move(parameters), std::move(python), rounding, reach, doc, {}, false};
}

Row elementwise(Parameters parameters, Python python, Rounding rounding, const char* doc) {
  return made(Form::Elementwise, maps, Reach::pointwise, std::move(parameters), std::move(python), rounding,
              doc);
}
Row broadcasting(Parameters parameters, Python python, Rounding rounding, const char* doc) {
  return made(Form::Binary, broadcasts, Reach::pointwise, std::move(parameters), std::move(python), rounding,
              doc);
}
Row reduction(Parameters parameters, Python python, Rounding rounding, const char* doc) {
  return made(Form::Reduction, reductions, Reach::mixing, std::move(parameters), std::move(python), rounding,
              doc);
}
Row along(Parameters parameters, Python python, Rounding rounding, const char* doc) {
  return made(Form::Along, scans, Reach::mixing, std::move(parameters), std::move(python), rounding, doc);
}
Row product(Parameters parameters, Python python, Rounding rounding, const char* doc) {
  return made(Form::Matmul, products, Reach::bilinear, std::move(parameters), std::move(python), rounding,
              doc);
}
Row transposition(Parameters parameters, Python python, Rounding rounding, const char* doc) {
  return made(Form::Transpose, views, Reach::mixing, std::move(parameters), std::move(python), rounding, doc);
}
Row stated(Family family, Parameters parameters, Python python, Rounding rounding, const char* doc) {
  const Reach reach = family == maps || family == broadcasts                        ? Reach::pointwise
                      : family == convolutions || family == transposed_convolutions ? Reach::bilinear
                                                                                    : Reach::mixing;
  return made(Form::Stated, family, reach, std::move(parameters), std::move(python), rounding, doc);
}
Row attention(Parameters parameters, Python python, Rounding rounding, const char* doc) {
  return made(Form::Stated, products, Reach::attention, std::move(parameters), std::move(python), rounding,
              doc);
}
Row bilinear(Row row) {
  row.reach = Reach::bilinear;
  return row;
}
Row pointwise(Row row) {
  row.reach = Reach::pointwise;
  return row;
}

/// A row together with its column of domains, which is stored apart since few files need it.
struct Defined {
  Defined(Row row) : row(std::move(row)) {}
  Row row;
  Domain domain;
};

/// Sets the operator's domain: argument number `argument` must be at least `least`.
Defined from(double least, Defined defined, std::size_t argument = 0) {
  defined.domain.argument = argument;
  defined.domain.least = least;
  return defined;
}
Defined apart_at_zero(std::size_t argument, Defined defined) {
  defined.domain.argument = argument;
  defined.domain.zero = true;
  return defined;
}
Defined stepping(double step, Defined defined) {
  defined.domain.step = step;
  return defined;
}
Defined power(Defined defined) {
  defined.domain.whole_powers = true;
  return from(0, apart_at_zero(0, std::move(defined)));
}

Defined finished(Operator id, const char* name, Operator lowered, bool written_answers, Defined defined) {
  defined.row.id = id;
  defined.row.name = name;
  defined.row.lowered = lowered;
  defined.row.written_answers = written_answers;
  return defined;
}

std::vector<Defined> definitions() {
  // One function for each row: a single function for all rows takes the compiler many times as long.
  static constexpr Defined (*makers[])() = {
#define TRL_ROW(name, lowered, written, ...) \
  [] { return finished(Operator::name, #name, Operator::lowered, written, __VA_ARGS__); },
#define TRL_OPERATOR(name, ...) TRL_ROW(name, name, true, __VA_ARGS__)
#define TRL_ELEMENT(name, ...) TRL_ROW(name, name, true, __VA_ARGS__)
#define TRL_LINE(name, ...) TRL_ROW(name, name, true, __VA_ARGS__)
#define TRL_UNWRITTEN(name, ...) TRL_ROW(name, name, false, __VA_ARGS__)
#define TRL_ALIAS(name, other, ...) TRL_ROW(name, other, false, __VA_ARGS__)
#include "base/operators/operators.def"
#undef TRL_ROW
  };
  std::vector<Defined> all;
  all.reserve(std::size(makers));
  for (const auto make : makers) all.push_back(make());
  return all;
}

const std::vector<Defined>& defined() {
  static const std::vector<Defined> all = definitions();
  return all;
}

/// Returns the names of all parameters of these kinds.
std::set<std::string, std::less<>> names_of(std::initializer_list<Kind> kinds) {
  std::set<std::string, std::less<>> names;
  for (const Row& row : table())
    for (const Parameter& parameter : row.parameters)
      if (std::find(kinds.begin(), kinds.end(), parameter.kind) != kinds.end()) names.insert(parameter.name);
  return names;
}

}  // namespace

std::string Parameter::default_text() const {
  if (default_value.is_string()) return " = " + default_value.get<std::string>();
  if (default_value.is_number_float()) return fmt::format(" = {}", default_value.get<double>());
  if (!default_value.is_null()) return " = " + default_value.dump();
  return needed ? "" : " = none";
}

const Parameter* Row::parameter(std::string_view wanted) const {
  for (const Parameter& own : parameters)
    if (own.name == wanted) return &own;
  return nullptr;
}

std::string Row::signature() const {
  Names all;
  for (const Parameter& own : parameters) all.push_back(own.name + own.default_text());
  return fmt::format("{}({})", name, fmt::join(all, ", "));
}

const std::vector<Row>& table() {
  static const std::vector<Row> all = [] {
    std::vector<Row> rows;
    for (const Defined& one : defined()) rows.push_back(one.row);
    return rows;
  }();
  return all;
}

const Row& row(Operator op) { return table().at(static_cast<std::size_t>(op)); }

const Domain& domain_of(Operator op) { return defined().at(static_cast<std::size_t>(op)).domain; }

const std::vector<const Row*>& by_name() {
  static const std::vector<const Row*> sorted = [] {
    std::vector<const Row*> all;
    for (const Row& row : table())
      if (row.is_function()) all.push_back(&row);
    std::sort(all.begin(), all.end(), [](const Row* a, const Row* b) { return a->name < b->name; });
    return all;
  }();
  return sorted;
}

std::optional<Operator> operator_called(std::string_view name) {
  static const std::map<std::string_view, Operator> known = [] {
    std::map<std::string_view, Operator> all;
    for (const Row& row : table()) all.emplace(row.name, row.id);
    return all;
  }();
  const auto found = known.find(name);
  return found == known.end() ? std::nullopt : std::optional(found->second);
}

bool is_constant(std::string_view parameter) {
  static const auto names = names_of({Kind::real});
  return names.contains(parameter);
}

bool is_word(std::string_view parameter) {
  static const auto names = names_of({Kind::choice, Kind::text});
  return names.contains(parameter);
}

}  // namespace trl::operators
