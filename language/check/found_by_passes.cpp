// The rules whose findings the passes themselves report, from reading the text to resolving it: their texts,
// with examples that follow and break them. A rule with a check of its own has a file of its own.
#include "language/diagnostics/pass_rules.hpp"

namespace trl::language {

const Rule rules::allow_unknown_rule{
    "allow_unknown_rule", Severity::error, false, "An `allow` with a misspelt rule silences nothing.",
    R"(import example
train t : example.reinforce {
  temperature = 1
}
)",
    R"(import example
train t : example.reinforce { allow(keeps_incorect, "studied") }
)",    nullptr};

const Rule rules::contrast_not_varied{
    "contrast_not_varied",
    Severity::error,
    false,
    "A hypothesis about something that its experiment does not compare can never be decided.",
    R"(import example
experiment e : example.study { vary = subsets(example.pace), seeds = 1..3 }
hypothesis pace_helps { of = e, contrast = example.pace }
)",
    R"(import example
experiment e : example.study { vary = subsets(example.pace) }
extension inputs : multi_input {}
hypothesis inputs_help { of = e, contrast = inputs }
)",
    nullptr};

const Rule rules::design{
    "design",
    Severity::error,
    false,
    "A design whose lists differ in length, or whose fraction does not exist, has no cells to run.",
    R"(import example
experiment e : example.study { vary = zip(example.reinforce.candidates = [4, 8], example.reinforce.keep = [1, 2]) }
)",
    R"(import example
experiment e : example.study { vary = zip(example.reinforce.candidates = [4, 8], example.reinforce.keep = [1, 2, 3]) }
)",
    nullptr};

const Rule rules::duplicate_name{"duplicate_name",
                                 Severity::error,
                                 false,
                                 "If two things had one name, one of them would be silently ignored.",
                                 R"(lora l { rank = 8 }
)",
                                 R"(lora l { rank = 8, rank = 16 }
)",
                                 nullptr};

const Rule rules::duplicate_task{
    "duplicate_task",
    Severity::error,
    false,
    "A task that is twice in a union, or in a suite under two names, counts twice in every mean.",
    R"(import example
split a = example.hard[1..2] + example.hard[3..4]
)",
    R"(import example
split a = example.hard[1..3] + example.hard[3..4]
)",
    nullptr};

const Rule rules::empty_difference{
    "empty_difference",
    Severity::error,
    false,
    "A difference that removes nothing keeps tasks that its author believes are removed.",
    R"(import example
split a = example.easy + example.hard - example.hard[3..4]
)",
    R"(import example
split a = example.easy - example.hard[3..4]
)",
    nullptr};

const Rule rules::empty_list{"empty_list",
                             Severity::error,
                             false,
                             "Without inputs to test, every kernel is correct; without seeds, nothing runs.",
                             R"(import example
extension inputs : multi_input { variations = [original, reseed] }
experiment e : example.study { vary = subsets(inputs), controls = [] }
)",
                             R"(import example
extension inputs : multi_input { variations = [] }
experiment e : example.study { vary = subsets(inputs) }
)",
                             nullptr};

const Rule rules::empty_split{"empty_split",
                              Severity::error,
                              false,
                              "A split without tasks ends in a division by zero, after the run.",
                              R"(import example
split a = example.hard[3..4]
)",
                              R"(import example
split a = example.hard[4..3]
)",
                              nullptr};

const Rule rules::import_cycle{"import_cycle",
                               Severity::error,
                               false,
                               "Files that import each other cannot be read in any order.",
                               R"(import example
)",
                               R"(
)",
                               nullptr};

const Rule rules::misplaced{
    "misplaced",
    Severity::error,
    false,
    "Each part has one place: a task in a suite, other declarations at the top level.",
    R"(import example
lora l {}
model m : example.base {}
)",
    R"(import example
lora l { model m : example.base {} }
)",
    nullptr};

const Rule rules::missing_field{"missing_field",
                                Severity::error,
                                false,
                                "A field without a default must be given.",
                                R"(import example
evaluation e { split = example.hard }
)",
                                R"(evaluation e { samples = 2 }
)",
                                nullptr};

const Rule rules::out_of_range{
    "out_of_range",
    Severity::error,
    false,
    "A value outside its range has no sensible meaning; a dropout of 5 was probably meant as 5%.",
    R"(lora l { dropout = 5% }
)",
    R"(lora l { dropout = 5 }
)",
    nullptr};

const Rule rules::range_outside_suite{
    "range_outside_suite",
    Severity::error,
    false,
    "Ids outside a suite (such as a slice that counts from 0) would silently select other tasks, or none.",
    R"(import example
split a = example.hard[3..4]
)",
    R"(import example
