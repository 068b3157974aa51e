#include "base/contract/sampling.hpp"

#include "base/contract/form.hpp"

namespace trl::contract {

Sampling Sampling::read(const nlohmann::json& input) { return read_fields<Sampling>(input); }
nlohmann::json Sampling::write() const { return written_fields(*this); }

template <class Form, class Self>
void Episodes::fields(Form& form, Self& self) {
  form.unless("turns", self.turns, 1);
  form.unless("feedback", self.feedback, "");
}
Episodes Episodes::read(const nlohmann::json& input) { return read_fields<Episodes>(input); }
nlohmann::json Episodes::write() const { return written_fields(*this); }

}  // namespace trl::contract
