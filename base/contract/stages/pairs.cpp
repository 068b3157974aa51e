#include "base/contract/stages/pairs.hpp"

#include "base/contract/form.hpp"

namespace trl::contract {

template <class Form, class Self>
void ExcludedTask::fields(Form& form, Self& self) {
  form.field("name", self.name);
  form.field("operators", self.operators);
  form.field("sketch", self.sketch);
}
ExcludedTask ExcludedTask::read(const nlohmann::json& input) { return read_fields<ExcludedTask>(input); }
nlohmann::json ExcludedTask::write() const { return written_fields(*this); }

template <class Form, class Self>
void PairsSpec::fields(Form& form, Self& self) {
  form.if_any("licenses", self.licenses);
  form.field("near", self.near);
  form.field("malformed", self.malformed);
  form.if_any("seed", self.seed);
  form.field_or("excluded", self.excluded);
}
PairsSpec PairsSpec::read(const nlohmann::json& spec) { return read_fields<PairsSpec>(spec); }
nlohmann::json PairsSpec::write() const { return written_fields(*this); }

}  // namespace trl::contract
