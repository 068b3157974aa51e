#pragma once
// A program that was read and checked, as callers hold it.
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trl::executor {

namespace ir {
struct Program;
}

/// A parameter of a kernel: `type` is `!tt.ptr<f32>`'s `f32` for a pointer, else the scalar's type (`i32`).
struct Parameter {
  std::string name;
  std::string type;
  bool pointer = false;
};

/// A parsed TTIR module; immutable, cheap to copy, safe to share between threads.
class Module {
 public:
  explicit Module(std::shared_ptr<const ir::Program> program) : program_(std::move(program)) {}

  /// Names of the public functions, in the text's order.
  std::vector<std::string> kernels() const;
  /// Parameters of a kernel; empty when there is none of that name.
  std::vector<Parameter> parameters(std::string_view kernel) const;

  const ir::Program& program() const { return *program_; }

 private:
  std::shared_ptr<const ir::Program> program_;
};

}  // namespace trl::executor
