#include "verifier/executor/program/module.hpp"

#include "verifier/executor/program/ir.hpp"

namespace trl::executor {

std::vector<std::string> Module::kernels() const {
  std::vector<std::string> names;
  for (const ir::Function& function : program_->functions) {
    if (function.is_public) names.push_back(function.name);
  }
  return names;
}

std::vector<Parameter> Module::parameters(std::string_view kernel) const {
  std::vector<Parameter> list;
  for (const ir::Function& function : program_->functions) {
    if (!function.is_public || function.name != kernel) continue;
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
      const Type& type = function.values[static_cast<std::size_t>(function.parameters[i])].type;
      const bool pointer = type.scalar == Scalar::ptr;
      list.push_back({function.parameter_names[i], name(pointer ? type.pointee : type.scalar), pointer});
    }
  }
  return list;
}

}  // namespace trl::executor
