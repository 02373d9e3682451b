"""Trains on the arrays that Cutwater's benches write, with PyTorch alone or with PyTorch Geometric, and prints times.

The result is one line: RESULT, CPU ms and wall ms of an epoch, CPU ms and wall ms of a test, last loss.
"""

import argparse
import importlib.metadata
import os
import time

import numpy as np
import torch
import torch.nn.functional as F


def describe():
    """Prints the versions and the GPU, each on a line; an empty line for what is not there."""
    print(torch.__version__)
    try:
        print(importlib.metadata.version("torch_geometric"))
    except importlib.metadata.PackageNotFoundError:
        print()
    print(torch.cuda.get_device_name() if torch.cuda.is_available() else "")


class Graph:
    def __init__(self, folder, device):
        def array(name, kind):
            return np.fromfile(os.path.join(folder, name), dtype=kind)

        self.device = device
        self.offsets = torch.from_numpy(array("offsets", "<i8")).to(device)
        self.neighbours = torch.from_numpy(array("neighbours", "<i4").astype(np.int64)).to(device)
        self.labels = torch.from_numpy(array("labels", "<i4").astype(np.int64)).to(device)
        self.train = torch.from_numpy(array("train", "<i4").astype(np.int64)).to(device)
        self.n = len(self.offsets) - 1
        self.columns = int(array("columns", "<i8")[0])
        if os.path.exists(os.path.join(folder, "feature-offsets")):
            self.is_sparse = True
            self.x_offsets = torch.from_numpy(array("feature-offsets", "<i8"))
            self.x_columns = torch.from_numpy(array("feature-columns", "<i4").astype(np.int64))
            self.x_values = torch.from_numpy(array("feature-values", "<f4"))
            self.features = torch.sparse_csr_tensor(
                self.x_offsets, self.x_columns, self.x_values, (self.n, self.columns)).to(device)
            self.coordinates = self.features.to_sparse_coo().coalesce()
        else:
            self.is_sparse = False
            self.features = torch.from_numpy(array("features", "<f4").reshape(self.n, self.columns)).to(device)
        degrees = self.offsets[1:] - self.offsets[:-1]
        self.degrees = degrees
        self.targets = torch.repeat_interleave(torch.arange(self.n, device=device), degrees)

    def edge_index(self):
        return torch.stack([self.neighbours, self.targets])

    def mean(self):
        weights = 1.0 / self.degrees[self.targets].float()
        return torch.sparse_csr_tensor(self.offsets, self.neighbours, weights, (self.n, self.n))

    def with_self(self):
        everyone = torch.arange(self.n, device=self.device)
        sources = torch.cat([self.neighbours, everyone])
        targets = torch.cat([self.targets, everyone])
        return sources, targets

    def normalised(self):
        sources, targets = self.with_self()
        roots = (self.degrees + 1).float().rsqrt()
        places = torch.stack([targets, sources])
        return torch.sparse_coo_tensor(places, roots[targets] * roots[sources], (self.n, self.n)).coalesce().to_sparse_csr()


class Product(torch.autograd.Function):
    """Product of a constant sparse matrix, whose transpose is given, with a dense one."""

    @staticmethod
    def forward(context, matrix, transposed, dense):
        context.transposed = transposed
        return matrix @ dense

    @staticmethod
    def backward(context, gradient):
        return None, None, context.transposed @ gradient


def first_product(graph, weight, rate, training):
    """Returns the product of the features, after dropout, with a matrix."""
    if not graph.is_sparse:
        return F.dropout(graph.features, rate, training) @ weight
    values = F.dropout(graph.coordinates.values(), rate, training)
    dropped = torch.sparse_coo_tensor(
        graph.coordinates.indices(), values, graph.coordinates.shape, is_coalesced=True, check_invariants=False)
    return torch.sparse.mm(dropped, weight)


class PlainGcn(torch.nn.Module):
    def __init__(self, graph, o, classes):
        super().__init__()
        self.rate = o.dropout
        self.matrix = graph.normalised()  # symmetric, so it is its own transpose
        widths = [graph.columns, o.hidden, classes]
        self.weights = torch.nn.ParameterList(glorot(a, b) for a, b in zip(widths, widths[1:]))
        self.biases = torch.nn.ParameterList(torch.zeros(b) for b in widths[1:])

    def forward(self, graph):
        x = first_product(graph, self.weights[0], self.rate, self.training)
        x = torch.relu(Product.apply(self.matrix, self.matrix, x) + self.biases[0])
        x = F.dropout(x, self.rate, self.training) @ self.weights[1]
        return Product.apply(self.matrix, self.matrix, x) + self.biases[1]


