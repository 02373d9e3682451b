#!/usr/bin/env python3
"""Reads output folders of Cutwater, and records of its topics, with the standard library and NumPy.

    import cutwater_reader as cutwater

    folder = cutwater.Folder("shards")           # written by `cutwater partition --format csv` or `npy`
    shard = folder.shard(0)
    shard.sources, shard.targets                 # int64 [m]
    shard.vertices, shard.is_home, shard.degrees # int64 [n], bool [n], int64 [n]
    shard.features                               # float32 [n, d], or None

    state = cutwater.ShardState()                # a shard from topic `shards`
    for value in values_of_one_shard:            # of any Kafka client that reads committed records in order
        state.apply(value)
    sources, targets, weights, timestamps, owners = state.edges()
    state.keys()                                 # int64 [m], the keys of these edges: NO_KEY for none

As a program it prints the edges of a shard as CSV: of a folder, or of records as kcat writes them with
`-f '%k%R%s'`:

    cutwater_reader.py FOLDER SHARD
    cutwater_reader.py --records FILE SHARD

The formats are described in deploy/docs/reference/output-folder.md and deploy/docs/reference/records.md.
"""

import csv
import hashlib
import json
import os
import struct
import sys

import numpy as np

NO_TIMESTAMP = -(2**63)
NO_KEY = -(2**63)
SPLITS = ("none", "train", "val", "test")
MAX_RECORD_BYTES = 64 << 20

_EDGE_KINDS = {1: "add", 2: "add", 3: "remove", 4: "remove", 5: "adopt", 6: "adopt", 7: "evict", 8: "evict"}
_VERTEX_KINDS = {9: "data", 10: "no data"}


class FormatError(ValueError):
    """Something that this program does not read: damaged, incomplete, or of another version."""


class Shard:
    """The arrays of one shard. Row i of `features`, `labels` and `split` is about `vertices[i]`."""

    def __init__(self):
        self.sources = self.targets = np.empty(0, np.int64)
        self.weights = None  # float64 [m], NaN for none
        self.timestamps = None  # int64 [m], NO_TIMESTAMP for none
        self.keys = None  # int64 [m], NO_KEY for none
        self.vertices = self.degrees = np.empty(0, np.int64)
        self.is_home = np.empty(0, bool)  # master or owned; the other vertices are mirrors or halo
        self.features = self.labels = self.split = None

    def local_edges(self):
        """Returns int64 [2, m]: the edges as rows of `vertices`."""
        order = np.argsort(self.vertices)
        ends = np.stack([self.sources, self.targets])
        return order[np.searchsorted(self.vertices, ends, sorter=order)]


class Folder:
    """An output folder that is complete."""

    def __init__(self, path):
        self.path = path
        try:
            with open(os.path.join(path, "manifest.json"), encoding="utf-8") as file:
                self.manifest = json.load(file)
        except FileNotFoundError:
            raise FormatError(f"{path} has no manifest.json, so it is not a complete output folder") from None
        self.format = self.manifest["format"]
        if self.format == "parquet":
            raise FormatError(f"{path} holds Parquet tables; read them with pyarrow, or partition with --format npy")
        self._is_npy = self.format in ("npy", "graphbolt")
        self.partitions = len(self.manifest["counts"]["shards"])

    def verify(self):
        """Compares the SHA-256 of every file with the manifest."""
        for name, expected in self.manifest["files"].items():
            digest = hashlib.sha256()
            with open(os.path.join(self.path, name), "rb") as file:
                for block in iter(lambda: file.read(1 << 20), b""):
                    digest.update(block)
            if digest.hexdigest() != expected:
                raise FormatError(f"{name} in {self.path} was changed after it was written")

    def shard(self, number):
        """Returns one shard, 0 to `partitions` - 1."""
        if not 0 <= number < self.partitions:
            raise FormatError(f"shard {number} is not in {self.path}, which has {self.partitions} shards")
        where = os.path.join(self.path, "shards", f"{number:05d}")
        shard = Shard()
        if self._is_npy:
            _read_npy(where, shard)
        else:
            _read_csv(where, shard)
        for name in ("features", "labels", "split"):
            setattr(shard, name, _array(where, name))
        return shard

    def book(self):
        """Returns vertices [n], their partitions [n], offsets [n + 1], and the replicas of vertex i in
        replicas[offsets[i]:offsets[i + 1]]."""
        if self._is_npy:
            book = np.load(os.path.join(self.path, "partition-book.npy"))
            replicas = np.load(os.path.join(self.path, "replicas.npy"))
            return book[:, 0], book[:, 1], np.concatenate([[0], np.cumsum(book[:, 2])]), replicas
        rows = list(_rows(os.path.join(self.path, "partition-book.csv")))
        lists = [row["replicas"].split("|") for row in rows]
        return (
            np.array([int(row["vertex"]) for row in rows], np.int64),
            np.array([int(row["partition"]) for row in rows], np.int64),
            np.concatenate([[0], np.cumsum([len(parts) for parts in lists])]).astype(np.int64),
            np.array([int(part) for parts in lists for part in parts], np.int64),
        )

    def names(self):
        """Returns the text of each id as bytes; None if the ids of the input are integers."""
        path = os.path.join(self.path, "ids.csv")
        if not os.path.exists(path):
            return None
        with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
            rows = csv.reader(file)
            next(rows)
            return [text.encode("utf-8", "surrogateescape") for _, text in rows]


