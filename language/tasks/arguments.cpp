#include "language/tasks/arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "language/diagnostics/suggest.hpp"
#include "language/tasks/other_names.hpp"

namespace trl::language::tasks {
namespace {

using nlohmann::json;
using Kind = Parameter::Kind;

constexpr double largest_number = 1e9;

/// Returns the parameter's name in the tables: they say `axis`, as NumPy does, where PyTorch says `dim`.
std::string table_name(const std::string& written) {
  const auto at = written.find("dim");
  if (at == std::string::npos) return written;
  const bool plural = written == "dims";
  return plural ? "axes" : written.substr(0, at) + "axis" + written.substr(at + 3);
}

class Binder {
 public:
  Binder(Call& call, const Names& names) : call_(call), names_(names) {}

  void bind() {
    const std::map<std::string, const json*> given = sorted();
    std::string left_out;
    for (const Parameter& parameter : call_.op.parameters) {
      const auto found = given.find(parameter.name);
      const bool none = parameter.kind != Kind::choice && found != given.end() && is_none(*found->second);
      if (found == given.end() || none) {
        if (parameter.needed) missing(parameter);
        if (parameter.is_tensor()) left_out = parameter.name;
        if (!parameter.default_value.is_null()) take_default(parameter);
        continue;
      }
      if (parameter.is_tensor() && !left_out.empty())
        fail_at(*found->second, fmt::format("{}: {} goes with {}", call_.shown, parameter.name, left_out),
                {fmt::format("give {}, too", left_out)});
      Argument& own = call_.arguments[parameter.name];
      own.node = found->second;
      read(parameter, own);
    }
  }

 private:
  static bool is_none(const json& node) {
    return node.is_object() && node.contains("name") && !node.contains("member") && node["name"] == "none";
  }

  std::map<std::string, const json*> sorted() const {
    static const json no_arguments = json::array(), no_names = json::object();
    const json& args = call_.node.contains("args") ? call_.node["args"] : no_arguments;
    const json& named = call_.node.contains("named") ? call_.node["named"] : no_names;
    const std::vector<Parameter>& parameters = call_.op.parameters;
    if (args.size() > parameters.size())
      fail(
          fmt::format("{} takes at most {} arguments, not {}", call_.op.name, parameters.size(), args.size()),
          {takes()});
    std::map<std::string, const json*> given;
    for (std::size_t i = 0; i < args.size(); ++i) given[parameters[i].name] = &args[i];
    for (const auto& [written, argument] : named.items()) {
      std::string name = written;
      const auto known = [&] {
        return std::any_of(parameters.begin(), parameters.end(),
                           [&](const Parameter& p) { return p.name == name; });
      };
      if (!known()) name = table_name(written);
      // Reductions take one axis or several axes by the same name.
      if (!known() && name == "axes") name = "axis";
      if (!known()) {
        std::vector<std::string> all;
        for (const Parameter& parameter : parameters) all.push_back(parameter.name);
        std::vector<std::string> notes;
        if (const auto best = closest(name, all)) notes.push_back("did you mean `" + *best + "`?");
        if (written == "normalized_shape")
          notes.push_back("the axes are named here, not their sizes: `axis = -1` for the last one");
        notes.push_back(takes());
        fail(fmt::format("{} has no argument called `{}`", call_.op.name, written), notes);
      }
      if (!given.emplace(name, &argument).second)
        fail(fmt::format("{}: `{}` is given twice", call_.op.name, written), {takes()});
    }
    return given;
  }

  std::string takes() const {
    std::string all;
    for (const Parameter& parameter : call_.op.parameters) all += (all.empty() ? "" : ", ") + parameter.name;
    return fmt::format("{} takes ({})", call_.op.name, all);
  }

  [[noreturn]] void fail(const std::string& message, std::vector<std::string> notes = {}) const {
    fail_at(call_.node, message, std::move(notes));
  }

