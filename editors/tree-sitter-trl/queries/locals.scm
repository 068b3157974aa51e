; The file is one scope. Formulas and tasks have their parameters and dimensions to themselves.
(file) @local.scope
(declaration (parameters)) @local.scope
(field (parameters)) @local.scope

(declaration name: (declared) @local.definition)
(import path: (path (identifier) @local.definition .) !name)
(import name: (identifier) @local.definition)
(parameter name: (identifier) @local.definition)
(dimension name: (identifier) @local.definition)

(path . (identifier) @local.reference)
