autocmd BufNewFile,BufRead *.trl setfiletype trl
