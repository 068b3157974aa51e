#include "base/contract/formula.hpp"

#include <map>
#include <utility>

#include "base/contract/form.hpp"

namespace trl::contract {

template <>
struct Converter<formulas::Expression> {
  static formulas::Expression read(const nlohmann::json& input) {
    try {
      return formulas::Expression::read(input);
    } catch (const formulas::ExpressionError& error) {
      if (!error.found) throw ContractError(error.where, error.expected, "");
      const auto found = unexpected(*error.found, error.expected);
      throw error.where.empty() ? found : found.inside(error.where);
    }
  }
  static nlohmann::json write(const formulas::Expression& expression) { return expression.write(); }
};

template <class Form, class Self>
void Formula::fields(Form& form, Self& self) {
  form.field_or("params", self.params);
  form.field("body", self.body);
}

Formula Formula::read(const nlohmann::json& input) {
  const auto said = field_of<nlohmann::json>(input, "formula");
  try {
    return read_fields<Formula>(said);
  } catch (const ContractError& error) {
    throw error.inside("formula");
  }
}

nlohmann::json Formula::write() const { return {{"formula", written_fields(*this)}}; }

Formula Formula::normalised() const {
  Formula out;
  std::map<std::string, formulas::Expression> names;
  for (const std::string& name : params) {
    out.params.push_back("_" + std::to_string(out.params.size()));
    names.insert_or_assign(name, formulas::Node{formulas::Name{out.params.back()}});
  }
  out.body = formulas::replaced(body, names, std::nullopt);
  return out;
}

GroupShare GroupShare::read(const nlohmann::json& input) {
  return input == "rest" ? GroupShare{} : GroupShare{Formula::read(input)};
}

nlohmann::json GroupShare::write() const { return formula ? formula->write() : nlohmann::json("rest"); }

}  // namespace trl::contract
