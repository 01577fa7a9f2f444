"use strict";
(async () => {
// The first screen needs no script: let it be painted first.
await Promise.race([new Promise(done => requestAnimationFrame(() => setTimeout(done))), new Promise(done => setTimeout(done, 150))]);
const by = id => document.getElementById(id);
const rows = [...document.querySelectorAll("details.behavior")];
const chapters = [...document.querySelectorAll("details.chapter")];
const engines = JSON.parse(by("engines").textContent);
const MARKS = {{ marks | data }}, OF_RESULTS = {{ of_results | data }};
const STATUS_OF = Object.fromEntries(Object.entries(MARKS).map(([status, mark]) => [mark, status]));
const read = new Map();  // what a chapter's rows hold, read when it is first asked for
const drawn = new WeakMap();  // the rows whose inside is drawn, and for which engine

{% if packed %}{% include "unlzma.js" %}{% endif %}
async function unpack({textContent, dataset}) {
  const bytes = Uint8Array.from(atob(textContent), letter => letter.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(await unlzma(bytes, Number(dataset.size))));
}
const packed = by("packed") && await unpack(by("packed"));

function chapterData(name) {
  if (!read.has(name)) {
    const data = packed ? Object.fromEntries(Object.entries(packed).map(([kind, parts]) => [kind, parts[name]])) : JSON.parse(by("data-" + name).textContent);
    for (const kind in data.columns) data.columns[kind] = expanded(data.columns[kind]);
    data.verdicts = data.columns["results.verdict"].map(place => data["results.verdict"][place]);
    data.size = 0;
    for (const found of Object.values(data.behaviors)) {  // the places of its cases in the columns
      found.from = data.size;
      found.to = data.size += found.cases;
    }
    read.set(name, data);
  }
  return read.get(name);
}
// The numbers of a column, as `coded` in page.py writes them.
function expanded(text) {
  const column = [];
  let most = -1, high = 0;
  for (let place = 0; place < text.length; place++) {
    const code = text.charCodeAt(place);
    if (code >= 93) { high = high * 34 + code - 93; continue; }
    const number = code === 33 ? most + 1 : high * 56 + code - 35;
    if (number > most) most = number;
    high = 0;
    column.push(number);
  }
  return column;
}
const nameOf = chapter => chapter.id.replace("chapter-", "");
const chapterOf = row => nameOf(row.parentNode);
const dataOf = row => chapterData(chapterOf(row));

// What a case has in a table, and the number of an engine's result.
const of = (data, kind, at) => data[kind + "s"][data.columns[kind][at]];
const numberOf = (data, engine, at) => data.columns.result[engine * data.size + at];
const verdictOf = (data, engine, at) => data.verdicts[numberOf(data, engine, at)];
function resultOf(data, number) {
  const result = {};
  for (const kind of OF_RESULTS) {
    const value = data["results." + kind][data.columns["results." + kind][number]];
    if (value !== null) result[kind] = value;
  }
  return result;
}
// The end of a case's id, its name, and its row.
function namesOf(data, at) {
  const name = of(data, "name", at), row = of(data, "row", at);
  if (typeof name === "string") return [slug(name) + (row ? "[" + row + "]" : ""), name, row];
  return [name[0], name[1] || name[0], (name[0].match(/\[(.*)\]$/) || ["", ""])[1]];
}
// A case with all that it refers to. `results` has pairs of engines and result: first that of the engine that was
// chosen, then failures; of these and of the others that of most.
function caseOf(data, behavior, at) {
  const [end, name, row] = namesOf(data, at), together = new Map();
  engines.forEach((_, engine) => {
    const number = numberOf(data, engine, at);
    together.set(number, [...(together.get(number) || []), engine]);
  });
  const weight = ([number, names]) => (names.includes(chosen()) ? 2 : NOT_HELD.has(data.verdicts[number]) ? 1 : 0) * engines.length + names.length;
  const results = [...together].sort((one, other) => weight(other) - weight(one)).map(([number, names]) => [names, resultOf(data, number)]);
  return {id: behavior + "/" + end, name, row, values: of(data, "value", at), program: of(data, "program", at), drawing: of(data, "drawing", at), results};
}
const placesOf = ({from, to}) => Array.from({length: to - from}, (_, index) => from + index);
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

{% include "drawing.js" %}
{% include "rows.js" %}
{% include "state.js" %}
{% include "filters.js" %}
{% include "places.js" %}
{% include "compare.js" %}
{% include "laws.js" %}
readState();
measureBar();
choose(by("engine").value);
goToTarget();
document.documentElement.dataset.ready = "1";
})();
