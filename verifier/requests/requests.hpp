#pragma once
// The requests of trl to trl-verify, on standard input as JSON; the answers are lines of JSON on standard
// output.

namespace trl::runtime {

/// Carries out one request and returns the process's exit status, 0 unless the machine fails. A request is
/// one of:
/// - {"spec", "secret", "sandbox"} with {"task", "answer"}: prints the verdict's row, with every step in
/// `stages`;
/// - the same with {"candidates": [{"task", "answer"}], "slots"}: prints such a row for each candidate as
/// soon as
///   it is known, with its `number` from 0;
/// - the same with {"tasks", "plans"}, paths of tasks.json and plans.jsonl: reaches the verdicts of an exam
/// again
///   from its plans alone. For each row of plans.jsonl it prints {"rows", "task"} and either `verdict` and
///   `planned` (false where the recorder found no plan), or `omitted`, or `forged` true;
/// - {"assess": {"tasks", "variations", "precision"}} alone: prints for each task the evidence of its
/// variations
///   (assessment.hpp), {"task", "key", "variations", "degenerate", "passes"}.
int carry_out_request();

}  // namespace trl::runtime
