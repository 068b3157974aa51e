#include "base/contract/architecture.hpp"

#include "base/contract/form.hpp"

namespace trl::contract {

template <class Form, class Self>
void Architecture::fields(Form& form, Self& self) {
  form.field("hidden", self.hidden);
  form.field("layers", self.layers);
  form.field("heads", self.heads);
  form.field("kv_heads", self.kv_heads);
  form.field("intermediate", self.intermediate);
  form.field("context", self.context);
  form.unless("rope_theta", self.rope_theta, 1e4);
}
Architecture Architecture::read(const nlohmann::json& input) { return read_fields<Architecture>(input); }
nlohmann::json Architecture::write() const { return written_fields(*this); }

}  // namespace trl::contract