  [[noreturn]] void missing(const Parameter& parameter) const {
    const bool axis = parameter.kind == Kind::axis || parameter.kind == Kind::axes;
    const std::string what = axis && parameter.name == "axis" ? "an axis" : "`" + parameter.name + "`";
    std::string x = "x";
    if (call_.has("x") && call_.tensor().source.size() < 30) x = call_.tensor().source;
    fail(fmt::format("{} needs {}", call_.op.name, what),
         {axis && parameter.name == "axis" ? fmt::format("{}({}, axis = 1)", call_.op.name, x) : takes()});
  }

  /// Returns advice on what to write instead of a function of tensors that is called with a plain number.
  std::string of_number(const std::string& number) const {
    constexpr std::pair<const char*, const char*> forms[] = {
        {"sqrt", "{} ^ 0.5"},      {"rsqrt", "{} ^ -0.5"},      {"square", "{} ^ 2"},
        {"reciprocal", "{} ^ -1"}, {"exp", "2.718281828 ^ {}"}, {"exp2", "2 ^ {}"}};
    const std::string operand = number.starts_with('-') ? "(" + number + ")" : number;
    for (const auto& [name, form] : forms)
      if (call_.op.name == name)
        return fmt::format("write `{}`; of a dimension it is calculated, `{}(N)`",
                           fmt::format(fmt::runtime(form), operand), name);
    return "functions are of tensors and dimensions: write the number that it gives";
  }

  void take_default(const Parameter& parameter) {
    Argument& own = call_.arguments[parameter.name];
    const json& value = parameter.default_value;
    switch (parameter.kind) {
      case Kind::real:
        own.real = value.get<double>();
        break;
      case Kind::flag:
        own.flag = value.get<bool>();
        break;
      case Kind::choice:
        own.choice = value.get<std::string>();
        break;
      case Kind::size:
        own.sizes = {value.get<std::int64_t>()};
        break;
      default:
        own.integer = value.get<std::int64_t>();
        own.integers = {own.integer};
    }
  }

  void read(const Parameter& parameter, Argument& own) {
    switch (parameter.kind) {
      case Kind::tensor:
      case Kind::operand:
        own.tensors = {names_.tensor(*own.node)};
        if (parameter.kind == Kind::tensor && own.tensors[0].constant())
          fail_at(place(*own.node),
                  fmt::format("{}: {} is {}; a tensor is needed", call_.shown, parameter.name,
                              own.tensors[0].text()),
                  {of_number(own.tensors[0].source)});
        break;
      case Kind::tensors:
        if (!is_list(*own.node))
          fail_at(place(*own.node), fmt::format("{}: it takes a list of tensors", call_.shown),
                  {fmt::format("{}([x, y], axis = 1)", call_.op.name)});
        for (const json& item : (*own.node)["list"]) own.tensors.push_back(names_.tensor(item));
        break;
      case Kind::real:
        own.real = number(parameter.name, *own.node);
        break;
      case Kind::integer:
      case Kind::axis:
        own.integer = integer(parameter.name, *own.node);
        break;
      case Kind::flag:
        own.flag = boolean(parameter.name, *own.node);
        break;
      case Kind::axes:
      case Kind::window:
      case Kind::integers:
        if (is_list(*own.node)) {
          for (const json& item : (*own.node)["list"]) own.integers.push_back(integer(parameter.name, item));
        } else {
          own.integers = {integer(parameter.name, *own.node)};
        }
        break;
      case Kind::size:
        own.sizes = {size_of(*own.node, names_)};
        break;
      case Kind::sizes:
        if (!is_list(*own.node))
          fail_at(place(*own.node), fmt::format("{}: {} is a list of sizes", call_.shown, parameter.name),
                  {fmt::format("{}({}[M, N])", call_.op.name,
                               &parameter == &call_.op.parameters.front() ? "" : "x, ")});
        for (const json& item : (*own.node)["list"]) own.sizes.push_back(size_of(item, names_));
        break;
      case Kind::choice:
        own.choice = one_of(parameter, *own.node);
        break;
      case Kind::text:
        if (!own.node->is_object() || !own.node->contains("text"))
          fail_at(place(*own.node),
                  fmt::format("{}: its {} stands in double quotes", call_.shown, parameter.name),
                  {call_.op.doc});
        own.choice = (*own.node)["text"].get<std::string>();
        break;
    }
  }

