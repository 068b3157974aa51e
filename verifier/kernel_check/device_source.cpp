#include "verifier/kernel_check/device_source.hpp"

#include <clang/AST/Attr.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <utility>

#include "verifier/kernel_check/embedded.hpp"

namespace trl::kernel_check {

using namespace clang;

namespace {

struct Range {
  unsigned begin = 0, end = 0;
};

bool for_device(const FunctionDecl* function) {
  return function->hasAttr<CUDAGlobalAttr>() || function->hasAttr<CUDADeviceAttr>() ||
         function->isConstexpr();
}

bool of_framework(QualType type) {
  const std::string written = type.getCanonicalType().getUnqualifiedType().getAsString();
  return written.find("at::") != std::string::npos || written.find("torch::") != std::string::npos ||
         written.find("std::") != std::string::npos ||
         (written.find("c10::") != std::string::npos && written.find("c10::Half") == std::string::npos &&
          written.find("c10::BFloat16") == std::string::npos);
}

/// Whether device code may need a header; all others are for the host.
bool for_kernels(llvm::StringRef header) {
  for (const llvm::StringRef folder :
       {"cub/", "cuda/", "nv/", "cute/", "cutlass/", "cuda_", "sm_", "cooperative_groups"})
    if (header.startswith(folder)) return true;
  static const llvm::StringRef names[] = {
      "cuda.h",    "mma.h",   "math_constants.h", "cmath",    "math.h",     "cfloat",   "float.h", "climits",
      "limits.h",  "limits",  "cstdint",          "stdint.h", "cstddef",    "stddef.h", "cassert", "assert.h",
      "algorithm", "utility", "type_traits",      "tuple",    "functional", "cstdio",   "stdio.h"};
  return std::find(std::begin(names), std::end(names), header) != std::end(names);
}

class Blanks {
 public:
  explicit Blanks(const TranslationUnit& unit)
      : unit_(unit),
        sources_(unit.context.getSourceManager()),
        text_(sources_.getBufferData(unit.candidate)) {}

  void add(const Decl* declaration) {
    if (!unit_.in_candidate(declaration->getLocation()) || declaration->isImplicit()) return;
    // A lambda's call operator is implicitly constexpr. It is kept or removed with the function around it.
    if (declaration->getParentFunctionOrMethod()) return;
    if (const auto* scope = llvm::dyn_cast<DeclContext>(declaration);
        scope && llvm::isa<NamespaceDecl, LinkageSpecDecl, ExportDecl>(declaration)) {
      for (const Decl* inner : scope->noload_decls()) add(inner);
      return;
    }
    const bool keeps_it = keeps(declaration);
    (keeps_it ? kept_ : blanked_).push_back(range(declaration));
    if (keeps_it) annotate(declaration);
  }

  std::string result() {
    std::string out = text_.str();
    std::sort(unannotated_.rbegin(), unannotated_.rend());
    for (const Range& one : blanked_) {
      // A macro that makes both a kernel and the code that launches it can't be split.
      const bool shared = std::any_of(kept_.begin(), kept_.end(), [&](const Range& other) {
        return one.begin < other.end && other.begin < one.end;
      });
      if (shared) continue;
      for (unsigned i = one.begin; i < one.end && i < out.size(); ++i)
        if (out[i] != '\n') out[i] = ' ';
    }
    unannotated_.erase(std::unique(unannotated_.begin(), unannotated_.end()), unannotated_.end());
    for (const unsigned place : unannotated_) out.insert(place, "__host__ __device__ ");
    blank_headers(out);
    return out;
  }

 private:
  /// Notes functions without __host__ or __device__, which NVRTC would take for host functions. nvcc is more
  /// lenient with constexpr functions and with members of classes, so these functions get both qualifiers.
  void annotate(const Decl* declaration) {
    if (const auto* made = llvm::dyn_cast<FunctionTemplateDecl>(declaration))
      declaration = made->getTemplatedDecl();
    if (const auto* made = llvm::dyn_cast<ClassTemplateDecl>(declaration))
      declaration = made->getTemplatedDecl();
    if (const auto* record = llvm::dyn_cast<CXXRecordDecl>(declaration)) {
      for (const Decl* inner : record->decls())
        if (llvm::isa<FunctionDecl, FunctionTemplateDecl, CXXRecordDecl>(inner) && !inner->isImplicit())
          annotate(inner);
      return;
    }
    const auto* function = llvm::dyn_cast<FunctionDecl>(declaration);
    const auto written = [&](const Attr* one) { return one && !one->isImplicit(); };
    if (!function || function->isDefaulted() || function->isDeleted() ||
        written(function->getAttr<CUDAGlobalAttr>()) || written(function->getAttr<CUDADeviceAttr>()))
      return;
    if (written(function->getAttr<CUDAHostAttr>()) || function->getBeginLoc().isMacroID()) return;
    unannotated_.push_back(offset(function->getBeginLoc()));
  }