class PlainSage(torch.nn.Module):
    def __init__(self, graph, o, classes):
        super().__init__()
        self.rate = o.dropout
        self.matrix = graph.mean()
        self.transposed = self.matrix.to_sparse_coo().t().coalesce().to_sparse_csr()
        widths = [graph.columns, o.hidden, classes]
        self.weights = torch.nn.ParameterList(glorot(a, b) for a, b in zip(widths, widths[1:]))
        self.selves = torch.nn.ParameterList(glorot(a, b) for a, b in zip(widths, widths[1:]))
        self.biases = torch.nn.ParameterList(torch.zeros(b) for b in widths[1:])

    def forward(self, graph):
        both = first_product(graph, torch.cat([self.weights[0], self.selves[0]], 1), self.rate, self.training)
        width = self.weights[0].shape[1]
        x = Product.apply(self.matrix, self.transposed, both[:, :width].contiguous()) + both[:, width:]
        x = F.dropout(torch.relu(x + self.biases[0]), self.rate, self.training)
        neighbours = Product.apply(self.matrix, self.transposed, x @ self.weights[1])
        return neighbours + x @ self.selves[1] + self.biases[1]

    def sampled(self, x, hops):
        for layer, (offsets, sources, targets, source_count, target_count) in enumerate(hops):
            x = F.dropout(x, self.rate, self.training)
            counts = (offsets[1:] - offsets[:-1]).float()
            weights = 1.0 / counts[targets]
            matrix = torch.sparse_csr_tensor(offsets, sources, weights, (target_count, source_count))
            x = torch.sparse.mm(matrix, x @ self.weights[layer]) + x[:target_count] @ self.selves[layer] + self.biases[layer]
            x = torch.relu(x) if layer < len(hops) - 1 else x
        return x


class PlainGat(torch.nn.Module):
    def __init__(self, graph, o, classes):
        super().__init__()
        self.rate, self.heads = o.dropout, [o.heads, 1]
        self.sources, self.targets = graph.with_self()
        widths = [graph.columns, o.hidden, classes]
        self.weights = torch.nn.ParameterList(glorot(a, b) for a, b in zip(widths, widths[1:]))
        self.biases = torch.nn.ParameterList(torch.zeros(b) for b in widths[1:])
        self.by_source = torch.nn.ParameterList(glorot(1, b)[0] for b in widths[1:])
        self.by_target = torch.nn.ParameterList(glorot(1, b)[0] for b in widths[1:])

    def forward(self, graph):
        x = first_product(graph, self.weights[0], self.rate, self.training)
        x = F.dropout(F.elu(self.attend(x, 0, graph.n)), self.rate, self.training)
        return self.attend(x @ self.weights[1], 1, graph.n)

    def attend(self, x, layer, n):
        heads = self.heads[layer]
        rows = x.view(n, heads, -1)
        a = (rows * self.by_source[layer].view(heads, -1)).sum(2)
        b = (rows * self.by_target[layer].view(heads, -1)).sum(2)
        scores = F.leaky_relu(a[self.sources] + b[self.targets], 0.2)
        at = self.targets[:, None].expand(-1, heads)
        largest = torch.full_like(a, -1e30).scatter_reduce(0, at, scores.detach(), "amax")
        shares = torch.exp(scores - largest[self.targets])
        shares = shares / torch.zeros_like(a).index_add(0, self.targets, shares)[self.targets]
        shares = F.dropout(shares, self.rate, self.training)
        messages = rows[self.sources] * shares[:, :, None]
        return torch.zeros_like(rows).index_add(0, self.targets, messages).reshape(n, -1) + self.biases[layer]


