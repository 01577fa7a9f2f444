// --- search and filters ---

const texts = [];  // what is searched, by row; made while nobody waits
function text(index) {
  if (texts[index] === undefined) {
    const row = rows[index], data = dataOf(row), found = data.behaviors[row.id];
    const said = [row.firstElementChild.firstElementChild.textContent, row.id, found.pitfall, found.differs, found.refuses, found.folklore];
    for (const place of found.sources) said.push(data.sources[place].join(" "));
    const results = new Set();
    for (const at of placesOf(found)) {
      const [end, name, tagged] = namesOf(data, at);
      said.push(row.id + "/" + end, name, tagged, of(data, "program", at), [of(data, "value", at)].flat(2).join(" "));
      engines.forEach((_, engine) => results.add(numberOf(data, engine, at)));
    }
    for (const number of results) {
      const {kind, message, where, reason, observed} = resultOf(data, number);
      if (kind || message || reason) said.push(kind, message, where, reason, observed);
    }
    texts[index] = said.join("\n").toLowerCase();
  }
  return texts[index];
}
let prepared = 0;
const idle = window.requestIdleCallback || (work => setTimeout(() => work({timeRemaining: () => 8}), 30));
function prepare(deadline) {
  while (prepared < rows.length && deadline.timeRemaining() > 2) text(prepared++);
  if (prepared < rows.length) idle(prepare);
  else document.documentElement.dataset.searchable = "1";
}
if (document.readyState === "complete") idle(prepare);  // the script may begin only after the page was loaded
else addEventListener("load", () => idle(prepare));

