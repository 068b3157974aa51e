#include "verifier/kernel_check/session.hpp"

#include <clang/AST/ASTConsumer.h>
#include <clang/Basic/TargetInfo.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Pragma.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Sema/Sema.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <algorithm>
#include <stdexcept>

#include "verifier/kernel_check/embedded.hpp"
#include "verifier/kernel_check/emit.hpp"
#include "verifier/kernel_check/names.hpp"
#include "verifier/kernel_check/problems.hpp"
#include "verifier/kernel_check/translation_unit.hpp"

namespace trl::kernel_check {

using namespace clang;

namespace {

constexpr const char* candidate_file = "/candidate.cu";
constexpr const char* glue_file = "/glue.cu";

/// State that the hooks inside Clang share.
struct Hooks {
  const Session& session;
  llvm::vfs::InMemoryFileSystem& files;
  Problems* problems = nullptr;
  const Request* request = nullptr;
  std::vector<const Decl*> declarations{};  ///< of the candidate
  CompilerInstance* compiler = nullptr;
  Parsed parsed_all{};  ///< prelude and candidate, for the code generator
};

class Includes : public PPCallbacks {
 public:
  explicit Includes(Hooks& hooks) : hooks_(hooks) {}
  bool FileNotFound(StringRef) override { return hooks_.request != nullptr; }
  void InclusionDirective(SourceLocation hash, const Token&, StringRef name, bool, CharSourceRange,
                          OptionalFileEntryRef file, StringRef, StringRef, const Module*,
                          SrcMgr::CharacteristicKind) override {
    if (!file && hooks_.problems->missing_headers.size() < 64)
      hooks_.problems->missing_headers.push_back({name.str(), hash});
  }