def _array(folder, name):
    path = os.path.join(folder, name + ".npy")
    return np.load(path, mmap_mode="r") if os.path.exists(path) else None


def _read_npy(folder, shard):
    shard.sources, shard.targets = np.load(os.path.join(folder, "edges.npy"), mmap_mode="r")
    shard.weights = _array(folder, "weights")
    shard.timestamps = _array(folder, "timestamps")
    shard.keys = _array(folder, "keys")
    vertices = np.load(os.path.join(folder, "vertices.npy"), mmap_mode="r")
    shard.vertices, shard.is_home, shard.degrees = vertices[:, 0], vertices[:, 1] == 0, vertices[:, 2]


def _rows(path):
    with open(path, encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def _read_csv(folder, shard):
    rows = list(_rows(os.path.join(folder, "edges.csv")))
    shard.sources = np.array([int(row["src"]) for row in rows], np.int64)
    shard.targets = np.array([int(row["dst"]) for row in rows], np.int64)
    if rows and "weight" in rows[0]:
        shard.weights = np.array([float(row["weight"] or "nan") for row in rows], np.float64)
    if rows and "timestamp" in rows[0]:
        shard.timestamps = np.array([int(row["timestamp"] or NO_TIMESTAMP) for row in rows], np.int64)
    if rows and "key" in rows[0]:
        shard.keys = np.array([int(row["key"] or NO_KEY) for row in rows], np.int64)
    vertices = list(_rows(os.path.join(folder, "vertices.csv")))
    shard.vertices = np.array([int(row["vertex"]) for row in vertices], np.int64)
    shard.is_home = np.array([row["role"] in ("master", "owned") for row in vertices], bool)
    shard.degrees = np.array([int(row["degree"]) for row in vertices], np.int64)


class _Bytes:
    """Reads values from bytes, and refuses to read beyond the end."""

    def __init__(self, data):
        self.data = data
        self.at = 0

    def take(self, layout):
        size = struct.calcsize(layout)
        self._need(size)
        values = struct.unpack_from(layout, self.data, self.at)
        self.at += size
        return values[0]

    def array(self, dtype, count):
        dtype = np.dtype(dtype)
        self._need(dtype.itemsize * count)
        values = np.frombuffer(self.data, dtype, count, self.at)
        self.at += dtype.itemsize * count
        return values

    def part(self, size):
        self._need(size)
        self.at += size
        return self.data[self.at - size : self.at]

    def _need(self, size):
        if size < 0 or size > len(self.data) - self.at:
            raise FormatError(f"a record of {len(self.data)} bytes needs {size} bytes at byte {self.at}")

    def finish(self):
        if self.at != len(self.data):
            raise FormatError(f"a record of {len(self.data)} bytes ends at byte {self.at}")


class ShardRecord:
    """One record of topic `shards`. `kind` is add, remove, adopt, evict, data or no data."""

    def __init__(self, value):
        source = _Bytes(value)
        version = source.take("<B")
        if version not in (1, 2):
            raise FormatError(f"a shard record has version {version}, and this program reads versions 1 and 2")
        code = source.take("<B")
        self.generation = source.take("<q")
        if code in _EDGE_KINDS:
            self.kind = _EDGE_KINDS[code]
            self._read_edges(source, version, code % 2 == 0)
        elif code in _VERTEX_KINDS and version == 1:
            self.kind = _VERTEX_KINDS[code]
            self.vertices = source.array("<i8", source.take("<i"))
            self.data = [] if code == 10 else [VertexData(source.part(source.take("<i"))) for _ in self.vertices]
        else:
            raise FormatError(f"a shard record of version {version} has kind {code}, which this program does not know")
        source.finish()

    def _read_edges(self, source, version, has_owners):
        of_batch = source.take("<B")
        if of_batch != version:
            raise FormatError(f"a shard record of version {version} has an edge batch of version {of_batch}")
        flags = source.take("<B")
        if flags > 3:
            raise FormatError(f"an edge batch in a shard record has flags {flags}, which this program does not know")
        count = source.take("<i")
        self.sources = source.array("<i8", count)
        self.targets = source.array("<i8", count)
        self.weights = source.array("<f8", count) if flags & 1 else None
        self.timestamps = source.array("<i8", count) if flags & 2 else None
        self.keys = source.array("<i8", count) if version == 2 else None
        self.owners = source.array("<u2", 2 * count).reshape(-1, 2) if has_owners else None


class VertexData:
    """Features (float32 [d]), label (-1 for none) and split (see `SPLITS`) of a vertex, from the binary value of a
    record of topic `vertices` or from a record of topic `shards`."""

    def __init__(self, value):
        source = _Bytes(value)
        version, flags = source.take("<B"), source.take("<B")
        if version != 1 or flags > 1:
            raise FormatError(f"vertex data has version {version} and flags {flags}, which this program does not know")
        split = source.take("<B")
        if split >= len(SPLITS):
            raise FormatError(f"vertex data has split {split}; there are 0 to 3")
        self.split = SPLITS[split]
        self.label = source.take("<i")
        size = source.take("<i")
        if flags == 0:
            self.features = source.array("<f4", size)
        else:
            given = source.take("<i")
            pairs = source.array([("at", "<i4"), ("value", "<f4")], given)
            if given and not 0 <= pairs["at"].min() <= pairs["at"].max() < size:
                raise FormatError(f"vertex data names a feature outside 0 to {size - 1}")
            self.features = np.zeros(size, np.float32)
            self.features[pairs["at"]] = pairs["value"]
        source.finish()


_EDGE = np.dtype(
    [("source", "<i8"), ("target", "<i8"), ("weight", "<i8"), ("timestamp", "<i8"), ("key", "<i8"), ("owners", "<i8")]
)
_NO_WEIGHT = np.array([np.nan]).view(np.int64)[0]


class ShardState:
    """A shard as the records of topic `shards` describe it: edges with their number of copies, and vertex data."""

    def __init__(self):
        self.vertex_data = {}
        self._edges = np.empty(0, _EDGE)
        self._copies = np.empty(0, np.int64)
        self._pending = []
        self._pending_edges = 0

    def apply(self, value):
        """Applies the value of a record whose key is the shard. Records come in the order of the topic partition."""
        record = ShardRecord(value)
        if record.kind == "data":
            self.vertex_data.update(zip(record.vertices.tolist(), record.data))
        elif record.kind == "no data":
            for vertex in record.vertices.tolist():
                self.vertex_data.pop(vertex, None)
        else:
            self._pending.append((self._rows(record), 1 if record.kind in ("add", "adopt") else -1))
            self._pending_edges += len(record.sources)
            if self._pending_edges > max(1 << 20, len(self._edges)):
                self._merge()

    @staticmethod
    def _rows(record):
        rows = np.empty(len(record.sources), _EDGE)
        rows["source"] = record.sources
        rows["target"] = record.targets
        rows["weight"] = _NO_WEIGHT if record.weights is None else record.weights.view("<i8")
        rows["timestamp"] = NO_TIMESTAMP if record.timestamps is None else record.timestamps
        rows["key"] = NO_KEY if record.keys is None else record.keys
        owners = record.owners
        rows["owners"] = -1 if owners is None else owners[:, 0].astype(np.int64) << 16 | owners[:, 1]
        return rows

    def _merge(self):
        rows = np.concatenate([self._edges] + [rows for rows, _ in self._pending])
        signs = [np.full(len(rows), sign, np.int64) for rows, sign in self._pending]
        distinct, inverse = np.unique(rows, return_inverse=True)
        copies = np.zeros(len(distinct), np.int64)
        np.add.at(copies, inverse.ravel(), np.concatenate([self._copies] + signs))
        if (copies < 0).any():
            edge = distinct[copies < 0][0]
            raise FormatError(
                f"edge ({edge['source']}, {edge['target']}) leaves the shard more often than it entered; read the"
                " topic from its beginning, committed records only"
            )
        self._edges, self._copies = distinct[copies > 0], copies[copies > 0]
        self._pending, self._pending_edges = [], 0

    def edges(self):
        """Returns sources, targets, weights (NaN for none), timestamps (NO_TIMESTAMP for none), and owners
        [m, 2], or None in an edge partitioning. An edge with n copies is there n times."""
        rows = self._all()
        owners = rows["owners"]
        has_owners = len(rows) > 0 and owners[0] >= 0
        return (
            rows["source"],
            rows["target"],
            rows["weight"].copy().view(np.float64),
            rows["timestamp"],
            np.stack([owners >> 16, owners & 0xFFFF], axis=1) if has_owners else None,
        )

    def keys(self):
        """Returns the keys of the edges that `edges` returns, in the same order; NO_KEY for none."""
        return self._all()["key"]

    def _all(self):
        self._merge()
        return np.repeat(self._edges, self._copies)


def book_entry(value):
    """Decodes a value of topic `partition-book`: (owner or None, cluster or None, degree, replicas)."""
    if not value or value[0] not in (1, 2):
        raise FormatError("an entry of the partition book has a version other than 1 and 2")
    numbers = []
    number = shift = 0
    for byte in value[1:]:
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            numbers.append(number)
            number = shift = 0
    if shift or len(numbers) < 4 or len(numbers) != 4 + numbers[3]:
        raise FormatError("an entry of the partition book is cut off or too long")
    owner = numbers[0] if value[0] == 1 else numbers[0] - 1
    return owner if owner >= 0 else None, numbers[1] - 1 if numbers[1] else None, numbers[2], _sums(numbers[4:])


def _sums(differences):
    sums, total = [], 0
    for difference in differences:
        total += difference
        sums.append(total)
    return sums


def records(file):
    """Yields (key, value) of the records in a file that kcat wrote with -f '%k%R%s' and keys of four bytes."""
    while True:
        head = file.read(8)
        if not head:
            return
        if len(head) < 8:
            raise FormatError("the file ends within a record")
        shard, length = struct.unpack(">ii", head)
        if not 0 <= length <= MAX_RECORD_BYTES:
            raise FormatError(f"a record of shard {shard} has {length} bytes; the file is not what kcat writes")
        value = file.read(length)
        if len(value) < length:
            raise FormatError("the file ends within a record")
        yield shard, value


def _print(sources, targets, weights, timestamps, keys=None):
    out = csv.writer(sys.stdout, lineterminator="\n")
    has_keys = keys is not None and (keys != NO_KEY).any()
    out.writerow(["src", "dst", "weight", "timestamp"] + (["key"] if has_keys else []))
    for i in range(len(sources)):
        weight = "" if weights is None or np.isnan(weights[i]) else repr(float(weights[i]))
        timestamp = "" if timestamps is None or timestamps[i] == NO_TIMESTAMP else int(timestamps[i])
        row = [int(sources[i]), int(targets[i]), weight, timestamp]
        if has_keys:
            row.append("" if keys[i] == NO_KEY else int(keys[i]))
        out.writerow(row)


def main(arguments):
    try:
        if len(arguments) == 3 and arguments[0] == "--records":
            state = ShardState()
            with open(arguments[1], "rb") as file:
                for shard, value in records(file):
                    if shard == int(arguments[2]):
                        state.apply(value)
            _print(*state.edges()[:4], state.keys())
        elif len(arguments) == 2:
            folder = Folder(arguments[0])
            folder.verify()
            shard = folder.shard(int(arguments[1]))
            _print(shard.sources, shard.targets, shard.weights, shard.timestamps, shard.keys)
        else:
            print("usage: cutwater_reader.py FOLDER SHARD, or --records FILE SHARD", file=sys.stderr)
            return 2
    except (FormatError, OSError) as problem:
        print(f"cutwater_reader: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
