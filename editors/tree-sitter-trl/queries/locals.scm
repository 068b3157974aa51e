; The file is one scope. Formulas and tasks have their parameters and dimensions to themselves.
(file) @local.scope
(declaration (parameters)) @local.scope
(field (parameters)) @local.scope

(declaration name: (declared) @local.definition.type)
((declaration kind: (kind) @_kind name: (declared) @local.definition.constant)
  (#eq? @_kind "let"))
(import path: (path (identifier) @local.definition.import .) !name)
(import name: (identifier) @local.definition.import)
(parameter name: (identifier) @local.definition.parameter)
(dimension name: (identifier) @local.definition.parameter)

(path . (identifier) @local.reference)
