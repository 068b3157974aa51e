#include "language/tasks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>

namespace trl::language {
namespace {

using nlohmann::json;

/// What an operator does to shapes.
enum class Form { Elementwise, Binary, Reduction, Along, Matmul, Transpose };

struct Attribute {
  std::string name;
  std::optional<double> standard;  // the default; without one, it must be given (clamp: one of its two)
};

struct Operator {
  Form form;
  std::vector<Attribute> numbers;
  std::string doc;
};

const std::map<std::string, Operator>& operators() {
  static const std::map<std::string, Operator> table = {
      {"abs", {Form::Elementwise, {}, "The absolute value."}},
      {"add", {Form::Binary, {}, "x + y, with broadcasting."}},
      {"amax", {Form::Reduction, {}, "The largest element along an axis."}},
      {"amin", {Form::Reduction, {}, "The smallest element along an axis."}},
      {"ceil", {Form::Elementwise, {}, "The next whole number above."}},
      {"celu", {Form::Elementwise, {{"alpha", 1.0}}, "x where x > 0, else alpha * (exp(x / alpha) - 1)."}},
      {"clamp", {Form::Elementwise, {{"min", {}}, {"max", {}}}, "x, kept between min and max."}},
      {"cos", {Form::Elementwise, {}, "The cosine, x in radians."}},
      {"cosh", {Form::Elementwise, {}, "The hyperbolic cosine."}},
      {"cumsum", {Form::Along, {}, "The running sum along an axis."}},
      {"div", {Form::Binary, {}, "x / y, with broadcasting."}},
      {"elu", {Form::Elementwise, {}, "x where x > 0, else exp(x) - 1."}},
      {"erf", {Form::Elementwise, {}, "The error function."}},
      {"exp", {Form::Elementwise, {}, "e to the power x."}},
      {"exp2", {Form::Elementwise, {}, "2 to the power x."}},
      {"expm1", {Form::Elementwise, {}, "exp(x) - 1."}},
      {"floor", {Form::Elementwise, {}, "The next whole number below."}},
      {"gelu", {Form::Elementwise, {}, "x times the normal distribution function of x (exact, by erf)."}},
      {"hardshrink", {Form::Elementwise, {{"lambd", 0.5}}, "x where |x| > lambd, else 0."}},
      {"hardsigmoid", {Form::Elementwise, {}, "clamp(x / 6 + 1/2, 0, 1)."}},
      {"hardswish", {Form::Elementwise, {}, "x * hardsigmoid(x)."}},
      {"hardtanh",
       {Form::Elementwise, {{"min_val", -1.0}, {"max_val", 1.0}}, "x, kept between min_val and max_val."}},
      {"hypot", {Form::Binary, {}, "sqrt(x * x + y * y) of two tensors, with broadcasting."}},
      {"layer_norm", {Form::Along, {{"eps", 1e-5}}, "(x - mean) / sqrt(variance + eps), without weights."}},
      {"leaky_relu", {Form::Elementwise, {{"negative_slope", 0.01}}, "x where x > 0, else slope * x."}},
      {"lerp", {Form::Binary, {{"weight", 0.5}}, "x + weight * (y - x) of two tensors, with broadcasting."}},
      {"log", {Form::Elementwise, {}, "The natural logarithm."}},
      {"log1p", {Form::Elementwise, {}, "log(1 + x)."}},
      {"log2", {Form::Elementwise, {}, "The logarithm to base 2."}},
      {"log_softmax", {Form::Along, {}, "The logarithm of softmax."}},
      {"logaddexp", {Form::Binary, {}, "log(exp(x) + exp(y)) of two tensors, with broadcasting."}},
      {"logsigmoid", {Form::Elementwise, {}, "log(sigmoid(x))."}},
      {"logsumexp", {Form::Reduction, {}, "log(sum(exp(x))) along an axis."}},
      {"matmul", {Form::Matmul, {}, "The matrix product, also written x @ w."}},
      {"maximum", {Form::Binary, {}, "The larger of x and y, with broadcasting."}},
      {"mean", {Form::Reduction, {}, "The mean along an axis."}},
      {"minimum", {Form::Binary, {}, "The smaller of x and y, with broadcasting."}},
      {"mish", {Form::Elementwise, {}, "x * tanh(softplus(x))."}},
      {"mul", {Form::Binary, {}, "x * y, with broadcasting."}},
      {"neg", {Form::Elementwise, {}, "-x."}},
      {"normalize",
       {Form::Along, {{"eps", 1e-12}}, "x over its Euclidean length along an axis, that at least eps."}},
      {"reciprocal", {Form::Elementwise, {}, "1 / x."}},
      {"relu", {Form::Elementwise, {}, "x where x > 0, else 0."}},
      {"relu6", {Form::Elementwise, {}, "x, kept between 0 and 6."}},
      {"rms_norm", {Form::Along, {{"eps", 1e-5}}, "x / sqrt(mean(x * x) + eps), without weights."}},
      {"rsqrt", {Form::Elementwise, {}, "1 / sqrt(x)."}},
      {"selu",
       {Form::Elementwise,
        {},
        "1.0507 * (x where x > 0, else 1.67326 * (exp(x) - 1)), the constants as in PyTorch."}},
      {"sigmoid", {Form::Elementwise, {}, "1 / (1 + exp(-x))."}},
      {"sign", {Form::Elementwise, {}, "-1, 0 or 1."}},
      {"silu", {Form::Elementwise, {}, "x * sigmoid(x)."}},
      {"sin", {Form::Elementwise, {}, "The sine, x in radians."}},
      {"sinh", {Form::Elementwise, {}, "The hyperbolic sine."}},
      {"softmax", {Form::Along, {}, "exp(x) over its sum along an axis."}},
      {"softmin", {Form::Along, {}, "softmax(-x) along an axis."}},
      {"softplus", {Form::Elementwise, {}, "log(1 + exp(x))."}},
      {"softshrink", {Form::Elementwise, {{"lambd", 0.5}}, "x moved towards 0 by lambd, and 0 within it."}},
      {"softsign", {Form::Elementwise, {}, "x / (1 + |x|)."}},
      {"sqrt", {Form::Elementwise, {}, "The square root."}},
      {"square", {Form::Elementwise, {}, "x * x."}},
      {"std", {Form::Reduction, {}, "The standard deviation along an axis, over n - 1."}},
      {"sub", {Form::Binary, {}, "x - y, with broadcasting."}},
      {"sum", {Form::Reduction, {}, "The sum along an axis."}},
      {"tanh", {Form::Elementwise, {}, "The hyperbolic tangent."}},
      {"tanhshrink", {Form::Elementwise, {}, "x - tanh(x)."}},
      {"transpose", {Form::Transpose, {}, "The two axes of a matrix exchanged."}},
      {"var", {Form::Reduction, {}, "The variance along an axis, over n - 1."}},
      {"vector_norm", {Form::Reduction, {}, "The Euclidean length along an axis."}},
  };
  return table;
}

/// Positional parameters after the tensors, as in PyTorch.
std::vector<std::string> parameters(const Operator& op) {
  std::vector<std::string> names;
  if (op.form == Form::Reduction) names = {"axis", "keepdim"};
  if (op.form == Form::Along) names = {"axis"};
  if (op.form == Form::Transpose) names = {"axis0", "axis1"};
  for (const Attribute& attribute : op.numbers) names.push_back(attribute.name);
  return names;
}

std::size_t tensors(const Operator& op) { return op.form == Form::Binary || op.form == Form::Matmul ? 2 : 1; }

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row[b.size()];
}

/// "did you mean `softmax`, `log_softmax`?", or empty.
std::string suggestion(const std::string& wrong, const std::vector<std::string>& names) {
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const std::string& name : names) {
    const std::size_t distance = edit_distance(wrong, name);
    const bool part = wrong.size() >= 3 && (name.find(wrong) != std::string::npos ||
                                            (name.size() >= 3 && wrong.find(name) != std::string::npos));
    if (distance <= 2 && distance < wrong.size())
      near.emplace_back(distance, name);
    else if (part)
      near.emplace_back(3, name);
  }
  std::sort(near.begin(), near.end());
  std::string text;
  for (std::size_t i = 0; i < near.size() && i < 3; ++i) text += (i ? ", `" : "`") + near[i].second + "`";
  return text.empty() ? "" : "did you mean " + text + "?";
}

