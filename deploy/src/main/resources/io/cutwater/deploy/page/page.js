'use strict';
(() => {
  const quality = new Charts.Series();
  const hash = new Charts.Series();
  const rounds = new Charts.Series();
  let state = null;
  let copies = null;
  const el = (id) => document.getElementById(id);
  const whole = (n) => Math.round(n).toLocaleString('en');
  const fixed = (digits) => (n) => (n === null ? '–' : n.toFixed(digits));
  const short = (n) => (n === null ? '–' : Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }).format(n));
  const time = (seconds) => new Date(seconds * 1000).toLocaleTimeString();
  const isOfVertices = () => state !== null && state.newest !== undefined && 'edgeCutRatio' in state.newest;
  const marks = (...kinds) => () => (state === null ? [] : state.marks.filter((m) => kinds.includes(m.kind)));

  // The values of another series at these times: the last one before each.
  function at(times, otherTimes, otherValues) {
    let i = -1;
    return times.map((t) => {
      while (i + 1 < otherTimes.length && otherTimes[i + 1] <= t) i++;
      return i < 0 ? null : otherValues[i];
    });
  }

  function promise(times) {
    const key = isOfVertices() ? 'edgeCutRatio' : 'replicationFactor';
    const plans = marks('plan')().filter((m) => m.state === 'done' && m.expected && key in m.expected);
    return at(times, plans.map((m) => m.time), plans.map((m) => m.expected[key]));
  }

  const least = (low) => (_, min, max) => (min === null ? [low, low + 1] : [Math.min(low, min), max + (max - low) * 0.08 + 0.01]);
  const near = (_, min, max) => (min === null ? [1, 2] : [Math.min(1, min), Math.max(1.1, max * 1.02)]);

  Charts.chart('cost', [{ name: 'y', range: (u, min, max) => least(isOfVertices() ? 0 : 1)(u, min, max), format: fixed(2) }], [
    { label: 'now', scale: 'y', color: '--one', format: fixed(3) },
    { label: 'promise', scale: 'y', color: '--two', dash: [6, 4], thin: true, format: fixed(3) },
    { label: 'random', scale: 'y', color: '--grey', thin: true, format: fixed(3) },
  ], marks('plan', 'restart'), () => {
    const times = quality.column('time');
    return [times, quality.column('cost'), promise(times), at(times, hash.column('time'), hash.column('cost'))];
  });
  Charts.chart('balance', [{ name: 'y', range: near, format: fixed(2) }], [
    { label: 'load', scale: 'y', color: '--one', format: fixed(4) },
    { label: 'vertices', scale: 'y', color: '--two', format: fixed(4) },
  ], marks('plan', 'restart'), () => [quality.column('time'), quality.column('loadBalance'), quality.column('vertexBalance')]);
  Charts.chart('training', [{ name: 'y', range: () => [0, 1], format: fixed(1) }, { name: 'loss', range: least(0), format: fixed(1) }], [
    { label: 'validation', scale: 'y', color: '--one', format: fixed(4) },
    { label: 'test', scale: 'y', color: '--three', format: fixed(4) },
    { label: 'loss', scale: 'loss', color: '--two', format: fixed(4) },
  ], marks('merge'), () => [rounds.column('time'), rounds.column('validationAccuracy'), rounds.column('testAccuracy'), rounds.column('loss')]);
  Charts.chart('throughput', [{ name: 'y', range: least(0), format: short }, { name: 's', range: least(0), format: fixed(1) }], [
    { label: 'edges/s', scale: 'y', color: '--one', format: short },
    { label: 'seconds', scale: 's', color: '--two', format: fixed(1) },
  ], marks('plan', 'restart'), () => [quality.column('time'), quality.column('edgesPerSecond'), quality.column('delay')]);

  // [label, value that a test compares, text]
  function tiles() {
    const newest = state.newest;
    if (newest === undefined) return [];
    const ratio = (key) => [key, newest[key], newest[key].toFixed(key.includes('Balance') ? 4 : 3)];
    const names = {
      replicationFactor: 'Replication factor', edgeBalance: 'Edge balance', vertexBalance: 'Vertex balance',
      edgeCutRatio: 'Edge-cut ratio', volumeBalance: 'Volume balance', replicationFactorFullNeighbours: 'Copies with neighbours',
    };
    const shown = Object.keys(names).filter((key) => key in newest).map((key) => [names[key], ...ratio(key)]);
    shown.push(['Partitions', 'partitions', newest.partitions, whole(newest.partitions)]);
    shown.push(['Edges', 'edges', newest.edges, whole(newest.edges)]);
    shown.push(['Vertices', 'vertices', newest.vertices, whole(newest.vertices)]);
    shown.push(['Dead letters', 'deadLetters', newest.deadLetters, whole(newest.deadLetters)]);
    if (state.edgesPerSecond !== undefined) shown.push(['Edges/s', 'edgesPerSecond', state.edgesPerSecond, whole(state.edgesPerSecond)]);
    shown.push(['Newest report', 'freshness', state.freshness, state.freshness < 60 ? `${state.freshness.toFixed(0)} s ago` : time(state.now / 1000 - state.freshness)]);
    if (state.round !== undefined) {
      const accuracy = state.round.validationAccuracy;
      shown.push(['Epoch', 'epochs', state.round.epochs, whole(state.round.epochs)]);
      if (accuracy !== undefined) shown.push(['Validation accuracy', 'validationAccuracy', accuracy, `${(100 * accuracy).toFixed(1)} %`]);
      const lacking = rounds.last('behind');
      if (lacking !== null) shown.push(['Training lacks', 'behind', lacking, `${(100 * lacking).toFixed(1)} % of vertices`]);
    }
    return shown;
  }

  function showTiles() {
    const list = el('tiles');
    const shown = tiles();
    while (list.children.length > shown.length) list.lastChild.remove();
    shown.forEach(([label, key, value, text], i) => {
      let tile = list.children[i];
      if (tile === undefined) {
        tile = document.createElement('div');
        tile.append(document.createElement('dt'), document.createElement('dd'));
        list.append(tile);
      }
      set(tile.firstChild, label);
      set(tile.lastChild, text);
      tile.lastChild.dataset.key = key;
      tile.lastChild.dataset.value = value;
    });
  }

  function set(node, text) { if (node.textContent !== text) node.textContent = text; }

  function showFullness() {
    const report = state.report;
    if (report === undefined || report.perPartition.length === 0) return;
    const byVertices = isOfVertices();
    const loads = report.perPartition.map((p) => (byVertices ? p.vertices : p.edges));
    const total = loads.reduce((a, b) => a + b, 0);
    const cap = (1 + state.imbalance) * total / loads.length;
    const fullest = loads.indexOf(Math.max(...loads));
    set(el('fullness-text'), `${byVertices ? 'Vertices' : 'Edges'} per partition. The fullest is partition ${fullest} with ${whole(loads[fullest])}; `
      + `the dashed line is ${(1 + state.imbalance).toFixed(2)} times the average, ${whole(cap)}.`);
    Charts.bars(el('fullness'), loads, cap);
  }

  function showPlan() {
    const plan = state.plan;
    el('plan-section').hidden = plan === undefined;
    if (plan === undefined) return;
    const key = isOfVertices() ? 'edgeCutRatio' : 'replicationFactor';
    const parts = [`${plan.state}: ${plan.partitionsBefore} to ${plan.partitions} partitions`];
    if (plan.edgesToMove > 0) parts.push(`${whole(plan.edgesMoved)} of ${whole(plan.edgesToMove)} edges moved`);
    for (const [name, word] of [['before', 'was'], ['expected', 'expected'], ['after', 'became']]) {
      if (plan[name] && key in plan[name]) parts.push(`${key} ${word} ${plan[name][key].toFixed(3)}`);
    }
    if (plan.reason) parts.push(plan.reason);
    parts.push(`${plan.seconds.toFixed(1)} s`);
    set(el('plan-text'), parts.join('; ') + '.');
    el('plan-progress').value = plan.edgesToMove > 0 ? plan.edgesMoved / plan.edgesToMove : plan.state === 'done' ? 1 : 0;
  }

  function row(...cells) {
    const line = document.createElement('tr');
    for (const text of cells) line.append(Object.assign(document.createElement('td'), { textContent: text }));
    return line;
  }

  function showLetters() {
    const letters = state.deadLetters;
    set(el('letters-text'), letters.count === 0 ? 'None in the time that the page has read.' : `${whole(letters.count)} in the time that the page has read.`);
    el('reasons').hidden = letters.count === 0;
    el('letters').hidden = letters.count === 0;
    el('reasons').tBodies[0].replaceChildren(...letters.reasons.map((each) => row(each.reason, whole(each.count))));
    el('letters').querySelector('tbody').replaceChildren(...letters.last.map((each) =>
      row(time(each.time / 1000), `${each.topic}${each.partition === '-1' ? '' : ` ${each.partition}`}:${each.offset}`, each.reason, each.value)));
  }

  function draw() {
    if (state === null) return;
    const first = [quality, rounds].filter((s) => s.length > 0).map((s) => s.column('time')[0]);
    const now = state.now / 1000;
    const shown = Number(el('window').value);
    const begin = Math.min(now - 10, ...first);
    Charts.show(shown === 0 ? begin : Math.max(begin, now - shown), now);
    el('no-training').hidden = rounds.length > 0;
    el('training').hidden = rounds.length === 0;
    showFullness();
    if (copies !== null && copies.rows.length > 0) Charts.matrix(el('copies'), copies.rows);
  }

  function show(next) {
    state = next;
    document.title = `Cutwater ${state.prefix}`.trim();
    set(el('graph'), state.prefix);
    set(el('sentence'), state.sentence);
    const problem = [state.problem, state.unreadable > 0 ? `${whole(state.unreadable)} records were not read; the last: ${state.unreadableReason}` : ''].filter((p) => p !== '').join(' ');
    el('problem').hidden = problem === '';
    set(el('problem'), problem);
    set(el('cost-title'), isOfVertices() ? 'Edge-cut ratio' : 'Replication factor');
    showTiles();
    showPlan();
    showLetters();
    requestAnimationFrame(draw);
  }

  function connect() {
    const source = new EventSource('/events');
    const connection = (name, text) => { el('connection').className = name; set(el('connection'), text); };
    source.addEventListener('open', () => connection('live', 'live'));
    source.addEventListener('error', () => {
      connection('connecting', 'not connected; trying again');
      if (source.readyState === EventSource.CLOSED) setTimeout(connect, 2000);
    });
    source.addEventListener('rows', (event) => {
      const rows = JSON.parse(event.data);
      quality.take(rows.quality, rows.isWhole);
      hash.take(rows.hash, rows.isWhole);
      rounds.take(rows.rounds, rows.isWhole);
    });
    source.addEventListener('state', (event) => show(JSON.parse(event.data)));
  }

  async function readCopies() {
    try {
      const answer = await fetch('/api/copies');
      if (answer.ok) {
        copies = await answer.json();
        if (copies.rows.length > 0) {
          const most = Charts.matrix(el('copies'), copies.rows);
          set(el('copies-text'), 'Row: partition of the master or owner. Column: partition with a copy. '
            + `Strongest colour: ${whole(most / copies.share)} vertices.`
            + (copies.share < 1 ? ` Counted on a sample of ${(100 * copies.share).toPrecision(2)} %.` : '')
            + (copies.groupSize > 1 ? ` Each cell has ${copies.groupSize} × ${copies.groupSize} partitions.` : ''));
        }
      }
    } catch (e) {
      // The connection of the events shows that the server is away.
    }
    setTimeout(readCopies, 5000);
  }

  el('find').addEventListener('submit', async (event) => {
    event.preventDefault();
    set(el('found'), 'Looking it up.');
    try {
      const answer = await fetch(`/api/vertex?id=${encodeURIComponent(el('vertex').value)}`);
      const vertex = await answer.json();
      const others = answer.ok ? vertex.replicas.filter((p) => p !== vertex.owner) : [];
      set(el('found'), answer.ok
        ? `Vertex ${vertex.vertex}: ${vertex.owner === undefined ? 'no place yet' : `partition ${vertex.owner}`}, `
          + `${others.length === 0 ? 'no other copy' : `copies on ${others.join(', ')}`}, degree ${whole(vertex.degree)}.`
        : `${vertex.error}.`);
    } catch (e) {
      set(el('found'), 'The server does not answer.');
    }
  });

  function isDark() {
    const given = document.documentElement.dataset.theme;
    return given ? given === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  }

  function repaint() { Charts.remake(); draw(); }
  el('theme').addEventListener('click', () => { document.documentElement.dataset.theme = isDark() ? 'light' : 'dark'; repaint(); });
  el('window').addEventListener('change', draw);
  addEventListener('resize', repaint);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', repaint);
  let before;
  addEventListener('beforeprint', () => { before = document.documentElement.dataset.theme; document.documentElement.dataset.theme = 'light'; repaint(); });
  addEventListener('afterprint', () => { if (before) document.documentElement.dataset.theme = before; else delete document.documentElement.dataset.theme; repaint(); });
  connect();
  readCopies();
})();
