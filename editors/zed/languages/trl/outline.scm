(doc) @annotation
(declaration kind: (kind) @context name: (declared) @name) @item
