-- Writes to $OUT each capture of the query of highlights on $TEXT, `line:column name text`, and tries the other queries.
-- It is run by editors/check in Neovim.
vim.opt.runtimepath:prepend(os.getenv('PACKAGE'))
vim.cmd('filetype on')
vim.cmd('edit ' .. os.getenv('TEXT'))
local tree = vim.treesitter.get_parser(0, 'trl'):parse()[1]
assert(not tree:root():has_error(), 'the text has an error')
local get = vim.treesitter.query.get or vim.treesitter.get_query
local text_of = vim.treesitter.get_node_text or vim.treesitter.query.get_node_text
for _, name in ipairs({ 'folds', 'indents', 'locals', 'injections' }) do
  local count = 0
  for _ in get('trl', name):iter_captures(tree:root(), 0, 0, -1) do
    count = count + 1
  end
  assert(count > 0, name .. ' captures nothing')
end
local out = {}
local query = get('trl', 'highlights')
for _, match in query:iter_matches(tree:root(), 0, 0, -1) do
  for id, nodes in pairs(match) do
    -- A list of nodes since Neovim 0.11.
    for _, node in ipairs(type(nodes) == 'table' and nodes or { nodes }) do
      local row, column = node:range()
      if query.captures[id]:sub(1, 1) ~= '_' then
        out[#out + 1] = string.format('%3d:%-3d %s %s', row + 1, column + 1, query.captures[id], text_of(node, 0))
      end
    end
  end
end
table.sort(out)
vim.fn.writefile(vim.split(table.concat(out, '\n'), '\n'), os.getenv('OUT'))
