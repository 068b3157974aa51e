" Indents $TEXT anew. It is run by editors/check.
set nocompatible
let &runtimepath = $EDITORS . '/vim,' . &runtimepath
filetype plugin indent on
execute 'edit' $TEXT
normal! gg=G
write
qa!
