#include "base/contract/stages/tokenizer.hpp"

#include "base/contract/form.hpp"

namespace trl::contract {

template <class Form, class Self>
void TokenizerSpec::fields(Form& form, Self& self) {
  form.field("vocabulary", self.vocabulary);
}
TokenizerSpec TokenizerSpec::read(const nlohmann::json& spec) { return read_fields<TokenizerSpec>(spec); }
nlohmann::json TokenizerSpec::write() const { return written_fields(*this); }

}  // namespace trl::contract
