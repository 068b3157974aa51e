(declaration (parameters)) @local.scope
(field (parameters)) @local.scope
(parameter name: (identifier) @local.definition)
(dimension name: (identifier) @local.definition)
(path . (identifier) @local.reference)
