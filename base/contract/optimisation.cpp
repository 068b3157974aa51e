#include "base/contract/optimisation.hpp"

#include "base/contract/form.hpp"

namespace trl::contract {

Optimisation Optimisation::read(const nlohmann::json& input) { return read_fields<Optimisation>(input); }
nlohmann::json Optimisation::write() const { return written_fields(*this); }

Passes Passes::read(const nlohmann::json& input) { return read_fields<Passes>(input); }
nlohmann::json Passes::write() const { return written_fields(*this); }

}  // namespace trl::contract
