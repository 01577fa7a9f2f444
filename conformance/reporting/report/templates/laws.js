// The table of operations by laws, drawn from the data of the chapter of laws when it comes into view.
const STATUSES = ["fails", "unexpected-pass", "known", "missing", "unsupported", "holds"];  // the first one that a form has counts
const VERDICTS = {pass: "holds", fail: "fails", crash: "fails", timeout: "fails", flaky: "fails"};

// By operation and law: the places of its cases, which are its forms.
function readLaws() {
  const data = chapterData("laws"), laws = Object.keys(data.behaviors), operations = new Map();
  laws.forEach((law, column) => {
    for (const at of placesOf(data.behaviors[law])) {
      const name = namesOf(data, at)[1].split("[")[0];
      if (!operations.has(name)) operations.set(name, {name, cells: [], place: operations.size});
      const cells = operations.get(name).cells;
      (cells[column] = cells[column] || []).push(at);
    }
  });
  return {data, laws, rows: [...operations.values()]};
}
const lawStatus = verdict => VERDICTS[verdict] || verdict;
// Of several forms the worst status, as its place in STATUSES. `ranks` has those of the numbers of results.
function worstOf({columns, size}, ranks, engine, places) {
  let worst = STATUSES.length;
  for (const at of places) worst = Math.min(worst, ranks[columns.result[engine * size + at]]);
  return worst;
}

let table = null;  // laws, rows, and the column that sorts
let lawsInView = false, lawsDrawn = false;
function drawLaws() {
  lawsDrawn = true;
  table = table || {...readLaws(), sorted: null};
  const {data, laws, rows} = table;
  table.engine = Number((by("laws-engine") || {value: 0}).value);
  table.ranks = data.verdicts.map(verdict => STATUSES.indexOf(lawStatus(verdict)));
  for (const row of rows) {
    row.element = null;
    row.statuses = laws.map((law, column) => (row.cells[column] ? STATUSES[worstOf(data, table.ranks, table.engine, row.cells[column])] : ""));
  }
  const head = element("tr", "", scoped(element("th", "operation", "operation"), "col"));
  laws.forEach((law, column) => {
    const link = element("a", "", law.replace("laws.", "").replaceAll("-", " "));
    link.href = "#" + encodeURIComponent(law);
    const fails = rows.filter(row => row.statuses[column] === "fails").length;
    const button = element("button", "", fails ? String(fails) : "↓");
    button.title = fails + " operations fail; sort by this law";
    button.setAttribute("aria-label", (fails ? fails + " fail, " : "") + "sort by " + law);
    button.addEventListener("click", () => { table.sorted = table.sorted === column ? null : column; arrangeLaws(); });
    head.append(scoped(element("th", "law", link, button), "col"));
  });
  table.body = element("tbody", "");
  by("laws-box").style.setProperty("--laws", laws.length);
  table.heads = [...head.children].slice(1);
  by("laws-box").replaceChildren(element("table", "", element("thead", "", head), table.body));
  arrangeLaws();
}
function drawOperation(row) {
  if (row.element) return row.element;
  const {data, laws, ranks, engine} = table, link = element("a", "", row.name);
  link.href = "#" + encodeURIComponent(row.name);
  row.element = element("tr", "", scoped(element("th", "operation", by(row.name) ? link : row.name), "row"));
  row.element.firstChild.title = row.name;
  row.statuses.forEach((status, column) => {
    const cell = element("td", "");
    if (status) {
      const forms = row.cells[column], found = forms.map(at => STATUSES[ranks[numberOf(data, engine, at)]]);
      const at = forms[found.indexOf(status)], holds = found.filter(one => one === "holds").length, mark = element("a", status, MARKS[status]);
      mark.href = "#" + encodeURIComponent(laws[column] + "/" + namesOf(data, at)[0]);
      mark.tabIndex = -1;
      mark.title = row.name + ", " + laws[column].replace("laws.", "").replaceAll("-", " ") + ": " + (forms.length > 1 ? holds + " of " + forms.length + " forms hold" : status);
      cell.append(mark);
    }
    row.element.append(cell);
  });
  return row.element;
}
// More rows are drawn when they are scrolled to.
const AT_ONCE = 24;
function moreLaws() {
  const box = by("laws-box"), drawn = table.body.children.length;
  if (drawn < table.order.length && box.scrollTop + 2 * box.clientHeight > box.scrollHeight) {
    table.body.append(...table.order.slice(drawn, drawn + AT_ONCE).map(drawOperation));
  }
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
  table.order = rows;
  table.body.replaceChildren(...rows.slice(0, AT_ONCE).map(drawOperation));
  by("laws-count").textContent = rows.length + " of " + table.rows.length + " operations, " + table.laws.length + " laws";
}
// Out of view the table is not rendered: its thousands of cells would slow down whatever else changes.
function watchLaws(entries) {
  const box = by("laws-box"), {isIntersecting, boundingClientRect} = entries.at(-1);
  lawsInView = isIntersecting;
  const away = lawsDrawn && !lawsInView && !box.contains(document.activeElement);
  if (away) box.style.height = boundingClientRect.height + "px";
  box.classList.toggle("away", away);
  if (lawsInView) showLaws();
}
function showLaws() {
  if (!lawsDrawn) drawLaws();
  by("laws-box").style.height = "";
}
if (by("laws-box")) {
  by("laws-box").style.height = "min(44rem, 78vh)";  // as high as it will be, so that nothing moves when it is drawn
  new IntersectionObserver(watchLaws).observe(by("laws-box"));
  by("laws-box").addEventListener("scroll", () => table && moreLaws());
  for (const id of ["laws-search", "laws-rows", "laws-order"]) by(id).addEventListener("input", () => table && arrangeLaws());
  if (by("laws-engine")) by("laws-engine").addEventListener("input", () => {
    lawsDrawn = false;
    if (lawsInView) idle(showLaws);
  });
}
