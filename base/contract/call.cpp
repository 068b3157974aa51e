#include "base/contract/call.hpp"

#include "base/contract/form.hpp"

namespace trl::contract {

template <class Form, class Self>
void Call::fields(Form& form, Self& self) {
  form.field_or("call", self.call);
  form.field_or("args", self.args);
  form.field_or("named", self.named);
}
Call Call::read(const nlohmann::json& input) { return read_fields<Call>(input); }
nlohmann::json Call::write() const { return written_fields(*this); }

}  // namespace trl::contract
