" Two blanks for each level of blocks; two more for a line that continues an item. Within brackets a line begins under the
" text behind the bracket or, if the line ends with the bracket, two blanks further: as `trl fmt` has it.
if exists('b:did_indent')
  finish
endif
let b:did_indent = 1

setlocal indentexpr=TrlIndent(v:lnum) indentkeys=0},0],0),o,O,!^F
let b:undo_indent = 'setlocal indentexpr< indentkeys<'

if exists('*TrlIndent')
  finish
endif

" The line without texts and comments, of which only the places of brackets matter.
function s:code(line) abort
  let l:text = substitute(getline(a:line), '"\%(\\.\|[^"\\]\)*"', '\=repeat("x", strlen(submatch(0)))', 'g')
  return substitute(l:text, '\s*#.*$', '', '')
endfunction

" The brackets that are open before a line: [line, column, bracket], the outermost first. No bracket is open where a
" declaration begins at the margin.
function s:open_before(line) abort
  let l:open = []
  let l:first = a:line - 1
  while l:first > 1 && getline(l:first) !~# '^\h'
    let l:first -= 1
  endwhile
  for l:number in range(max([l:first, 1]), a:line - 1)
    let l:code = s:code(l:number)
    for l:column in range(strlen(l:code))
      if stridx('([{', l:code[l:column]) >= 0
        call add(l:open, [l:number, l:column, l:code[l:column]])
      elseif stridx(')]}', l:code[l:column]) >= 0 && !empty(l:open)
        call remove(l:open, -1)
      endif
    endfor
  endfor
  return l:open
endfunction

function TrlIndent(line) abort
  let l:open = s:open_before(a:line)
  let l:closes = getline(a:line) =~# '^\s*[])}]'
  if empty(l:open)
    let l:base = 0
  else
    let [l:number, l:column, l:bracket] = l:open[-1]
    if l:closes || l:bracket ==# '{' || s:code(l:number)[l:column + 1:] =~# '^\s*$'
      let l:base = indent(l:number) + (l:closes ? 0 : &shiftwidth)
    else
      return l:column + 1
    endif
    if l:closes || l:bracket !=# '{'
      return l:base
    endif
  endif
  let l:before = prevnonblank(a:line - 1)
  if l:before > 0 && (s:code(l:before) =~# '\%(=\|->\|[-+*/@^<>]\|\<\%(if\|then\|else\|and\|or\|not\)\)$'
        \ || getline(a:line) =~# '^\s*\%(then\|else\)\>')
    return l:base + &shiftwidth
  endif
  return l:base
endfunction