using Shape = std::vector<json>;  // a dimension's name or a whole number

std::string shape_text(const Shape& shape) {
  std::string text;
  for (const json& extent : shape)
    text += (text.empty() ? "" : ", ") + (extent.is_string() ? extent.get<std::string>() : extent.dump());
  return "[" + text + "]";
}

std::string number_text(double number) { return fmt::format("{}", number); }

/// A lowered expression: a tensor of a shape, or a plain number.
struct Tensor {
  json value;
  Shape shape;
  bool constant = false;
  std::string source;  // for messages
};

class Lowering {
 public:
  explicit Lowering(const json& declaration) : declaration_(declaration) {}

  json lower() {
    dims();
    params();
    const json& body = declaration_.at("body");
    const Tensor result = tensor(body);
    if (result.constant) fail(body, "a task computes something from its inputs; this is a number");
    if (result.value.contains("input"))
      fail(body, fmt::format("a task computes something; this only gives back `{}`", result.source));
    for (const json& param : declaration_.at("params"))
      if (!used_.contains(param.at("name").get<std::string>()))
        fail(param, fmt::format("the input `{}` is never used", param.at("name").get<std::string>()),
             {"remove it, or use it in the expression"});

    json task;
    for (const char* field : {"suite", "id", "name"}) task[field] = declaration_.at(field);
    task["doc"] = declaration_.value("doc", "");
    task["dims"] = json::array();
    for (const json& dim : declaration_.at("dims")) task["dims"].push_back({dim[0], whole(dim[1])});
    task["inputs"] = inputs_;
    task["value"] = result.value;
    task["output"] = {{"dtype", dtype_}, {"shape", result.shape}};
    task["key"] = task_key(result.value, inputs_);
    return task;
  }

