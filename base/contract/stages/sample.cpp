#include "base/contract/stages/sample.hpp"

#include "base/contract/form.hpp"

namespace trl::contract {

template <class Form, class Self>
void SampleSpec::fields(Form& form, Self& self) {
  form.field("samples", self.samples);
  Sampling::fields(form, self.sampling);
  form.field("purpose", self.purpose);
  form.field_or("round", self.round);
  form.field_or("seed", self.seed);
  form.field_or("precision", self.precision);
  form.unless("quantize", self.quantize, "none");
  form.unless("adapter", self.adapter, Sampled::merged);
  form.unless("language", self.language, KernelLanguage::triton);
  form.unless("prompt", self.prompt, "");
  form.unless("scores", self.scores, false);
  form.unless("turn", self.turn, 1);
  form.unless("feedback", self.feedback, "");
}
SampleSpec SampleSpec::read(const nlohmann::json& spec) { return read_fields<SampleSpec>(spec); }
nlohmann::json SampleSpec::write() const { return written_fields(*this); }

}  // namespace trl::contract
