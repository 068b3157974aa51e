#include "runtime/verify/kernel_check/device_source.hpp"

#include <clang/AST/Attr.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <utility>

namespace trl::kernel_check {

using namespace clang;

namespace {

struct Range {
  unsigned begin = 0, end = 0;
};

bool for_device(const FunctionDecl* function) {
  return function->hasAttr<CUDAGlobalAttr>() || function->hasAttr<CUDADeviceAttr>() || function->isConstexpr();
}

bool of_framework(QualType type) {
  const std::string written = type.getCanonicalType().getAsString();
  return written.find("at::") != std::string::npos || written.find("torch::") != std::string::npos ||
         written.find("std::") != std::string::npos || written.find("c10::ArrayRef") != std::string::npos;
}

/// Headers that device code may need; all others are the host's.
bool for_kernels(llvm::StringRef header) {
  for (const llvm::StringRef folder : {"cub/", "cuda/", "nv/", "cute/", "cutlass/", "cuda_", "sm_", "cooperative_groups"})
    if (header.startswith(folder)) return true;
  static const llvm::StringRef names[] = {
      "cuda.h",  "mma.h",    "math_constants.h", "cmath",    "math.h",      "cfloat",  "float.h", "climits",
      "limits.h", "limits",  "cstdint",          "stdint.h", "cstddef",     "stddef.h", "cassert", "assert.h",
      "algorithm", "utility", "type_traits",     "tuple",    "functional",  "cstdio",  "stdio.h"};
  return std::find(std::begin(names), std::end(names), header) != std::end(names);
}

class Blanks {
 public:
  explicit Blanks(const Unit& unit)
      : unit_(unit), sources_(unit.context.getSourceManager()), text_(sources_.getBufferData(unit.candidate)) {}

  void add(const Decl* declaration) {
    if (!unit_.in_candidate(declaration->getLocation()) || declaration->isImplicit()) return;
    if (const auto* scope = llvm::dyn_cast<DeclContext>(declaration);
        scope && llvm::isa<NamespaceDecl, LinkageSpecDecl, ExportDecl>(declaration)) {
      for (const Decl* inner : scope->noload_decls()) add(inner);
      return;
    }
    (keeps(declaration) ? kept_ : blanked_).push_back(range(declaration));
  }

  std::string result() {
    std::string out = text_.str();
    for (const Range& one : blanked_) {
      // A macro that makes both a kernel and what launches it can't be taken apart.
      const bool shared = std::any_of(kept_.begin(), kept_.end(), [&](const Range& other) {
        return one.begin < other.end && other.begin < one.end;
      });
      if (shared) continue;
      for (unsigned i = one.begin; i < one.end && i < out.size(); ++i)
        if (out[i] != '\n') out[i] = ' ';
    }
    blank_headers(out);
    return out;
  }

 private:
  bool keeps(const Decl* declaration) const {
    if (const auto* made = llvm::dyn_cast<FunctionTemplateDecl>(declaration))
      return for_device(made->getTemplatedDecl());
    if (const auto* function = llvm::dyn_cast<FunctionDecl>(declaration)) return for_device(function);
    if (const auto* variable = llvm::dyn_cast<VarDecl>(declaration)) {
      if (variable->hasAttr<CUDADeviceAttr>() || variable->hasAttr<CUDAConstantAttr>()) return true;
      return !of_framework(variable->getType());
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

  /// In the candidate's text, from the first letter to the closing brace or semicolon.
  Range range(const Decl* declaration) const {
    SourceRange all = declaration->getSourceRange();
    // Attributes stand before what a declaration calls its beginning.
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

  const Unit& unit_;
  const SourceManager& sources_;
  llvm::StringRef text_;
  std::vector<Range> kept_, blanked_;
};

}  // namespace

std::string device_source(const Unit& unit, const std::vector<const Decl*>& declarations) {
  Blanks blanks(unit);
  for (const Decl* one : declarations) blanks.add(one);
  // What PyTorch's headers give kernels, whether a source names them or the build does.
  return "#include <torch/types.h>\n#line 1\n" + blanks.result();
}

}  // namespace trl::kernel_check
