(declaration (block) @class.inside) @class.around
(argument) @parameter.inside
(parameter) @parameter.inside
[ (comment) (doc) ] @comment.inside
(comment)+ @comment.around
(doc)+ @comment.around
