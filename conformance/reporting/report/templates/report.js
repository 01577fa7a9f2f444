"use strict";
(async () => {
// The first screen needs no script: let it be painted first.
await Promise.race([new Promise(done => requestAnimationFrame(() => setTimeout(done))), new Promise(done => setTimeout(done, 150))]);
const by = id => document.getElementById(id);
const rows = [...document.querySelectorAll("details.behavior")];
const chapters = [...document.querySelectorAll("details.chapter")];
const engines = JSON.parse(by("engines").textContent);
const MARKS = {{ marks | data }};
const STATUS_OF = Object.fromEntries(Object.entries(MARKS).map(([status, mark]) => [mark, status]));
const read = new Map();  // what a chapter's rows hold, read when it is first asked for
const drawn = new WeakSet();

// The data of a large page is compressed.
async function unpack(text) {
  const letters = atob(text), bytes = new Uint8Array(letters.length);
  for (let place = 0; place < letters.length; place++) bytes[place] = letters.charCodeAt(place);
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
}
const packed = by("packed") ? await unpack(by("packed").textContent) : null;

function chapterData(name) {
  if (!read.has(name)) {
    const data = packed ? packed[name] : JSON.parse(by("data-" + name).textContent);
    for (const found of Object.values(data.behaviors)) found.cases = unpacked(found.cases);
    data.shared = data.shared.map(byResult);
    read.set(name, data);
  }
  return read.get(name);
}
// Cases are kept column by column: values, each with how often it follows; "+" counts up by one.
function unpacked(columns) {
  const expanded = columns.map(runs => {
    const column = [];
    for (let place = 0; place < runs.length; place += 2) {
      const value = Array.isArray(runs[place]) ? runs[place][0] : runs[place];
      for (let count = 0; count < runs[place + 1]; count++) column.push(value === "+" ? column[column.length - 1] + 1 : value);
    }
    return column;
  });
  return expanded[0].map((_, index) => expanded.map(column => column[index]));
}
// The result of most engines, then others after the engines that have them, as pairs of engines and result.
function byResult([most, ...others]) {
  const rest = new Set(engines.keys()), pairs = [];
  for (let place = 0; place < others.length; place += 2) {
    others[place].forEach(engine => rest.delete(engine));
    pairs.push([others[place], others[place + 1]]);
  }
  return [[[...rest], most], ...pairs];
}
const chapterOf = row => row.parentNode.id.replace("chapter-", "");
const dataOf = row => chapterData(chapterOf(row));

// A case as it stands in the data, with what it refers to. `results` has pairs of engines and result.
function caseOf(data, behavior, [name, shared, program, row, values]) {
  const named = data.names[name];
  const [end, title] = typeof named === "string" ? [slug(named) + (row ? "[" + row + "]" : ""), named] : named;
  if (!row) row = (end.match(/\[(.*)\]$/) || ["", ""])[1];
  const results = data.shared[shared].map(([names, result]) => [names, data.results[result]]);
  return {id: behavior + "/" + end, name: title || end, program: data.programs[program - 1], row, values: values && data.names[values - 1], results};
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

// --- what is behind a row ---

{% include "rows.js" %}
{% include "state.js" %}
{% include "filters.js" %}
{% include "places.js" %}
{% include "compare.js" %}
{% include "laws.js" %}
readState();
measureBar();
filter();
goToTarget();
document.documentElement.dataset.ready = "1";
})();
