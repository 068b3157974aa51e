#pragma once
// A TTIR module that was parsed and checked, as callers of the executor hold it.
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trl::executor {

namespace ir {
struct Program;
}

/// A parameter of a kernel. `type` is the scalar type (`i32`), or for a pointer the type that it points to
/// (`f32` for `!tt.ptr<f32>`).
struct Parameter {
  std::string name;
  std::string type;
  bool pointer = false;
};

/// A parsed TTIR module; immutable, cheap to copy, safe to share between threads.
class Module {
 public:
  explicit Module(std::shared_ptr<const ir::Program> program) : program_(std::move(program)) {}

  /// Returns the names of the public functions, in the order of the text.
  std::vector<std::string> kernels() const;
  /// Returns the parameters of a kernel; empty when there is no kernel of that name.
  std::vector<Parameter> parameters(std::string_view kernel) const;

  const ir::Program& program() const { return *program_; }

 private:
  std::shared_ptr<const ir::Program> program_;
};

}  // namespace trl::executor
