// Each row's marks are text until its chapter is opened; then they are cells, one for each engine.
const statusesOf = rows.map(row => [...row.querySelector(".marks").textContent.trim()].map(mark => STATUS_OF[mark]));
const placeOf = new Map(rows.map((row, index) => [row, index]));
function drawMarks(row) {
  const marks = row.querySelector(".marks");
  if (marks.firstElementChild) return;
  const data = dataOf(row);
  marks.replaceChildren(...statusesOf[placeOf.get(row)].map((status, index) => {
    const cell = element("i", status + " e e" + index, MARKS[status]);
    const counted = status === "fails" || status === "partly" ? " " + passes(data, row.id, index) : "";
    if (counted) cell.append(element("small", "", counted));
    cell.title = engines[index].name + ": " + status + counted;
    cell.role = "img";
    cell.ariaLabel = cell.title;
    return cell;
  }));
}
// How many of a behavior's cases pass, of those that an engine supports.
function passes(data, behavior, engine) {
  const {from, to} = data.behaviors[behavior];
  let passed = 0, tried = 0;
  for (let at = from; at < to; at++) {
    const verdict = verdictOf(data, engine, at);
    if (verdict === "pass" || verdict === "unexpected-pass") passed += 1;
    if (verdict !== "unsupported" && verdict !== "missing") tried += 1;
  }
  return passed + "/" + tried;
}
// Those of the rows that are seen first, then the others, while nobody waits.
const SEEN_FIRST = 12;
function drawMarksIn(chapter) {
  const shown = [...chapter.querySelectorAll("details.behavior:not([hidden])")];
  shown.slice(0, SEEN_FIRST).forEach(drawMarks);
  if (shown.length > SEEN_FIRST) idle(() => shown.slice(SEEN_FIRST).filter(row => !row.hidden).forEach(drawMarks));
  shown.filter(row => row.open).forEach(draw);
}
chapters.forEach(chapter => chapter.addEventListener("toggle", () => chapter.open && drawMarksIn(chapter)));

