; Documentation is Markdown; other comments are for those who look for their marks (TODO).
((doc) @injection.content
  (#offset! @injection.content 0 2 0 0)
  (#set! injection.language "markdown_inline"))
((comment) @injection.content
  (#set! injection.language "comment"))
