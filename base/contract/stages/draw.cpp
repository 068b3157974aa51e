#include "base/contract/stages/draw.hpp"

#include "base/contract/form.hpp"

namespace trl::contract {

template <class Form, class Self>
void DrawSpec::fields(Form& form, Self& self) {
  form.field("seed", self.seed);
  form.field("round", self.round);
  form.field("count", self.count);
  form.field("pool", self.pool);
  form.if_any("share", self.share);
  form.if_any("each", self.each);
}
DrawSpec DrawSpec::read(const nlohmann::json& spec) { return read_fields<DrawSpec>(spec); }
nlohmann::json DrawSpec::write() const { return written_fields(*this); }

}  // namespace trl::contract
