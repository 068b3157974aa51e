#include "verifier/kernel_check/problems.hpp"

#include <clang/AST/Attr.h>
#include <clang/Basic/DiagnosticLex.h>
#include <clang/Basic/DiagnosticParse.h>
#include <clang/Basic/DiagnosticSema.h>

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "verifier/kernel_check/names.hpp"

namespace trl::kernel_check {

using namespace clang;

void Problems::HandleDiagnostic(DiagnosticsEngine::Level level, const Diagnostic& what) {
  DiagnosticConsumer::HandleDiagnostic(level, what);
  llvm::SmallString<256> text;
  what.FormatDiagnostic(text);
  if (level == DiagnosticsEngine::Note) {
    if (keeping_ && all.back().notes.size() < 16)
      all.back().notes.push_back({what.getID(), text.str().str(), what.getLocation()});
    return;
  }
  keeping_ = level >= DiagnosticsEngine::Error && all.size() < 64;
  if (keeping_) all.push_back({what.getID(), true, text.str().str(), what.getLocation(), {}});
}

namespace {

/// The first text in quotation marks in one of Clang's messages.
std::string quoted(const std::string& message) {
  const std::size_t begin = message.find('\'');
  if (begin == std::string::npos) return {};
  const std::size_t end = message.find('\'', begin + 1);
  return end == std::string::npos ? std::string() : message.substr(begin + 1, end - begin - 1);
}

/// Whether Clang parsed the text and refuses its meaning, so that the text around it is understood.
bool is_semantic(unsigned id) {
  return DiagnosticIDs::getCategoryNameFromID(DiagnosticIDs::getCategoryNumberForDiag(id)) ==
         "Semantic Issue";
}

/// Whether this is a namespace of a library for device code, whose types may also be named outside of
/// functions.
bool device_namespace(const std::string& name) {
  return name == "cub" || name == "cuda" || name == "cute" || name == "cutlass" || name == "nv";
}

bool names_nothing(unsigned id) {
  switch (id) {
    case diag::err_undeclared_var_use:
    case diag::err_undeclared_var_use_suggest:
    case diag::err_undeclared_use:
    case diag::err_undeclared_use_suggest:
    case diag::err_no_member:
    case diag::err_no_member_suggest:
    case diag::err_no_template:
    case diag::err_no_template_suggest:
    case diag::err_no_member_template:
    case diag::err_unknown_typename:
    case diag::err_unknown_typename_suggest:
    case diag::err_unknown_nested_typename_suggest:
    case diag::err_typename_nested_not_found:
    case diag::err_expected_namespace_name:
    case diag::err_using_directive_suggest:
    case diag::err_using_directive_member_suggest:
      return true;
    default:
      return false;
  }
}

class Classifier {
 public:
  Classifier(TranslationUnit& unit, Report& report) : unit_(unit), report_(report) {}

