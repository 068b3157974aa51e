[
  (block)
  (list)
  (group)
  (arguments)
  (parameters)
  (dimensions)
  (indices)
] @indent.begin

(value) @indent.begin

[ "}" "]" ")" ] @indent.branch
[ "}" "]" ")" ] @indent.end

[ (comment) (doc) ] @indent.auto
