// --- two engines beside each other ---

const earlier = JSON.parse(by("changes").textContent);
// What can be compared: the engines, and earlier runs of them, by the names in the address.
const sides = engines.map((engine, index) => ({key: engine.key, name: engine.name, engine: index, before: {}}))
  .concat(earlier.map(({engine, version, before}) => ({key: engines[engine].key + "@before", name: engines[engine].name + ", earlier" + (version ? " (" + version + ")" : ""), engine, before})));

// The verdict of each case on a side, in the order of the page.
function verdictsOf({engine, before}, found) {
  for (const row of rows) {
    const data = dataOf(row);
    for (const item of data.behaviors[row.id].cases) {
      const shared = data.shared[item[1]], result = shared.length === 1 ? shared[0][1] : shared.find(([names]) => names.includes(engine))[1];
      found(data, row.id, item, before, data.results[result].verdict);
    }
  }
}
function compared(a, b) {
  const first = [], groups = new Map(), idOf = (data, id, item) => caseOf(data, id, item).id;
  const verdict = (side, data, id, item, now) => {
    if (side.before === undefined || !Object.keys(side.before).length) return now;
    return side.before[idOf(data, id, item)] || now;
  };
  verdictsOf(a, (data, id, item, before, now) => first.push(verdict(a, data, id, item, now)));
  let index = 0;
  verdictsOf(b, (data, id, item, before, now) => {
    const was = first[index++], is = verdict(b, data, id, item, now);
    if (was === is) return;
    const name = was + " → " + is;
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(idOf(data, id, item));
  });
  const order = ([name, cases]) => (FAILING.test(name) ? 1e9 : 0) + cases.length;  // what fails now comes first
  return [...groups].sort((one, other) => order(other) - order(one));
}
const FAILING = /→ (fail|flaky|crash|timeout)$/, MOST = 60, FEW = 12;
function transition([name, cases], index) {
  const [was, is] = name.split(" → ");
  const box = element("details", "transition", element("summary", "", element("b", "", String(cases.length)), " ", element("span", was, was), " → ", element("span", is, is)));
  box.addEventListener("toggle", () => {
    if (box.querySelector("ul")) return;
    const byChapter = new Map();
    for (const id of cases) {
      const chapter = id.split(".")[0];
      if (!byChapter.has(chapter)) byChapter.set(chapter, []);
      byChapter.get(chapter).push(id);
    }
    box.append(element("ul", "", ...[...byChapter].map(([chapter, ids]) => {
      const links = ids.slice(0, MOST).map(id => {
        const link = element("a", "", element("code", "", id));
        link.href = "#" + encodeURIComponent(id);
        return element("li", "", link);
      });
      if (ids.length > MOST) links.push(element("li", "faint", "and " + (ids.length - MOST) + " more"));
      const inside = element("details", "", element("summary", "", element("b", "", chapter), " " + ids.length), element("ul", "", ...links));
      inside.open = cases.length <= FEW;
      return element("li", "", inside);
    })));
  });
  if (!index) box.open = true;
  return box;
}
function compare() {
  const [a, b] = ["compare-a", "compare-b"].map(id => sides.find(side => side.key === by(id).value) || sides[0]);
  const groups = compared(a, b), count = groups.reduce((sum, [, cases]) => sum + cases.length, 0);
  by("compare-count").textContent = count + " cases differ";
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
