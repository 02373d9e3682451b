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
          context.strokeStyle = css(mark.kind === 'restart' ? '--bad' : '--two');
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
        series: [{ label: 'time', value: (_, v) => (v === null || v === undefined ? '' : clock(v)) }, ...lines.map((line) => ({
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

  // One bar per partition, and a line at the cap.
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
    });
    context.strokeStyle = css('--text');
    context.setLineDash([6, 4]);
    context.beginPath();
    context.moveTo(0, y(cap));
    context.lineTo(width, y(cap));
    context.stroke();
  }

  // A matrix of counts; the shade grows with the square root, so that small counts can be seen.
  function matrix(canvas, rows) {
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
    return most;
  }

  return {
    Series, chart, bars, matrix, lastOf,
    show(min, max) { range.min = min; range.max = max; all.forEach((each) => each.draw()); },
    remake() { all.forEach((each) => each.remake()); },
  };
})();
