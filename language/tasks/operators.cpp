#include <fmt/format.h>

#include "language/tasks/operator.hpp"
#include "language/tasks/tasks.hpp"

namespace trl::language {
namespace tasks {
namespace {

using Kind = Parameter::Kind;

Parameter made(const std::string& name, Kind kind, bool needed, nlohmann::json standard = nullptr) {
  return {name, kind, needed, std::move(standard), false, {}};
}

}  // namespace

Parameter tensor(const std::string& name) { return made(name, Kind::tensor, true); }
Parameter optional_tensor(const std::string& name) { return made(name, Kind::tensor, false); }
Parameter operand(const std::string& name) { return made(name, Kind::operand, true); }
Parameter tensors(const std::string& name) { return made(name, Kind::tensors, true); }
Parameter real(const std::string& name) { return made(name, Kind::real, true); }
Parameter real(const std::string& name, double standard) { return made(name, Kind::real, false, standard); }
Parameter optional_real(const std::string& name) { return made(name, Kind::real, false); }
Parameter whole(const std::string& name) { return made(name, Kind::whole, true); }
Parameter whole(const std::string& name, std::int64_t standard) {
  return made(name, Kind::whole, false, standard);
}
Parameter flag(const std::string& name, bool standard) { return made(name, Kind::flag, false, standard); }
Parameter axis(const std::string& name) { return made(name, Kind::axis, true); }
Parameter axis(const std::string& name, std::int64_t standard) {
  return made(name, Kind::axis, false, standard);
}
Parameter optional_axis(const std::string& name) { return made(name, Kind::axis, false); }
Parameter axes(const std::string& name) { return made(name, Kind::axes, true); }
Parameter optional_axes(const std::string& name) { return made(name, Kind::axes, false); }
Parameter window(const std::string& name) { return made(name, Kind::window, true); }
Parameter window(const std::string& name, std::int64_t standard) {
  return made(name, Kind::window, false, standard);
}
Parameter optional_window(const std::string& name) { return made(name, Kind::window, false); }
Parameter size(const std::string& name) { return made(name, Kind::size, true); }
Parameter size(const std::string& name, std::int64_t standard) {
  return made(name, Kind::size, false, standard);
}
Parameter sizes(const std::string& name) { return made(name, Kind::sizes, true); }
Parameter wholes(const std::string& name) { return made(name, Kind::wholes, true); }
Parameter choice(const std::string& name, std::vector<std::string> choices) {
  Parameter out = made(name, Kind::choice, false, choices.front());
  out.choices = std::move(choices);
  return out;
}
Parameter quiet(Parameter parameter) {
  parameter.quiet = true;
  return parameter;
}

const std::map<std::string, Operator>& operators() {
  static const std::map<std::string, Operator> table = [] {
    std::map<std::string, Operator> all;
    for (const auto family : {elementwise_operators, binary_operators, reduction_operators, scan_operators,
                              view_operators, indexing_operators, product_operators, norm_operators,
                              convolution_operators, pooling_operators, loss_operators})
      for (Operator& op : family()) all.emplace(op.name, std::move(op));
    return all;
  }();
  return table;
}

}  // namespace tasks

const std::vector<TensorFunction>& tensor_functions() {
  static const std::vector<TensorFunction> functions = [] {
    std::vector<TensorFunction> all;
    for (const auto& [name, op] : tasks::operators()) {
      std::string signature;
      for (const tasks::Parameter& parameter : op.parameters) {
        signature += (signature.empty() ? "" : ", ") + parameter.name;
        const auto& standard = parameter.standard;
        if (standard.is_string())
          signature += " = " + standard.get<std::string>();
        else if (standard.is_number_float())
          signature += fmt::format(" = {}", standard.get<double>());
        else if (!standard.is_null())
          signature += " = " + standard.dump();
        else if (!parameter.needed)
          signature += " = none";
      }
      all.push_back({name, name + "(" + signature + ")", op.doc});
    }
    return all;
  }();
  return functions;
}

}  // namespace trl::language
