'use strict';
(() => {
  const quality = new Charts.Series();
  const hash = new Charts.Series();
  const rounds = new Charts.Series();
  let state = null;
  let copies = null;
  let around = null;
  const el = (id) => document.getElementById(id);
  const whole = (n) => Math.round(n).toLocaleString('en');
  const fixed = (digits) => (n) => (n === null ? '–' : n.toFixed(digits));
  const percent = (share) => `${(100 * share).toFixed(1)} %`;
  const short = (n) => (n === null ? '–' : Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }).format(n));
  const time = (seconds) => new Date(seconds * 1000).toLocaleTimeString('en-GB');
  const isOfVertices = () => state !== null && state.newest !== undefined && 'edgeCutRatio' in state.newest;
  const costName = () => (isOfVertices() ? 'Edge-cut ratio' : 'Replication factor');
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
  ], marks('plan', 'restart', 'merge'), () => {
    const times = quality.column('time');
    return [times, quality.column('cost'), promise(times), at(times, hash.column('time'), hash.column('cost'))];
  });
  Charts.chart('balance', [{ name: 'y', range: near, format: fixed(2) }], [
    { label: 'load', scale: 'y', color: '--one', format: fixed(4) },
    { label: 'vertices', scale: 'y', color: '--two', format: fixed(4) },
  ], marks('plan', 'restart', 'merge'), () => [quality.column('time'), quality.column('loadBalance'), quality.column('vertexBalance')]);
  Charts.chart('training', [{ name: 'y', range: () => [0, 1], format: fixed(1) }, { name: 'loss', range: least(0), format: fixed(1) }], [
    { label: 'validation', scale: 'y', color: '--one', format: fixed(4) },
    { label: 'test', scale: 'y', color: '--two', format: fixed(4) },
    { label: 'loss', scale: 'loss', color: '--soft', format: fixed(4) },
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
      if (accuracy !== undefined) shown.push(['Validation accuracy', 'validationAccuracy', accuracy, percent(accuracy)]);
      const { lacking } = state.trainer;
      if (lacking !== undefined) shown.push(['Training lacks', 'behind', lacking, `${percent(lacking)} of vertices`]);
    }
    return shown;
  }

  const bytes = (n) => {
    const power = n < 1 ? 0 : Math.min(5, Math.floor(Math.log2(n) / 10));
    return `${(n / 1024 ** power).toFixed(power === 0 ? 0 : 1)} ${['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'][power]}`;
  };
  const ago = (seconds) => (seconds < 120 ? `${Math.max(0, seconds).toFixed(0)} s ago` : `${(seconds / 60).toFixed(0)} min ago`);

  function showTrainer() {
    const { round, trainer } = state;
    el('trainer-section').hidden = round === undefined;
    if (round === undefined) return;
    set(el('trainer-text'), `Training ${round.run} of ${round.model}${round.mode === undefined ? '' : `, ${round.mode}`}: `
      + (round.missing === 0 ? `all ${round.shards} shards answered` : `${round.missing} of ${round.shards} shards did not answer`)
      + ` in the last round, ${ago(trainer.silence)}.`);
    const shown = [
      ['Workers', 'workers', round.workers, round.workers === 0 ? 'unknown' : whole(round.workers)],
      ['Shards', 'shards', round.shards, whole(round.shards)],
      ['Rounds', 'round', round.round, whole(round.round)],
      ['Last round took', 'seconds', round.seconds, `${round.seconds.toFixed(round.seconds < 10 ? 2 : 0)} s`],
      ['Models sent so far', 'bytesAveraged', round.bytesAveraged, bytes(round.bytesAveraged)],
      ['Rows sent in the last round', 'bytesExchanged', round.bytesExchanged, bytes(round.bytesExchanged)],
      ['Vertices', 'trainedVertices', round.vertices, whole(round.vertices)],
      ['Merges of new data', 'merges', trainer.merges, whole(trainer.merges)],
      ['Data are from', 'dataSeconds', trainer.dataSeconds, ago(trainer.dataSeconds)],
    ];
    if (round.waitingShare !== undefined) {
      shown.push(['Time spent waiting', 'waitingShare', round.waitingShare, percent(round.waitingShare)]);
    }
    showTiles(el('trainer'), shown);
  }

  function showTiles(list, shown) {
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
    const cap = Math.ceil((1 + state.imbalance) * total / loads.length);
    const fullest = loads.indexOf(Math.max(...loads));
    set(el('fullness-text'), `${byVertices ? 'Vertices' : 'Edges'} per partition. The fullest is partition ${fullest} with ${whole(loads[fullest])}; `
      + `the dashed line is ${(1 + state.imbalance).toFixed(2)} times the average, ${whole(cap)}.`);
    Charts.bars(el('fullness'), loads, cap);
  }

  const isRunning = (plan) => plan !== undefined && ['collecting', 'planning', 'moving'].includes(plan.state);

  function showMoves() {
    const moves = copies === null ? [] : copies.moves;
    el('moves').hidden = moves.length === 0;
    el('moves-text').hidden = moves.length === 0;
    if (moves.length === 0 || el('plan-section').hidden) return;
    set(el('moves-text'), `Vertices whose ${isOfVertices() ? 'owner' : 'master'} moved, from the partition on the left to the one on the right: `
      + `${whole(moves.reduce((sum, [, , count]) => sum + count, 0) / copies.share)} since the re-partitioning began.`);
    Charts.flow(el('moves'), moves);
  }

  function showPlan() {
    el('abort').disabled = !isRunning(state.plan);
    const plan = state.plan;
    el('plan-section').hidden = plan === undefined;
    if (plan === undefined) return;
    const key = isOfVertices() ? 'edgeCutRatio' : 'replicationFactor';
    const parts = [`${plan.state}: ${plan.partitionsBefore} to ${plan.partitions} partitions`];
    if (plan.edgesToMove > 0) {
      parts.push(`${whole(plan.edgesMoved)} of ${whole(plan.edgesToMove)} edges moved`);
      if (plan.edges > 0) {
        parts.push(`the plan moves ${percent(plan.edgesToMove / plan.edges)} of the edges${plan.budget > 0 ? ` (budget ${percent(plan.budget)})` : ''}`);
      }
      if (isRunning(plan) && plan.edgesMoved > 0) {
        parts.push(`about ${(plan.seconds * (plan.edgesToMove - plan.edgesMoved) / plan.edgesMoved).toFixed(0)} s left`);
      }
    }
    for (const [name, word] of [['before', 'was'], ['expected', 'expected'], ['after', 'became']]) {
      if (plan[name] && key in plan[name]) parts.push(`${costName().toLowerCase()} ${word} ${plan[name][key].toFixed(3)}`);
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
    if (copies !== null && copies.rows.length > 0) drawCopies();
    showMoves();
    showCompared();
  }

  function show(next) {
    state = next;
    document.title = `Cutwater ${state.prefix}`.trim();
    set(el('graph'), state.prefix);
    set(el('sentence'), state.sentence);
    const problem = [state.problem, state.unreadable > 0 ? `${whole(state.unreadable)} records were not read; the last: ${state.unreadableReason}` : ''].filter((p) => p !== '').join(' ');
    el('problem').hidden = problem === '';
    set(el('problem'), problem);
    set(el('cost-title'), costName());
    showTiles(el('tiles'), tiles());
    showTrainer();
    showPlan();
    showLetters();
    requestAnimationFrame(draw);
  }

  function connect() {
    const source = new EventSource('/events');
    const connection = (name, text) => { el('connection').className = name; set(el('connection'), text); };
    source.addEventListener('open', () => { connection('live', 'live'); offerCommands(); });
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

  const drawCopies = () => Charts.matrix(el('copies'), copies.rows, (count) => short(count / copies.share));

  async function readCopies() {
    try {
      const answer = await fetch('/api/copies');
      if (answer.ok) {
        copies = await answer.json();
        if (copies.rows.length > 0) {
          const most = drawCopies();
          set(el('copies-text'), 'Row: partition of the master or owner. Column: partition with a copy. '
            + `Strongest colour: ${whole(most / copies.share)} vertices.`
            + (copies.share < 1 ? ` Counted on a sample of ${(100 * copies.share).toPrecision(2)} %.` : '')
            + (copies.groupSize > 1 ? ` Each cell has ${copies.groupSize} × ${copies.groupSize} partitions.` : ''));
        }
        if (state !== null) showMoves();
      }
    } catch (e) {
      // The connection of the events shows that the server is away.
    }
    setTimeout(readCopies, 5000);
  }

  async function drawNeighbours(id) {
    const answer = await fetch(`/api/neighbours?id=${encodeURIComponent(id)}`);
    around = answer.ok ? await answer.json() : null;
    if (around !== null && around.edges.length === 0) around = null;
    el('neighbours').hidden = around === null;
    if (around === null) return;
    set(el('neighbours-text'), `${whole(around.vertices.length)} vertices around ${around.vertices[0].text ?? id} and ${whole(around.edges.length)} edges between them`
      + `${around.isWhole ? '' : ', of the newest records'}${around.isFull ? ', without some edges, of which there are too many to keep' : ''}. `
      + 'Colour: partition of the master or owner, and of the edge. Dashed: an edge in several partitions. Ring: copies on other partitions. '
      + 'Point at a vertex to see its name; click to find it.');
    Graph.legend(el('neighbours-legend'), around);
    Graph.show(el('neighbours-drawing'), around, (name) => {
      el('vertex').value = name;
      el('find').requestSubmit();
    });
  }

  let compared = null;

  function showCompared() {
    if (compared === null || state.newest === undefined) return;
    const [cost, balance] = isOfVertices() ? ['edgeCutRatio', 'vertexBalance'] : ['replicationFactor', 'edgeBalance'];
    const points = compared.results.map((each) => [each[cost], each[balance], each.algorithm, each.colour]);
    points.push([state.newest[cost], state.newest[balance], 'now, all edges', null]);
    el('scatter').hidden = false;
    el('compared').hidden = false;
    const name = costName();
    set(el('compared-cost'), name);
    Charts.scatter(el('scatter'), points, [isOfVertices() ? 0 : 1, 1], [name, 'Balance'], isOfVertices());
    el('compared').tBodies[0].replaceChildren(...points.map(([c, b, algorithm]) => row(algorithm, c.toFixed(3), b.toFixed(4))));
  }

  el('compare').addEventListener('submit', async (event) => {
    event.preventDefault();
    set(el('compare-text'), 'The algorithms run.');
    try {
      const answer = await fetch(`/api/compare?last=${el('last').value}`);
      const result = await answer.json();
      if (answer.ok) {
        compared = result;
        showCompared();
      }
      set(el('compare-text'), answer.ok
        ? `The live algorithms on the newest ${whole(result.edges)} edges, into as many partitions as now. The large ring is the job with all its edges.`
        : `${result.error}.`);
    } catch (e) {
      set(el('compare-text'), 'The server does not answer.');
    }
  });

  let token = '';
  let pending = null;

  async function send(command) {
    try {
      const answer = await fetch('/api/commands', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Cutwater-Token': token },
        body: JSON.stringify(command),
      });
      const result = await answer.json();
      set(el('command-text'), answer.ok ? `Sent. The status of ${result.id} appears above once the job has taken it up.` : `${result.error}.`);
    } catch (e) {
      set(el('command-text'), 'The server does not answer.');
    }
  }

  function ask(text, command) {
    pending = command;
    set(el('confirm-text'), text);
    el('confirm').showModal();
  }

  async function offerCommands() {
    try {
      const answer = await (await fetch('/api/commands')).json();
      token = answer.token;
      el('commands').hidden = !answer.isAllowed;
    } catch (e) {
      setTimeout(offerCommands, 5000);
    }
  }

  el('confirm-yes').addEventListener('click', () => { el('confirm').close(); send(pending); });
  el('confirm-no').addEventListener('click', () => { el('confirm').close(); set(el('command-text'), 'Nothing was sent.'); });
  el('repartition').addEventListener('submit', (event) => {
    event.preventDefault();
    const command = {
      op: 'repartition',
      id: `page-${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`,
      budget: Number(el('budget').value) / 100,
      dryRun: el('dry-run').checked,
    };
    const wanted = Number(el('wanted').value);
    if (wanted > 0) command.partitions = wanted;
    ask(`${command.dryRun ? 'Plan' : 'Make'} a re-partitioning to ${wanted > 0 ? wanted : 'as many'} partitions, `
      + `with at most ${el('budget').value} % of the edges moved?`, command);
  });
  el('abort').addEventListener('click', () => ask(`Abort re-partitioning ${state.plan.id}? Edges that have moved stay where they are.`, { op: 'abort', id: state.plan.id }));

  el('find').addEventListener('submit', async (event) => {
    event.preventDefault();
    set(el('found'), 'Looking it up.');
    try {
      const answer = await fetch(`/api/vertex?id=${encodeURIComponent(el('vertex').value)}`);
      const vertex = await answer.json();
      const others = answer.ok ? vertex.replicas.filter((p) => p !== vertex.owner) : [];
      set(el('found'), answer.ok
        ? `Vertex ${vertex.text ?? vertex.vertex}: ${vertex.owner === undefined ? 'no place yet' : `partition ${vertex.owner}`}, `
          + `${others.length === 0 ? 'no other copy' : `copies on ${others.join(', ')}`}, degree ${whole(vertex.degree)}`
          + `${vertex.label === undefined ? '' : `, class ${vertex.label}`}.`
        : `${vertex.error}.`);
      if (answer.ok) await drawNeighbours(vertex.vertex);
    } catch (e) {
      set(el('found'), 'The server does not answer.');
    }
  });

  function isDark() {
    const given = document.documentElement.dataset.theme;
    return given ? given === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  }

  function repaint() {
    Charts.remake();
    draw();
    if (around !== null) Graph.legend(el('neighbours-legend'), around);
    Graph.repaint();
  }

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
