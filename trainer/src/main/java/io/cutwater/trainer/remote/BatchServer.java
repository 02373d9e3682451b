package io.cutwater.trainer.remote;

import io.cutwater.trainer.channel.FrameAnswerer;
import io.cutwater.trainer.linked.LinkedShard;
import io.cutwater.trainer.linked.RowCache;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.sampler.BufferPool;
import io.cutwater.trainer.sampler.Chunk;
import io.cutwater.trainer.sampler.InputRows;
import io.cutwater.trainer.sampler.MiniBatch;
import io.cutwater.trainer.sync.GraphBatchMaker;
import io.cutwater.trainer.sync.GraphLayers;
import io.cutwater.trainer.sync.SyncTrainers;
import io.cutwater.trainer.sync.WorkCounters;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Answers the questions of the worker of a shard, see {@link BatchFormat}. Thread-safe. */
final class BatchServer implements FrameAnswerer {
    private final LinkedShard shard;
    private final List<Integer> fanouts;
    private final GnnNetwork network;
    private final RowCache cache;
    private final GraphLayers layers;
    private final BufferPool buffers = new BufferPool();
    private final Deque<Maker> idle = new ArrayDeque<>();

    private record Maker(GraphBatchMaker batches, WorkCounters counters) {}

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
                case BatchFormat.BATCH -> batch(asked.getLong(), BatchFormat.ints(asked, asked.getInt()));
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

    private ByteBuffer batch(long randomSeed, int[] seeds) {
        for (int seed : seeds) {
            if (seed < 0 || seed >= shard.slice().vertices().length) {
                throw new IllegalArgumentException(
                        "training vertex %d of %d".formatted(seed, shard.slice().vertices().length));
            }
        }
        Maker maker = maker();
        try {
            MiniBatch batch = maker.batches.make(seeds, 0, seeds.length, randomSeed);
            ByteBuffer answer = BatchFormat.encode(batch, maker.counters.takeTraffic(), maker.counters.takeLocality());
            if (batch.inputs() instanceof InputRows.Dense dense) {
                buffers.giveBack(dense.values());
            }
            return answer;
        } finally {
            synchronized (idle) {
                idle.push(maker);
            }
        }
    }

    private Maker maker() {
        synchronized (idle) {
            Maker maker = idle.poll();
            if (maker != null) {
                return maker;
            }
        }
        WorkCounters counters = new WorkCounters();
        long salt = SyncTrainers.salt(shard.rank());
        return new Maker(new GraphBatchMaker(shard, fanouts, salt, cache, counters, 0, buffers), counters);
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
            Chunk chunk = layers.read(layer, from);
            ByteBuffer out =
                    BatchFormat.buffer(Long.BYTES + BatchFormat.bytes(chunk.hop()) + BatchFormat.bytes(chunk.inputs()));
            out.putLong(layers.takeBytes());
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