 private:
  [[noreturn]] static void fail(const json& node, const std::string& message,
                                std::vector<std::string> notes = {}) {
    TaskError error{message, 0, 0, std::move(notes)};
    if (node.is_object() && node.contains("at") && node["at"].is_array() && node["at"].size() == 2) {
      error.begin = node["at"][0].get<std::size_t>();
      error.end = node["at"][1].get<std::size_t>();
    }
    throw error;
  }

  static std::int64_t whole(const json& number) { return static_cast<std::int64_t>(number.get<double>()); }

  void dims() {
    for (const json& dim : declaration_.at("dims")) {
      const std::string name = dim.at(0);
      const json& size = dim.at(1);
      if (!size.is_number() || size.get<double>() != std::floor(size.get<double>()) || size.get<double>() < 1)
        fail(declaration_, fmt::format("the dimension {} needs a whole number of at least 1", name),
             {fmt::format("for example {} = 64", name)});
      if (!dims_.insert(name).second)
        fail(declaration_, fmt::format("the dimension {} is declared twice", name));
    }
  }

  void params() {
    const json& params = declaration_.at("params");
    if (params.empty()) fail(declaration_, "a task needs at least one input");
    for (const json& param : params) {
      const std::string name = param.at("name");
      const std::string dtype = param.at("dtype");
      if (!std::set<std::string>{"f32", "f16", "bf16"}.contains(dtype))
        fail(param, fmt::format("`{}` has dtype {}; inputs are f32, f16 or bf16", name, dtype));
      if (dtype_.empty()) dtype_ = dtype;
      if (dtype_ != dtype)
        fail(param, fmt::format("`{}` is {} and the inputs before it are {}: one task, one dtype", name,
                                dtype, dtype_));
      for (const json& extent : param.at("shape")) {
        if (extent.is_string() && !dims_.contains(extent.get<std::string>()))
          fail(param,
               fmt::format("`{}` has a dimension {} that the task doesn't declare", name,
                           extent.get<std::string>()),
               {suggestion(extent.get<std::string>(), {dims_.begin(), dims_.end()}),
                fmt::format("declare it: task {}[…, {} = 64](…)", declaration_.at("name").get<std::string>(),
                            extent.get<std::string>())});
        if (!extent.is_string() && !(extent.is_number() && extent.get<double>() >= 1))
          fail(param, fmt::format("`{}`: a dimension is a name or a whole number of at least 1", name));
      }
      Shape shape;
      for (const json& extent : param.at("shape"))
        shape.push_back(extent.is_string() ? extent : json(whole(extent)));
      const bool fresh = shapes_.emplace(name, shape).second;
      if (!fresh) fail(param, fmt::format("two inputs are called `{}`", name));
      inputs_.push_back({{"name", name}, {"dtype", dtype}, {"shape", shape}});
    }
  }

