#include "base/contract/made_on.hpp"

#include "base/contract/form.hpp"

namespace trl::contract {

template <class Form, class Self>
void MadeOn::fields(Form& form, Self& self) {
  form.field("device", self.device);
  form.field_or("cpu", self.cpu);
  form.field_or("capability", self.capability);
  form.field_or("loops", self.loops);
  form.field_or("threads", self.threads);
  form.unless("driver", self.driver, "");
  form.unless("cuda", self.cuda, "");
  form.field_or("versions", self.versions);
}
MadeOn MadeOn::read(const nlohmann::json& input) { return read_fields<MadeOn>(input); }
nlohmann::json MadeOn::write() const { return written_fields(*this); }

}  // namespace trl::contract
