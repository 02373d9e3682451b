package io.cutwater.trainer.remote;

import io.cutwater.trainer.channel.FrameAnswerer;
import io.cutwater.trainer.channel.FrameChannel;
import io.cutwater.trainer.linked.LinkedShard;
import io.cutwater.trainer.linked.RowCache;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.sampler.BufferPool;
import io.cutwater.trainer.sampler.Chunk;
import io.cutwater.trainer.sampler.InputRows;
import io.cutwater.trainer.sync.GraphBatchMaker;
import io.cutwater.trainer.sync.GraphLayers;
import io.cutwater.trainer.sync.SyncTrainers;
import io.cutwater.trainer.sync.WorkCounters;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Answers the questions of the worker of a shard, see {@link BatchFormat}. Thread-safe. */
final class BatchServer implements FrameAnswerer {
    private final LinkedShard shard;
    private final List<Integer> fanouts;
    private final GnnNetwork network;
    private final RowCache cache;
    private final GraphLayers layers;
    private final BufferPool buffers = new BufferPool();
    private final Deque<GraphBatchMaker> idle = new ArrayDeque<>();
    private final Turns turns = new Turns();
    private @Nullable WorkerRows rows; // of the worker, for the groups that it asks this server for
    private volatile @Nullable FrameChannel samplers;

    /**
     * Creates a server.
     *
     * @param cache features of other shards
     * @param layers data of tests
     */
    BatchServer(LinkedShard shard, List<Integer> fanouts, GnnNetwork network, RowCache cache, GraphLayers layers) {
        this.shard = shard;
        this.fanouts = fanouts;
        this.network = network;
        this.cache = cache;
        this.layers = layers;
    }

    @Override
    public ByteBuffer answer(ByteBuffer question) {
        ByteBuffer asked = question.duplicate().order(BatchFormat.ORDER);
        try {
            byte kind = asked.get();
            return switch (kind) {
                case BatchFormat.OPEN -> RemoteShard.encode(shard, layers);
                case BatchFormat.GROUP -> group(asked);
                case BatchFormat.LAYER -> layer(asked.getInt(), asked.getInt());
                case BatchFormat.KEEP -> keep(asked.getInt(), asked.getInt(), asked);
                default ->
                    throw new IllegalArgumentException(
                            "a question of unknown kind %d; run all processes with the same version".formatted(kind));
            };
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("a truncated question; run all processes with the same version", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("it was stopped", e);
        }
    }

    /** Continues in a group of the same processes. */
    void continueIn(FrameChannel next) {
        samplers = next;
    }

    /** A mini-batch that this server or that of another shard of the worker makes. */
    private record Making(BatchServer of, GraphBatchMaker maker, GraphBatchMaker.Sample sample) {}

    private ByteBuffer group(ByteBuffer asked) throws IOException, InterruptedException {
        List<Making> makings = new ArrayList<>();
        try {
            return group(asked, makings);
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            turns.fail("a mini-batch before failed: " + e.getMessage());
            throw e;
        } finally {
            makings.forEach(making -> making.of.giveBack(making.maker));
        }
    }

    private ByteBuffer group(ByteBuffer asked, List<Making> makings) throws IOException, InterruptedException {
        long number = asked.getLong();
        int capacity = asked.getInt();
        long randomSeed = asked.getLong();
        for (int left = asked.getInt(); left > 0; left--) {
            int rank = asked.getInt();
            int[] seeds = BatchFormat.ints(asked, asked.getInt());
            FrameChannel current = Objects.requireNonNull(samplers);
            if (!current.team().contains(rank)) {
                throw new IllegalArgumentException("it does not make mini-batches of shard " + rank);
            }
            BatchServer server = (BatchServer) current.server(rank);
            GraphBatchMaker maker = server.maker();
            try {
                makings.add(new Making(server, maker, server.sample(maker, seeds, randomSeed)));
            } catch (IOException | InterruptedException | RuntimeException | Error e) {
                server.giveBack(maker);
                throw e;
            }
        }
        List<long[]> missing = turns.take(number, () -> {
            WorkerRows known = rows == null ? new WorkerRows(Math.max(0, capacity)) : rows;
            rows = known;
            return known.missing(
                    makings.stream().map(making -> making.sample.vertices()).toList());
        });
        List<GroupFormat.Made> group = new ArrayList<>();
        for (int i = 0; i < makings.size(); i++) {
            Making making = makings.get(i);
            InputRows rows = making.maker.read(missing.get(i));
            group.add(new GroupFormat.Made(making.sample, making.maker.takeTraffic(), rows));
        }
        ByteBuffer answer = GroupFormat.encode(group);
        for (int i = 0; i < makings.size(); i++) {
            if (group.get(i).missing() instanceof InputRows.Dense dense) {
                makings.get(i).of.buffers.giveBack(dense.values());
            }
        }
        return answer;
    }

    private GraphBatchMaker.Sample sample(GraphBatchMaker maker, int[] seeds, long randomSeed)
            throws IOException, InterruptedException {
        for (int seed : seeds) {
            if (seed < 0 || seed >= shard.slice().vertices().length) {
                throw new IllegalArgumentException(
                        "training vertex %d of %d".formatted(seed, shard.slice().vertices().length));
            }
        }
        maker.takeTraffic(); // of a mini-batch that failed
        return maker.sample(seeds, 0, seeds.length, randomSeed);
    }

    private GraphBatchMaker maker() {
        synchronized (idle) {
            GraphBatchMaker maker = idle.poll();
            if (maker != null) {
                return maker;
            }
        }
        long salt = SyncTrainers.salt(shard.rank());
        return new GraphBatchMaker(shard, fanouts, salt, cache, new WorkCounters(), 0, buffers);
    }

    private void giveBack(GraphBatchMaker maker) {
        synchronized (idle) {
            idle.push(maker);
        }
    }

    private void requireLayer(int layer, int from, int end) {
        if (layer < 0 || layer >= end || from < 0 || from >= layers.count(layer == network.layerCount() - 1)) {
            throw new IllegalArgumentException("position %d of layer %d does not exist".formatted(from, layer));
        }
    }

    private ByteBuffer layer(int layer, int from) throws IOException, InterruptedException {
        requireLayer(layer, from, network.layerCount());
        synchronized (layers) {
            layers.takeBytes(); // of a question that failed
            layers.takeMapped();
            Chunk chunk = layers.read(layer, from);
            ByteBuffer out = BatchFormat.buffer(
                    2L * Long.BYTES + BatchFormat.bytes(chunk.hop()) + BatchFormat.bytes(chunk.inputs()));
            out.putLong(layers.takeBytes()).putLong(layers.takeMapped());
            BatchFormat.put(chunk.hop(), out);
            BatchFormat.put(chunk.inputs(), out);
            layers.giveBack(chunk);
            return out.flip();
        }
    }

    private ByteBuffer keep(int layer, int from, ByteBuffer rows) throws IOException {
        requireLayer(layer, from, network.layerCount() - 1);
        int width = network.width(layer);
        int count = rows.remaining() / Float.BYTES / width;
        if (count > layers.count(false) - from || rows.remaining() != (long) count * width * Float.BYTES) {
            throw new IllegalArgumentException("%d bytes of results of layer %d".formatted(rows.remaining(), layer));
        }
        synchronized (layers) {
            layers.keep(layer, from, BatchFormat.floats(rows, count * width));
        }
        return ByteBuffer.allocate(0);
    }
}
