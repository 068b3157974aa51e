#include "verifier/kernel_check/emit.hpp"

#include <clang/AST/Attr.h>
#include <clang/AST/GlobalDecl.h>
#include <clang/AST/Mangle.h>
#include <clang/AST/PrettyPrinter.h>
#include <clang/AST/RecordLayout.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/TargetInfo.h>
#include <clang/CodeGen/BackendUtil.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <fmt/format.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/Base64.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <stdexcept>

#include "verifier/kernel_check/check.hpp"
#include "verifier/kernel_check/device_source.hpp"

namespace trl::kernel_check {

using namespace clang;
using nlohmann::json;

void Parsed::tell(ASTConsumer& to) const {
  for (const Event& one : all_) {
    auto* declaration = const_cast<Decl*>(one.declaration);
    switch (one.kind) {
      case Kind::top_level:
        to.HandleTopLevelDecl(DeclGroupRef(declaration));
        break;
      case Kind::in_class:
        to.HandleInlineFunctionDefinition(llvm::cast<FunctionDecl>(declaration));
        break;
      case Kind::member:
        to.HandleCXXStaticMemberVarInstantiation(llvm::cast<VarDecl>(declaration));
        break;
      case Kind::table:
        to.HandleVTable(llvm::cast<CXXRecordDecl>(declaration));
        break;
      case Kind::tentative:
        to.CompleteTentativeDefinition(llvm::cast<VarDecl>(declaration));
        break;
    }
  }
}

std::string glue(const std::vector<std::string>& functions) {
  std::string body;
  if (functions.empty()) body = "  trl_bind_module(m);\n";
  for (const std::string& name : functions) body += fmt::format("  m.def(\"{0}\", &::{0});\n", name);
  return fmt::format("extern \"C\" void trl_bind() {{\n  pybind11::module_ m;\n{}}}\n", body);
}

namespace {

/// Returns the candidate's functions of this name that are in no namespace.
std::vector<const FunctionDecl*> named(const ASTContext& context, const TranslationUnit& unit,
                                       const std::string& name) {
  std::vector<const FunctionDecl*> found;
  for (const NamedDecl* one : context.getTranslationUnitDecl()->lookup(&context.Idents.get(name)))
    if (const auto* function = llvm::dyn_cast<FunctionDecl>(one))
      if (unit.in_candidate(function->getLocation())) found.push_back(function);
  return found;
}

/// The offsets of numbers and addresses in a struct that is passed by value; padding belongs to neither.
struct Places {
  json numbers = json::array();    ///< [first byte, bytes]
  json addresses = json::array();  ///< offset of the first byte of each
};

/// Adds the contents of a type at an offset. Returns false for types that no plan can hold: references,
/// functions, unions, and classes whose copies need more than copying their bytes.
bool add_places(const ASTContext& context, QualType type, std::int64_t at, Places& places) {
  constexpr std::size_t most = 512;
  if (places.numbers.size() + places.addresses.size() > most) return false;
  type = type.getCanonicalType().getUnqualifiedType();
  if (const auto* array = llvm::dyn_cast<ConstantArrayType>(type.getTypePtr())) {
    const QualType element = array->getElementType();
    const std::int64_t bytes = context.getTypeSizeInChars(element).getQuantity();
    const std::uint64_t count = array->getSize().getLimitedValue(most + 1);
    for (std::uint64_t i = 0; i < count; ++i)
      if (!add_places(context, element, at + static_cast<std::int64_t>(i) * bytes, places)) return false;
    return true;
  }
  if (type->isObjectType() && !type->isPointerType() && !type->isRecordType() && type->isScalarType() &&
      !type->isMemberPointerType() && !type->isNullPtrType()) {
    places.numbers.push_back({at, context.getTypeSizeInChars(type).getQuantity()});
    return true;
  }
  if (type->isPointerType() && !type->isFunctionPointerType()) {
    if (at % 8 != 0) return false;
    places.addresses.push_back(at);
    return true;
  }
  const CXXRecordDecl* record = type->getAsCXXRecordDecl();
  if (!record || record->isUnion() || record->isPolymorphic() || record->getNumVBases() > 0 ||
      !type.isTriviallyCopyableType(context))
    return false;
  const ASTRecordLayout& layout = context.getASTRecordLayout(record);
  for (const CXXBaseSpecifier& base : record->bases())
    if (!add_places(context, base.getType(),
                    at + layout.getBaseClassOffset(base.getType()->getAsCXXRecordDecl()).getQuantity(),
                    places))
      return false;
  for (const FieldDecl* field : record->fields()) {
    const auto bit = static_cast<std::int64_t>(layout.getFieldOffset(field->getFieldIndex()));
    if (field->isBitField()) {
      const std::int64_t end = bit + field->getBitWidthValue(context);
      places.numbers.push_back({at + bit / 8, (end + 7) / 8 - bit / 8});
    } else if (!add_places(context, field->getType(), at + bit / 8, places)) {
      return false;
    }
  }
  return true;
}

json parameter(const ASTContext& context, QualType type) {
  type = type.getCanonicalType().getUnqualifiedType();
  const auto bytes =
      static_cast<std::int64_t>(type->isReferenceType() ? 8 : context.getTypeSizeInChars(type).getQuantity());
  std::string kind = "bytes";
  if (const auto* number = type->getAs<EnumType>())
    type = number->getDecl()->getIntegerType().getCanonicalType();
  if (type->isPointerType()) {
    kind = "pointer";
  } else if (type->isBooleanType()) {
    kind = "i1";
  } else if (type->isIntegerType() && bytes <= 8) {
    kind = fmt::format("{}{}", type->isSignedIntegerType() ? "i" : "u", 8 * bytes);
  } else if (type->isSpecificBuiltinType(BuiltinType::Float)) {
    kind = "f32";
  } else if (type->isSpecificBuiltinType(BuiltinType::Double)) {
    kind = "f64";
  } else if (const CXXRecordDecl* record = type->getAsCXXRecordDecl()) {
    const std::string name = record->getQualifiedNameAsString();
    if (name == "__half" || name == "c10::Half") kind = "f16";
    if (name == "__nv_bfloat16" || name == "c10::BFloat16") kind = "bf16";
  }
  json described = {{"kind", kind}, {"size", bytes}};
  Places places;
  if (kind == "bytes" && add_places(context, type, 0, places)) {
    described["numbers"] = std::move(places.numbers);
    described["addresses"] = std::move(places.addresses);
  }
  return described;
}

/// Gives an empty body to each template instance of a kernel that has none. Clang drops the body when it
/// contains an unknown name, and a launch on the host needs no body.
void give_bodies(ASTContext& context, const Parsed& parsed) {
  parsed.each([&](const Decl* declaration) {
    auto* kernel = const_cast<FunctionDecl*>(llvm::dyn_cast<FunctionDecl>(declaration));
    if (!kernel || !kernel->hasAttr<CUDAGlobalAttr>() || !kernel->isTemplateInstantiation() ||
        kernel->getBody())
      return;
    kernel->setInvalidDecl(false);
    kernel->setBody(CompoundStmt::CreateEmpty(context, 0, false));
  });
}

std::string symbol_of(ASTContext& context, const FunctionDecl* kernel) {
  const std::unique_ptr<MangleContext> mangling(context.createMangleContext());
  if (!mangling->shouldMangleDeclName(kernel)) return kernel->getNameAsString();
  std::string symbol;
  llvm::raw_string_ostream out(symbol);
  mangling->mangleName(GlobalDecl(kernel, KernelReferenceKind::Kernel), out);
  return out.str();
}

std::string expression_of(const ASTContext& context, const FunctionDecl* kernel) {
  PrintingPolicy policy(context.getLangOpts());
  policy.SuppressUnwrittenScope = true;
  policy.FullyQualifiedName = true;
  policy.PrintCanonicalTypes = true;
  std::string text;
  llvm::raw_string_ostream out(text);
  kernel->getNameForDiagnostic(out, policy, true);
  return out.str();
}

bool has_lambda(const FunctionDecl* kernel) {
  const TemplateArgumentList* arguments = kernel->getTemplateSpecializationArgs();
  if (!arguments) return false;
  for (const TemplateArgument& one : arguments->asArray()) {
    const CXXRecordDecl* record =
        one.getKind() == TemplateArgument::Type ? one.getAsType()->getAsCXXRecordDecl() : nullptr;
    if (record && record->isLambda()) return true;
  }
  return false;
}

json kernels_of(ASTContext& context, const TranslationUnit& unit, CodeGenerator& generator,
                const llvm::Module& module) {
  json kernels = json::array();
  for (const llvm::Function& one : module) {
    if (one.isDeclaration()) continue;
    const auto* kernel = llvm::dyn_cast_or_null<FunctionDecl>(generator.GetDeclForMangledName(one.getName()));
    if (!kernel || !kernel->hasAttr<CUDAGlobalAttr>()) continue;
    const FunctionDecl* written = unit.written(kernel);
    if (!unit.in_candidate(written->getLocation())) continue;
    json parameters = json::array();
    for (const ParmVarDecl* each : kernel->parameters())
      parameters.push_back(parameter(context, each->getType()));
    json launch_lines = json::array();
    for (const Launch& each : unit.launches)
      if (each.kernel && each.kernel->getCanonicalDecl() == kernel->getCanonicalDecl())
        if (const int line = unit.position(each.expression->getBeginLoc()).first)
          launch_lines.push_back(line);
    if (has_lambda(kernel))
      throw NotEmitted(
          fmt::format("kernel {} takes a lambda of the wrapper, which has no name in the kernels' own "
                      "text: make it a struct with a __device__ operator()",
                      kernel->getNameAsString()),
          launch_lines.empty() ? unit.position(written->getLocation()).first
                               : launch_lines.front().get<int>());
    kernels.push_back({{"name", kernel->getNameAsString()},
                       {"stub", one.getName().str()},
                       {"symbol", symbol_of(context, kernel)},
                       {"expression", expression_of(context, kernel)},
                       {"line", unit.position(written->getLocation()).first},
                       {"launch_lines", launch_lines},
                       {"parameters", parameters}});
  }
  return kernels;
}

/// Returns the calls by which the object would let PyTorch compute. These are calls of functions that are
/// declared but defined nowhere.
json refused_calls(const TranslationUnit& unit, CodeGenerator& generator, const llvm::Module& module) {
  json refused = json::array();
  for (const llvm::Function& one : module) {
    if (!one.isDeclaration()) continue;
    const auto* function =
        llvm::dyn_cast_or_null<FunctionDecl>(generator.GetDeclForMangledName(one.getName()));
    if (unit.annotation(function) != checks::framework_compute.reason) continue;
    for (const Call& call : unit.calls)
      if (call.callee && call.callee->getCanonicalDecl() == function->getCanonicalDecl()) {
        refused.push_back({{"symbol", one.getName().str()},
                           {"reason", std::string(checks::framework_compute.reason)},
                           {"message", computed_by_framework(call)},
                           {"line", unit.position(call.expression->getExprLoc()).first}});
        break;
      }
  }
  return refused;
}

}  // namespace

std::string missing_function(const ASTContext& context, const TranslationUnit& unit,
                             const std::vector<std::string>& functions) {
  if (functions.empty() && named(context, unit, "trl_bind_module").empty())
    return "neither `functions` nor a PYBIND11_MODULE names what Python may call";
  for (const std::string& name : functions) {
    const auto found = named(context, unit, name);
    const auto has_body = [](const FunctionDecl* one) {
      const FunctionDecl* definition = nullptr;
      return one->isDefined(definition);
    };
    if (std::none_of(found.begin(), found.end(), has_body))
      return fmt::format("{} is named in `functions` and {}", name,
                         found.empty() ? "is no function of the sources" : "has no body");
    for (const FunctionDecl* one : found)
      if (one->getCanonicalDecl() != found.front()->getCanonicalDecl())
        return fmt::format("{} is named in `functions` and overloaded", name);
    if (found.front()->hasAttr<CUDAGlobalAttr>() ||
        (found.front()->hasAttr<CUDADeviceAttr>() && !found.front()->hasAttr<CUDAHostAttr>()))
      return fmt::format("{} is named in `functions` and isn't a function of the host", name);
  }
  return {};
}

std::string instances_used(const json& kernels) {
  std::string uses;
  for (const json& one : kernels)
    if (const auto& name = one.at("expression").get_ref<const std::string&>(); name.ends_with('>'))
      uses += fmt::format(" (void)&{};", name);
  return fmt::format("\n__device__ inline void trl_instances() {{{} }}\n", uses);
}

void prepare_emit() {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
}

json emit(CompilerInstance& compiler, const TranslationUnit& unit, const Parsed& parsed,
          const std::vector<const Decl*>& declarations) {
  ASTContext& context = compiler.getASTContext();
  DiagnosticsEngine& diagnostics = compiler.getDiagnostics();
  // The device compiler may know a name that is unknown here, so errors in kernels are ignored. Host code has
  // no errors at this point.
  diagnostics.Reset(true);
  // There are no exception handlers: a throw ends the call.
  LangOptions& language = compiler.getLangOpts();
  language.Exceptions = 0;
  language.ThreadsafeStatics = 0;
  llvm::LLVMContext llvm;
  const auto files = compiler.getFileManager().getVirtualFileSystemPtr();
  const std::unique_ptr<CodeGenerator> generator(
      CreateLLVMCodeGen(diagnostics, "candidate", files, compiler.getHeaderSearchOpts(),
                        compiler.getPreprocessorOpts(), compiler.getCodeGenOpts(), llvm));
  generator->Initialize(context);
  give_bodies(context, parsed);
  parsed.tell(*generator);
  generator->HandleTranslationUnit(context);
  llvm::Module* module = generator->GetModule();
  if (!module || diagnostics.hasErrorOccurred())
    throw std::runtime_error("no code can be made of the wrapper");
  json kernels = kernels_of(context, unit, *generator, *module);
  json refused = refused_calls(unit, *generator, *module);
  llvm::SmallString<0> object;
  EmitBackendOutput(diagnostics, compiler.getHeaderSearchOpts(), compiler.getCodeGenOpts(),
                    compiler.getTargetOpts(), language, context.getTargetInfo().getDataLayoutString(), module,
                    Backend_EmitObj, std::make_unique<llvm::raw_svector_ostream>(object));
  if (diagnostics.hasErrorOccurred()) throw std::runtime_error("no code can be made of the wrapper");
  return {{"object", llvm::encodeBase64(object)},
          {"kernels", std::move(kernels)},
          {"refused_calls", std::move(refused)},
          {"device_source", device_source(unit, declarations)}};
}

}  // namespace trl::kernel_check