  void add(const Problem& problem) {
    SourceLocation place = problem.place;
    // An error inside the prelude is reported where the candidate's code led to it.
    for (const auto& note : problem.notes)
      if (!unit_.in_candidate(place) && unit_.in_candidate(note.place)) place = note.place;
    const FunctionDecl* inside = enclosing(place);
    const bool device = inside && (inside->hasAttr<CUDAGlobalAttr>() || inside->hasAttr<CUDADeviceAttr>());
    if (!device) unit_.broken_host = true;
    if (names_nothing(problem.id)) {
      unknown(problem, place, inside, device);
      return;
    }
    // Further errors in a function that uses an unknown name are usually consequences of that name, so they
    // are dropped.
    if (spoilt_.count(inside)) return;
    const FunctionDecl* kernel = kernel_in_notes(problem);
    switch (problem.id) {
      case diag::err_typecheck_call_too_few_args:
      case diag::err_typecheck_call_too_few_args_one:
      case diag::err_typecheck_call_too_few_args_at_least:
      case diag::err_typecheck_call_too_many_args:
      case diag::err_typecheck_call_too_many_args_one:
      case diag::err_typecheck_call_too_many_args_at_most:
        if (kernel) {
          arguments(kernel, place, problem.message);
          return;
        }
        if (problem.message.find("execution configuration") != std::string::npos) {
          configuration(problem, place);
          return;
        }
        break;
      case diag::err_ovl_no_viable_function_in_call:
        for (const auto& note : problem.notes)
          if (note.message.find("call to __host__ function from") != std::string::npos ||
              note.message.find("call to __device__ function from") != std::string::npos) {
            report_.found(checks::wrong_side, place, quoted(problem.message) + ": " + note.message,
                          "declare it for the side that calls it");
            return;
          }
        if (kernel) {
          const std::string& why = first_note(problem);
          if (why.find("arguments") != std::string::npos && why.find("requires") != std::string::npos)
            arguments(kernel, place, why);
          else
            types(kernel, place, why);
          return;
        }
        break;
      case diag::err_redefinition:
        if (quoted(problem.message) != "trl_bind_module") break;
        report_.found(checks::syntax, place, "PYBIND11_MODULE is there twice; an extension has one");
        return;
      case diag::err_global_call_not_config:
        report_.found(checks::launch_configuration, place,
                      fmt::format("kernel {} is called without <<<grid, block>>>", quoted(problem.message)),
                      "launch it: kernel<<<grid, block, 0, at::cuda::getCurrentCUDAStream()>>>(…)");
        return;
      case diag::err_kern_type_not_void_return:
      case diag::err_kern_is_nonstatic_method:
      case diag::err_kern_call_not_global_function:
        report_.found(problem.id == diag::err_kern_call_not_global_function ? checks::launch_configuration
                                                                            : checks::kernel_signature,
                      place, problem.message,
                      problem.id == diag::err_kern_type_not_void_return
                          ? "a kernel returns void and writes its results to memory"
                          : "a kernel is a free function that is declared __global__ void");
        return;
      case diag::err_ref_bad_target:
        report_.found(checks::wrong_side, place, problem.message, "declare it for the side that calls it");
        return;
      default:
        break;
    }
    if (in_configuration(problem)) {
      configuration(problem, place);
      return;
    }
    if (kernel && !device) {
      types(kernel, place, problem.message);
      return;
    }
    Check check = checks::syntax;
    // NVRTC compiles device code, so it decides whether such code is valid. Rules that only Clang has refuse
    // no candidate.
    if (device && !inside->hasAttr<CUDAHostAttr>() && is_semantic(problem.id))
      check.severity = Severity::warn;
    report_.found(check, place, problem.message);
  }

 private:
  void arguments(const FunctionDecl* kernel, SourceLocation place, const std::string& why) {
    report_.found(checks::launch_arguments, place,
                  fmt::format("launch of {}: {}", kernel->getNameAsString(), why),
                  fmt::format("it takes {} arguments: {}", kernel->getNumParams(), parameters(kernel)));
  }
  void configuration(const Problem& problem, SourceLocation place) {
    report_.found(checks::launch_configuration, place, "launch configuration: " + problem.message,
                  "the order is <<<grid, block, bytes of shared memory, stream>>>");
  }
  void types(const FunctionDecl* kernel, SourceLocation place, const std::string& why) {
    report_.found(checks::launch_types, place,
                  fmt::format("launch of {}: {}", kernel->getNameAsString(), why),
                  fmt::format("it takes {}", parameters(kernel)));
  }
  static std::string parameters(const FunctionDecl* function) {
    std::string all;
    for (const ParmVarDecl* one : function->parameters())
      all += (all.empty() ? "" : ", ") + one->getType().getAsString() + " " + one->getNameAsString();
    return all;
  }
  static std::string first_note(const Problem& problem) {
    for (const auto& note : problem.notes)
      if (note.message.find("candidate") != std::string::npos) return note.message;
    return problem.message;
  }

