"use strict";
const by = id => document.getElementById(id);
const rows = [...document.querySelectorAll("details.behavior")];
const chapters = [...document.querySelectorAll("details.chapter")];
const engines = JSON.parse(by("engines").textContent);
const read = new Map();  // what a chapter's rows hold, read when it is first asked for
const drawn = new WeakSet();

function chapterData(name) {
  if (!read.has(name)) read.set(name, JSON.parse(by("data-" + name).textContent));
  return read.get(name);
}
const dataOf = row => chapterData(row.closest("details.chapter").id.replace("chapter-", ""));

// A case as it stands in the data, with what it refers to. `results` has pairs of engines and result.
function caseOf(data, behavior, [name, shared, program, row, values]) {
  const named = data.names[name];
  const [end, title] = typeof named === "string" ? [slug(named) + (row ? "[" + row + "]" : ""), named] : named;
  const results = data.shared[shared].map(([names, result]) => [names, data.results[result]]);
  return {id: behavior + "/" + end, name: title || end, program: data.programs[program - 1], row, values, results};
}
// A name as it stands in an id.
const slug = text => text.trim().replace(/[^A-Za-z0-9_.,=+*-]+/g, "-").replace(/^-+|-+$/g, "");

function element(tag, className, ...content) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...content);
  return made;
}

// Plain text, with what stands in backquotes as code.
function prose(text) {
  const parts = text.split("`");
  if (parts.length % 2 === 0) return [text];
  return parts.map((part, index) => (index % 2 ? element("code", "", part) : part));
}

function source([title, where, note]) {
  const link = element(where.startsWith("http") ? "a" : "span", "", title);
  if (where.startsWith("http")) link.href = where;
  return element("div", "", link, note ? ": " + note : "");
}

function verdict(names, result, id) {
  const line = element("div", "verdict", element("b", result.verdict, result.verdict), " ",
    element("span", "faint", names.map(index => engines[index].name).join(", ")), " ");
  if (result.kind) line.append(element("span", "tag", result.kind), " ");
  if (result.message) line.append(result.message);
  if (result.reason) line.append(element("div", "faint", "known failure: " + result.reason));
  if (result.blamed_on) line.append(element("div", "faint", "probably because " + result.blamed_on + " fails"));
  if (result.expected !== undefined) {
    const valued = result.kind === "wrong-value" || result.kind === "wrong-state"; // else the message tells it
    const told = valued ? ["expected  " + result.expected, "observed  " + result.observed] : [];
    if (result.where) told.push("raised at " + result.where);
    told.push("at        " + result.place,
      "reproduce gradspec repro '" + id + "' --impl=" + engines[names[0]].impl);
    line.append(element("pre", "", told.join("\n")));
  }
  return line;
}

function drawCase(item, before) {
  const box = element("div", "case", element("h4", "", item.name, " ", ...(item.row ? [element("span", "tag", item.row)] : [])));
  box.id = item.id;
  if (item.program && (!before || before.program !== item.program)) box.append(element("pre", "", item.program));
  if (item.values) box.append(element("pre", "row", item.values.map(pair => pair.join(" = ")).join("\n")));
  for (const [names, result] of item.results) box.append(verdict(names, result, item.id));
  return box;
}

// The inside of a row is drawn when it is first opened: the page opens at once, however much it holds.
function draw(row) {
  if (drawn.has(row)) return;
  drawn.add(row);
  const data = dataOf(row), found = data.behaviors[row.id];
  const inside = element("div", "inside");
  if (found.folklore) inside.append(element("p", "saying", element("b", "", "Common misconception: "), ...prose(found.folklore)));
  const list = element("dl", "");
  for (const name of ["level", "refuses", "pitfall", "differs"]) {
    if (found[name]) list.append(element("dt", "", name), element("dd", "", ...prose(found[name])));
  }
  if (found.sources.length) list.append(element("dt", "", "sources"), element("dd", "", ...found.sources.map(index => source(data.sources[index]))));
  const cases = found.cases.map(item => caseOf(data, row.id, item));
  inside.append(list, ...cases.map((item, index) => drawCase(item, cases[index - 1])));
  if (cases.some(item => !item.program)) {
    inside.append(element("p", "faint plain", "The programs of generated cases are shown for the first case and for some that fail; ",
      element("code", "", "gradspec explain CASE"), " prints any of them."));
  }
  row.append(inside);
}
rows.forEach(row => row.addEventListener("toggle", () => row.open && draw(row)));

let texts = null;
function text(index) {
  texts = texts || rows.map(row => {
    const data = dataOf(row), found = data.behaviors[row.id];
    const cases = found.cases.map(item => caseOf(data, row.id, item));
    const results = new Set(cases.flatMap(item => item.results.map(([, result]) => result)));
    const told = [...results].map(result => Object.values(result).join(" "));
    const said = cases.map(item => [item.id, item.name, item.program || "", ...(item.values || []).flat()].join(" "));
    const about = found.sources.map(index => data.sources[index].join(" "));
    return [row.textContent, found.pitfall, found.differs, found.refuses, found.folklore, ...about, ...said, ...told].join(" ").toLowerCase();
  });
  return texts[index];
}

