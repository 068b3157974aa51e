" Prints each line of $TEXT with the syntax groups of its parts, `<Group text>`. It is run by editors/check.
set nocompatible
let &runtimepath = $EDITORS . '/vim,' . &runtimepath
filetype plugin indent on
syntax on
execute 'edit' $TEXT
let s:out = ['filetype ' . &filetype]
for s:line in range(1, line('$'))
  let s:row = ''
  let s:last = ''
  for s:column in range(1, strlen(getline(s:line)))
    let s:group = substitute(synIDattr(synID(s:line, s:column, 1), 'name'), '^trl', '', '')
    if s:group !=# s:last
      let s:row .= (s:last !=# '' ? '>' : '') . (s:group !=# '' ? '<' . s:group . ' ' : '')
      let s:last = s:group
    endif
    let s:row .= getline(s:line)[s:column - 1]
  endfor
  call add(s:out, s:row . (s:last !=# '' ? '>' : ''))
endfor
call writefile(s:out, $OUT)
qa!
