#include "base/contract/task.hpp"

#include "base/contract/form.hpp"

namespace trl::contract {

template <class Form, class Self>
void Task::fields(Form& form, Self& self) {
  form.field("suite", self.suite);
  form.field_or("name", self.name);
  form.field_or("id", self.id);
  form.field_or("key", self.key);
  form.if_any("source", self.source);
}

Task Task::read(const nlohmann::json& input) {
  auto task = read_fields<Task>(input);
  task.whole = input;
  return task;
}

Task Task::undocumented() const {
  Task task = *this;
  task.whole["doc"] = "";
  return task;
}

}  // namespace trl::contract
