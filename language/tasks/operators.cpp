#include "language/tasks/tasks.hpp"
#include "operators/operator.hpp"

namespace trl::language {

const std::vector<TensorFunction>& tensor_functions() {
  static const std::vector<TensorFunction> functions = [] {
    std::vector<TensorFunction> all;
    for (const operators::Row* row : operators::by_name())
      all.push_back({row->name, row->signature(), row->doc});
    return all;
  }();
  return functions;
}

}  // namespace trl::language