// What the lexer of markup.py finds, by its own lists of words.
const WORDS = /(#.*)|("[^"]*"|'[^']*')|\b(?:({{ keywords | join("|") }})|({{ constants | join("|") }})|(\d+\.?\d*(?:e-?\d+)?j?))(?!\w)/g;
const KINDS = ["c1", "s2", "k", "kc", "mf"];
// A program with its syntax highlighted, and the lines that failed marked.
function program(text, failing) {
  const code = element("code", "");
  text.split("\n").forEach((line, number) => {
    const fails = failing.has(number), target = fails ? element("mark", "") : code;
    if (number) code.append("\n");
    let last = 0;
    for (const found of line.matchAll(WORDS)) {
      target.append(line.slice(last, found.index), element("span", KINDS[found.slice(1).findIndex(Boolean)], found[0]));
      last = found.index + found[0].length;
    }
    target.append(line.slice(last));
    if (fails) code.append(target, element("span", "vh", " (this line fails)"));
  });
  return scrollable("", code);
}
// Text that may be wider than its place: it can be scrolled by keys too.
function scrollable(className, content) {
  const box = element("pre", className, content);
  box.tabIndex = 0;
  return box;
}

// A button that copies a text, and says so.
function copier(label, text, className) {
  const button = element("button", className, label);
  button.type = "button";
  button.dataset.copy = text;
  return button;
}
function linkTo(id, what) {
  const mark = element("a", "anchor", "# link");
  mark.href = "#" + encodeURIComponent(id);
  mark.setAttribute("aria-label", "copy the link to this " + what);
  mark.dataset.link = id;
  return mark;
}

const titleOf = chapter => by("chapter-" + chapter).querySelector("h3").firstChild.data.trim();
const NOT_HELD = new Set(["fail", "flaky", "known", "crash", "timeout"]);
function verdict(names, result, id) {
  const told = result.message && !result.kind ? ": " : " ";
  const line = element("div", "verdict", element("b", result.verdict, result.verdict), " ",
    element("span", "faint", names.map(index => engines[index].name).join(", ")), told);
  if (result.kind) line.append(element("span", "tag", result.kind), " ");
  if (result.message) line.append(result.message);
  if (result.reason) line.append(element("div", "faint", "known failure: " + result.reason));
  if (result.blamed_on) line.append(element("div", "faint", "probably because " + result.blamed_on + " fails"));
  if (NOT_HELD.has(result.verdict)) {
    const lines = result.expected === undefined ? [] : ["expected  " + result.expected, "found     " + result.observed];
    if (result.where) lines.push("raised at " + result.where);
    if (result.place) lines.push("at        " + result.place);
    const command = "gradspec repro '" + id + "' --impl=" + engines[names.includes(chosen()) ? chosen() : names[0]].impl;
    lines.push("reproduce " + command);
    line.append(scrollable("", lines.join("\n")), copier("copy the repro command", command, "copy"));
  }
  return line;
}

function drawCase(item, before) {
  const box = element("div", "case", element("h4", "", item.name, " ", ...(item.row ? [element("span", "tag", item.row)] : []), linkTo(item.id, "case")));
  box.id = item.id;
  const failing = new Set(item.results.map(([, result]) => result.failing).filter(line => line !== undefined));
  if (item.program && (!before || before.program !== item.program || failing.size)) box.append(program(item.program, failing));
  if (item.values) box.append(scrollable("row", item.values.map(pair => pair.join(" = ")).join("\n")));
  if (item.drawing) {
    const picture = element("details", "drawn", element("summary", "", "the graph that it records"));
    picture.open = true;
    picture.insertAdjacentHTML("beforeend", svgOf(...item.drawing));
    box.append(picture);
  }
  for (const [names, result] of item.results) box.append(verdict(names, result, item.id));
  return box;
}

const NAMES = {refuses: "raises"};
// The inside of a row is drawn when it is first opened: the page opens at once, however much it holds. It is drawn
// again when another engine was chosen, whose results then come first.
function draw(row) {
  if (drawn.get(row) === chosen()) return;
  if (drawn.has(row)) row.querySelector(".inside").remove();
  else watch.observe(row);
  drawn.set(row, chosen());
  drawMarks(row);
  const data = dataOf(row), found = data.behaviors[row.id];
  const inside = element("div", "inside");
  if (found.folklore) inside.append(element("p", "saying", element("b", "", "Common misconception: "), ...prose(found.folklore)));
  inside.append(element("p", "plain", element("code", "", row.id), linkTo(row.id, "behavior")));
  const list = element("dl", "");
  const told = {...found, level: data.levels[found.level]};
  for (const name of ["level", "refuses", "pitfall", "differs"]) {
    if (told[name]) list.append(element("dt", "", NAMES[name] || name), element("dd", "", ...prose(told[name])));
  }
  if (found.sources.length) list.append(element("dt", "", "sources"), element("dd", "", ...found.sources.map(index => source(data.sources[index]))));
  const cases = placesOf(found).map(at => caseOf(data, row.id, at));
  const fails = item => item.results.some(([, result]) => NOT_HELD.has(result.verdict));
  if (row.closest(".operations")) cases.sort((one, other) => fails(other) - fails(one));  // hundreds, and nobody reads them all
  inside.append(list, ...cases.map((item, index) => drawCase(item, cases[index - 1])));
  if (cases.some(item => !item.program)) {
    inside.append(element("p", "faint plain", "The programs of generated cases are shown for the first case and for some that fail; ",
      element("code", "", "gradspec explain CASE"), " prints any of them."));
  }
  row.append(inside);
}
rows.forEach(row => row.addEventListener("toggle", () => row.open && draw(row)));

// --- copying ---

async function copy(text) {
  try { await navigator.clipboard.writeText(text); } catch {
    const box = element("textarea", "vh", text);  // a page that was opened as a file may have no clipboard
    document.body.append(box);
    box.select();
    document.execCommand("copy");
    box.remove();
  }
}
// The address as it stands; that of a link beside a failure names the engine that fails.
function addressFor(button) {
  const address = new URL(location.href), section = button.closest("section.engine");
  if (section && engines.length > 1) address.searchParams.set("engine", engines[section.dataset.engine].key);
  return address.href;
}
addEventListener("click", event => {
  const button = event.target.closest("[data-copy], [data-link]");
  if (!button) return;
  const link = button.dataset.link;
  if (link) writeState();
  if (link) history.replaceState(null, "", "#" + encodeURIComponent(link));
  copy(link ? addressFor(button) : button.dataset.copy);
  if (link) event.preventDefault();
  const label = button.textContent;
  button.textContent = "copied";
  button.classList.add("copied");
  by("said").textContent = "copied";
  setTimeout(() => { button.textContent = label; button.classList.remove("copied"); by("said").textContent = ""; }, 1200);
});
