#include "base/contract/adapter.hpp"

#include "base/contract/form.hpp"

namespace trl::contract {

template <class Form, class Self>
void Adapter::fields(Form& form, Self& self) {
  form.field("rank", self.rank);
  form.field("alpha", self.alpha);
  form.field_or("dropout", self.dropout);
  form.field_or("targets", self.targets);
  form.unless("sampled", self.sampled, Sampled::merged);
  form.unless("use_rslora", self.use_rslora, false);
  form.unless("use_dora", self.use_dora, false);
  form.unless("patterns", self.patterns, {});
}
Adapter Adapter::read(const nlohmann::json& input) { return read_fields<Adapter>(input); }
nlohmann::json Adapter::write() const { return written_fields(*this); }

}  // namespace trl::contract
