#include "base/contract/objective.hpp"

#include "base/contract/form.hpp"

namespace trl::contract {

template <class Form, class Self>
void Objective::fields(Form& form, Self& self) {
  form.field("loss", self.loss);
  if (self.loss == LossKind::preference) return form.field("beta", self.beta);
  form.unless("ratio", self.ratio, RatioOf::token);
  form.if_any("clip_low", self.clip_low);
  form.if_any("clip_high", self.clip_high);
  form.unless("kl", self.kl, 0);
  if (self.ratio == RatioOf::token) form.field("mean_over", self.mean_over);
  if (self.mean_over == MeanOver::constant) form.field("constant", self.constant);
  form.unless("mismatch", self.mismatch, Mismatch::ignore);
  if (self.mismatch == Mismatch::truncate || self.mismatch == Mismatch::reject)
    form.field("mismatch_cap", self.mismatch_cap);
  form.if_any("mismatch_answer_cap", self.mismatch_answer_cap);
  form.if_any("mismatch_veto", self.mismatch_veto);
  form.if_any("plan_weight", self.plan_weight);
}
Objective Objective::read(const nlohmann::json& input) { return read_fields<Objective>(input); }
nlohmann::json Objective::write() const { return written_fields(*this); }

}  // namespace trl::contract
