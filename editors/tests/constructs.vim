filetype trl


<ImportWord import><Import  windtunnel ><ImportWord as><Import  w>

<Allow allow>(<Name keeps_incorrect>, <Text "why ><Escape \u{3bb}><Text  ><Escape \n><Text ">)
<KnownKind lora> <Declared writer> { <Field rank> <Operator => <Number 16>, <Field dropout> <Operator => <Number 5><Unit %>, <Field alpha> <Operator => <Number 10 ><Unit min> }   <Comment # ids>
<KnownKind train> <Declared strict> : <Type w.patient> { <Documentation ## says>
  <Field reward>(<Name c>) <Operator => <Conditional if> <Name c>.<Member correct> <Conditional then> <Number 0.7> <Operator +> <Number 0.3e-2> <Operator *> <Function min>(<Name c>.<Member speedup>, <Number 1>) <Conditional else> <Name c>.<Member credit>
  <Section failing> { <Field full> <Operator => <Number 0.4> } <Comment # c>
  <Section override> { <Field rl.rounds> <Operator => <Number 12> }
  <Field keep_by> <Operator => <KnownValue random>, <Field s> <Operator => <OperatorWord not> <Name a> <Operator ==> <Name b> <OperatorWord and> <Name c> <OperatorWord or> <Name d> <Operator <=> <Operator -><Number 2> <Operator ^> <Number 3>
  <Field train>    <Operator => <Name imitate> <Operator ->> <Name w>.<Member reinforce>
  <Field vary> <Operator => <Function grid>(<Label a.rate> <Operator => [<Number 1e-5>, <Number 3>], <Field b> <Operator => <Constant true>)
}
<KnownKind split> <Declared held_out> <Operator => <Name windtunnel>.<Member level1>[<Number 41><Operator ..><Number 60>]
<KnownKind let> <Declared speed>(<Name c>: <BuiltinType verdict>) <Operator => (<Name c>.<Member speedup> <Operator +> <Number 1>) <Operator /> <Number 2> <Operator @> <Number 3>
<KnownKind suite> <Declared mine> {
  <Documentation ## A linear layer.>
  <KnownKind task> <Declared linear>[<Label M> <Operator => <Number 64>, <Name K>](<Name x>: <BuiltinType f32>(<Number 0><Operator ..><Number 1>)[<Name M>, <Name K>], <Field w>: <BuiltinType i8>) <Operator => <Function gelu>(<Name x> <Operator @> <Name w>, <Field axis> <Operator => <Number 1>)
}
<Kind kind> <Declared kind_of_schema> {
  <Field rank>: <BuiltinType list>[<Call one_of>(<Constant none>, <KnownValue int8>)] <OperatorWord in> <Number 1><Operator ..><Number 1024> <Operator => <Number 16>
  <Field f>(<Name c>: <BuiltinType verdict>, <Name d>): <BuiltinType fraction> <Operator => <Text "a # ><Escape \"><Text b><Escape \"><Text  ><Escape \\><Text ">
}
<KnownKind train> <Declared lines> : <Variant best_of_n> {
  <Field targets> <Operator => [
    <KnownValue q_proj>, <Comment # queries>
    <KnownValue v_proj>,
  ]
  <Field reward>(<Name c>) <Operator =>
    <Conditional if> <Name c>.<Member correct>
    <Conditional then> <Call f>(<Name c>)[<Number 1>].<Member y> <Comment # yes>
    <Conditional else>
      <Number 0 ><Unit ms>
  <Allow allow>(<Name rule_id>, <Text "reason">)
  <Field min> <Operator => <Number 10> <Operator *> <Function min>(<Number 1>, <Number 2>), <Field as> <Operator => <Number 3 ><Unit tokens>
}
