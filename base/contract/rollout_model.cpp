#include "base/contract/rollout_model.hpp"

#include "base/contract/form.hpp"

namespace trl::contract {

template <class Form, class Self>
void RolloutModel::fields(Form& form, Self& self) {
  form.field_or("server", self.server);
  form.field("name", self.name);
  form.unless("revision", self.revision, "");
  form.unless("body", self.body, nlohmann::json::object());
}
RolloutModel RolloutModel::read(const nlohmann::json& input) { return read_fields<RolloutModel>(input); }
nlohmann::json RolloutModel::write() const { return written_fields(*this); }

}  // namespace trl::contract
