" Comments, layout as `trl fmt` has it, and `:make`, which checks the file.
if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

setlocal comments=:##,:# commentstring=#\ %s
setlocal expandtab shiftwidth=2 softtabstop=2 textwidth=120
setlocal formatoptions-=t formatoptions+=croql
setlocal suffixesadd=.trl
setlocal foldmethod=syntax foldlevel=99
setlocal makeprg=trl\ check\ % errorformat=%f:%l:%c:\ %trror[%*[^]]]:\ %m,%f:%l:%c:\ %tarning[%*[^]]]:\ %m,%f:%l:%c:\ %tote:\ %m,%-G%.%#
if executable('trl')
  setlocal formatprg=trl\ fmt\ - keywordprg=trl\ explain
endif

let b:undo_ftplugin = 'setlocal comments< commentstring< expandtab< shiftwidth< softtabstop< textwidth< formatoptions<'
      \ . ' suffixesadd< foldmethod< foldlevel< makeprg< errorformat< formatprg< keywordprg<'