  void unknown(const Problem& problem, SourceLocation place, const FunctionDecl* inside, bool device) {
    const std::string name = quoted(problem.message);
    // The name was declared on a line that had an error.
    for (const std::string& line : failed_lines_)
      if (!name.empty() && line.find(name) != std::string::npos) return;
    failed_lines_.insert(line_of(place));
    const bool of_tensors = problem.message.find("'at::Tensor'") != std::string::npos ||
                            problem.message.find("namespace 'torch") != std::string::npos ||
                            problem.message.find("namespace 'at'") != std::string::npos;
    if (forbidden_function(name) && !(of_tensors)) {
      report_.found(checks::forbidden_call, place, fmt::format("{} is not for a wrapper to call", name),
                    "a wrapper checks shapes, allocates and launches");
    } else if ((device || (!inside && device_namespace(name))) && !of_tensors) {
      // CUDA may have a name that the prelude lacks. NVRTC knows all names, so it decides.
      Check softened = checks::unknown_name;
      softened.severity = Severity::warn;
      report_.found(softened, place, problem.message);
    } else {
      report_.found(checks::unknown_name, place, problem.message,
                    of_tensors ? "what a wrapper may ask of tensors is in docs/interfaces.md, 4" : "");
    }
    if (inside || device) spoilt_.insert(inside);
  }

  std::string line_of(SourceLocation place) const {
    const int line = unit_.position(place).first;
    if (line == 0) return {};
    const llvm::StringRef text = unit_.context.getSourceManager().getBufferData(unit_.candidate);
    std::size_t begin = 0;
    for (int i = 1; i < line; ++i) begin = text.find('\n', begin) + 1;
    return text.substr(begin, text.find('\n', begin) - begin).str();
  }

  /// The function of the candidate whose text contains this position.
  const FunctionDecl* enclosing(SourceLocation place) const {
    if (!unit_.in_candidate(place)) return nullptr;
    const FunctionDecl* found = nullptr;
    const auto consider = [&](const FunctionDecl* one) {
      const auto begin = unit_.position(one->getBeginLoc());
      const auto end = unit_.position(one->getEndLoc());
      const auto at = unit_.position(place);
      if (begin <= at && at <= end) found = one;
    };
    for (const Function& one : unit_.functions) consider(one.declaration);
    for (const FunctionDecl* one : unit_.kernels) consider(one);
    for (const Decl* one : unit_.others)
      if (const auto* function = llvm::dyn_cast<FunctionDecl>(one)) consider(function);
    return found;
  }

  const FunctionDecl* kernel_in_notes(const Problem& problem) const {
    for (const auto& note : problem.notes)
      for (const FunctionDecl* one : unit_.kernels) {
        const auto at = unit_.position(note.place);
        if (at.first && unit_.position(one->getBeginLoc()) <= at && at <= unit_.position(one->getEndLoc()))
          return one;
      }
    return nullptr;
  }

  bool in_configuration(const Problem& problem) const {
    for (const auto& note : problem.notes)
      if (note.message.find("__cudaPushCallConfiguration") != std::string::npos ||
          note.message.find("parameter 'trl_") != std::string::npos)
        return true;
    return problem.message.find("__cudaPushCallConfiguration") != std::string::npos;
  }

  TranslationUnit& unit_;
  Report& report_;
  std::set<const FunctionDecl*> spoilt_;
  std::set<std::string> failed_lines_;
};

}  // namespace

void report_problems(const Problems& problems, TranslationUnit& unit, Report& report) {
  for (const MissingHeader& one : problems.missing_headers) {
    if (const char* why = forbidden_header(one.name)) {
      report.found(checks::forbidden_header, one.place, fmt::format("<{}> {}", one.name, why),
                   "a wrapper checks shapes, allocates and launches");
    } else if (!framework_header(one.name)) {
      Check check = checks::unknown_header;
      if (device_library(one.name)) check.severity = Severity::warn;
      report.found(check, one.place, fmt::format("<{}> is no header that is known here", one.name));
    }
  }
  Classifier classifier(unit, report);
  for (const bool names : {true, false})
    for (const Problem& one : problems.all)
      if (names_nothing(one.id) == names) classifier.add(one);
}

}  // namespace trl::kernel_check
