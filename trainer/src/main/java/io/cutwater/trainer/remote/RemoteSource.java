package io.cutwater.trainer.remote;

import io.cutwater.trainer.channel.FrameChannel;
import io.cutwater.trainer.model.GnnNetwork;
import io.cutwater.trainer.round.Traffic;
import io.cutwater.trainer.sampler.BatchQueue;
import io.cutwater.trainer.sampler.BufferPool;
import io.cutwater.trainer.sampler.Chunk;
import io.cutwater.trainer.sampler.Hop;
import io.cutwater.trainer.sampler.InputRows;
import io.cutwater.trainer.sync.LayerData;
import io.cutwater.trainer.sync.WorkCounters;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A worker's side of a shard that a sampler holds. Mini-batches are asked for by any thread, layers by one. */
final class RemoteSource implements LayerData {
    private final RemoteShard shard;
    private final GnnNetwork network;
    private final BatchTeam team;
    private final int batchSize;
    private final WorkCounters counters;
    private final BufferPool buffers = new BufferPool();
    private final List<FrameChannel.Answer> kept = new ArrayList<>();
    private volatile FrameChannel channel;
    private @Nullable Ahead ahead;
    private long bytes;
    private long mapped;

    private record Ahead(int layer, int from, FrameChannel.Answer answer) {}

    /**
     * Creates the source of a shard.
     *
     * @param batchSize seeds of a mini-batch; any number if there is one
     */
    RemoteSource(
            RemoteShard shard,
            GnnNetwork network,
            BatchTeam team,
            int batchSize,
            WorkCounters counters,
            FrameChannel channel) {
        this.shard = shard;
        this.team = team;
        this.batchSize = batchSize;
        this.network = network;
        this.counters = counters;
        this.channel = channel;
    }

    /** Opens the shard at its sampler. */
    static RemoteShard open(FrameChannel channel) throws IOException, InterruptedException {
        ByteBuffer answer = channel.askSampler(
                        channel.rank(),
                        BatchFormat.buffer(1).put(BatchFormat.OPEN).flip())
                .get();
        return BatchFormat.read(answer, in -> RemoteShard.read(channel.rank(), in));
    }

    RemoteShard shard() {
        return shard;
    }

    FrameChannel channel() {
        return channel;
    }

    /** Continues in a group of the same processes. */
    void continueIn(FrameChannel next) {
        channel = next;
        ahead = null;
        kept.clear();
        bytes = 0;
        mapped = 0;
    }

    /** Begins a round, see {@link BatchTeam#begin}. */
    void begin(int round, int firstBatch) {
        team.begin(round, (int) Math.min(Integer.MAX_VALUE, (long) firstBatch * batchSize));
    }

    /** Makes the threads fail that wait for a mini-batch. */
    void close() {
        team.fail("the round was given up");
    }

    /** Returns a maker of mini-batches, see {@link BatchQueue}. */
    BatchQueue.Maker maker(BufferPool ofQueue) {
        return (seeds, from, to, randomSeed) -> {
            try {
                return team.batch(
                        channel,
                        new BatchTeam.Part(shard.shard(), Arrays.copyOfRange(seeds, from, to), ofQueue, counters),
                        from,
                        batchSize,
                        randomSeed);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("it was stopped", e);
            }
        };
    }

    @Override
    public int count(boolean isLast) {
        return isLast ? shard.ownedCount() : shard.homes();
    }

    @Override
    public Chunk read(int layer, int from) throws IOException, InterruptedException {
        Ahead asked = ahead;
        if (asked == null || asked.layer != layer || asked.from != from) {
            asked = ask(layer, from);
        }
        ahead = null;
        ByteBuffer answer = asked.answer.get();
        bytes += answer.remaining();
        Chunk chunk = BatchFormat.read(answer, in -> {
            bytes += in.getLong();
            mapped += in.getLong();
            Hop hop = BatchFormat.hop(in);
            return new Chunk(from, hop, BatchFormat.inputs(in, buffers));
        });
        int end = count(layer == network.layerCount() - 1);
        if (chunk.hop().targetCount() < 1 || chunk.to() > end) {
            throw new IOException(
                    "the sampler of shard %d sent positions %d to %d of %d; run all processes with the same version"
                            .formatted(shard.shard(), from, chunk.to(), end));
        }
        if (chunk.to() < end) { // sampled while this chunk is computed
            ahead = ask(layer, chunk.to());
        }
        return chunk;
    }

    private Ahead ask(int layer, int from) {
        ByteBuffer question = BatchFormat.buffer(1 + 2 * Integer.BYTES)
                .put(BatchFormat.LAYER)
                .putInt(layer)
                .putInt(from);
        bytes += question.position();
        return new Ahead(layer, from, channel.askSampler(shard.shard(), question.flip()));
    }

    @Override
    public void giveBack(Chunk chunk) {
        if (chunk.inputs() instanceof InputRows.Dense dense) {
            buffers.giveBack(dense.values());
        }
    }

    @Override
    public void keep(int layer, int from, float[] rows) {
        ByteBuffer question = BatchFormat.buffer(1 + 2 * Integer.BYTES + (long) rows.length * Float.BYTES);
        question.put(BatchFormat.KEEP).putInt(layer).putInt(from);
        BatchFormat.put(rows, question);
        bytes += question.position();
        kept.add(channel.askSampler(shard.shard(), question.flip()));
    }

    @Override
    public void awaitKept() throws InterruptedException {
        for (FrameChannel.Answer answer : kept) {
            answer.get();
        }
        kept.clear();
    }

    /** Returns the bytes of layers since the last call. */
    Traffic takeTraffic() {
        Traffic taken = new Traffic(0, 0, 0, 0, bytes).withMapped(mapped);
        bytes = 0;
        mapped = 0;
        return taken;
    }
}
