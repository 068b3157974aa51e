#include "base/contract/stages/pretrain.hpp"

#include "base/contract/form.hpp"

namespace trl::contract {

template <class Form, class Self>
void PretrainSpec::fields(Form& form, Self& self) {
  form.field("architecture", self.architecture);
  form.field("steps", self.steps);
  form.field("batch", self.batch);
  form.field("sequence", self.sequence);
  Optimisation::fields(form, self.optimisation);
  form.field_or("precision", self.precision);
  form.field_or("seed", self.seed);
}
PretrainSpec PretrainSpec::read(const nlohmann::json& spec) { return read_fields<PretrainSpec>(spec); }
nlohmann::json PretrainSpec::write() const { return written_fields(*this); }

}  // namespace trl::contract
