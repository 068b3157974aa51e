#include "base/contract/formula.hpp"

#include "base/contract/form.hpp"

namespace trl::contract {

template <class Form, class Self>
void Formula::fields(Form& form, Self& self) {
  form.field_or("params", self.params);
  form.field("body", self.body);
}

Formula Formula::read(const nlohmann::json& input) {
  try {
    return read_fields<Formula>(field_of<nlohmann::json>(input, "formula"));
  } catch (const ContractError& error) {
    throw error.inside("formula");
  }
}

nlohmann::json Formula::write() const { return {{"formula", written_fields(*this)}}; }

}  // namespace trl::contract
