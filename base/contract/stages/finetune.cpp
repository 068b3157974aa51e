#include "base/contract/stages/finetune.hpp"

#include "base/contract/form.hpp"

namespace trl::contract {

template <class Form, class Self>
void FinetuneSpec::fields(Form& form, Self& self) {
  form.field("adapter", self.adapter);
  Passes::fields(form, self.passes);
  form.field_or("precision", self.precision);
  form.unless("quantize", self.quantize, "none");
  form.field_or("seed", self.seed);
  form.field_or("round", self.round);
  form.unless("optimiser_state", self.optimiser_state, OptimiserState::fresh);
  form.if_any("objective", self.objective);
}
FinetuneSpec FinetuneSpec::read(const nlohmann::json& spec) { return read_fields<FinetuneSpec>(spec); }
nlohmann::json FinetuneSpec::write() const { return written_fields(*this); }

}  // namespace trl::contract
