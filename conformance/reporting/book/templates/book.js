"use strict";
// The book can be read without this script. It adds the search, the choice of light and dark, and the
// filter of the table of operations. Nothing is loaded over a network: pages may come from a disk.
const root = document.documentElement;
const by = id => document.getElementById(id);

// --- light and dark ---
const stored = { get: name => { try { return localStorage.getItem(name); } catch { return null; } },
  set: (name, value) => { try { localStorage.setItem(name, value); } catch { /* a page from a disk may have no store */ } } };
const prefersDark = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => root.dataset.theme ? root.dataset.theme === "dark" : prefersDark.matches;
const theme = by("theme");
const showTheme = () => { theme.textContent = isDark() ? "Light" : "Dark"; theme.setAttribute("aria-label", `Switch to ${isDark() ? "light" : "dark"} colors`); };
if (["light", "dark"].includes(stored.get("gradspec-theme"))) root.dataset.theme = stored.get("gradspec-theme");
theme.addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; stored.set("gradspec-theme", root.dataset.theme); showTheme(); });
prefersDark.addEventListener("change", showTheme);
theme.hidden = false;
showTheme();

// --- contents: open beside the text, folded above it ---
const beside = matchMedia("(min-width: 62.01rem)");
const unfold = () => { by("contents").open = beside.matches; };
beside.addEventListener("change", unfold);
unfold();
const current = document.querySelector(".contents [aria-current]");
if (current && beside.matches) { const box = document.querySelector(".contents"); box.scrollTop = current.offsetTop - box.clientHeight / 3; }

// --- an address within something folded opens it ---
const reveal = () => {
  let target = null;
  try { target = by(decodeURIComponent(location.hash.slice(1))); } catch { /* not an address of ours */ }
  if (!target) return;
  let folded = false;
  for (let box = target.parentElement; box; box = box.parentElement) if (box.tagName === "DETAILS" && !box.open) { box.open = folded = true; }
  if (folded) target.scrollIntoView();
};
addEventListener("hashchange", reveal);
reveal();

// --- what scrolls can be scrolled with the keyboard ---
const reach = () => { for (const box of document.querySelectorAll("pre:not([tabindex]), .drawing:not([tabindex])")) if (box.scrollWidth > box.clientWidth + 1) box.tabIndex = 0; };
addEventListener("toggle", reach, true);
addEventListener("resize", reach);
reach();

// --- the search ---
let index = null;
const field = by("search"), found = by("found");
let chosen = -1;
function load() {
  if (index || load.asked) return;
  load.asked = true;
  const script = document.createElement("script");
  script.src = "search-index.js";
  script.onload = () => { index = prepare(window.gradspecIndex); show(); };
  document.head.append(script);
}
function show() {
  const question = field.value.trim();
  found.hidden = !question || !index;
  field.setAttribute("aria-expanded", String(!found.hidden));
  field.removeAttribute("aria-activedescendant");
  chosen = -1;
  if (found.hidden) return;
  const results = search(index, question);
  found.replaceChildren(...results.map(([kind, title, where, text, more], number) => {
    const link = document.createElement("a"), small = document.createElement("small"), bold = document.createElement("b");
    link.href = where; link.id = `found-${number}`; link.setAttribute("role", "option"); link.setAttribute("aria-selected", "false"); link.tabIndex = -1;
    link.textContent = title;
    bold.textContent = kind;
    small.append(bold, " ", kind === "behavior" ? more.split(" ")[0] : text.length > 110 ? text.slice(0, 110).replace(/\S*$/, "…") : text);
    link.append(small);
    return link;
  }));
  if (!results.length) { const none = document.createElement("p"); none.textContent = "Nothing was found. Try another word, or the index of words."; found.append(none); }
}
function choose(number) {
  const links = [...found.querySelectorAll("a")];
  if (!links.length) return;
  chosen = (number + links.length) % links.length;
  links.forEach((link, at) => link.setAttribute("aria-selected", String(at === chosen)));
  links[chosen].scrollIntoView({ block: "nearest" });
  field.setAttribute("aria-activedescendant", links[chosen].id);
}
field.disabled = false;
field.addEventListener("focus", load);
field.addEventListener("input", () => { load(); show(); });
field.addEventListener("keydown", event => {
  if (event.key === "ArrowDown" || event.key === "ArrowUp") { event.preventDefault(); choose(chosen + (event.key === "ArrowDown" ? 1 : -1)); }
  if (event.key === "Escape") { field.value = ""; show(); field.blur(); }
});
field.form.addEventListener("submit", event => {
  event.preventDefault();
  const link = found.querySelectorAll("a")[Math.max(chosen, 0)];
  if (link) { found.hidden = true; location.href = link.href; field.blur(); }
});
found.addEventListener("click", () => { found.hidden = true; });
addEventListener("click", event => { if (!field.form.contains(event.target)) found.hidden = true; });
addEventListener("keydown", event => {
  const writing = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName);
  if (!writing && event.key === "/" && !event.ctrlKey && !event.metaKey) { event.preventDefault(); field.focus(); }
  if (!writing && !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey && document.activeElement === document.body) {
    const turn = document.querySelector(event.key === "ArrowLeft" ? "link[rel=prev]" : event.key === "ArrowRight" ? "link[rel=next]" : "nothing");
    if (turn) location.href = turn.href;
  }
});
const asked = new URLSearchParams(location.search).get("q");
if (asked) { field.value = asked; load(); }

// --- the table of operations ---
const filter = by("filter");
if (filter) {
  filter.disabled = false;
  const rows = [...document.querySelectorAll("#operations tr[data-words]")];
  const apply = () => {
    const wanted = words(filter.value), kept = rows.filter(row => {
      const text = row.dataset.words.toLowerCase();
      row.hidden = !wanted.every(word => text.includes(word) || text.replace(/[^a-z0-9 ]/g, "").includes(word));
      return !row.hidden;
    });
    for (const body of document.querySelectorAll("#operations tbody")) body.hidden = !body.querySelector("tr[data-words]:not([hidden])");
    by("filtered").textContent = filter.value ? `${kept.length} of ${rows.length} operations` : "";
  };
  filter.addEventListener("input", apply);
}
