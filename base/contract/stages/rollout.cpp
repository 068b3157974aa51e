#include "base/contract/stages/rollout.hpp"

#include "base/contract/form.hpp"

namespace trl::contract {

template <class Form, class Self>
void RolloutSpec::fields(Form& form, Self& self) {
  form.field("model", self.model);
  form.field("samples", self.samples);
  Sampling::fields(form, self.sampling);
  form.field("purpose", self.purpose);
  form.field_or("round", self.round);
  form.field_or("seed", self.seed);
  form.unless("language", self.language, KernelLanguage::triton);
  form.unless("prompt", self.prompt, "");
  form.unless("scores", self.scores, false);
  form.unless("turn", self.turn, 1);
  form.unless("feedback", self.feedback, "");
}
RolloutSpec RolloutSpec::read(const nlohmann::json& spec) { return read_fields<RolloutSpec>(spec); }
nlohmann::json RolloutSpec::write() const { return written_fields(*this); }

}  // namespace trl::contract
