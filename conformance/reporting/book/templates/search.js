"use strict";
// What finds entries of the book's index. It knows no page, so that it can be tried by itself.
// A text is a list of words. Spellings are made one: "in-place", "in place" and "inplace" give the same
// word, and so do "zero_grad" and "zero grad", which can also be found by their parts.
const parts = text => text.toLowerCase().split(/[^a-z0-9]+/).filter(Boolean);
const IRREGULAR = new Map([["leaves", "leaf"], ["indices", "index"], ["matrices", "matrix"]]);
const stem = word => IRREGULAR.has(word) ? IRREGULAR.get(word) : word.length > 4 ? word.replace(/(ies|es|s)$/, "").replace(/(ing|ed)$/, "").replace(/(.)\1$/, "$1").replace(/e$/, "") : word;
function words(text) {
  const found = [];
  for (const run of text.toLowerCase().split(/\s+/)) {
    const pieces = parts(run);
    found.push(...pieces);
    if (pieces.length > 1 && pieces.length < 5) found.push(pieces.join(""));
  }
  return found;
}
const FIELDS = [[1, 10], [4, 4], [3, 2]]; // where an entry has words, and what a word there weighs
const KINDS = { chapter: 1.6, term: 1.5, operation: 1.25, behavior: 1, error: 1.1, warning: 1.1 };
function prepare(data) {
  const table = new Map(); // from a stem to the entries that have it, and how much it weighs there
  data.entries.forEach((entry, number) => {
    const weights = new Map();
    for (const [field, weight] of FIELDS)
      for (const word of words(entry[field])) weights.set(stem(word), Math.max(weight, weights.get(stem(word)) || 0));
    for (const [word, weight] of weights) {
      if (!table.has(word)) table.set(word, new Map());
      table.get(word).set(number, weight / (field1Length(entry) > 12 ? 1.15 : 1));
    }
  });
  const same = new Map();
  for (const group of data.synonyms) {
    const joined = group.map(name => stem(parts(name).join("")));
    for (const name of joined) same.set(name, new Set([...(same.get(name) || []), ...joined]));
  }
  return { entries: data.entries, table, same, known: [...table.keys()].sort() };
}
const field1Length = entry => parts(entry[1]).length;

// One letter more, less, other or two swapped.
function near(a, b) {
  if (Math.abs(a.length - b.length) > 1) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const rest = (x, y) => a.slice(at + x) === b.slice(at + y);
  return rest(1, 1) || rest(1, 0) || rest(0, 1) || (a[at] === b[at + 1] && a[at + 1] === b[at] && rest(2, 2));
}

// The words of the index that a word of a question may mean, and how sure that is.
function meanings(index, word) {
  const found = new Map();
  const add = (name, sure) => { if (index.table.has(name)) found.set(name, Math.max(sure, found.get(name) || 0)); };
  const root = stem(word);
  add(root, 1);
  for (const other of index.same.get(root) || []) add(other, .6);
  if (root.length > 1) for (const name of index.known) if (name !== root && name.startsWith(root)) add(name, .5 * root.length / name.length + .15);
  if (!found.size && root.length > 3) for (const name of index.known) if (near(root, name)) add(name, .35);
  return found;
}

// The question as groups: each is one word, or neighbours that the index knows as one ("in place").
function groups(index, question) {
  const runs = question.toLowerCase().split(/\s+/).map(parts).filter(run => run.length);
  const made = [];
  for (let at = 0; at < runs.length; at++) {
    const pair = at + 1 < runs.length ? runs[at].join("") + runs[at + 1].join("") : "";
    if (pair && (index.table.has(stem(pair)) || index.same.has(stem(pair)))) { made.push([pair, [...runs[at], ...runs[at + 1]]]); at++; }
    else made.push([runs[at].join(""), runs[at].length > 1 ? runs[at] : []]);
  }
  return made;
}

function weigh(index, word) {
  const scores = new Map();
  for (const [name, sure] of meanings(index, word)) {
    const entries = index.table.get(name), rare = Math.log(1 + index.entries.length / entries.size);
    for (const [entry, weight] of entries) scores.set(entry, Math.max(scores.get(entry) || 0, weight * sure * rare));
  }
  return scores;
}

function search(index, question, most = 12) {
  const total = new Map(), hits = new Map(), asked = groups(index, question);
  for (const [whole, pieces] of asked) {
    const scores = weigh(index, whole);
    if (pieces.length) {
      const each = pieces.map(piece => weigh(index, piece));
      for (const [entry, score] of each[0]) if (each.every(one => one.has(entry)))
        scores.set(entry, Math.max(scores.get(entry) || 0, .8 * Math.min(...each.map(one => one.get(entry)))));
    }
    for (const [entry, score] of scores) { total.set(entry, (total.get(entry) || 0) + score); hits.set(entry, (hits.get(entry) || 0) + 1); }
  }
  const whole = text => stem(parts(text).join("")), plain = whole(question);
  const ranked = [...total].map(([entry, score]) => {
    const [kind, title, , , more] = index.entries[entry];
    const named = kind === "chapter" && whole(more) === plain;  // what is promised comes before what the word means
    const exact = named || whole(title) === plain;
    const own = kind === "behavior" && whole(more.split(".")[0]) === plain;  // of the chapter with this name
    return [entry, score * (KINDS[kind] || 1) * (named ? 12 : exact ? 4 : own ? 1.3 : 1) * Math.pow(.3, asked.length - hits.get(entry))];
  });
  return ranked.sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, most).map(([entry]) => index.entries[entry]);
}
if (typeof module !== "undefined") module.exports = { prepare, search };
