((doc)* @doc
  .
  (declaration name: (declared) @name) @definition.class
  (#strip! @doc "^##[ \t]*"))

(base (path (identifier) @name .)) @reference.class
(value (path (identifier) @name .)) @reference.class
(call function: (path (identifier) @name .)) @reference.call