const statusFits = (index, status, engine) => (engine === null ? statusesOf[index].includes(status) : statusesOf[index][engine] === status);
let before = null, fitting = [];  // what the filters were, and which rows fitted them
let opened = null;  // which chapters were open before the filters opened theirs
const notes = [];  // beside rows that are shown although the filters exclude them
// Shows what fits, and the engine that was chosen. What is in view comes with the next frame, the rest after it.
function filter() {
  const query = by("search").value.toLowerCase(), words = query.split(/\s+/).filter(Boolean);
  const status = by("status").value, level = by("level").value, folklore = by("folklore").checked;
  const engine = chosen(), active = Boolean(words.length || status || level || folklore);
  const others = [status, level, folklore, status && engine].join(" ");
  const changed = before && (before.others !== others || before.query !== query);
  const narrower = before && before.others === others && query.startsWith(before.query);  // nothing else can fit
  if (changed) toTop();
  // The bar stays where it is, not what it filters; but when engines come and go above it, the rows do.
  if (before && before.engine === engine) list.style.overflowAnchor = "none";
  notes.splice(0).forEach(note => note.remove());
  const found = new Map(chapters.map(chapter => [chapter, []]));  // the rows that fit
  let shown = 0, lines = 0;
  rows.forEach((row, index) => {
    const fits = (!narrower || fitting[index]) && (!status || statusFits(index, status, engine)) && (!level || (row.dataset.level || "documented") === level)
      && (!folklore || row.dataset.folklore === "1") && words.every(word => text(index).includes(word));
    fitting[index] = fits;
    if (fits) { shown += 1; found.get(row.parentNode).push(row); } else if (!row.hidden) row.hidden = true;
  });
  if (active && !opened) opened = chapters.map(chapter => chapter.open);
  list.classList.toggle("filtered", active);
  showEngine(bar);
  const first = active && toOpen(found);
  later.length = 0;
  chapters.forEach((chapter, index) => {
    const fits = found.get(chapter), open = active ? first.has(chapter) : opened ? opened[index] : chapter.open;
    if (chapter.open && !open) chapter.open = false;
    if (active && !fits.length) {
      if (!chapter.hidden) chapter.hidden = true;
      return;
    }
    for (let at = 0; at === 0 || at < fits.length; at += open ? CHUNK : fits.length) {
      const part = open ? fits.slice(at, at + CHUNK) : fits, size = open ? part.length + 1 : 1;
      soon(changed ? lines < SCREEN : !before || inView.has(chapter), size, () => show(chapter, open, part, active && fits.length), chapter);
      lines += size;
    }
  });
  for (const part of above) soon(!before || inView.has(part), CHUNK, () => showEngine(part), part);
  if (later.length) idle(showLater);
  if (!active) opened = null;
  by("nothing").hidden = shown > 0;
  by("count").textContent = shown + " of " + rows.length + " behaviors";
  before = {query, others, engine};
  clearTimeout(writing);
  writing = setTimeout(() => {  // an address is needed when typing ends
    list.style.overflowAnchor = "";
    measureBar();
    writeState();
  }, 200);
}
function show(chapter, open, part, fits) {
  showEngine(chapter);
  const count = (fits ? fits + " of " : "") + sizes.get(chapter), shown = chapter.querySelector("h3 > span");
  if (shown.textContent !== count) shown.textContent = count;
  if (chapter.hidden) chapter.hidden = false;
  for (const row of part) {
    if (open) drawMarks(row);  // now, so that they are painted together
    if (open && row.open) soon(inView.has(row), CHUNK, () => draw(row), row);
    if (row.hidden) row.hidden = false;
  }
  if (chapter.open !== open) chapter.open = open;
}
// However far the list was scrolled, what fits comes to stand below the bar.
const list = by("chapters"), bar = document.querySelector(".bar-top");
function toTop() {
  if (list.getBoundingClientRect().top < bar.getBoundingClientRect().bottom - 1) keepInView(list);
}
// What fits on a screen is shown at once, and what is below it after that was painted, a part at a time.
const SCREEN = 14, CHUNK = 7, later = [];
function soon(now, size, work, part) {
  if (now) work();
  else later.push({size, work, part});
}
function showLater() {
  for (let done = 0; later.length && done < SCREEN;) {
    const {size, work} = later.shift();
    work();
    done += size;
  }
  if (later.length) idle(showLater);
}
function showNow(part) {
  const own = later.filter(one => one.part === part);
  later.splice(0, later.length, ...later.filter(one => one.part !== part));
  for (const {work} of own) work();
}
// Few rows are opened to be read, those of the chapters of which most fits; the others can be opened by hand.
const ROOM = 15, MOST_OPENED = 40;
function toOpen(found) {
  const fits = chapters.filter(chapter => found.get(chapter).length), share = chapter => found.get(chapter).length / sizes.get(chapter);
  const first = new Set();
  let room = ROOM;
  for (const chapter of fits.sort((one, other) => share(other) - share(one))) {
    const count = found.get(chapter).length;
    if (count > room && (first.size || count > MOST_OPENED)) continue;
    first.add(chapter);
    room -= count;
  }
  return first;
}
const sizes = new Map(chapters.map(chapter => [chapter, chapter.querySelectorAll("details.behavior").length]));
let writing = 0;
["status", "level", "folklore"].forEach(id => by(id).addEventListener("input", filter));
// The chapters, open rows and parts above them that can be seen.
const inView = new Set(), above = [...document.querySelectorAll(".heat, section.engine")];
const watch = new IntersectionObserver(entries => {
  for (const {target, isIntersecting} of entries) isIntersecting ? inView.add(target) : inView.delete(target);
});
[...chapters, ...above].forEach(part => watch.observe(part));
// A letter is painted before the rows are filtered, once for letters that follow each other fast.
let typed = false;
by("search").addEventListener("input", () => {
  if (!typed) requestAnimationFrame(() => setTimeout(() => { typed = false; filter(); }));
  typed = true;
});
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
  if (event.key === "/" && !typing) {
    if (bar.getBoundingClientRect().top > 0) keepInView(bar);  // with room for what is found
    by("search").focus({preventScroll: true});
    event.preventDefault();
  }
  if (event.key === "Escape" && event.target === by("search")) { by("search").value = ""; filter(); }
  if ((event.key === "j" || event.key === "k") && !typing && !event.ctrlKey && !event.metaKey) {
    const places = [...document.querySelectorAll("details.chapter:not([hidden]) > summary, details.chapter[open]:not([hidden]) > details.behavior:not([hidden]) > summary")];
    const next = places[places.indexOf(document.activeElement) + (event.key === "j" ? 1 : -1)];
    if (next) { next.focus(); next.scrollIntoView({block: "nearest"}); }
  }
});

// --- the heat map ---

const heat = document.querySelector(".heat tbody");
by("heat-order").hidden = heat.children.length < 2;
by("heat-order").addEventListener("click", () => {
  const button = by("heat-order"), pressed = button.getAttribute("aria-pressed") === "true";
  button.setAttribute("aria-pressed", String(!pressed));
  if (!heat.order) heat.order = [...heat.children];
  const inOrder = [...heat.order].sort((a, b) => a.dataset.n - b.dataset.n);
  heat.replaceChildren(...(pressed ? heat.order : inOrder));
});
heat.addEventListener("mouseover", event => {
  const cell = event.target.closest("a[data-e]");
  if (cell && !cell.title) cell.title = cell.getAttribute("aria-label");
});
heat.addEventListener("click", event => {
  const cell = event.target.closest("a[data-e]");
  if (!cell) return;
  clearFilters();
  choose(cell.dataset.e);
  writeState();
});