  static Tensor constant(double number) { return {{{"const", number}}, {}, true, number_text(number)}; }

  static double number_of(const Tensor& tensor) { return tensor.value["const"].get<double>(); }

  Tensor tensor(const json& node) {
    if (node.is_number()) return constant(node.get<double>());
    if (node.is_object()) {
      if (node.contains("const")) return constant(node["const"].get<double>());
      if (node.contains("call")) return call(node);
      if (node.contains("op")) return written(node);
      if (node.contains("name") && !node.contains("member")) return input(node);
    }
    fail(node, "a task's expression is made of its inputs, numbers, + - * / @ and tensor functions");
  }

  Tensor input(const json& node) {
    const std::string name = node["name"];
    const auto found = shapes_.find(name);
    if (found == shapes_.end()) {
      std::vector<std::string> names;
      for (const auto& [known, shape] : shapes_) names.push_back(known);
      std::vector<std::string> notes;
      if (operators().contains(name)) notes.push_back(fmt::format("a function is called: {}(…)", name));
      if (const std::string hint = suggestion(name, names); !hint.empty()) notes.push_back(hint);
      fail(node, fmt::format("no input is called `{}`", name), notes);
    }
    used_.insert(name);
    return {{{"input", name}}, found->second, false, name};
  }

  Tensor written(const json& node) {
    const std::string op = node["op"];
    const json& args = node["args"];
    if (op == "neg" || (op == "-" && args.size() == 1)) {
      const Tensor x = tensor(args.at(0));
      if (x.constant) return constant(-number_of(x));
      return {{{"op", "neg"}, {"args", json::array({x.value})}}, x.shape, false, "-" + x.source};
    }
    if (op == "^") return power(node);
    static const std::map<std::string, std::string> names = {
        {"+", "add"}, {"-", "sub"}, {"*", "mul"}, {"/", "div"}, {"@", "matmul"}};
    const auto name = names.find(op);
    if (name == names.end())
      fail(node, fmt::format("a task's expression can't use `{}`", op), {"operators: + - * / @ ^"});
    const Tensor left = tensor(args.at(0)), right = tensor(args.at(1));
    return op == "@" ? matmul(node, left, right) : binary(node, name->second, op, left, right);
  }

  Tensor power(const json& node) {
    const Tensor base = tensor(node["args"].at(0)), exponent = tensor(node["args"].at(1));
    static const std::map<double, std::string> names = {
        {2, "square"}, {0.5, "sqrt"}, {-0.5, "rsqrt"}, {-1, "reciprocal"}};
    if (base.constant || !exponent.constant || !names.contains(number_of(exponent)))
      fail(node, "a tensor can be raised to 2, 0.5, -0.5 or -1 only",
           {"square(x), sqrt(x), rsqrt(x) and reciprocal(x) say the same"});
    return {{{"op", names.at(number_of(exponent))}, {"args", json::array({base.value})}},
            base.shape,
            false,
            base.source + " ^ " + exponent.source};
  }

  Tensor binary(const json& node, const std::string& op, const std::string& sign, const Tensor& x,
                const Tensor& y) {
    const std::string source = sign.empty() ? fmt::format("{}({}, {})", op, x.source, y.source)
                                            : fmt::format("{} {} {}", x.source, sign, y.source);
    if (x.constant && y.constant) return folded(node, op, number_of(x), number_of(y));
    if (op == "div" && y.constant && number_of(y) == 0) fail(node, fmt::format("{}: division by 0", source));
    Shape shape;
    const Shape &a = x.shape, &b = y.shape;
    const std::size_t rank = std::max(a.size(), b.size());
    for (std::size_t i = rank; i-- > 0;) {
      const auto extent = [&](const Shape& own) {
        return own.size() + i < rank ? json(1) : own[own.size() + i - rank];
      };
      const json left = extent(a), right = extent(b);
      if (left != right && left != 1 && right != 1) {
        const auto text = [](const json& e) { return e.is_string() ? e.get<std::string>() : e.dump(); };
        fail(node,
             fmt::format("{}: {} and {} don't broadcast: {} against {} in dimension {} from the end", source,
                         shape_text(a), shape_text(b), text(left), text(right), rank - i),
             {"two dimensions agree when they are the same name or number, or one of them is 1"});
      }
      shape.insert(shape.begin(), left == 1 ? right : left);
    }
    return {{{"op", op}, {"args", json::array({x.value, y.value})}}, shape, false, source};
  }

