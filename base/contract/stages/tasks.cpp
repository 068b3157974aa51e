#include "base/contract/stages/tasks.hpp"

#include "base/contract/form.hpp"

namespace trl::contract {

template <class Form, class Self>
void TasksSpec::fields(Form& form, Self& self) {
  form.field("tasks", self.tasks);
}
TasksSpec TasksSpec::read(const nlohmann::json& spec) { return read_fields<TasksSpec>(spec); }
nlohmann::json TasksSpec::write() const { return written_fields(*this); }

}  // namespace trl::contract
