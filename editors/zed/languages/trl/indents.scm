(block "}" @end) @indent
(list "]" @end) @indent
(group ")" @end) @indent
(arguments ")" @end) @indent
(parameters ")" @end) @indent
(dimensions "]" @end) @indent
(indices "]" @end) @indent