 private:
  Hooks& hooks_;
};

std::vector<Facts::Parameter> parameters_of(const FunctionDecl* function) {
  std::vector<Facts::Parameter> all;
  for (const ParmVarDecl* one : function->parameters())
    all.push_back({one->getNameAsString(), one->getType().getAsString()});
  return all;
}

Facts facts_of(const TranslationUnit& unit) {
  Facts facts;
  for (const FunctionDecl* one : unit.kernels)
    facts.kernels.push_back({one->getNameAsString(), unit.position(one->getLocation()).first,
                             one->getDescribedFunctionTemplate() != nullptr, parameters_of(one)});
  for (const Launch& one : unit.launches) {
    const Facts::Launch launch{one.kernel ? one.kernel->getNameAsString() : "",
                               unit.position(one.expression->getBeginLoc()).first};
    const auto same = [&](const Facts::Launch& other) {
      return other.line == launch.line && other.kernel == launch.kernel;
    };
    if (std::none_of(facts.launches.begin(), facts.launches.end(), same)) facts.launches.push_back(launch);
  }
  for (const Function& one : unit.functions) {
    if (one.device || one.declaration->isTemplateInstantiation()) continue;
    const std::string result = one.declaration->getReturnType().getAsString();
    bool tensors = result.find("Tensor") != std::string::npos;
    for (const ParmVarDecl* parameter : one.declaration->parameters())
      tensors |= parameter->getType().getAsString().find("Tensor") != std::string::npos;
    if (tensors)
      facts.functions.push_back({one.declaration->getNameAsString(), result,
                                 unit.position(one.declaration->getLocation()).first,
                                 parameters_of(one.declaration)});
  }
  return facts;
}

/// Whether host code contains expressions that Clang couldn't analyse.
bool has_errors(const TranslationUnit& unit) {
  bool found = false;
  const auto look = [&](const Stmt* one) {
    const auto* expression = llvm::dyn_cast<Expr>(one);
    found = found || (expression && expression->containsErrors());
    return !found;
  };
  for (const Function& one : unit.functions) {
    if (one.device) continue;
    found = found || one.declaration->isInvalidDecl();
    if (one.declaration->hasBody()) walk(one.declaration->getBody(), look);
  }
  for (const VarDecl* one : unit.globals)
    if (one->hasInit()) walk(one->getInit(), look);
  return found;
}

/// Adds the object file to the answer, or a finding that says why it can't be made.
void add_object(Answer& answer, const TranslationUnit& unit, const std::vector<const Decl*>& declarations,
                const Request& request, const Problems& glued, Hooks& hooks) {
  // These findings belong to no check, because they only occur when an object file is asked for.
  const auto refuse = [&](const char* reason, std::string why, int line = 0) {
    answer.findings.insert(answer.findings.begin(),
                           Finding{"object", Severity::refuse, reason, std::move(why), "", line, 0});
  };
  std::string missing = missing_function(unit.context, unit, request.functions);
  if (!missing.empty()) {
    refuse("missing_function", std::move(missing));
  } else if (!glued.all.empty()) {
    // The generated code that binds the functions for Python has errors.
    refuse("missing_function", "Python can't call it: " + glued.all.front().message);
  } else if (unit.broken_host || has_errors(unit)) {
    // An error in a kernel's signature appears where the kernel is launched, and would crash the code
    // generator.
    const auto known = std::find_if(answer.findings.begin(), answer.findings.end(),
                                    [](const Finding& one) { return one.check == "unknown_name"; });
    if (known != answer.findings.end())
      refuse("syntax_error", known->message, known->line);
    else
      refuse("syntax_error",
             hooks.problems->all.empty() ? "the sources don't parse" : hooks.problems->all.front().message);
  } else {
    const std::size_t before = hooks.problems->all.size();
    try {
      answer.emitted = emit(*hooks.compiler, unit, hooks.parsed_all, declarations);
      // If Clang refuses the device code, NVRTC must accept every instance of it, as nvcc would have to, and
      // not only the launched instances.
      const auto doubted = [](const Finding& one) {
        return one.check == checks::syntax.id || one.check == checks::unknown_name.id;
      };
      if (std::any_of(answer.findings.begin(), answer.findings.end(), doubted)) {
        std::string& text = answer.emitted["device_source"].get_ref<std::string&>();
        text += instances_used(answer.emitted["kernels"]);
      }
    } catch (const NotEmitted& error) {
      refuse("unsupported", error.what(), error.line);
    } catch (const std::runtime_error& error) {
      const std::vector<Problem>& all = hooks.problems->all;
      refuse("unsupported", error.what() + (all.size() > before ? ": " + all.back().message : std::string()));
    }
  }
}

Answer checked(ASTContext& context, FileID file, const std::vector<const Decl*>& declarations,
               const Request& request, const Problems& problems, Hooks& hooks) {
  TranslationUnit unit(context, file, declarations, request.limits, request.language);
  Report report(unit);
  Problems own, glued;
  own.missing_headers = problems.missing_headers;
  for (const Problem& one : problems.all) {
    // A note may name the candidate's function that an error in the glue could have meant.
    const bool in_glue = context.getSourceManager().getFilename(one.place) == glue_file;
    const bool of_candidate = unit.in_candidate(one.place) ||
                              std::any_of(one.notes.begin(), one.notes.end(),
                                          [&](const auto& note) { return unit.in_candidate(note.place); });
    (request.emit && (in_glue || !of_candidate) ? glued : own).all.push_back(one);
  }
  report_problems(own, unit, report);
  for (const Check* one : all_checks())
    if (one->check) one->check(unit, report);
  Answer answer{report.take(), facts_of(unit), {}};
  if (request.emit && !answer.refused()) add_object(answer, unit, declarations, request, glued, hooks);
  return answer;
}

/// Generates code of the example, so that libLLVM's pages are loaded in this process and its children.
void warm_up_code(Hooks& hooks, SourceManager& sources) {
  const auto file = sources.getFileManager().getFile("/prelude/trl/example.h");
  if (!file) return;
  const TranslationUnit unit(hooks.compiler->getASTContext(), sources.translateFile(*file),
                             hooks.declarations, {}, Language::cuda);
  const LangOptions language = hooks.compiler->getLangOpts();
  emit(*hooks.compiler, unit, hooks.parsed_all, hooks.declarations);
  hooks.compiler->getLangOpts() = language;
}

/// Checks the prelude's example before the first fork. This touches the memory and code that every check
/// needs.
void warm_up(Hooks& hooks, SourceManager& sources) {
  // Without this, every candidate's process would instantiate the example's templates when it ends.
  hooks.compiler->getSema().PerformPendingInstantiations();
  if (const auto file = sources.getFileManager().getFile("/prelude/trl/example.h"))
    checked(hooks.compiler->getASTContext(), sources.translateFile(*file), hooks.declarations, {}, {}, hooks);
  if (hooks.session.warm_code) warm_up_code(hooks, sources);
  hooks.declarations.clear();
}

/// `#pragma trl candidate` stands between the prelude and the include of the candidate.
class CandidatePragma : public PragmaHandler {
 public:
  explicit CandidatePragma(Hooks& hooks) : PragmaHandler("candidate"), hooks_(hooks) {}
  void HandlePragma(Preprocessor& preprocessor, PragmaIntroducer, Token&) override {
    // The pragma is ignored after the first time, that is, in the candidate's own text.
    if (hooks_.request || preprocessor.getDiagnostics().hasErrorOccurred()) return;
    warm_up(hooks_, preprocessor.getSourceManager());
    hooks_.request = &hooks_.session.next();
    hooks_.files.addFile(candidate_file, 0, llvm::MemoryBuffer::getMemBufferCopy(hooks_.request->source));
    const bool emit = hooks_.request->emit;
    hooks_.files.addFile(glue_file, 0,
                         llvm::MemoryBuffer::getMemBufferCopy(emit ? glue(hooks_.request->functions) : ""));
  }

 private:
  Hooks& hooks_;
};

class Checks : public ASTConsumer {
 public:
  Checks(Hooks& hooks, CompilerInstance& compiler) : hooks_(hooks), compiler_(compiler) {}

