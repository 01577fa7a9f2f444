// A graph as svg.py draws it, by what `plan_of` says there.
const {CHARACTER, LINE, PADDING, MARGIN, SMALL, HEAD, BROAD} = {{ drawing_sizes | data }};
const ESCAPED = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"};
const escaped = text => text.replace(/[&<>"']/g, letter => ESCAPED[letter]);
const whole = number => number.toFixed(0);
function svgOf(boxes, edges) {
  const places = boxes.map(([x, y, text, starts]) => {
    const lines = text.split("\n"), longest = Math.max(...lines.map(line => [...line].length - 1));
    return {x, y, lines, starts, leaf: lines[0][0] === "l", width: longest * CHARACTER + 2 * PADDING, height: lines.length * LINE + 2 * PADDING - 4};
  });
  const paths = edges.map(([source, target, , ...points]) => {
    const between = [];
    for (let at = 0; at < points.length; at += 2) {
      const [x, y] = points.slice(at, at + 2), row = places.filter(place => place.y === y);
      between.push({x, y, width: 8, height: Math.max(1, ...row.map(place => place.height))});
    }
    return [places[source], ...between, places[target]];
  });
  const width = Math.max(...[places, ...paths].flat().map(place => place.x + place.width / 2));
  let spare = MARGIN, bottom = Math.max(...places.map(place => place.y + place.height / 2));
  // What a gradient covers: left, top, right and bottom.
  function extent(label, [x, y, left]) {
    const wide = [...label].length * CHARACTER * SMALL + 4;
    return [left ? x - wide : x, y - 9, left ? x : x + wide, y + 3];
  }
  const taken = places.map(({x, y, width, height}) => [x - width / 2, y - height / 2, x + width / 2, y + height / 2]);
  const covers = ([left, top, right, bottom]) => taken.some(other => left < other[2] && other[0] < right && top < other[3] && other[1] < bottom);
  // A gradient beside an arrow.
  function gradient(label, spot) {
    const [x, y, left] = spot, [start, , end] = extent(label, spot);
    spare = Math.max(spare, -start, end - width);
    return `<text class="${left ? "g left" : "g"}" x="${whole(x)}" y="${whole(y)}">${escaped(label)}</text>`;
  }
  const below = ({x, y, height}) => [x + 6, y + height / 2 + 20, false];
  for (const place of places) if (place.starts !== null) taken.push(extent(place.starts, below(place)));
  // Where an edge's gradient may stand, the best place first.
  function spots(path, shared, fans) {
    const [low, high] = path.slice(-2), top = [[high.x, high.y + high.height / 2 + 17, high.x < low.x - 4]];
    const leftOf = (one, other) => one.x < other.x - 4;
    const lower = path.slice(0, -1).map((place, at) => [place.x, place.y - place.height / 2 - 8, fans && !at ? leftOf(path[at + 1], place) : leftOf(place, path[at + 1])]).reverse();
    return (shared ? [...lower, ...top] : [...top, ...lower]).flatMap(([x, y, left]) => [left, !left].map(side => [x + (side ? -6 : 6), y, side]));
  }
  function arrow([first, ...rest], label) {
    let x = first.x, y = first.y - first.height / 2, drawn = `M${whole(x)} ${whole(y)}`;
    rest.forEach((place, index) => {
      const end = place.y + place.height / 2, bend = (y + end) / 2;
      drawn += `C${whole(x)} ${whole(bend)} ${whole(place.x)} ${whole(bend)} ${whole(place.x)} ${whole(end)}`;
      x = place.x;
      y = place.y - place.height / 2;
      if (index < rest.length - 1) drawn += `L${whole(x)} ${whole(y)}`;
    });
    return `<path${label ? "" : ' class="idle"'} d="${drawn}${HEAD}"/>`;
  }
  const parts = paths.map((path, index) => arrow(path, edges[index][2]));
  paths.forEach((path, index) => {
    const [source, target, label] = edges[index];
    if (!label) return;
    const several = (end, box) => edges.filter(edge => edge[end] === box).length > 1;
    const found = spots(path, several(1, target), several(0, source)), free = found.find(spot => !covers(extent(label, spot))) || found[0];
    taken.push(extent(label, free));
    parts.push(gradient(label, free));
  });
  for (const {x, y, lines, leaf, width, height} of places) {
    const top = y - height / 2;
    parts.push(`<rect${leaf ? ' class="leaf"' : ""} x="${whole(x - width / 2)}" y="${whole(top)}" width="${whole(width)}" height="${whole(height)}" rx="${leaf ? 9 : 3}"/>`);
    lines.forEach((line, number) => parts.push(`<text class="${line[0] === "l" ? "t" : line[0]}" x="${whole(x)}" y="${whole(top + PADDING + LINE / 2 + 2 + number * LINE)}">${escaped(line.slice(1))}</text>`));
  }
  for (const {x, y, starts, height} of places) {
    const end = y + height / 2;
    if (starts === null) continue;
    parts.push(`<path d="M${whole(x)} ${whole(end + 22)}V${whole(end)}${HEAD}"/>`, gradient(starts, below({x, y, height})));
    bottom = Math.max(bottom, end + 24);
  }
  const titles = leaf => places.filter(place => place.leaf === leaf).map(place => place.lines[0].slice(1)).join(", ");
  const said = `Recorded graph. Leaves: ${titles(true) || "none"}. Operations: ${titles(false)}.`;
  const size = `width="${whole(width + 2 * spare)}" height="${whole(bottom + 2 * MARGIN)}" viewBox="${whole(-spare)} ${whole(-MARGIN)} ${whole(width + 2 * spare)} ${whole(bottom + 2 * MARGIN)}"`;
  return `<svg class="${width + 2 * spare > BROAD ? "graph broad" : "graph"}" role="img" aria-label="${escaped(said)}" ${size}>${parts.join("")}</svg>`;
}
