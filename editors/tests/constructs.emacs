mode trl-mode


<keyword import> <constant windtunnel> <keyword as> <constant w>

<preprocessor allow>(<constant keeps_incorrect>, <string "why ><(constant string) \u{3bb}><string  ><(constant string) \n><string ">)
<keyword lora> <function-name writer> { <variable-name rank> = <constant 16>, <variable-name dropout> = <constant 5><type %>, <variable-name alpha> = <constant 10> <type min> }   <comment-delimiter # ><comment ids>
<keyword train> <function-name strict> : <type w.patient> { <doc ## says>
  <variable-name reward>(c) = <keyword if> c.correct <keyword then> <constant 0.7> + <constant 0.3e-2> * <builtin min>(c.speedup, <constant 1>) <keyword else> c.credit
  <variable-name failing> { <variable-name full> = <constant 0.4> } <comment-delimiter # ><comment c>
  <variable-name override> { <variable-name rl.rounds> = <constant 12> }
  <variable-name keep_by> = <constant random>, <variable-name s> = <keyword not> a == b <keyword and> c <keyword or> d <= -<constant 2> ^ <constant 3>
  <variable-name train>    = imitate -> w.reinforce
  <variable-name vary> = <builtin grid>(<variable-name a.rate> = [<constant 1e-5>, <constant 3>], <variable-name b> = <constant true>)
}
<keyword split> <function-name held_out> = windtunnel.level1[<constant 41>..<constant 60>]
<keyword let> <function-name speed>(c: <type verdict>) = (c.speedup + <constant 1>) / <constant 2> @ <constant 3>
<keyword suite> <function-name mine> {
  <doc ## A linear layer.>
  <keyword task> <function-name linear>[M = <constant 64>, K](x: <type f32>(<constant 0>..<constant 1>)[M, K], <variable-name w>: <type i8>) = <builtin gelu>(x @ w, <variable-name axis> = <constant 1>)
}
<keyword kind> <function-name kind_of_schema> {
  <variable-name rank>: <type list>[<function-name one_of>(<constant none>, <constant int8>)] <keyword in> <constant 1>..<constant 1024> = <constant 16>
  <variable-name f>(c: <type verdict>, d): <type fraction> = <string "a # ><(constant string) \"><string b><(constant string) \"><string  ><(constant string) \\><string ">
}
<keyword train> <function-name lines> : <type best_of_n> {
  <variable-name targets> = [
    <constant q_proj>, <comment-delimiter # ><comment queries>
    <constant v_proj>,
  ]
  <variable-name reward>(c) =
    <keyword if> c.correct
    <keyword then> <function-name f>(c)[<constant 1>].y <comment-delimiter # ><comment yes>
    <keyword else>
      <constant 0> <type ms>
  <preprocessor allow>(<constant rule_id>, <string "reason">)
  <variable-name min> = <constant 10> * <builtin min>(<constant 1>, <constant 2>), <variable-name as> = <constant 3> <type tokens>
}
