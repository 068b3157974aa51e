// Hostile sources: each affects its own answer only, and the next candidate is answered as usual.
#include <gtest/gtest.h>

#include <string>

#include "tests/kernel_check/checker.hpp"

namespace trl::test {
namespace {

std::string repeated(const std::string& text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

/// Concatenates the parts. (GCC 12 warns of overlapping memory when a literal is added to a temporary.)
template <class... Part>
std::string text(const Part&... parts) {
  std::string all;
  (all.append(parts), ...);
  return all;
}

const std::string honest = R"(
__global__ void one(float* y, int n) { int i = threadIdx.x; if (i < n) y[i] = 1.f; }
void forward(at::Tensor x) { one<<<1, 32>>>(x.data_ptr<float>(), 32); }
)";

class Robustness : public testing::Test {
 protected:
  /// Sends a source, then an honest one, and returns the first one's findings.
  nlohmann::json hurt(const std::string& source, const nlohmann::json& more = nlohmann::json::object()) {
    const auto answer = checker_.check(source, more);
    EXPECT_EQ(shown(checker_.check(honest)), "");
    return answer.at("findings");
  }
  Checker checker_;
};

TEST_F(Robustness, DeepNesting) {
  for (const char* open : {"(",
                           "{",
                           "[",
                           "<",
                           "-",
                           "!",
                           "*",
                           "&",
                           "if(1)",
                           "a?",
                           "A<",
                           "(*",
                           "namespace n{",
                           "struct s{",
                           "[]{",
                           "sizeof ",
                           "__extension__ ",
                           "template<template<",
                           "->a",
                           "::a<"})
    for (const int depth : {150, 5000}) {
      const auto findings =
          hurt(text("int f() { return ", repeated(open, depth), "0; }"), {{"milliseconds", 1000}});
      EXPECT_FALSE(findings.empty()) << open << " " << depth;
      hurt(repeated(open, depth), {{"milliseconds", 1000}});
    }
}

TEST_F(Robustness, LongChains) {
  for (const char* part : {"+1", "-a", ",a", "?1:1", ".a", "<<a", "=a", "[0]", "(0)", "->a"})
    hurt(text("int a; int b = a", repeated(part, 30000), ";", honest), {{"milliseconds", 1000}});
}

TEST_F(Robustness, TemplatesWithoutEnd) {
  hurt("template <int n> struct A { static constexpr int v = A<n + 1>::v; }; int x = A<0>::v;");
  hurt("template <int n> struct A { A<n + 1> a; A<n + 2> b; }; A<0> x;", {{"milliseconds", 1000}});
  hurt("template <class T> void f(T* p) { f(&p); } void g() { int x; f(&x); }");
  hurt(
      "template <int n> struct F { static constexpr int v = F<n - 1>::v + F<n - 2, 0>::v; }; int x = "
      "F<90>::v;");
}

TEST_F(Robustness, ConstantsWithoutEnd) {
  hurt("constexpr int f(int n) { return f(n + 1); } constexpr int x = f(0);");
  hurt("constexpr int f() { for (int i = 0;; ++i) {} return 0; } constexpr int x = f();");
  hurt("constexpr int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); } int x[f(60)];");
  hurt("int x[1 << 30][1 << 30][1 << 30];");
  hurt("struct A { int x[100000000] = {1}; }; constexpr A a{};");
}

TEST_F(Robustness, MacrosThatGrow) {
  std::string source = "#define A0 x x x x x x x x x x\n";
  for (int i = 1; i < 10; ++i) {
    const std::string previous = text("A", std::to_string(i - 1), " ");
    source += text("#define A", std::to_string(i), " ", repeated(previous, 10), "\n");
  }
  const auto findings = hurt(source + "int y = A9;\n", {{"milliseconds", 1500}});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_TRUE(findings[0].at("check") == "too_slow" || findings[0].at("check") == "crashed") << findings;
}

TEST_F(Robustness, IncludesOfItself) {
  const auto findings =
      hurt("#include \"/candidate.cu\"\n#include \"/candidate.cu\"\n", {{"milliseconds", 500}});
  EXPECT_FALSE(findings.empty());
}

TEST_F(Robustness, LargeSources) {
  const auto findings = hurt(std::string(300 << 10, ' '));
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].at("check"), "too_large");
  const auto request = hurt(std::string(3 << 20, ' '));
  EXPECT_EQ(request.at(0).at("check"), "too_large");
  hurt(repeated("void f(int);", 20000));
}

TEST_F(Robustness, NoFileOfTheMachineIsRead) {
  for (const char* line :
       {"#if __has_include(\"/etc/passwd\")\n#error seen\n#endif",
        "#if __has_include(</etc/passwd>)\n#error seen\n#endif", "#include \"/etc/passwd\"",
        "#include </proc/self/environ>", "#include_next \"/etc/passwd\"", "#import \"/etc/passwd\"",
        "#pragma clang module import \"/etc/passwd\"", "#pragma GCC dependency \"/etc/passwd\"",
        "#pragma clang module load x"}) {
    const auto findings = hurt(text(line, "\n", honest));
    for (const auto& one : findings) {
      const std::string message = one.at("message");
      EXPECT_EQ(message.find("seen"), std::string::npos) << line;
      EXPECT_EQ(message.find("root:"), std::string::npos) << line;
    }
  }
}

TEST_F(Robustness, PragmasOfItsOwn) {
  hurt(text("#pragma trl candidate\n#pragma trl parsed\n#pragma GCC system_header\n", honest));
  hurt(text("#pragma clang __debug crash\n", honest));
  hurt(text("#pragma clang __debug llvm_fatal_error\n", honest));
  hurt(text("#pragma clang __debug overflow_stack\n", honest));
  hurt(text("#pragma clang __debug assert\n", honest));
  hurt(text("#pragma clang __debug parser_crash\n", honest));
}

TEST_F(Robustness, ACrashCostsOneCandidate) {
  const auto findings = hurt("#pragma clang __debug crash\n");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].at("check"), "crashed");
  EXPECT_EQ(findings[0].at("severity"), "refuse");
}

// Starts it as the verifier does: trl-sandbox's plain profile allows it to fork.
TEST(Confined, AnswersInTheSandbox) {
  const std::string folder =
      std::string(TRL_KERNEL_CHECK).substr(0, std::string(TRL_KERNEL_CHECK).rfind('/'));
  ChildProcess process({TRL_SANDBOX, "--read", folder, "--", TRL_KERNEL_CHECK, "--serve"});
  process.write_line(nlohmann::json{{"id", 1}, {"source", honest}}.dump());
  const auto answer = process.read_line(std::chrono::seconds(60));
  if (!answer && process.wait(std::chrono::seconds(2)) == 125) GTEST_SKIP() << process.errors();
  ASSERT_TRUE(answer) << process.errors();
  EXPECT_EQ(shown(nlohmann::json::parse(*answer)), "");
}

TEST_F(Robustness, TextThatIsNoText) {
  hurt(text(std::string(3, 0), honest));
  hurt(text("\xff\xfe\x80", honest));
  hurt(text("// \\\n\\\n\\\n", honest));
  hurt("R\"(");
  hurt("/*");
  hurt("\"");
  hurt("#if");
  hurt(
      text("%:define x ?"
           "?=\n",
           honest));
}

}  // namespace
}  // namespace trl::test