  bool keeps(const Decl* declaration) const {
    if (const auto* made = llvm::dyn_cast<FunctionTemplateDecl>(declaration))
      return for_device(made->getTemplatedDecl());
    if (const auto* function = llvm::dyn_cast<FunctionDecl>(declaration)) return for_device(function);
    if (const auto* variable = llvm::dyn_cast<VarDecl>(declaration)) {
      if (variable->hasAttr<CUDADeviceAttr>() || variable->hasAttr<CUDAConstantAttr>()) return true;
      // Device code can use host variables only if they are constants, and NVRTC accepts no others.
      const bool known = variable->getInit() &&
                         (variable->getInit()->isValueDependent() || variable->evaluateValue() != nullptr);
      return variable->getType().isConstQualified() && known && !of_framework(variable->getType());
    }
    if (const auto* alias = llvm::dyn_cast<TypedefNameDecl>(declaration))
      return !of_framework(alias->getUnderlyingType());
    if (const auto* record = llvm::dyn_cast<CXXRecordDecl>(declaration)) {
      for (const FieldDecl* field : record->fields())
        if (of_framework(field->getType())) return false;
      return true;
    }
    if (const auto* used = llvm::dyn_cast<UsingDecl>(declaration))
      return std::none_of(used->shadow_begin(), used->shadow_end(), [](const UsingShadowDecl* one) {
        return !llvm::isa<FunctionDecl>(one->getTargetDecl()) ||
               !for_device(llvm::cast<FunctionDecl>(one->getTargetDecl()));
      });
    if (const auto* used = llvm::dyn_cast<UsingDirectiveDecl>(declaration))
      return unit_.in_candidate(used->getNominatedNamespace()->getLocation()) ||
             used->getNominatedNamespace()->getName() == "nvcuda";
    return true;
  }

  /// The range in the candidate's text from the declaration's first character to its closing brace or
  /// semicolon.
  Range range(const Decl* declaration) const {
    SourceRange all = declaration->getSourceRange();
    // Attributes precede the position that Clang gives as a declaration's beginning.
    for (const Attr* one : declaration->attrs())
      if (one->getRange().isValid() && offset(one->getRange().getBegin()) < offset(all.getBegin()))
        all.setBegin(one->getRange().getBegin());
    const SourceLocation last = sources_.getExpansionRange(all.getEnd()).getEnd();
    Range out{offset(sources_.getExpansionLoc(all.getBegin())), 0};
    out.end = offset(last) + Lexer::MeasureTokenLength(last, sources_, unit_.context.getLangOpts());
    unsigned next = out.end;
    while (next < text_.size() && isspace(static_cast<unsigned char>(text_[next]))) ++next;
    if (next < text_.size() && text_[next] == ';') out.end = next + 1;
    return out;
  }

  unsigned offset(SourceLocation place) const {
    return sources_.getFileOffset(sources_.getExpansionLoc(place));
  }

  static void blank_headers(std::string& text) {
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      llvm::StringRef line = llvm::StringRef(text).slice(begin, end).trim();
      if (line.consume_front("#") && (line = line.ltrim()).consume_front("include")) {
        const llvm::StringRef name = line.ltrim().ltrim("<\"");
        if (!for_kernels(name.take_until([](char c) { return c == '>' || c == '"'; })))
          std::fill(text.begin() + begin, text.begin() + end, ' ');
      }
      begin = end + 1;
    }
  }

  const TranslationUnit& unit_;
  const SourceManager& sources_;
  llvm::StringRef text_;
  std::vector<Range> kept_, blanked_;
  std::vector<unsigned> unannotated_;
};

}  // namespace

std::string device_source(const TranslationUnit& unit, const std::vector<const Decl*>& declarations) {
  Blanks blanks(unit);
  for (const Decl* one : declarations) blanks.add(one);
  const std::string text = blanks.result();
  std::string out;
  // PyTorch's headers, which the source or the build includes, include these headers.
  for (const char* header :
       {"torch/types.h", "algorithm", "cfloat", "cmath", "cstddef", "cstdint", "limits", "type_traits"})
    out += std::string("#include <") + header + ">\n";
  const auto mentions = [&](const char* name) { return text.find(name) != std::string::npos; };
  if (mentions("scalar_t") || mentions("template") || mentions("at::") || mentions("c10::") ||
      mentions("C10_") || mentions("torch::") || mentions("CUDA_KERNEL_LOOP") || mentions("gpuAtomicAdd"))
    out += embedded().at("device.h");
  return out + "#line 1\n" + text;
}

}  // namespace trl::kernel_check