// The mark of an engine in a row; the first child is the statement.
const markOf = (row, engine) => row.firstElementChild.children[engine + 1];
addEventListener("mouseover", event => {
  const mark = event.target.closest(".behavior > .grid > i");
  if (mark && !mark.title) mark.title = engines[[...mark.parentNode.children].indexOf(mark) - 1].name + ": " + mark.className;
});

const controls = ["search", "engine", "status", "level", "folklore"];
let opened = null;  // which chapters were open before the filters opened theirs
function filter() {
  const words = by("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const status = by("status").value, level = by("level").value, folklore = by("folklore").checked;
  const engine = Number(by("engine").value), active = words.length || status || level || folklore;
  let shown = 0;
  document.querySelectorAll(".note").forEach(note => note.remove());
  rows.forEach((row, index) => {
    const fits = (!status || markOf(row, engine).className === status) && (!level || (row.dataset.level || "documented") === level)
      && (!folklore || row.dataset.folklore === "1") && words.every(word => text(index).includes(word));
    row.hidden = !fits;
    shown += fits;
  });
  if (active && !opened) opened = chapters.map(chapter => chapter.open);
  chapters.forEach((chapter, index) => {
    chapter.hidden = Boolean(active) && !chapter.querySelector("details.behavior:not([hidden])");
    if (active) chapter.open = shown <= 400;
    else if (opened) chapter.open = opened[index];
  });
  if (!active) opened = null;
  by("nothing").hidden = shown > 0;
  by("count").textContent = shown + " of " + rows.length + " behaviors";
}
controls.forEach(id => by(id).addEventListener("input", filter));
function clearFilters() {
  for (const id of ["search", "status", "level"]) by(id).value = "";
  by("folklore").checked = false;
  filter();
}
by("all").addEventListener("click", () => {
  const open = chapters.some(chapter => !chapter.open);
  chapters.forEach(chapter => { chapter.open = open; });
});

addEventListener("keydown", event => {
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
  if (event.key === "/" && !typing) { by("search").focus(); event.preventDefault(); }
  if (event.key === "Escape" && event.target === by("search")) { by("search").value = ""; filter(); }
  if ((event.key === "j" || event.key === "k") && !typing && !event.ctrlKey && !event.metaKey) {
    const places = [...document.querySelectorAll("details.chapter > summary, details.chapter[open] > details.behavior > summary")]
      .filter(place => place.offsetParent !== null);
    const next = places[places.indexOf(document.activeElement) + (event.key === "j" ? 1 : -1)];
    if (next) { next.focus(); next.scrollIntoView({block: "nearest"}); }
  }
});

// The height of the bar that stays in view: what is scrolled to comes to stand below it.
function measureBar() {
  document.documentElement.style.setProperty("--bar-height", document.querySelector(".bar-top").offsetHeight + 8 + "px");
}
addEventListener("resize", measureBar);

function targetId() {
  const hash = location.hash.slice(1);
  try { return decodeURIComponent(hash); } catch { return hash; }
}

// A row that a link leads to is shown whatever the filters say, with a note.
function reveal(row) {
  const chapter = row.closest("details.chapter");
  const filtered = row.hidden;
  chapter.hidden = row.hidden = false;
  chapter.open = row.open = true;
  draw(row);
  if (filtered) row.querySelector(".inside").prepend(element("p", "note", "The filters exclude this behavior; it is shown because a link points to it."));
}

// Scrolls until the place stays: the page may still be laid out, and the browser restores an older
// position when one goes back. Ends as soon as the reader scrolls.
let goingTo = 0;
function keepInView(place) {
  const turn = ++goingTo;
  let still = 0, last = null;
  const step = () => {
    if (turn !== goingTo) return;
    const top = Math.round(place.getBoundingClientRect().top);
    still = top === last ? still + 1 : 0;
    if (!still) place.scrollIntoView();
    last = Math.round(place.getBoundingClientRect().top);
    if (still < 10) requestAnimationFrame(step);
  };
  step();
}
for (const event of ["wheel", "touchmove", "keydown", "pointerdown"]) {
  addEventListener(event, () => { goingTo++; }, {passive: true});
}

function goToTarget() {
  const id = targetId();
  const row = by(id.split("/")[0]);
  const chapter = row && row.closest("details.chapter");
  if (!chapter) return;
  if (row !== chapter) reveal(row);
  else if (chapter.hidden) clearFilters();
  chapter.open = true;
  measureBar();
  const place = by(id) || row;
  document.querySelectorAll(".target").forEach(old => old.classList.remove("target"));
  if (place !== chapter) place.classList.add("target");
  keepInView(place);
}
addEventListener("hashchange", goToTarget);
// A second click on a link changes no hash, and leads there all the same.
addEventListener("click", event => {
  const link = event.target.closest("a[href^='#']");
  if (link && link.hash === location.hash) goToTarget();
});
addEventListener("beforeprint", () => chapters.forEach(chapter => { chapter.open = true; }));
{% include "laws.js" %}
measureBar();
filter();
goToTarget();
