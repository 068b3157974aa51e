[ (block) (list) (group) (arguments) (parameters) (dimensions) (indices) (value) ] @indent
[ "}" "]" ")" ] @outdent