split a = example.hard[3..5]
)",
    nullptr};

const Rule rules::reference_cycle{"reference_cycle",
                                  Severity::error,
                                  false,
                                  "Declarations that refer to each other in a cycle have no value.",
                                  R"(import example
split a = example.easy
split b = a
)",
                                  R"(split a = b
split b = a
)",
                                  nullptr};

const Rule rules::sample_too_large{
    "sample_too_large", Severity::error, false, "A sample cannot have more tasks than the set has.",
    R"(import example
split a = sample(example.hard, n = 3, seed = 7)
)",
    R"(import example
split a = sample(example.hard, n = 20, seed = 7)
)",  nullptr};

const Rule rules::syntax{
    "syntax",          Severity::error, false, "Text that is not in the grammar has no meaning.",
    R"(import example
split a = example.easy
)",
    R"(import example
split a = example.easy +
)", nullptr};

const Rule rules::task_type{"task_type",
                            Severity::error,
                            false,
                            "A task whose shapes do not fit has no reference to compare with.",
                            R"(suite s { task t[M = 64](x: f32[M], y: f32[M]) = x + y }
)",
                            R"(suite s { task t[M = 64, N = 32](x: f32[M], y: f32[N]) = x + y }
)",
                            nullptr};

const Rule rules::unknown_field{
    "unknown_field",
    Severity::error,
    false,
    "A misspelt field must not be ignored: the run would differ from the one that was meant.",
    R"(lora l { rank = 8 }
)",
    R"(lora l { rnak = 8 }
)",
    nullptr};

const Rule rules::unknown_import{
    "unknown_import",  Severity::error, false, "A misspelt import leaves every name of the module unknown.",
    R"(import example
)",
    R"(import exampel
)", nullptr};

const Rule rules::unknown_kind{
    "unknown_kind",         Severity::error, false, "Only the kinds of the schema have a meaning.",
    R"(lora l { rank = 8 }
)",
    R"(loar l { rank = 8 }
)", nullptr};

const Rule rules::unknown_name{"unknown_name",
                               Severity::error,
                               false,
                               "A name must stand for a declaration, a function or a choice that exists.",
                               R"(import example
split a = example.hard
)",
                               R"(import example
split a = example.hrad
)",
                               nullptr};

const Rule rules::unreadable{"unreadable",
                             Severity::error,
                             false,
                             "A file that cannot be read cannot be checked.",
                             R"(import example
)",
                             R"(
)",
                             nullptr};

const Rule rules::unread_tasks{
    "unread_tasks",
    Severity::error,
    false,
    "Of tasks that cannot be read nobody knows how many there are and what they ask.",
    R"(suite kept { source = "elsewhere", tasks = 20 }
)",
    R"(suite kept { source = kernelbench(path("nowhere"), level = 1) }
)",
    nullptr};

const Rule rules::unused_allow{
    "unused_allow",
    Severity::warning,
    true,
    "An `allow` that silences nothing makes a false statement about the experiment.",
    R"(import example
experiment e : example.study { seeds = 1..3 }
)",
    R"(import example
experiment e : example.study {
  allow(exam_overlap, "we wanted to see")
  seeds = 1..3
}
)",
    nullptr};

const Rule rules::unused_override{
    "unused_override",
    Severity::warning,
    true,
    "An override of something that the experiment does not use changes nothing.",
    R"(import example
train t : example.reinforce {}
experiment e : example.study { train = t, override { t.rounds = 3 } }
)",
    R"(import example
train t : example.reinforce {}
experiment e : example.study { override { t.rounds = 3 } }
)",
    nullptr};

const Rule rules::varied_exam{
    "varied_exam",     Severity::error, true, "Results of cells with different exams cannot be compared.",
    R"(import example
experiment e : example.study { vary = grid(example.reinforce.temperature = [0.6, 0.8]) }
)",
    R"(import example
experiment e : example.study { vary = grid(example.exam.temperature = [0.6, 0.8]) }
)", nullptr};

const Rule rules::wrong_type{"wrong_type",
                             Severity::error,
                             false,
                             "A value must have the type of its field.",
                             R"(lora l { rank = 8 }
)",
                             R"(lora l { rank = 2.5 }
)",
                             nullptr};

const Rule rules::wrong_unit{
    "wrong_unit",
    Severity::error,
    false,
    "A quantity in another unit than its field has, such as seconds for a count, is a mistake.",
    R"(lora l { rank = 8 }
)",
    R"(lora l { rank = 8 s }
)",
    nullptr};

}  // namespace trl::language
