#include "base/contract/stages/served.hpp"

#include "base/contract/form.hpp"

namespace trl::contract {

template <class Form, class Self>
void ServedSpec::fields(Form& form, Self& self) {
  form.field("session", self.session);
  form.field("protocol", self.protocol);
  form.field("part", self.part);
}
ServedSpec ServedSpec::read(const nlohmann::json& spec) { return read_fields<ServedSpec>(spec); }
nlohmann::json ServedSpec::write() const { return written_fields(*this); }

}  // namespace trl::contract
