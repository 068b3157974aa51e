#include <clang/AST/Attr.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "verifier/kernel_check/translation_unit.hpp"

namespace trl::kernel_check {

namespace {

using namespace clang;

/// The PTX instructions that compute, move data or wait (PTX ISA 8, instructions), by the part before the
/// first dot. Calls, traps, clocks and declarations are not among them.
const std::set<std::string_view>& allowed() {
  static const std::set<std::string_view> all = {
      "abs",   "activemask", "add",          "addc",       "and",       "applypriority",
      "atom",  "bar",        "barrier",      "bfe",        "bfi",       "bfind",
      "bmsk",  "bra",        "brev",         "clz",        "cnot",      "copysign",
      "cos",   "cp",         "createpolicy", "cvt",        "cvta",      "discard",
      "div",   "dp2a",       "dp4a",         "elect",      "ex2",       "fence",
      "fma",   "fns",        "getctarank",   "isspacep",   "ld",        "ldmatrix",
      "ldu",   "lg2",        "lop3",         "mad",        "mad24",     "madc",
      "mapa",  "match",      "max",          "mbarrier",   "membar",    "min",
      "mma",   "mov",        "movmatrix",    "mul",        "mul24",     "neg",
      "not",   "or",         "popc",         "prefetch",   "prefetchu", "prmt",
      "rcp",   "red",        "redux",        "rem",        "ret",       "rsqrt",
      "sad",   "selp",       "set",          "setmaxnreg", "setp",      "shf",
      "shfl",  "shl",        "shr",          "sin",        "slct",      "sqrt",
      "st",    "stmatrix",   "sub",          "subc",       "szext",     "tanh",
      "testp", "vote",       "wgmma",        "wmma",       "xor",       "vabsdiff4",
      "vadd4", "vsub4",      "multimem",     "tensormap",  ".reg",      ".pragma"};
  return all;
}

const char* const words_refused[] = {"%clock", "%globaltimer", "%pm", "%envreg", "nanosleep", "brkpt"};

/// The first instruction that isn't allowed, or empty.
std::string refused(const std::string& text) {
  // An assembler and this function might disagree on which text is inside a comment.
  if (text.find("/*") != std::string::npos || text.find("//") != std::string::npos) return "a comment";
  for (const char* word : words_refused)
    if (text.find(word) != std::string::npos) return word;
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t end = text.find_first_of(";\n{}", at);
    if (end == std::string::npos) end = text.size();
    std::string one = text.substr(at, end - at);
    at = end + 1;
    const auto trim = [&] {
      const std::size_t begin = one.find_first_not_of(" \t\r");
      one = begin == std::string::npos ? "" : one.substr(begin);
    };
    trim();
    // The rest of a line after `{` consists of operands: registers or addresses.
    if (one.empty() || one.front() == '%' || one.front() == ',' || one.front() == '[' || one.front() == '}')
      continue;
    if (one.front() == '$' || one.front() == '|') continue;
    if (const std::size_t colon = one.find(':');
        colon != std::string::npos && one.find_first_of(" \t,%") > colon && one[colon - 1] != ':' &&
        (colon + 1 >= one.size() || one[colon + 1] != ':')) {
      one = one.substr(colon + 1);
      trim();
      if (one.empty()) continue;
    }
    if (one.front() == '@') {  // a predicate
      const std::size_t space = one.find_first_of(" \t");
      if (space == std::string::npos) continue;
      one = one.substr(space);
      trim();
    }
    const std::string word = one.substr(0, one.find_first_of(" \t.,;[(", one.front() == '.' ? 1 : 0));
    if (!allowed().count(word)) return word;
  }
  return {};
}

void check_inline_assembly(const TranslationUnit& unit, Report& report) {
  for (const Decl* one : unit.others)
    if (llvm::isa<FileScopeAsmDecl>(one))
      report.found(checks::inline_assembly, one->getLocation(), "assembly outside of functions", "remove it");
  for (const Function& one : unit.functions)
    walk(one.declaration->getBody(), [&](const Stmt* each) {
      if (llvm::isa<MSAsmStmt>(each)) {
        report.found(checks::inline_assembly, each->getBeginLoc(), "assembly of another machine");
        return false;
      }
      const auto* assembly = llvm::dyn_cast<GCCAsmStmt>(each);
      if (!assembly) return true;
      if (!one.declaration->hasAttr<CUDADeviceAttr>() && !one.declaration->hasAttr<CUDAGlobalAttr>()) {
        report.found(checks::inline_assembly, each->getBeginLoc(), "assembly on the host", "write it in C++");
        return false;
      }
      const std::string word = refused(assembly->getAsmString()->getString().str());
      if (!word.empty())
        report.found(
            checks::inline_assembly, each->getBeginLoc(),
            fmt::format("assembly with `{}`, which is not among the instructions that are allowed", word),
            "PTX that computes, moves data or waits is allowed");
      return false;
    });
}

}  // namespace

const Check checks::inline_assembly{
    "inline_assembly", Severity::refuse, "unsupported",
    "Assembly can do what no other check sees: what computes, moves data or waits is allowed.",
    check_inline_assembly};

}  // namespace trl::kernel_check
