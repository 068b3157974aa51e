// The graph of an experiment's stages: from left to right what is made of what, from top to bottom the rows of the table.
// A stage that several rows share stands once, between them.

const width = 96, height = 40, across = 132, down = 52, margin = 12;
const svg = (name, attributes = {}, ...children) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};

/** The stages of one seed with the rows that use each: [{ stage, index, rows }]. */
export const stagesOf = (plan, seed) =>
  plan.stages
    .map((stage, index) => ({ stage, index, rows: stage.uses.filter((use) => use[1] === seed).map((use) => use[0]) }))
    .filter(({ rows }) => rows.length > 0);

/** Places of stages: a column for each step of the longest way to a stage, and no two of a column over each other. */
export const layout = (plan, seed) => {
  const shown = stagesOf(plan, seed);
  const byIndex = new Map(shown.map((node) => [node.index, node]));
  for (const node of shown) {
    node.from = node.stage.from.map(({ of }) => byIndex.get(of)).filter(Boolean);
    node.column = node.from.reduce((most, other) => Math.max(most, other.column + 1), 0);
  }
  // What is made of nothing, such as the tasks of a later round, stands just before what first uses it.
  for (const node of shown.filter(({ from }) => from.length === 0)) {
    const used = shown.filter(({ from }) => from.includes(node)).map(({ column }) => column);
    if (used.length) node.column = Math.min(...used) - 1;
  }
  const columns = [];
  for (const node of shown) (columns[node.column] ??= []).push(node);
  for (let column = 0; column < columns.length; ++column) columns[column] ??= [];
  const mean = (rows) => rows.reduce((sum, row) => sum + row, 0) / rows.length;
  // A row is as high as the most stages that it alone has in one column.
  const alone = columns.map((nodes) => {
    const count = new Map();
    for (const { rows } of nodes) if (rows.length === 1) count.set(rows[0], (count.get(rows[0]) ?? 0) + 1);
    return Math.max(1, ...count.values());
  });
  const row = down * Math.max(1, ...alone);
  let bottom = plan.rows.length * row;
  for (const nodes of columns) {
    nodes.sort((a, b) => mean(a.rows) - mean(b.rows) || a.index - b.index);
    let free = 0;
    for (const node of nodes) {
      node.y = Math.max(free, mean(node.rows) * row);
      free = node.y + down;
    }
    bottom = Math.max(bottom, free);
  }
  return { nodes: shown, columns: columns.length, row, bottom };
};

const kinds = new Set(["tasks", "corpus", "tokenizer", "pretrain", "finetune", "sample", "verify", "draw", "select", "train"]);

export const draw = (plan, seed) => {
  const { nodes, columns, row, bottom } = layout(plan, seed);
  const labels = Math.max(...plan.rows.map(({ title }) => title.length)) * 7.5 + 24;
  const x = (column) => margin + column * across;
  const picture = svg("svg", {
    width: x(columns) + labels, height: bottom + 2 * margin, role: "img",
    "aria-label": `${nodes.length} stages in ${plan.rows.length} rows; the table below lists them`,
  });
  const curve = (fromX, fromY, toX, toY) => {
    const bend = Math.min(60, (toX - fromX) / 2);
    return `M${fromX},${fromY} C${fromX + bend},${fromY} ${toX - bend},${toY} ${toX},${toY}`;
  };
  const middle = (node) => margin + node.y + height / 2;
  for (const node of nodes)
    for (const other of node.from)
      picture.append(svg("path", { class: "edge", d: curve(x(other.column) + width, middle(other), x(node.column), middle(node)) }));
  plan.rows.forEach(({ title, kind }, index) => {
    const last = nodes.filter(({ rows }) => rows.includes(index)).reduce((most, node) => (!most || node.column >= most.column ? node : most), null);
    const y = margin + index * row + height / 2;
    if (last) picture.append(svg("path", { class: "edge end", d: curve(x(last.column) + width, middle(last), x(columns), y) }));
    picture.append(svg("text", { class: `row ${kind}`, x: x(columns) + 6, y: y + 4 }, title));
  });
  for (const node of nodes) {
    const { stage, rows } = node;
    const shared = rows.length > 1;
    const box = svg("g", { class: `stage ${kinds.has(stage.kind) ? stage.kind : ""}${shared ? " shared" : ""}`, transform: `translate(${x(node.column)},${margin + node.y})` });
    box.append(
      svg("title", {}, `${stage.where}\n${shared ? `shared by ${rows.length} rows` : plan.rows[rows[0]].title}`),
      svg("rect", { width, height, rx: 6 }),
      svg("text", { x: 8, y: 17 }, stage.what.length > 13 ? `${stage.what.slice(0, 12)}…` : stage.what),
      svg("text", { x: 8, y: 32, class: "where" }, stepOf(stage)));
    if (shared) box.append(svg("text", { x: width - 8, y: 17, class: "times" }, `×${rows.length}`));
    picture.append(box);
  }
  return picture;
};

/** "round 2" or "exam", of "inputs/seed 1/round 2/sample". */
const stepOf = ({ where, what, kind }) => {
  const parts = where.split("/");
  const step = parts.length > 3 ? parts[parts.length - 2] : "";
  const said = step || (kind === what ? "" : kind);
  return said.length > 14 ? `${said.slice(0, 13)}…` : said;
};

/** The same as a table, for who can't see the picture. */
export const table = (plan, seed) => {
  const element = document.createElement("table");
  const head = element.createTHead().insertRow();
  for (const title of ["Stage", "First made for", "Used by"]) {
    const cell = document.createElement("th");
    cell.scope = "col";
    cell.textContent = title;
    head.append(cell);
  }
  const body = element.createTBody();
  for (const { stage, rows } of stagesOf(plan, seed)) {
    const line = body.insertRow();
    const all = rows.length === plan.rows.length && rows.length > 1;
    for (const text of [stage.kind, stage.where, all ? "all rows" : rows.map((row) => plan.rows[row].title).join("; ")])
      line.insertCell().textContent = text;
  }
  return element;
};
