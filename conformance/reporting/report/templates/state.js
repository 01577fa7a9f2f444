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
  showEngine();
}

// One engine alone, where one was chosen; on a narrow screen it is always one.
function showEngine() {
  const engine = chosen(), only = engine !== null && engines.length > 1;
  document.body.dataset.engine = engine || 0;
  document.body.classList.toggle("only", only);
  document.body.classList.toggle("many", engines.length > 6);
  for (const section of document.querySelectorAll("section.engine")) section.classList.toggle("chosen", Number(section.dataset.engine) === engine);
  for (const pick of document.querySelectorAll(".pick-engine")) pick.value = pick.id === "engine" && engine === null ? "" : String(engine || 0);
  if (by("laws-engine") && only && by("laws-engine").value !== String(engine)) {
    by("laws-engine").value = String(engine);
    by("laws-engine").dispatchEvent(new Event("input"));
  }
}
for (const pick of document.querySelectorAll(".pick-engine")) pick.addEventListener("input", () => {
  by("engine").value = pick.value;
  showEngine();
  redraw();
  filter();
});
