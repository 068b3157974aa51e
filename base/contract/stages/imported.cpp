#include "base/contract/stages/imported.hpp"

#include "base/contract/form.hpp"

namespace trl::contract {

template <class Form, class Self>
void ImportedSpec::fields(Form& form, Self& self) {
  form.if_any("level", self.level);
}
ImportedSpec ImportedSpec::read(const nlohmann::json& spec) { return read_fields<ImportedSpec>(spec); }
nlohmann::json ImportedSpec::write() const { return written_fields(*this); }

}  // namespace trl::contract