class Geometric(torch.nn.Module):
    """The layers of PyTorch Geometric, as its own examples use them."""

    def __init__(self, model, graph, o, classes):
        from torch_geometric.nn import GATConv, GCNConv, SAGEConv

        super().__init__()
        self.model, self.rate = model, o.dropout
        self.edges = graph.edge_index()
        if model == "gcn":
            layers = [GCNConv(graph.columns, o.hidden, cached=True), GCNConv(o.hidden, classes, cached=True)]
        elif model == "graphsage":
            layers = [SAGEConv(graph.columns, o.hidden), SAGEConv(o.hidden, classes)]
        else:
            layers = [
                GATConv(graph.columns, o.hidden // o.heads, heads=o.heads, dropout=o.dropout),
                GATConv(o.hidden, classes, heads=1, dropout=o.dropout),
            ]
        self.layers = torch.nn.ModuleList(layers)
        self.dense = graph.features.to_dense() if graph.is_sparse else graph.features

    def activate(self, x):
        return F.elu(x) if self.model == "gat" else torch.relu(x)

    def forward(self, graph):
        x = F.dropout(self.dense, self.rate, self.training)
        x = self.activate(self.layers[0](x, self.edges))
        return self.layers[1](F.dropout(x, self.rate, self.training), self.edges)

    def sampled(self, x, hops):
        for layer, (_, sources, targets, source_count, target_count) in enumerate(hops):
            x = F.dropout(x, self.rate, self.training)
            x = self.layers[layer]((x, x[:target_count]), torch.stack([sources, targets]))
            x = self.activate(x) if layer < len(hops) - 1 else x
        return x


def glorot(inputs, outputs):
    return (torch.rand(inputs, outputs) * 2 - 1) * (6.0 / (inputs + outputs)) ** 0.5


class Sampler:
    """Samples with array operations on the device; a vertex with more neighbours than the fan-out may draw one twice."""

    def __init__(self, graph):
        self.graph = graph
        self.numbers = torch.full((graph.n,), -1, device=graph.device)

    def hops(self, seeds, fanouts):
        found, hops = seeds, []
        self.numbers[found] = torch.arange(len(found), device=found.device)
        for fanout in fanouts:
            begin, degrees = self.graph.offsets[found], self.graph.degrees[found]
            counts = degrees.clamp(max=fanout)
            offsets = torch.cat([torch.zeros_like(counts[:1]), counts.cumsum(0)])
            targets = torch.repeat_interleave(torch.arange(len(found), device=found.device), counts)
            at = torch.arange(len(targets), device=found.device) - offsets[targets]
            drawn = (torch.rand(len(targets), device=found.device) * degrees[targets]).long()
            at = torch.where(degrees[targets] > fanout, drawn, at)
            sources = self.graph.neighbours[begin[targets] + at]
            new = torch.unique(sources[self.numbers[sources] < 0])
            self.numbers[new] = torch.arange(len(found), len(found) + len(new), device=found.device)
            before = len(found)
            found = torch.cat([found, new])
            hops.insert(0, (offsets, self.numbers[sources], targets, len(found), before))
        self.numbers[found] = -1
        return found, hops


def optimiser(model, o, on_gpu):
    """Adam with weight decay of the matrices of each layer; biases have none."""
    groups = []
    for name, parameter in model.named_parameters():
        layer = int([part for part in name.split(".") if part.isdigit()][0])
        decay = 0.0 if "bias" in name else o.weight_decay[layer]
        groups.append({"params": [parameter], "weight_decay": decay})
    return torch.optim.Adam(groups, lr=o.learning_rate, fused=True) if on_gpu else torch.optim.Adam(groups, lr=o.learning_rate)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--describe", action="store_true")
    parser.add_argument("--library", default="plain")
    parser.add_argument("--model", default="gcn")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--hidden", type=int, default=16)
    parser.add_argument("--heads", type=int, default=8)
    parser.add_argument("--dropout", type=float, default=0.5)
    parser.add_argument("--learning-rate", type=float, default=0.01)
    parser.add_argument("--weight-decay", default="0,0")
    parser.add_argument("--batch", type=int, default=-1)
    parser.add_argument("--fanouts", default="-1,-1")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--warm-ups", type=int, default=1)
    parser.add_argument("--test-every", type=int, default=0)
    o = parser.parse_args()
    if o.describe:
        describe()
        return
    o.weight_decay = [float(part) for part in o.weight_decay.split(",")]
    fanouts = [int(part) for part in o.fanouts.split(",")]
    on_gpu = o.device != "cpu"
    if not on_gpu:
        torch.set_num_threads(1)
    torch.manual_seed(1)
    device = torch.device("cuda" if o.device == "gpu" else o.device.replace("gpu", "cuda"))
    graph = Graph(o.folder, device)
    classes = int(graph.labels.max()) + 1
    labels = graph.labels[graph.train]
    name = o.model
    if o.library == "plain":
        model = {"gcn": PlainGcn, "graphsage": PlainSage, "gat": PlainGat}[name](graph, o, classes)
    else:
        model = Geometric(name, graph, o, classes)
    model = model.to(device)
    adam = optimiser(model, o, on_gpu)
    sampler = Sampler(graph)

    def full_epoch():
        adam.zero_grad()
        loss = F.cross_entropy(model(graph)[graph.train], labels)
        loss.backward()
        adam.step()
        return loss.detach()

    def sampled_epoch():
        order = graph.train[torch.randperm(len(graph.train), device=device)]
        losses = torch.zeros((), device=device)
        for begin in range(0, len(order), o.batch):
            seeds = order[begin : begin + o.batch]
            found, hops = sampler.hops(seeds, fanouts)
            adam.zero_grad()
            scores = model.sampled(graph.features[found], hops)
            loss = F.cross_entropy(scores, graph.labels[seeds])
            loss.backward()
            adam.step()
            losses += loss.detach() * len(seeds)
        return losses / len(order)

    epoch = full_epoch if o.batch < 0 else sampled_epoch
    times, tests = [0.0, 0.0], [0.0, 0.0]
    counted = tested = 0
    for number in range(o.rounds):
        model.train()
        cpu, wall = time.process_time(), time.perf_counter()
        for _ in range(o.epochs):
            loss = epoch()
        last = loss.item()  # waits for the GPU
        if number >= o.warm_ups:
            times[0] += time.process_time() - cpu
            times[1] += time.perf_counter() - wall
            counted += o.epochs
        if o.test_every > 0 and number % o.test_every == 0:
            model.eval()
            cpu, wall = time.process_time(), time.perf_counter()
            with torch.no_grad():
                (model(graph).argmax(1) == graph.labels).sum().item()
            if number >= o.warm_ups:
                tests[0] += time.process_time() - cpu
                tests[1] += time.perf_counter() - wall
                tested += 1
    figures = [1e3 * times[0] / counted, 1e3 * times[1] / counted]
    figures += [1e3 * tests[0] / tested, 1e3 * tests[1] / tested] if tested else [float("nan")] * 2
    print("RESULT", *figures, last, flush=True)


if __name__ == "__main__":
    main()
