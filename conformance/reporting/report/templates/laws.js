// The table of operations by laws, drawn from the data of the chapter of laws when it comes into view.
const STATUSES = ["fails", "unexpected-pass", "known", "missing", "unsupported", "holds"];  // the first one that a form has counts
const VERDICTS = {pass: "holds", fail: "fails", crash: "fails", timeout: "fails", flaky: "fails"};

// By operation and law: for each engine its status, and the form that has it.
function readLaws() {
  const data = chapterData("laws"), laws = Object.keys(data.behaviors), operations = new Map();
  laws.forEach((law, column) => {
    for (const item of data.behaviors[law].cases) {
      const {name, results} = caseOf(data, law, item);
      const operation = name.split("[")[0];
      if (!operations.has(operation)) operations.set(operation, {name: operation, cells: [], place: operations.size});
      const cells = operations.get(operation).cells;
      const cell = cells[column] = cells[column] || engines.map(() => ({status: "holds", form: name, forms: 0, holds: 0}));
      for (const [names, {verdict}] of results) {
        const status = VERDICTS[verdict] || verdict;
        for (const engine of names) {
          const at = cell[engine];
          at.forms += 1;
          at.holds += status === "holds";
          if (STATUSES.indexOf(status) < STATUSES.indexOf(at.status)) Object.assign(at, {status, form: name});
        }
      }
    }
  });
  return {laws, rows: [...operations.values()]};
}

let table = null;  // what is drawn: laws, rows with their elements, and the column that sorts
function drawLaws() {
  const engine = Number((by("laws-engine") || {value: 0}).value), {laws, rows} = table || readLaws();
  const sorted = table ? table.sorted : null;
  const head = element("tr", ""), body = element("tbody", "");
  head.append(scoped(element("th", "operation", "operation"), "col"));
  laws.forEach((law, column) => {
    const link = element("a", "", law.replace("laws.", "").replaceAll("-", " "));
    link.href = "#" + encodeURIComponent(law);
    const fails = rows.filter(row => row.cells[column] && row.cells[column][engine].status === "fails").length;
    const button = element("button", "", fails ? String(fails) : "↓");
    button.title = fails + " operations fail; sort by this law";
    button.setAttribute("aria-label", "sort by " + law);
    button.addEventListener("click", () => { table.sorted = table.sorted === column ? null : column; arrangeLaws(); });
    head.append(scoped(element("th", "law", link, button), "col"));
  });
  for (const row of rows) {
    const link = element("a", "", row.name);
    link.href = "#" + encodeURIComponent(row.name);
    row.element = element("tr", "", scoped(element("th", "operation", by(row.name) ? link : row.name), "row"));
    row.element.firstChild.title = row.name;
    row.statuses = laws.map((law, column) => row.cells[column] ? row.cells[column][engine].status : "");
    laws.forEach((law, column) => {
      const cell = element("td", "");
      if (row.cells[column]) {
        const {status, form, forms, holds} = row.cells[column][engine];
        const mark = element("a", status, MARKS[status]);
        mark.href = "#" + encodeURIComponent(law + "/" + form);
        mark.tabIndex = -1;
        mark.title = row.name + ", " + law.replace("laws.", "").replaceAll("-", " ") + ": " + (forms > 1 ? holds + " of " + forms + " forms hold" : status);
        cell.append(mark);
      }
      row.element.append(cell);
    });
  }
  table = {laws, rows, body, sorted, heads: [...head.children].slice(1)};
  const drawn = element("table", "", element("thead", "", head), body);
  by("laws-box").replaceChildren(drawn);
  arrangeLaws();
}
function scoped(cell, scope) {
  cell.scope = scope;
  return cell;
}

// Put the rows that the filters leave into order.
function arrangeLaws() {
  const words = by("laws-search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const wanted = by("laws-rows").value, order = by("laws-order").value, sorted = table.sorted;
  const rows = table.rows.filter(row => words.every(word => row.name.includes(word)) && (!wanted || row.statuses.includes(wanted)));
  const fails = row => row.statuses.filter(status => status === "fails").length;
  const rank = row => (row.statuses[sorted] ? STATUSES.indexOf(row.statuses[sorted]) : STATUSES.length);
  rows.sort((a, b) => (sorted === null ? 0 : rank(a) - rank(b))
    || (order === "fails" ? fails(b) - fails(a) : order === "name" ? (a.name < b.name ? -1 : 1) : 0) || a.place - b.place);
  table.heads.forEach((head, column) => {
    if (column === sorted) head.setAttribute("aria-sort", "descending");
    else head.removeAttribute("aria-sort");
  });
  table.body.replaceChildren(...rows.map(row => row.element));
  by("laws-count").textContent = rows.length + " of " + table.rows.length + " operations, " + table.laws.length + " laws";
}
if (by("laws-box")) {
  new IntersectionObserver((entries, watch) => {
    if (!entries.some(entry => entry.isIntersecting)) return;
    watch.disconnect();
    drawLaws();
  }, {rootMargin: "400px"}).observe(by("laws-box"));
  for (const id of ["laws-search", "laws-rows", "laws-order"]) by(id).addEventListener("input", () => table && arrangeLaws());
  if (by("laws-engine")) by("laws-engine").addEventListener("input", () => table && drawLaws());
}
