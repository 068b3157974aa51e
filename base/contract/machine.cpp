#include "base/contract/machine.hpp"

#include "base/contract/form.hpp"

namespace trl::contract {

template <class Form, class Self>
void Machine::fields(Form& form, Self& self) {
  form.field_or("gpus", self.gpus);
  form.field("bandwidth", self.bandwidth);
  form.field("compute", self.compute);
  form.field("efficiency", self.efficiency);
  form.field("cores", self.cores);
  form.if_any("verify", self.verify);
  form.if_any("spot", self.spot);
  form.if_any("on_demand", self.on_demand);
}
Machine Machine::read(const nlohmann::json& input) { return read_fields<Machine>(input); }
nlohmann::json Machine::write() const { return written_fields(*this); }

template <class Form, class Self>
void Estimate::fields(Form& form, Self& self) {
  form.field("weights", self.weights);
  form.field("weight_bytes", self.weight_bytes);
  form.field("cache_bytes_per_token", self.cache_bytes_per_token);
  form.field_or("trained", self.trained);
  form.field_or("peak_bytes", self.peak_bytes);
  form.field_or("least_bytes", self.least_bytes);
  form.field_or("least_bytes_stored", self.least_bytes_stored);
}
Estimate Estimate::read(const nlohmann::json& input) { return read_fields<Estimate>(input); }
nlohmann::json Estimate::write() const { return written_fields(*this); }

}  // namespace trl::contract