  bool HandleTopLevelDecl(DeclGroupRef group) override {
    hooks_.declarations.insert(hooks_.declarations.end(), group.begin(), group.end());
    for (const Decl* one : group) hooks_.parsed_all.add(Parsed::Kind::top_level, one);
    return true;
  }
  void HandleInlineFunctionDefinition(FunctionDecl* one) override {
    hooks_.parsed_all.add(Parsed::Kind::in_class, one);
  }
  void HandleCXXStaticMemberVarInstantiation(VarDecl* one) override {
    hooks_.parsed_all.add(Parsed::Kind::member, one);
  }
  void HandleVTable(CXXRecordDecl* one) override { hooks_.parsed_all.add(Parsed::Kind::table, one); }
  void CompleteTentativeDefinition(VarDecl* one) override {
    hooks_.parsed_all.add(Parsed::Kind::tentative, one);
  }

  void HandleTranslationUnit(ASTContext& context) override {
    if (!hooks_.request) return;
    const auto file = compiler_.getFileManager().getFile(candidate_file);
    if (!file) return;
    hooks_.session.done(checked(context, compiler_.getSourceManager().translateFile(*file),
                                hooks_.declarations, *hooks_.request, *hooks_.problems, hooks_));
  }

 private:
  Hooks& hooks_;
  CompilerInstance& compiler_;
};

class CheckAction : public ASTFrontendAction {
 public:
  explicit CheckAction(Hooks& hooks) : hooks_(hooks) {}
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance& compiler, StringRef) override {
    Preprocessor& preprocessor = compiler.getPreprocessor();
    preprocessor.AddPragmaHandler("trl", new CandidatePragma(hooks_));
    preprocessor.addPPCallbacks(std::make_unique<Includes>(hooks_));
    hooks_.compiler = &compiler;
    return std::make_unique<Checks>(hooks_, compiler);
  }

 private:
  Hooks& hooks_;
};

// The options that the driver would pass on for `-x cuda --cuda-host-only -nocudainc -nocudalib -nostdinc`,
// and limits.
// clang-format off
constexpr const char* options[] = {
    "-triple", "x86_64-unknown-linux-gnu", "-aux-triple", "nvptx64-nvidia-cuda",
    "-target-sdk-version=11.8",  // the launch protocol that CUDA has since version 9.2
    "-x", "cuda", "-std=c++17", "-fsyntax-only", "-O0", "-mrelocation-model", "pic",
    "-pic-level", "2", "-fgnuc-version=4.2.1", "-fexceptions", "-fcxx-exceptions", "-w",
    "-nostdsysteminc", "-nobuiltininc", "-nostdinc++", "-isystem", "/prelude", "-isystem", "/headers",
    "-fbracket-depth", "200", "-ftemplate-depth", "200", "-fconstexpr-depth", "200", "-fconstexpr-steps", "200000",
    "-ferror-limit", "60", "/main.cu"};
// clang-format on

}  // namespace

Answer lost(std::string_view check, std::string message) {
  const Check* kind = find_check(check);
  Answer answer;
  answer.findings.push_back(
      {std::string(check), kind->severity, std::string(kind->reason), std::move(message), "", 0, 0});
  return answer;
}

void check_candidate(const Session& session) {
  auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  files->addFile("/main.cu", 0,
                 llvm::MemoryBuffer::getMemBuffer("#include <trl/prelude.h>\n"
                                                  "struct trl_parsed;\n"
                                                  "#pragma trl candidate\n"
                                                  "#include \"/candidate.cu\"\n"
                                                  "#include \"/glue.cu\"\n"));
  for (const auto& [name, text] : embedded())
    files->addFile("/prelude/trl/" + name, 0, llvm::MemoryBuffer::getMemBuffer(text));
  for (const std::string_view header : known_headers())
    files->addFile("/headers/" + std::string(header), 0, llvm::MemoryBuffer::getMemBuffer("#pragma once\n"));

  prepare_emit();
  Hooks hooks{session, *files};
  auto problems = std::make_unique<Problems>();
  hooks.problems = problems.get();
  CompilerInstance compiler;
  compiler.createDiagnostics(problems.get(), false);
  if (!CompilerInvocation::CreateFromArgs(compiler.getInvocation(), options, compiler.getDiagnostics()))
    throw std::runtime_error("Clang refuses its options: " +
                             (problems->all.empty() ? "" : problems->all.front().message));
  compiler.getFrontendOpts().DisableFree = true;
  // By default Clang would print the number of errors to standard error.
  compiler.getDiagnosticOpts().ShowCarets = false;
  compiler.createFileManager(files);
  compiler.createSourceManager(compiler.getFileManager());
  CheckAction action(hooks);
  compiler.ExecuteAction(action);
  if (!hooks.request)
    throw std::runtime_error("the prelude can't be parsed: " +
                             (problems->all.empty() ? "" : problems->all.front().message));
}

}  // namespace trl::kernel_check
