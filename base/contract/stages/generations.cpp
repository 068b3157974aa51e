#include "base/contract/stages/generations.hpp"

#include "base/contract/form.hpp"

namespace trl::contract {

template <class Form, class Self>
void GenerationsSpec::fields(Form& form, Self& self) {
  form.field("samples", self.samples);
}
GenerationsSpec GenerationsSpec::read(const nlohmann::json& spec) {
  return read_fields<GenerationsSpec>(spec);
}
nlohmann::json GenerationsSpec::write() const { return written_fields(*this); }

}  // namespace trl::contract
