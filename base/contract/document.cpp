#include "base/contract/document.hpp"

#include "base/contract/form.hpp"

namespace trl::contract {

template <class Form, class Self>
void Declaration::fields(Form& form, Self& self) {
  form.field_or("name", self.name);
  form.field_or("variant", self.variant);
  form.field_or("implementation", self.implementation);
  form.if_any("version", self.version);
}
Declaration Declaration::read(const nlohmann::json& input) { return read_fields<Declaration>(input); }
nlohmann::json Declaration::write() const { return written_fields(*this); }
nlohmann::json Declaration::carried_out_by() const {
  if (!version) return nullptr;
  return implementation + " " + std::to_string(*version);
}

template <class Form, class Self>
void TaskSet::fields(Form& form, Self& self) {
  form.field("tasks", self.tasks);
}
TaskSet TaskSet::read(const nlohmann::json& input) { return read_fields<TaskSet>(input); }
nlohmann::json TaskSet::write() const { return written_fields(*this); }

template <class Form, class Self>
void Model::fields(Form& form, Self& self) {
  form.field_or("name", self.name);
  form.field("weights", self.weights);
  form.if_any("architecture", self.architecture);
  form.field_or("precision", self.precision);
  form.field_or("quantize", self.quantize);
  form.unless("prompt", self.prompt, nlohmann::json("module"));
  form.unless("place", self.place, "");
}
Model Model::read(const nlohmann::json& input) { return read_fields<Model>(input); }
nlohmann::json Model::write() const { return written_fields(*this); }

template <class Form, class Self>
void Evaluation::fields(Form& form, Self& self) {
  form.field("split", self.split);
  form.field("samples", self.samples);
  Sampling::fields(form, self.sampling);
  Episodes::fields(form, self.episodes);
  form.field_or("precision", self.precision);
  form.field_or("also_by", self.also_by);
  form.field_or("second_baseline", self.second_baseline);
}
Evaluation Evaluation::read(const nlohmann::json& input) { return read_fields<Evaluation>(input); }
nlohmann::json Evaluation::write() const { return written_fields(*this); }

template <class Form, class Self>
void Experiment::fields(Form& form, Self& self) {
  form.field("model", self.model);
  form.if_any("adapter", self.adapter);
  form.if_any("evaluate", self.evaluate);
  form.if_any("dev", self.dev);
  form.field_or("language", self.language);
}
Experiment Experiment::read(const nlohmann::json& input) { return read_fields<Experiment>(input); }
nlohmann::json Experiment::write() const { return written_fields(*this); }

}  // namespace trl::contract
