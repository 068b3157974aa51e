#include "base/contract/asked_model.hpp"

#include <algorithm>

#include "base/contract/form.hpp"

namespace trl::contract {

bool AskedModel::sends(Parameter parameter) const {
  return std::find(parameters.begin(), parameters.end(), parameter) != parameters.end();
}

template <class Form, class Self>
void AskedModel::fields(Form& form, Self& self) {
  form.field("name", self.name);
  form.unless("revision", self.revision, "");
  form.if_any("system", self.system);
  form.field("parameters", self.parameters);
  form.unless("body", self.body, nlohmann::json::object());
}
AskedModel AskedModel::read(const nlohmann::json& input) { return read_fields<AskedModel>(input); }
nlohmann::json AskedModel::write() const { return written_fields(*this); }

}  // namespace trl::contract