  static Tensor folded(const json& node, const std::string& op, double a, double b) {
    if (op == "div" && b == 0) fail(node, "division by 0");
    return constant(op == "add"       ? a + b
                    : op == "sub"     ? a - b
                    : op == "mul"     ? a * b
                    : op == "div"     ? a / b
                    : op == "maximum" ? std::max(a, b)
                                      : std::min(a, b));
  }

  static Tensor matmul(const json& node, const Tensor& x, const Tensor& w) {
    const std::string source = fmt::format("{} @ {}", x.source, w.source);
    const std::string shapes =
        fmt::format("{}: {} times {}", source, shape_text(x.shape), shape_text(w.shape));
    if (x.constant || w.constant) fail(node, source + ": a matrix product needs two tensors, not a number");
    if (x.shape.size() != 2 || w.shape.size() != 2)
      fail(node, shapes + ": a matrix product needs two dimensions on each side");
    if (x.shape[1] != w.shape[0]) {
      const auto text = [](const json& e) { return e.is_string() ? e.get<std::string>() : e.dump(); };
      std::vector<std::string> notes;
      if (x.shape[1] == w.shape[1])
        notes.push_back(fmt::format("{} @ transpose({}) would fit", x.source, w.source));
      fail(node,
           fmt::format("{}: the inner dimensions {} and {} differ", shapes, text(x.shape[1]),
                       text(w.shape[0])),
           notes);
    }
    return {{{"op", "matmul"}, {"args", json::array({x.value, w.value})}},
            {x.shape[0], w.shape[1]},
            false,
            source};
  }

