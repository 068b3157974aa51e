#pragma once
// What trl asks of trl-verify, on standard input as JSON; the answers are lines of JSON on standard output.

namespace trl::runtime {

/// Carries out one request and gives the process's status, 0 unless the machine fails:
/// {"spec", "secret", "sandbox"} with {"task", "answer"}: the verdict's row with every step in `stages`; or
/// with {"candidates": [{"task", "answer"}], "lanes"}: such a row for each, in the order in which they are
/// reached, with its `number` from 0; or with
/// {"tasks", "plans"}, paths of tasks.json and plans.jsonl: the verdicts of an exam reached again from its
/// plans alone, for each row of plans.jsonl {"rows", "task"} and `verdict` and `planned` (false where the
/// recorder found no plan), or `omitted`, or `forged` true; or
/// {"assess": {"tasks", "variations", "precision"}} alone: for each task what its variations prove
/// (assessment.hpp), {"task", "key", "variations", "degenerate", "passes"}.
int carry_out_request();

}  // namespace trl::runtime