  static bool is_list(const json& node) { return node.is_object() && node.contains("list"); }

  const json& place(const json& argument) const {
    return argument.is_object() && argument.contains("at") ? argument : call_.node;
  }

  double number(const std::string& name, const json& node) const {
    if (!is_list(node)) {
      const Tensor value = names_.tensor(node);
      if (value.constant()) return value.number();
    }
    std::vector<std::string> notes;
    if (name == "axis" || name == "axes")
      notes.push_back("an axis is a number from 0, or from -1 for the last, and no size: `axis = -1`");
    fail_at(place(node), fmt::format("{}: `{}` must be a number", call_.shown, name), std::move(notes));
  }

  std::int64_t integer(const std::string& name, const json& node) const {
    const double value = number(name, node);
    if (value != std::floor(value) || std::abs(value) > largest_number)
      fail_at(place(node), fmt::format("{}: `{}` is {}; it is an integer", call_.shown, name, value));
    return static_cast<std::int64_t>(value);
  }

  bool boolean(const std::string& name, const json& node) const {
    if (node.is_boolean()) return node.get<bool>();
    const std::string word = node.is_string()                            ? node.get<std::string>()
                             : node.is_object() && node.contains("name") ? node["name"].get<std::string>()
                                                                         : "";
    if (word != "true" && word != "false")
      fail_at(place(node), fmt::format("{}: `{}` is true or false", call_.shown, name),
              {foreign_value(word)});
    return word == "true";
  }

  std::string one_of(const Parameter& parameter, const json& node) const {
    const std::string word = node.is_string() ? node.get<std::string>()
                             : node.is_object() && node.contains("name") && !node.contains("member")
                                 ? node["name"].get<std::string>()
                                 : "";
    if (std::find(parameter.choices.begin(), parameter.choices.end(), word) == parameter.choices.end())
      fail_at(place(node),
              fmt::format("{}: `{}` is {}", call_.shown, parameter.name,
                          enumeration(parameter.choices, parameter.choices.size(), "or")),
              {did_you_mean(dtype_said_otherwise(word))});
    return word;
  }

  Call& call_;
  const Names& names_;
};

}  // namespace

void bind_arguments(Call& call, const Names& names) { Binder(call, names).bind(); }

Dimension size_of(const json& node, const Names& names) {
  const auto wrong = [&](const std::string& what) {
    fail_at(node, what, {"sizes are integers and the task's dimensions, joined by + - *"});
  };
  if (node.is_number() || (node.is_object() && node.contains("const"))) {
    const double value = node.is_number() ? node.get<double>() : node["const"].get<double>();
    if (value != std::floor(value) || std::abs(value) > largest_number)
      wrong(fmt::format("a size is an integer, not {}", value));
    return static_cast<std::int64_t>(value);
  }
  if (node.is_string() || (node.is_object() && node.contains("name") && !node.contains("member"))) {
    const std::string name = node.is_string() ? node.get<std::string>() : node["name"].get<std::string>();
    if (auto known = names.dimension(name)) return *known;
    wrong(fmt::format("no dimension is called `{}`", name));
  }
  if (node.is_object() && node.contains("size")) {
    if (auto size = Dimension::parse(node["size"].get<std::string>(), names.dimension)) return *size;
    wrong("`" + node["size"].get<std::string>() + "` is no size of the task");
  }
  if (node.is_object() && node.contains("op")) {
    const std::string op = node["op"];
    const Dimension a = size_of(node["args"].at(0), names);
    if (op == "neg") return Dimension(0) - a;
    if (node["args"].size() == 2) {
      const Dimension b = size_of(node["args"].at(1), names);
      if (op == "+") return a + b;
      if (op == "-") return a - b;
      if (op == "*") return a * b;
      if (op == "/") {
        if (const auto quotient = a.exactly_over(b)) return *quotient;
        wrong(fmt::format("{} isn't a multiple of {} whatever the sizes", a.text(), b.text()));
      }
    }
  }
  wrong("this is no size");
  return 0;
}

}  // namespace trl::language::tasks
