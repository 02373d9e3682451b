'use strict';
// Charts over one time axis, and the two pictures that a chart library is not needed for.
const Charts = (() => {
  const LIMIT = 8000;
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const range = { min: null, max: null };
  const clock = (seconds) => new Date(seconds * 1000).toLocaleTimeString('en-GB',
    range.max - range.min < 1800 ? {} : { hour: '2-digit', minute: '2-digit' });
  const all = [];
  const sync = uPlot.sync('time');

  // Rows of numbers by column; of a full series every second row of the older half is dropped.
  class Series {
    constructor() { this.columns = {}; }

    get length() { return (this.columns.time || []).length; }

    take(rows, isWhole) {
      for (const [name, values] of Object.entries(rows)) {
        this.columns[name] = isWhole ? values : (this.columns[name] || []).concat(values);
      }
      if (this.length > LIMIT) {
        const half = this.length / 2;
        for (const name of Object.keys(this.columns)) {
          this.columns[name] = this.columns[name].filter((_, i) => i >= half || i % 2 === 0);
        }
      }
    }

    column(name) { return this.columns[name] || []; }

    last(name) {
      const values = this.column(name);
      return values.length ? values[values.length - 1] : null;
    }
  }

  // Vertical lines at re-partitionings, restarts and merges.
  const marksPlugin = (marks) => ({
    hooks: {
      draw: (plot) => {
        const { left, top, height, width } = plot.bbox;
        const context = plot.ctx;
        context.save();
        for (const mark of marks()) {
          const x = plot.valToPos(mark.time, 'x', true);
          if (x < left || x > left + width) continue;
          context.strokeStyle = css({ restart: '--bad', merge: '--soft' }[mark.kind] ?? '--two');
          context.setLineDash(mark.kind === 'merge' ? [2, 6] : []);
          context.beginPath();
          context.moveTo(x, top);
          context.lineTo(x, top + height);
          context.stroke();
        }
        context.restore();
      },
    },
  });

  function chart(id, scales, lines, marks, data) {
    const node = document.getElementById(id);
    let plot = null;
    const make = () => {
      if (plot) plot.destroy();
      const axis = (scale, side, format) => ({
        scale, side, values: (_, ticks) => ticks.map((v) => (v === null ? '' : format(v))),
        stroke: css('--soft'), grid: { show: side !== 1, stroke: css('--line') }, ticks: { stroke: css('--line') }, size: 56,
      });
      plot = new uPlot({
        width: Math.max(240, node.clientWidth), height: 230,
        cursor: { sync: { key: sync.key, scales: ['x', null] } },
        scales: Object.assign({ x: { time: true, range: () => [range.min, range.max] } }, scales.reduce((o, s) => {
          o[s.name] = { range: s.range };
          return o;
        }, {})),
        axes: [{ values: (_, ticks) => ticks.map(clock), space: 80, stroke: css('--soft'), grid: { stroke: css('--line') }, ticks: { stroke: css('--line') } },
          ...scales.map((s, i) => axis(s.name, i === 0 ? 3 : 1, s.format))],
        series: [{ label: 'time', value: (_, v) => (v === null || v === undefined ? '' : new Date(v * 1000).toLocaleTimeString('en-GB')) }, ...lines.map((line) => ({
          label: line.label, scale: line.scale, stroke: css(line.color), width: 2 / devicePixelRatio * (line.thin ? 1 : 1.5),
          dash: line.dash, spanGaps: true, points: { show: false }, value: (u, v, i, row) => line.format(row === null ? lastOf(u.data[i]) : v === undefined ? null : v),
        }))],
        plugins: [marksPlugin(marks)],
      }, data(), node);
    };
    const drawn = {
      node,
      draw() {
        if (range.min === null) return;
        if (plot === null) make(); else plot.setData(data());
        const values = lines.map((line, i) => `${line.label} ${line.format(lastOf(data()[i + 1]))}`);
        node.setAttribute('role', 'img');
        node.setAttribute('aria-label', values.join(', '));
      },
      remake() { if (plot) make(); },
    };
    // The arrow keys move the cursor over the rows.
    let at = -1;
    node.addEventListener('keydown', (event) => {
      if (!plot || (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight')) return;
      const times = plot.data[0];
      at = Math.min(times.length - 1, Math.max(0, (at < 0 ? times.length : at) + (event.key === 'ArrowLeft' ? -1 : 1)));
      plot.setCursor({ left: plot.valToPos(times[at], 'x'), top: 0 });
      event.preventDefault();
    });
    all.push(drawn);
    return drawn;
  }

  function lastOf(values) {
    for (let i = (values || []).length - 1; i >= 0; i--) if (values[i] !== null && values[i] !== undefined) return values[i];
    return null;
  }

  function size(canvas, height) {
    const width = canvas.clientWidth;
    canvas.width = width * devicePixelRatio;
    canvas.height = height * devicePixelRatio;
    const context = canvas.getContext('2d');
    context.scale(devicePixelRatio, devicePixelRatio);
    context.font = '12px system-ui, sans-serif';
    return [context, width];
  }

  // One bar per partition, with its load where there is room, and a line at the cap.
  function bars(canvas, loads, cap) {
    const height = 220;
    const [context, width] = size(canvas, height);
    const top = Math.max(cap, ...loads) * 1.08 || 1;
    const foot = 18;
    const step = width / loads.length;
    const y = (v) => (height - foot) * (1 - v / top);
    context.clearRect(0, 0, width, height);
    loads.forEach((load, p) => {
      context.fillStyle = css(load > cap ? '--bad' : '--one');
      const gap = step > 4 ? 1 : 0;
      context.fillRect(p * step + gap, y(load), Math.max(1, step - 2 * gap), height - foot - y(load));
      const every = Math.ceil(24 / step);
      if (p % every === 0) {
        context.fillStyle = css('--soft');
        context.fillText(String(p), p * step + 2, height - 4);
      }
      const text = load.toLocaleString('en');
      if (context.measureText(text).width + 12 < step) {
        context.fillStyle = css('--back');
        context.fillText(text, p * step + 6, Math.min(y(load) + 18, height - foot - 4));
      }
    });
    context.strokeStyle = css('--text');
    context.setLineDash([6, 4]);
    context.beginPath();
    context.moveTo(0, y(cap));
    context.lineTo(width, y(cap));
    context.stroke();
  }

  // A matrix of counts, written where there is room; the shade grows with the square root, so that small ones can be seen.
  function matrix(canvas, rows, format) {
    const side = canvas.clientWidth;
    const [context] = size(canvas, side);
    const most = Math.max(1, ...rows.map((row) => Math.max(...row)));
    const step = side / rows.length;
    context.clearRect(0, 0, side, side);
    context.fillStyle = css('--card');
    context.fillRect(0, 0, side, side);
    context.fillStyle = css('--one');
    rows.forEach((row, i) => row.forEach((count, j) => {
      context.globalAlpha = Math.sqrt(count / most);
      context.fillRect(j * step, i * step, step, step);
    }));
    context.globalAlpha = 1;
    context.textAlign = 'center';
    const write = (text, i, j, color) => {
      if (context.measureText(text).width + 8 > step) return;
      context.fillStyle = css(color);
      context.fillText(text, (j + 0.5) * step, (i + 0.5) * step + 4);
    };
    // The diagonal is always empty and has the numbers of the partitions.
    rows.forEach((row, i) => row.forEach((count, j) => (i === j
      ? write(String(i), i, i, '--soft')
      : write(format(count), i, j, count > most / 4 ? '--back' : '--text'))));
    return most;
  }

  // Colours that can be told apart, also those of neighbouring numbers.
  const partitionColor = (p) => `hsl(${((p * 137.508) % 360).toFixed(1)}, 65%, ${css('--back') === '#fff' ? 42 : 62}%)`;

  // Bands from the partitions before (left) to those after (right), as wide as their counts.
  function flow(canvas, triples) {
    const height = 260;
    const [context, width] = size(canvas, height);
    context.clearRect(0, 0, width, height);
    const parts = [0, 1].map((side) => [...new Set(triples.map((triple) => triple[side]))].sort((a, b) => a - b));
    const total = triples.reduce((sum, [, , count]) => sum + count, 0);
    const most = Math.max(...parts.map((of) => of.length));
    const gap = Math.min(4, 60 / most);
    const scale = (height - gap * most) / total;
    const places = (side) => {
      let y = 0;
      return new Map(parts[side].map((p) => {
        const place = [p, y];
        y += scale * triples.filter((t) => t[side] === p).reduce((sum, t) => sum + t[2], 0) + gap;
        return place;
      }));
    };
    const left = places(0);
    const right = places(1);
    const margin = 34;
    context.fillStyle = css('--text');
    for (const [begins, x] of [[left, 2], [right, width - margin + 8]]) {
      let free = 0; // no label covers another one
      for (const [p, y] of begins) {
        if (y + 10 < free || y + 10 > height) continue;
        context.fillText(String(p), x, y + 10);
        free = y + 22;
      }
    }
    for (const [from, to, count] of triples) {
      const thick = Math.max(1, count * scale);
      const [y, z] = [left.get(from), right.get(to)];
      left.set(from, y + count * scale);
      right.set(to, z + count * scale);
      context.fillStyle = partitionColor(from);
      context.globalAlpha = 0.6;
      context.beginPath();
      context.moveTo(margin, y);
      context.bezierCurveTo(width / 2, y, width / 2, z, width - margin, z);
      context.lineTo(width - margin, z + thick);
      context.bezierCurveTo(width / 2, z + thick, width / 2, y + thick, margin, y + thick);
      context.fill();
    }
    context.globalAlpha = 1;
  }

  // A colour for white paper, lighter on a dark page.
  const onPage = (color) => (css('--back') === '#fff' ? color
    : `#${[1, 3, 5].map((i) => Math.round(parseInt(color.slice(i, i + 2), 16) * 0.5 + 128).toString(16)).join('')}`);

  // Points [x, y, name, colour] with their names, in the markers of the pictures: circles, of vertices triangles. One
  // without a colour is the marked one. Both axes begin at the values of the best case.
  function scatter(canvas, points, low, labels, isOfVertices) {
    const height = 300;
    const [context, width] = size(canvas, height);
    const [left, bottom] = [46, 34];
    const top = low.map((v, axis) => Math.max(v + 0.1, ...points.map((p) => p[axis])) * 1.06);
    const x = (v) => left + (v - low[0]) / (top[0] - low[0]) * (width - left - 90);
    const y = (v) => (height - bottom - 18) * (1 - (v - low[1]) / (top[1] - low[1])) + 18;
    context.clearRect(0, 0, width, height);
    context.strokeStyle = css('--line');
    context.fillStyle = css('--soft');
    for (let i = 0; i <= 4; i++) {
      const [a, b] = [0, 1].map((axis) => low[axis] + (top[axis] - low[axis]) * i / 4);
      context.strokeRect(x(a), y(top[1]), 0, y(low[1]) - y(top[1]));
      context.strokeRect(x(low[0]), y(b), x(top[0]) - x(low[0]), 0);
      context.fillText(a.toFixed(2), x(a) - 10, height - bottom + 18);
      context.fillText(b.toFixed(2), 4, y(b) + 4);
    }
    context.fillText(`${labels[0]} (left is better)`, left, height - 3);
    context.fillText(`${labels[1]} (lower is better)`, left, 11);
    const taken = points.map((point) => [x(point[0]) - 8, y(point[1]) - 8, 16, 16]);
    const isFree = ([u, v, w, h]) => u >= 0 && u + w <= width && taken.every(([s, t, a, b]) => u + w < s || s + a < u || v + h < t || t + b < v);
    for (const [px, py, name, color] of [...points].reverse()) {
      const [a, b] = [x(px), y(py)];
      context.beginPath();
      if (color === null) {
        context.strokeStyle = css('--two');
        context.lineWidth = 3;
        context.arc(a, b, 9, 0, 2 * Math.PI);
        context.stroke();
      } else {
        context.fillStyle = onPage(color);
        if (isOfVertices) {
          context.moveTo(a, b - 6);
          context.lineTo(a + 5.5, b + 4);
          context.lineTo(a - 5.5, b + 4);
        } else {
          context.arc(a, b, 5, 0, 2 * Math.PI);
        }
        context.fill();
      }
      context.fillStyle = css('--text');
      // Right of the point, left of it, above, below: the first place that nothing else has.
      const w = context.measureText(name).width;
      const places = [[a + 12, b - 6], [a - 12 - w, b - 6], [a - w / 2, b - 22], [a - w / 2, b + 10]].map(([u, v]) => [u, v, w, 12]);
      const place = places.find(isFree) ?? places[0];
      taken.push(place);
      context.fillText(name, place[0], place[1] + 10);
    }
  }

  return {
    Series, chart, bars, matrix, flow, scatter, lastOf, css, partitionColor,
    show(min, max) { range.min = min; range.max = max; all.forEach((each) => each.draw()); },
    remake() { all.forEach((each) => each.remake()); },
  };
})();
