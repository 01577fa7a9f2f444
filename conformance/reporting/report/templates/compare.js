// --- two engines beside each other ---

const earlier = JSON.parse(by("changes").textContent);
// What can be compared: the engines, and earlier runs of them, by the names in the address.
const sides = engines.map((engine, index) => ({key: engine.key, name: engine.name, engine: index, before: {}}))
  .concat(earlier.map(({engine, version, before}) => ({key: engines[engine].key + "@before", name: engines[engine].name + ", earlier" + (version ? " (" + version + ")" : ""), engine, before})));

// The earlier verdicts of a side's cases that have changed, by chapter and place.
function earlierOf(side) {
  if (side.changed) return side.changed;
  side.changed = new Map(chapters.map(chapter => [nameOf(chapter), new Map()]));
  const ends = new Map();
  for (const id of Object.keys(side.before)) {
    const behavior = id.split("/")[0], row = by(behavior);
    if (!row) continue;
    const data = dataOf(row), found = data.behaviors[behavior];
    if (!ends.has(behavior)) ends.set(behavior, new Map(placesOf(found).map(at => [behavior + "/" + namesOf(data, at)[0], at])));
    side.changed.get(chapterOf(row)).set(ends.get(behavior).get(id), side.before[id]);
  }
  return side.changed;
}
// What became of what: for each pair of verdicts the cases by chapter, each as its behavior and its place.
function compared(a, b) {
  const groups = new Map();
  for (const chapter of chapters.map(nameOf)) {
    const data = chapterData(chapter), verdicts = data.verdicts, results = data.columns.result;
    const [old, young] = [a, b].map(side => earlierOf(side).get(chapter)), [one, other] = [a, b].map(side => side.engine * data.size);
    const same = !old.size && !young.size;  // then equal numbers of results say all
    for (const [behavior, {from, to}] of Object.entries(data.behaviors)) {
      for (let at = from; at < to; at++) {
        if (same && results[one + at] === results[other + at]) continue;
        const was = old.get(at) || verdicts[results[one + at]], is = young.get(at) || verdicts[results[other + at]];
        if (was === is) continue;
        const name = was + " → " + is;
        if (!groups.has(name)) groups.set(name, {was, is, count: 0, cases: new Map()});
        const group = groups.get(name);
        group.count += 1;
        if (!group.cases.has(chapter)) group.cases.set(chapter, []);
        group.cases.get(chapter).push([behavior, at]);
      }
    }
  }
  const order = ({is, count}) => (FAILING.has(is) ? 1e9 : 0) + count;  // what fails now comes first
  return [...groups.values()].sort((one, other) => order(other) - order(one));
}
const grouped = number => number.toLocaleString("en");
const FAILING = new Set(["fail", "flaky", "crash", "timeout"]), MOST = 60, FEW = 40;
// A box whose inside is drawn when it is first opened.
function unfolding(className, said, inside) {
  const box = element("details", className, element("summary", "", ...said));
  box.addEventListener("toggle", () => { if (box.open && box.children.length === 1) box.append(inside()); });
  return box;
}
function transition({was, is, count, cases}, index) {
  const said = [element("b", "", grouped(count)), " ", element("span", was, was), " → ", element("span", is, is)];
  const box = unfolding("transition", said, () => element("ul", "", ...[...cases].map(([chapter, places]) => {
    const inside = unfolding("", [element("b", "", titleOf(chapter)), " " + grouped(places.length)], () => linksTo(chapterData(chapter), places));
    inside.open = count <= FEW;
    return element("li", "", inside);
  })));
  box.open = !index;
  return box;
}
function linksTo(data, places) {
  const links = places.slice(0, MOST).map(([behavior, at]) => {
    const id = behavior + "/" + namesOf(data, at)[0], link = element("a", "", element("code", "", id));
    link.href = "#" + encodeURIComponent(id);
    return element("li", "", link);
  });
  if (places.length > MOST) links.push(element("li", "faint", "and " + grouped(places.length - MOST) + " more"));
  return element("ul", "", ...links);
}
function compare() {
  const [a, b] = ["compare-a", "compare-b"].map(id => sides.find(side => side.key === by(id).value) || sides[0]);
  const groups = compared(a, b), count = groups.reduce((sum, group) => sum + group.count, 0);
  by("compare-count").textContent = grouped(count) + " cases differ";
  by("compare-box").replaceChildren(...groups.map(transition));
}
if (by("compare")) {
  for (const id of ["compare-a", "compare-b"]) {
    by(id).append(...sides.map(side => { const option = element("option", "", side.name); option.value = side.key; return option; }));
    by(id).addEventListener("input", () => { compare(); writeState(); });
  }
  const last = earlier.length ? sides.length - 1 : 0;
  by("compare-a").value = by("compare-a").dataset.usual = sides[last].key;
  by("compare-b").value = by("compare-b").dataset.usual = earlier.length ? engines[sides[last].engine].key : sides[1].key;
  new IntersectionObserver((entries, watch) => {
    if (!entries.some(entry => entry.isIntersecting)) return;
    watch.disconnect();
    compare();
  }, {rootMargin: "100px"}).observe(by("compare"));
}
