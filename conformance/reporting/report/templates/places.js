// --- where links lead ---

// The height of the bar that stays in view: what is scrolled to comes to stand below it.
function measureBar() {
  const height = bar.offsetHeight + 8 + "px";
  if (list.style.getPropertyValue("--bar-height") !== height) list.style.setProperty("--bar-height", height);
}
addEventListener("resize", measureBar);

function targetId() {
  const hash = location.hash.slice(1);
  try { return decodeURIComponent(hash); } catch { return hash; }
}

// A row that a link leads to is shown whatever the filters say, with a note.
function reveal(row) {
  const chapter = row.closest("details.chapter");
  const filtered = !fitting[placeOf.get(row)];
  chapter.hidden = row.hidden = false;
  chapter.open = row.open = true;
  draw(row);
  if (filtered) {
    notes.push(element("p", "note", "The filters exclude this behavior; it is shown because a link points to it."));
    row.querySelector(".inside").prepend(notes.at(-1));
  }
}

// The statement of a row, without its id and tags.
function statementOf(row) {
  const said = row.querySelector("summary > span").cloneNode(true);
  said.querySelectorAll(".id, .tag").forEach(part => part.remove());
  return said.childNodes;
}

// Scrolls until the place stays: the page may still be laid out. Ends as soon as the reader scrolls.
const STILL = 500;  // milliseconds
let goingTo = 0;
function keepInView(place) {
  const turn = ++goingTo, start = performance.now();
  let still = 0, last = null;
  const step = () => {
    if (turn !== goingTo) return;
    const top = Math.round(place.getBoundingClientRect().top);
    still = top === last ? still + 1 : 0;
    if (!still) place.scrollIntoView();
    last = Math.round(place.getBoundingClientRect().top);
    if (still < 10 || performance.now() < start + STILL) requestAnimationFrame(step);
  };
  step();
}
for (const event of ["wheel", "touchmove", "keydown", "pointerdown"]) {
  addEventListener(event, () => { goingTo++; }, {passive: true});
}

// A busy browser restores the older position long after one went back, so it must not where the address names a
// place. Each entry of the history has a setting of its own.
function restoreUnlessNamed() {
  history.scrollRestoration = location.hash ? "manual" : "auto";
}

function goToTarget() {
  restoreUnlessNamed();
  const id = targetId();
  const row = by(id.split("/")[0]);
  const chapter = row && row.closest("details.chapter");
  const section = row && row.closest("section.engine");
  if (section && alone()) {  // an engine's own part
    choose(section.dataset.engine);
    showNow(section);
    writeState();
  }
  if (!chapter) {  // another part of the page, which moves while those above it are laid out
    if (by(id)) keepInView(by(id));
    return;
  }
  showNow(chapter);
  if (row !== chapter) reveal(row);
  else if (chapter.hidden) clearFilters();
  chapter.open = true;
  measureBar();
  const place = by(id) || row;
  document.querySelectorAll(".leads").forEach(old => old.classList.remove("leads"));
  for (const box of [chapter, row]) box.classList.add("leads");
  document.querySelectorAll(".stated").forEach(old => old.remove());
  document.querySelectorAll(".target").forEach(old => old.classList.remove("target"));
  if (place !== chapter) place.classList.add("target");
  if (place.matches(".case")) place.prepend(element("p", "stated", ...statementOf(row)));  // its row may be far above
  keepInView(place);
}
addEventListener("hashchange", goToTarget);
// A second click on a link changes no hash, and leads there all the same.
addEventListener("click", event => {
  const link = event.target.closest("a[href^='#']");
  if (link && link.hash === location.hash && !link.dataset.link) goToTarget();
});

// A printed page has the programs of the rows in view: of the chapters that are open, or of all if none is. Of many
// rows it has the statements, and the programs of those that are open: all would be thousands of pages.
const MOST_PRINTED = 300;
addEventListener("beforeprint", () => {
  const open = chapters.some(chapter => chapter.open && !chapter.hidden);
  const printed = rows.filter(row => !row.hidden && !row.parentNode.hidden && (row.parentNode.open || !open));
  if (printed.length > MOST_PRINTED) return;
  for (const row of printed) { row.parentNode.open = true; draw(row); row.open = true; }
});
