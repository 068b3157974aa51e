-- .trl files in Neovim: tree-sitter highlights and folds them where the parser is installed (else syntax/trl.vim does),
-- and the language server starts where `trl` is on the path. `vim.g.trl_command = { '/path/to/trl' }` names another one.
if vim.g.loaded_trl then
  return
end
vim.g.loaded_trl = true

local function highlight(buffer)
  if vim.treesitter.start then
    return pcall(vim.treesitter.start, buffer, 'trl')
  end
  -- Before Neovim 0.9.
  local found, parser = pcall(vim.treesitter.get_parser, buffer, 'trl')
  return found and pcall(vim.treesitter.highlighter.new, parser)
end

local function start_server(buffer)
  local command = vim.g.trl_command or { 'trl' }
  if not vim.lsp.start or vim.fn.executable(command[1]) == 0 then
    return
  end
  local words = vim.list_extend({}, command)
  local file = vim.api.nvim_buf_get_name(buffer)
  local root = vim.fs.find({ 'trl.toml', '.git' }, { upward = true, path = vim.fs.dirname(file) })[1]
  vim.lsp.start({
    name = 'trl',
    cmd = vim.list_extend(words, { 'lsp' }),
    root_dir = root and vim.fs.dirname(root) or vim.fs.dirname(file),
  })
end

-- The server's code lenses: `trl run`, `plan` and `trace` in a terminal, with the file and the name that they are at.
-- `:lua vim.lsp.codelens.run()` on such a line carries one out.
if vim.lsp.commands then
  for _, word in ipairs({ 'run', 'plan', 'trace' }) do
    vim.lsp.commands['trl.' .. word] = function(lens)
      local file = vim.uri_to_fname(lens.arguments[1])
      local name = lens.arguments[2]
      if word == 'trace' then
        name = vim.fn.input('Figure: ', name .. '[ROW, COLUMN]')
        if name == '' then
          return -- It was cancelled.
        end
      end
      vim.cmd('silent! update')
      local words = vim.list_extend({}, vim.g.trl_command or { 'trl' })
      vim.cmd('botright split')
      vim.cmd('enew')
      vim.fn.termopen(vim.list_extend(words, { word, file, name }))
    end
  end
end

-- Neovim shows no lenses by itself: they are asked for when the server is there and when the text has changed.
local function show_lenses(buffer)
  if not vim.lsp.codelens then
    return
  end
  if vim.lsp.codelens.enable then
    vim.lsp.codelens.enable(true, { bufnr = buffer })
    return
  end
  vim.api.nvim_create_autocmd({ 'BufEnter', 'InsertLeave', 'TextChanged', 'BufWritePost' }, {
    buffer = buffer,
    callback = function()
      pcall(vim.lsp.codelens.refresh, { bufnr = buffer })
    end,
  })
  pcall(vim.lsp.codelens.refresh, { bufnr = buffer })
end

if vim.fn.exists('##LspAttach') == 1 then
  vim.api.nvim_create_autocmd('LspAttach', {
    callback = function(event)
      local client = vim.lsp.get_client_by_id(event.data.client_id)
      if client and client.name == 'trl' then
        -- Where the server is, it explains a word by its place; `keywordprg` of the ftplugin is for Vim.
        vim.keymap.set('n', 'K', vim.lsp.buf.hover, { buffer = event.buf, desc = 'Explain the word (trl lsp)' })
        show_lenses(event.buf)
      end
    end,
  })
end

-- Files of the library, `trl:/windtunnel.trl`, to which definitions lead: the server has their text.
vim.api.nvim_create_autocmd('BufReadCmd', {
  pattern = 'trl:/*',
  callback = function(event)
    for _, client in pairs((vim.lsp.get_clients or vim.lsp.get_active_clients)()) do
      if client.name == 'trl' then
        local words = { 'workspace/textDocumentContent', { uri = event.file }, 2000, event.buf }
        local answer = vim.fn.has('nvim-0.11') == 1 and client:request_sync(unpack(words))
          or client.request_sync(unpack(words))
        if answer and answer.result then
          vim.api.nvim_buf_set_lines(event.buf, 0, -1, false, vim.split(answer.result.text, '\n'))
        end
        break
      end
    end
    vim.bo[event.buf].buftype = 'nofile'
    vim.bo[event.buf].modifiable = false
    vim.bo[event.buf].filetype = 'trl'
  end,
})

vim.api.nvim_create_autocmd('FileType', {
  pattern = 'trl',
  callback = function(event)
    if highlight(event.buf) and vim.treesitter.foldexpr then
      vim.wo.foldmethod = 'expr'
      vim.wo.foldexpr = 'v:lua.vim.treesitter.foldexpr()'
    end
    start_server(event.buf)
  end,
})