  Tensor call(const json& node) {
    const std::string name = node["call"];
    const auto found = operators().find(name);
    if (found == operators().end()) {
      std::vector<std::string> names;
      for (const auto& [known, op] : operators()) names.push_back(known);
      std::vector<std::string> notes;
      if (const std::string hint = suggestion(name, names); !hint.empty()) notes.push_back(hint);
      std::string all;
      for (const std::string& known : names) all += (all.empty() ? "" : ", ") + known;
      notes.push_back("tensor functions: " + all);
      fail(node, fmt::format("no tensor function is called `{}`", name), notes);
    }
    const Operator& op = found->second;
    std::vector<Tensor> operands;
    const std::map<std::string, json> given = arguments(node, name, op, operands);

    if (op.form == Form::Matmul) return matmul(node, operands[0], operands[1]);
    if (op.form == Form::Binary) return called_binary(node, name, op, operands, given);
    const Tensor& x = operands[0];
    if (x.constant) fail(node, fmt::format("{}({}) is a number; a tensor is needed", name, x.source));
    const std::string source = fmt::format("{}({})", name, x.source);
    json value = {{"op", name}, {"args", json::array({x.value})}};
    Shape shape = x.shape;
    json attrs = json::object();
    if (op.form == Form::Transpose) {
      if (shape.size() != 2)
        fail(node, fmt::format("{}: {} needs two dimensions", source, shape_text(shape)));
      if (!given.empty()) {
        std::set<std::size_t> axes;
        for (const auto& [key, argument] : given) axes.insert(axis(node, key, argument, shape));
        if (axes != std::set<std::size_t>{0, 1})
          fail(node, "transpose exchanges the axes 0 and 1 of a matrix");
      }
      std::swap(shape[0], shape[1]);
    }
    if (op.form == Form::Reduction || op.form == Form::Along) {
      if (!given.contains("axis"))
        fail(node, fmt::format("{} needs an axis", source),
             {fmt::format("{}({}, axis = 1)", name, x.source)});
      const std::size_t along = axis(node, "axis", given.at("axis"), shape);
      attrs["axis"] = along;
      if (op.form == Form::Reduction) {
        const bool keep = given.contains("keepdim") && truth(node, given.at("keepdim"));
        attrs["keepdim"] = keep;
        if (keep)
          shape[along] = 1;
        else
          shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(along));
      }
    }
    for (const Attribute& attribute : op.numbers) {
      if (given.contains(attribute.name))
        attrs[attribute.name] = number(node, attribute.name, given.at(attribute.name));
      else if (attribute.standard)
        attrs[attribute.name] = *attribute.standard;
    }
    if (name == "clamp") {
      if (!attrs.contains("min") && !attrs.contains("max"))
        fail(node, "clamp needs min, max or both", {fmt::format("clamp({}, min = 0, max = 1)", x.source)});
      if (attrs.contains("min") && attrs.contains("max") && attrs["min"] > attrs["max"])
        fail(node, fmt::format("clamp: min {} is above max {}", number_text(attrs["min"]),
                               number_text(attrs["max"])));
    }
    check_attributes(node, name, attrs);
    if (!attrs.empty()) value["attrs"] = attrs;
    return {value, shape, false, source};
  }

  static void check_attributes(const json& node, const std::string& name, const json& attrs) {
    if (name == "celu" && attrs["alpha"] == 0) fail(node, "celu: alpha 0 divides by 0");
    if (attrs.contains("lambd") && attrs["lambd"] < 0)
      fail(node, fmt::format("{}: lambd {} is negative", name, number_text(attrs["lambd"])));
    if (name == "hardtanh" && attrs["min_val"] >= attrs["max_val"])
      fail(node, fmt::format("hardtanh: min_val {} isn't below max_val {}", number_text(attrs["min_val"]),
                             number_text(attrs["max_val"])));
  }

  /// maximum and minimum take numbers too; the others two tensors, as in PyTorch.
  Tensor called_binary(const json& node, const std::string& name, const Operator& op,
                       const std::vector<Tensor>& operands, const std::map<std::string, json>& given) {
    const Tensor &x = operands[0], &y = operands[1];
    static const std::set<std::string> tensors_alone = {"hypot", "lerp", "logaddexp"};
    if (tensors_alone.contains(name) && (x.constant || y.constant))
      fail(node,
           fmt::format("{}({}, {}): {} takes two tensors, not a number", name, x.source, y.source, name));
    Tensor result = binary(node, name, "", x, y);
    for (const Attribute& attribute : op.numbers)
      result.value["attrs"][attribute.name] = given.contains(attribute.name)
                                                  ? number(node, attribute.name, given.at(attribute.name))
                                                  : attribute.standard.value_or(0);
    return result;
  }

  /// Sorts a call's arguments into tensors and attributes by position and by name.
  std::map<std::string, json> arguments(const json& node, const std::string& name, const Operator& op,
                                        std::vector<Tensor>& operands) {
    const json args = node.value("args", json::array());
    const json named = node.value("named", json::object());
    const std::vector<std::string> places = parameters(op);
    if (args.size() < tensors(op))
      fail(node, fmt::format("{} takes {} tensor{}, not {}", name, tensors(op), tensors(op) == 1 ? "" : "s",
                             args.size()));
    if (args.size() > tensors(op) + places.size())
      fail(node, fmt::format("{} takes at most {} arguments, not {}", name, tensors(op) + places.size(),
                             args.size()));
    for (std::size_t i = 0; i < tensors(op); ++i) operands.push_back(tensor(args[i]));
    std::map<std::string, json> given;
    for (std::size_t i = tensors(op); i < args.size(); ++i) given[places[i - tensors(op)]] = args[i];
    for (const auto& [written_name, argument] : named.items()) {
      const std::string key = written_name == "dim" ? "axis" : written_name;
      if (std::find(places.begin(), places.end(), key) == places.end()) {
        std::string all;
        for (const std::string& place : places) all += (all.empty() ? "" : ", ") + place;
        std::vector<std::string> notes;
        if (const std::string hint = suggestion(key, places); !hint.empty()) notes.push_back(hint);
        notes.push_back(places.empty() ? name + " takes tensors alone" : name + " takes " + all);
        fail(node, fmt::format("{} has no argument called `{}`", name, written_name), notes);
      }
      if (!given.emplace(key, argument).second) fail(node, fmt::format("{}: `{}` is given twice", name, key));
    }
    return given;
  }

  static const json& located(const json& node, const json& argument) {
    return argument.is_object() && argument.contains("at") ? argument : node;
  }

  double number(const json& node, const std::string& name, const json& argument) {
    const Tensor value = tensor(argument);
    if (!value.constant) fail(located(node, argument), fmt::format("`{}` must be a number", name));
    return number_of(value);
  }

  std::size_t axis(const json& node, const std::string& name, const json& argument, const Shape& shape) {
    const double written = number(node, name, argument);
    const double rank = static_cast<double>(shape.size());
    if (written != std::floor(written) || written < -rank || written >= rank)
      fail(located(node, argument),
           fmt::format("axis {} of {}: there {} {} ax{}s", number_text(written), shape_text(shape),
                       shape.size() == 1 ? "is" : "are", shape.size(), shape.size() == 1 ? "i" : "e"));
    return static_cast<std::size_t>(written < 0 ? written + rank : written);
  }

  static bool truth(const json& node, const json& argument) {
    if (argument.is_boolean()) return argument.get<bool>();
    const std::string name = argument.is_string() ? argument.get<std::string>()
                             : argument.is_object() && argument.contains("name")
                                 ? argument["name"].get<std::string>()
                                 : "";
    if (name != "true" && name != "false") fail(located(node, argument), "`keepdim` is true or false");
    return name == "true";
  }

  const json& declaration_;
  std::set<std::string> dims_, used_;
  std::map<std::string, Shape> shapes_;
  json inputs_ = json::array();
  std::string dtype_;
};

