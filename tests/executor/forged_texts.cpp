#include "tests/executor/forged_texts.hpp"

#include <sstream>

namespace trl::executor::test {
namespace {

std::string module_of(const std::string& body) {
  return "module {\n  tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {\n" + body +
         "    tt.return\n  }\n}\n";
}

struct View {
  const char *name, *constant, *from, *operation, *to;
};

// Values that share a constant's storage, each in a block that never runs.
void add_views(std::vector<ForgedText>& all) {
  const View views[] = {
      {"reshape", "dense<1.0>", "tensor<64xf32>", "tt.reshape %k : tensor<64xf32> -> tensor<8x8xf32>",
       "tensor<8x8xf32>"},
      {"reshape_elements", "dense<[1.0, 2.0, 3.0, 4.0]>", "tensor<4xf32>",
       "tt.reshape %k : tensor<4xf32> -> tensor<2x2xf32>", "tensor<2x2xf32>"},
      {"expand", "dense<1.0>", "tensor<64xf32>",
       "tt.expand_dims %k {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>", "tensor<64x1xf32>"},
      {"splat", "1.0", "f32", "tt.splat %k : f32 -> tensor<64xf32>", "tensor<64xf32>"},
      {"broadcast", "dense<1.0>", "tensor<1x64xf32>",
       "tt.broadcast %k : tensor<1x64xf32> -> tensor<8x64xf32>", "tensor<8x64xf32>"},
      {"transpose", "dense<1.0>", "tensor<8x16xf32>",
       "tt.trans %k {order = array<i32: 1, 0>} : tensor<8x16xf32> -> tensor<16x8xf32>", "tensor<16x8xf32>"},
      {"unsplat", "dense<1.0>", "tensor<1xf32>", "tt.unsplat %k : tensor<1xf32>", "f32"},
      {"half", "dense<1.0>", "tensor<64xf16>", "tt.reshape %k : tensor<64xf16> -> tensor<8x8xf16>",
       "tensor<8x8xf16>"},
      {"double", "dense<1.0>", "tensor<64xf64>", "tt.reshape %k : tensor<64xf64> -> tensor<8x8xf64>",
       "tensor<8x8xf64>"},
      {"three_dimensions", "dense<1.0>", "tensor<64xf32>",
       "tt.reshape %k : tensor<64xf32> -> tensor<2x4x8xf32>", "tensor<2x4x8xf32>"},
      {"brain_transpose", "dense<1.0>", "tensor<8x16xbf16>",
       "tt.trans %k {order = array<i32: 1, 0>} : tensor<8x16xbf16> -> tensor<16x8xbf16>",
       "tensor<16x8xbf16>"},
      {"half_broadcast", "dense<1.0>", "tensor<64x1xf16>",
       "tt.broadcast %k : tensor<64x1xf16> -> tensor<64x8xf16>", "tensor<64x8xf16>"},
      {"double_splat", "1.0", "f64", "tt.splat %k : f64 -> tensor<4x4xf64>", "tensor<4x4xf64>"},
      {"double_unsplat", "dense<1.0>", "tensor<1x1xf64>", "tt.unsplat %k : tensor<1x1xf64>", "f64"},
  };
  for (const View& view : views) {
    const std::string type = view.to;
    const std::pair<const char*, std::string> uses[] = {
        {"computed", "    %u = arith.addf %a, %a : " + type + "\n"},
        {"negated", "    %u = arith.negf %a : " + type + "\n"},
        {"chosen", "    %f = arith.constant false\n    %u = arith.select %f, %a, %a : " + type + "\n"},
        {"looped",
         "    %zero = arith.constant 0 : i32\n    %u = scf.for %i = %zero to %n step %n iter_args(%b = "
         "%a) -> (" +
             type + ") : i32 {\n      scf.yield %b : " + type + "\n    }\n"},
        {"passed", "    cf.br ^bb3(%a : " + type + ")\n  ^bb3(%b: " + type +
                       "):\n    %u = arith.negf %b : " + type + "\n"},
    };
    for (const auto& [name, use] : uses)
      all.push_back({std::string("view_") + view.name + "_" + name,
                     module_of("    cf.br ^bb2\n  ^bb1:\n    %k = arith.constant " +
                               std::string(view.constant) + " : " + view.from +
                               "\n    %a = " + view.operation + "\n    cf.br ^bb2\n  ^bb2:\n" + use)});
  }
}

// Combining functions of one operation that end in a branch, which has no operand.
void add_axes(std::vector<ForgedText>& all) {
  for (const bool scan : {false, true})
    for (const char* operation : {"addf", "mulf", "maxnumf", "minnumf", "maximumf", "minimumf", "subf",
                                  "divf", "addi", "muli", "maxsi", "minsi", "xori", "andi", "ori", "minui"}) {
      const std::string name = operation;
      const std::string element = name.back() == 'f' ? "f32" : "i32", block = "tensor<64x" + element + ">";
      const std::string word = scan ? "scan" : "reduce";
      all.push_back(
          {word + "_" + name,
           module_of("    %b = arith.constant dense<" + std::string(name.back() == 'f' ? "1.0" : "1") +
                     "> : " + block + "\n    %r = \"tt." + word + "\"(%b) <{axis = 0 : i32" +
                     (scan ? ", reverse = false" : "") + "}> ({\n    ^bb0(%l: " + element +
                     ", %o: " + element + "):\n      %v = arith." + name + " %l, %o : " + element +
                     "\n      cf.br ^bb1\n    ^bb1:\n      tt." + word + ".return %l : " + element +
                     "\n    }) : (" + block + ") -> " + (scan ? block : element) + "\n"),
           true});
    }
}

void add_others(std::vector<ForgedText>& all) {
  const auto add = [&](const char* name, const std::string& body, bool may_run = false) {
    all.push_back({name, module_of(body), may_run});
  };
  add("branch_skips_definition",
      "    %c = arith.constant true\n    cf.cond_br %c, ^bb2, ^bb1\n  ^bb1:\n    %v = arith.addi %n, %n : "
      "i32\n    "
      "cf.br ^bb2\n  ^bb2:\n    %w = arith.addi %v, %v : i32\n");
  add("branch_to_nowhere", "    cf.br ^bb9\n  ^bb1:\n");
  add("branch_to_entry", "    cf.br ^bb0\n  ^bb0:\n    cf.br ^bb0\n  ^bb1:\n", true);
  add("branch_without_values", "    cf.br ^bb1\n  ^bb1(%a: i32):\n");
  add("branch_with_another_type", "    cf.br ^bb1(%n : i32)\n  ^bb1(%a: f32):\n");
  add("branch_with_too_many", "    cf.br ^bb1(%n, %n : i32, i32)\n  ^bb1(%a: i32):\n");
  add("use_of_itself", "    %v = arith.addi %v, %n : i32\n");
  add("use_before_definition", "    %v = arith.addi %w, %n : i32\n    %w = arith.addi %n, %n : i32\n");
  add("use_beyond_its_region",
      "    %c = arith.constant true\n    scf.if %c {\n      %v = arith.addi %n, %n : i32\n    }\n    %w = "
      "arith.addi "
      "%v, %n : i32\n");
  add("second_result_of_one", "    %v = arith.addi %n, %n : i32\n    %w = arith.addi %v#1, %n : i32\n");
  add("more_results_than_there_are",
      "    %v:3 = arith.addi %n, %n : i32\n    %w = arith.addi %v#2, %n : i32\n");
  add("parameter_again", "    %n = arith.constant 1 : i32\n");
  for (const char* operation : {"tt.reduce", "tt.scan", "tt.map_elementwise"})
    all.push_back({std::string("nothing_for_") + operation,
                   module_of(std::string("    %r = \"") + operation +
                             "\"() <{axis = 0 : i32, pack = 1 : i32}> ({\n    ^bb0:\n      " + operation +
                             ".return\n    }) : () -> ()\n")});
  for (const char* axis : {"-1", "1", "7", "9223372036854775807"})
    all.push_back(
        {std::string("axis_") + axis,
         module_of("    %b = arith.constant dense<1> : tensor<8xi32>\n    %r = \"tt.reduce\"(%b) <{axis = " +
                   std::string(axis) +
                   " : i32}> ({\n    ^bb0(%l: i32, %o: i32):\n      %v = arith.addi %l, %o : i32\n      "
                   "tt.reduce.return %v : i32\n    }) : (tensor<8xi32>) -> i32\n")});
  add("reduce_with_one_argument",
      "    %b = arith.constant dense<1> : tensor<8xi32>\n    %r = \"tt.reduce\"(%b) <{axis = 0 : i32}> ({\n  "
      "  "
      "^bb0(%l: i32):\n      tt.reduce.return %l : i32\n    }) : (tensor<8xi32>) -> i32\n");
  add("reduce_returns_nothing",
      "    %b = arith.constant dense<1> : tensor<8xi32>\n    %r = \"tt.reduce\"(%b) <{axis = 0 : i32}> ({\n  "
      "  "
      "^bb0(%l: i32, %o: i32):\n      tt.reduce.return\n    }) : (tensor<8xi32>) -> i32\n");
  add("reduce_of_its_own_blocks",
      "    %b = arith.constant dense<1.0> : tensor<4xf32>\n    %ti = tt.make_range {end = 1048576 : i32, "
      "start = 0 : "
      "i32} : tensor<1048576xi32>\n    %r = \"tt.reduce\"(%b) <{axis = 0 : i32}> ({\n    ^bb0(%l: f32, %o: "
      "f32):\n    "
      "  %q = arith.cmpf olt, %l, %o : f32\n      %w = arith.select %q, %ti, %ti : tensor<1048576xi32>\n     "
      " "
      "tt.reduce.return %l : f32\n    }) : (tensor<4xf32>) -> f32\n",
      true);
  add("map_of_its_own_blocks",
      "    %ti = tt.make_range {end = 65536 : i32, start = 0 : i32} : tensor<65536xi32>\n    %b = "
      "arith.constant "
      "dense<1> : tensor<2xi32>\n    %r = \"tt.map_elementwise\"(%b) <{pack = 1 : i32}> ({\n    ^bb0(%l: "
      "i32):\n      "
      "%q = arith.cmpi slt, %l, %n : i32\n      %w = arith.select %q, %ti, %ti : tensor<65536xi32>\n      "
      "tt.map_elementwise.return %l : i32\n    }) : (tensor<2xi32>) -> tensor<2xi32>\n",
      true);
  add("while_without_condition",
      "    %r = scf.while (%a = %n) : (i32) -> i32 {\n      scf.yield %a : i32\n    } do {\n    ^bb0(%b: "
      "i32):\n      "
      "scf.yield %b : i32\n    }\n");
  add("while_of_another_type",
      "    %c = arith.constant false\n    %r = scf.while (%a = %n) : (i32) -> f32 {\n      scf.condition(%c) "
      "%a : i32\n "
      "   } do {\n    ^bb0(%b: f32):\n      scf.yield %n : i32\n    }\n");
  add("for_yields_nothing",
      "    %r = scf.for %i = %n to %n step %n iter_args(%a = %n) -> (i32) : i32 {\n    }\n");
  add("for_of_floats",
      "    %f = arith.constant 1.0 : f32\n    scf.for %i = %f to %f step %f : f32 {\n    }\n");
  add("if_of_a_block", "    %c = arith.constant dense<true> : tensor<8xi1>\n    scf.if %c {\n    }\n");
  add("if_without_else",
      "    %c = arith.constant false\n    %r = scf.if %c -> (i32) {\n      scf.yield %n : i32\n    }\n");
  add("call_of_nobody", "    tt.call @f(%n) : (i32) -> ()\n");
  add("call_of_itself", "    tt.call @k(%x, %y, %n) : (!tt.ptr<f32>, !tt.ptr<f32>, i32) -> ()\n");
  add("call_with_less", "    tt.call @k(%x) : (!tt.ptr<f32>) -> ()\n");
  add("return_of_a_value", "    tt.return %n : i32\n  ^bb1:\n");
  add("gather_beyond_its_axis",
      "    %b = arith.constant dense<1> : tensor<8xi32>\n    %g = tt.gather %b[%b] {axis = 3 : i32} : "
      "(tensor<8xi32>, "
      "tensor<8xi32>) -> tensor<8xi32>\n");
  add("order_that_repeats",
      "    %b = arith.constant dense<1> : tensor<8x8xi32>\n    %t = tt.trans %b {order = array<i32: 0, 0>} : "
      "tensor<8x8xi32> -> tensor<8x8xi32>\n");
  add("range_that_overflows",
      "    %r = tt.make_range {end = 2147483656 : i32, start = 2147483648 : i32} : tensor<8xi32>\n", true);
  add("range_of_another_size", "    %r = tt.make_range {end = 8 : i32, start = 0 : i32} : tensor<16xi32>\n");
  add("constant_of_another_size", "    %r = arith.constant dense<[1, 2, 3]> : tensor<8xi32>\n");
  add("broadcast_of_more",
      "    %b = arith.constant dense<1> : tensor<8xi32>\n    %t = tt.broadcast %b : tensor<8xi32> -> "
      "tensor<16xi32>\n");
  add("reshape_of_more",
      "    %b = arith.constant dense<1> : tensor<8xi32>\n    %t = tt.reshape %b : tensor<8xi32> -> "
      "tensor<16xi32>\n");
  add("bits_of_a_pointer", "    %p = tt.bitcast %n : i32 -> !tt.ptr<f32>\n");
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

// Each line of the honest kernel is left out, duplicated, put before the one above it, stripped of its last
// operand, and moved to a block that never runs.
void add_edits(std::vector<ForgedText>& all) {
  const std::vector<std::string> lines = lines_of(honest_text());
  for (std::size_t i = 2; i + 3 < lines.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    const bool last = i + 4 == lines.size();  // the store: without it the kernel runs and writes nothing
    std::vector<std::string> edited = lines;
    edited.erase(edited.begin() + static_cast<std::ptrdiff_t>(i));
    all.push_back({"without_line_" + number, joined(edited), last});
    edited = lines;
    edited.insert(edited.begin() + static_cast<std::ptrdiff_t>(i), lines[i]);
    all.push_back({"twice_line_" + number, joined(edited), last});
    edited = lines;
    std::swap(edited[i], edited[i - 1]);
    if (i > 2) all.push_back({"early_line_" + number, joined(edited), true});
    edited = lines;
    if (const std::size_t comma = edited[i].rfind(", %"); comma != std::string::npos) {
      const std::size_t end = edited[i].find_first_of(" :{", comma + 2);
      edited[i].erase(comma, end - comma);
      all.push_back({"cut_line_" + number, joined(edited), true});
    }
    edited = lines;
    edited[i] = "    cf.br ^bb2\n  ^bb1:\n" + lines[i] + "\n    cf.br ^bb2\n  ^bb2:";
    all.push_back({"skipped_line_" + number, joined(edited), last});
  }
}

}  // namespace

std::string honest_text() {
  return R"(module {
  tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>, %n: i32) {
    %zero = arith.constant dense<0.0> : tensor<256xf32>
    %c256 = arith.constant 256 : i32
    %pid = tt.get_program_id x : i32
    %first = arith.muli %pid, %c256 : i32
    %r = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %s = tt.splat %first : i32 -> tensor<256xi32>
    %i = arith.addi %s, %r : tensor<256xi32>
    %ns = tt.splat %n : i32 -> tensor<256xi32>
    %m = arith.cmpi slt, %i, %ns : tensor<256xi32>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %xi = tt.addptr %xs, %i : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %v = tt.load %xi, %m : tensor<256x!tt.ptr<f32>>
    %w = arith.maxnumf %v, %zero : tensor<256xf32>
    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %yi = tt.addptr %ys, %i : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    tt.store %yi, %w, %m : tensor<256x!tt.ptr<f32>>
    tt.return
  }
}
)";
}

std::vector<ForgedText> forged_texts() {
  std::vector<ForgedText> all;
  add_views(all);
  add_axes(all);
  add_others(all);
  add_edits(all);
  return all;
}

}  // namespace trl::executor::test
