#include "base/contract/stages/generate.hpp"

#include "base/contract/form.hpp"

namespace trl::contract {

template <class Form, class Self>
void GenerateSpec::fields(Form& form, Self& self) {
  form.field("prompts", self.prompts);
  form.field_or("samples", self.samples);
  Sampling::fields(form, self.sampling);
  form.field_or("round", self.round);
  form.field_or("seed", self.seed);
  form.field_or("precision", self.precision);
  form.unless("quantize", self.quantize, "none");
  form.if_any("model", self.model);
  form.field_or("raw", self.raw);
}
GenerateSpec GenerateSpec::read(const nlohmann::json& spec) { return read_fields<GenerateSpec>(spec); }
nlohmann::json GenerateSpec::write() const { return written_fields(*this); }

}  // namespace trl::contract
