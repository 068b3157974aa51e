[
  (block)
  (list)
  (group)
  (arguments)
  (parameters)
  (dimensions)
] @fold
