// --- what the address holds: engine, status, level, query, and the two that are compared ---

const KEPT = {engine: "engine", status: "status", level: "level", q: "search", a: "compare-a", b: "compare-b"};
const chosen = () => (by("engine").value === "" ? null : Number(by("engine").value));
function writeState() {
  const kept = new URLSearchParams();
  for (const [name, id] of Object.entries(KEPT)) {
    const control = by(id);
    if (!control || !control.value || (control.dataset.usual ?? "") === control.value) continue;
    kept.set(name, name === "engine" ? engines[Number(control.value)].key : control.value);
  }
  if (by("folklore").checked) kept.set("folklore", "1");
  const query = kept.toString();
  try { history.replaceState(null, "", location.pathname + (query ? "?" + query : "") + location.hash); } catch { /* some browsers refuse this for files */ }
}
function readState() {
  const kept = new URLSearchParams(location.search);
  for (const [name, id] of Object.entries(KEPT)) {
    const control = by(id), value = kept.get(name);
    if (!control || value === null) continue;
    const place = engines.findIndex(engine => engine.key === value);
    control.value = name === "engine" ? (place < 0 ? "" : String(place)) : value;
    if (control.selectedIndex === -1) control.selectedIndex = 0;
  }
  by("folklore").checked = kept.get("folklore") === "1";
  fitEngines();
}

// One engine alone, where one was chosen. What is in view shows it at once, so each part of the page has its own mark.
const alone = () => chosen() !== null && engines.length > 1;
function showEngine(part) {
  if (part.matches(".engine")) { part.hidden = alone() && part.dataset.engine !== by("engine").value; return; }
  part.dataset.shown = chosen() || 0;
  part.classList.toggle("only", alone());
}
// A narrow screen shows the marks of one engine, so there one is always chosen.
const narrow = matchMedia("(max-width: 48rem)");
function fitEngines() {
  const control = by("engine"), all = control.options[0], one = narrow.matches || engines.length === 1;
  if (all.value === "") all.hidden = all.disabled = one;
  control.dataset.usual = one ? "0" : "";
  if (one && control.value === "") control.value = "0";
}
narrow.addEventListener("change", () => { fitEngines(); choose(by("engine").value); });
function choose(engine) {
  for (const pick of document.querySelectorAll(".pick-engine")) pick.value = pick.id === "engine" || engine ? engine : "0";
  if (by("laws-engine") && engine && by("laws-engine").value !== engine) {
    by("laws-engine").value = engine;
    by("laws-engine").dispatchEvent(new Event("input"));
  }
  filter();
}
for (const pick of document.querySelectorAll(".pick-engine")) pick.addEventListener("input", () => choose(pick.value));