/// Prints the key; numbers inputs and dimensions as they appear.
class KeyText {
 public:
  explicit KeyText(const json& inputs) {
    for (const json& input : inputs) inputs_[input.at("name")] = input;
  }

  std::string text(const json& node) {
    if (node.contains("const")) return "#";
    if (node.contains("input")) return input(node["input"]);
    std::string out = node.at("op");
    const json attrs = node.value("attrs", json::object());
    if (attrs.contains("axis")) {
      out += "[axis=" + std::to_string(attrs["axis"].get<int>());
      if (attrs.contains("keepdim")) out += attrs["keepdim"].get<bool>() ? ",keepdim=true" : ",keepdim=false";
      out += "]";
    }
    out += "(";
    for (std::size_t i = 0; i < node["args"].size(); ++i) out += (i ? "," : "") + text(node["args"][i]);
    return out + ")";
  }

 private:
  std::string input(const std::string& name) {
    const auto [place, fresh] = numbers_.emplace(name, numbers_.size());
    std::string out = "x" + std::to_string(place->second);
    if (!fresh) return out;
    out += ":" + inputs_.at(name).at("dtype").get<std::string>() + "[";
    bool first = true;
    for (const json& extent : inputs_.at(name).at("shape")) {
      out += first ? "" : ",";
      first = false;
      if (extent.is_string())
        out += "d" + std::to_string(dims_.emplace(extent.get<std::string>(), dims_.size()).first->second);
      else
        out += std::to_string(extent.get<long long>());
    }
    return out + "]";
  }

  std::map<std::string, json> inputs_;
  std::map<std::string, std::size_t> numbers_, dims_;
};

}  // namespace

std::variant<json, TaskError> lower_task(const json& declaration) {
  try {
    return Lowering(declaration).lower();
  } catch (TaskError& error) {
    std::erase(error.notes, "");
    return error;
  }
}

std::string task_key(const json& value, const json& inputs) { return KeyText(inputs).text(value); }

const std::vector<TensorFunction>& tensor_functions() {
  static const std::vector<TensorFunction> functions = [] {
    std::vector<TensorFunction> all;
    for (const auto& [name, op] : operators()) {
      std::string signature = name + (tensors(op) == 2 ? "(x, y" : "(x");
      if (op.form == Form::Reduction) signature += ", axis, keepdim = false";
      if (op.form == Form::Along) signature += ", axis";
      for (const Attribute& attribute : op.numbers)
        signature +=
            ", " + attribute.name + (attribute.standard ? " = " + number_text(*attribute.standard) : "");
      all.push_back({name, signature + ")", op.doc});
    }
    return all;
  }();
  return functions;
}

}  // namespace trl::language
