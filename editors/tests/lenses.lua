-- Carries out each of the server's lenses, with a stand-in for trl that writes its arguments to $OUT, and one that is
-- cancelled. PACKAGE has plugin/trl.lua.
vim.opt.runtimepath:append(vim.env.PACKAGE)
vim.cmd('runtime plugin/trl.lua')
vim.g.trl_command = { vim.env.TRL_STAND_IN }
vim.cmd('edit ' .. vim.fn.fnameescape(vim.env.TEXT))
local uri = vim.uri_from_bufnr(0)
local answer
vim.fn.input = function(_, offered)
  return answer and offered:gsub('ROW, COLUMN', answer) or ''
end
local function carry_out(word, name)
  vim.lsp.commands['trl.' .. word]({ command = 'trl.' .. word, arguments = { uri, name } })
  local job = vim.b.terminal_job_id
  if job then
    vim.fn.jobwait({ job }, 10000)
    vim.cmd('bdelete!')
  end
end
carry_out('run', 'study')
carry_out('plan', 'study')
carry_out('trace', 'main') -- It is cancelled.
answer = 'inputs, correct'
carry_out('trace', 'main')
