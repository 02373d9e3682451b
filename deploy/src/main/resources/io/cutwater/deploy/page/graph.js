'use strict';
// The neighbourhood of a vertex in the colours of the partitions, laid out and drawn by Cytoscape.
const Graph = (() => {
  const { css, partitionColor } = Charts;
  const colorOf = (partition) => (partition === undefined ? css('--grey') : partitionColor(partition));
  let cy = null;

  // A wide line in the colour of the card keeps names readable on lines and vertices.
  const style = () => [
    { selector: 'edge', style: { width: 1.5, opacity: 0.7, 'curve-style': 'haystack', 'line-color': (edge) => colorOf(edge.data('shard')) } },
    { selector: 'edge.spread', style: { 'line-color': css('--soft'), 'line-style': 'dashed', 'line-dash-pattern': [4, 3] } },
    { selector: 'node', style: { width: 11, height: 11, 'background-color': (node) => colorOf(node.data('owner')) } },
    { selector: 'node.copied', style: { 'border-width': 1.5, 'border-color': css('--text') } },
    { selector: 'node.sought', style: { width: 19, height: 19, 'border-width': 2.5, 'border-color': css('--text'), 'z-index': 2 } },
    { selector: 'node.sought, node.named', style: {
      label: 'data(name)', color: css('--text'), 'font-size': 13, 'text-margin-y': -3, 'z-index': 3,
      'text-outline-color': css('--back'), 'text-outline-width': 3 } },
  ];

  // The same start every time, so that a vertex has the same picture again.
  const vertex = (each, i, count) => ({
    data: { id: `v${i}`, owner: each.owner, name: each.text ?? each.id },
    position: { x: 200 * Math.cos(i * 2.4) * Math.sqrt(i / count), y: 200 * Math.sin(i * 2.4) * Math.sqrt(i / count) },
    classes: [i === 0 ? 'sought' : '', each.copies > 1 ? 'copied' : ''],
  });

  const edge = ([from, to, ...shards]) => ({
    data: { source: `v${from}`, target: `v${to}`, shard: shards[0] },
    classes: shards.length > 1 ? ['spread'] : [],
  });

  // Draws into a node; a click on a vertex passes its id or text on.
  function show(container, { vertices, edges }, chosen) {
    if (cy !== null) cy.destroy();
    cy = cytoscape({
      container,
      elements: { nodes: vertices.map((each, i) => vertex(each, i, vertices.length)), edges: edges.map(edge) },
      style: style(),
      layout: { name: 'cose', animate: false, padding: 16, nodeRepulsion: () => 4000, gravity: 0.6 },
      // The wheel and the finger scroll the page.
      userZoomingEnabled: false,
      userPanningEnabled: false,
      boxSelectionEnabled: false,
      autounselectify: true,
    });
    cy.on('tap', 'node', (event) => chosen(event.target.data('name')));
    cy.on('mouseover', 'node', (event) => event.target.addClass('named'));
    cy.on('mouseout', 'node', (event) => event.target.removeClass('named'));
  }

  // Draws the same again, in the colours and the size of now.
  function repaint() {
    if (cy === null) return;
    cy.style(style());
    cy.resize();
    cy.fit(undefined, 16);
  }

  // One chip per partition of these vertices and edges.
  function legend(list, { vertices, edges }) {
    const partitions = new Set([...vertices.map((each) => each.owner), ...edges.flatMap(([, , ...shards]) => shards)]);
    partitions.delete(undefined);
    list.replaceChildren(...[...partitions].sort((a, b) => a - b).map((partition) => {
      const item = Object.assign(document.createElement('li'), { textContent: `partition ${partition}` });
      item.style.setProperty('--chip', partitionColor(partition));
      return item;
    }));
  }

  return { show, repaint, legend };
})();
