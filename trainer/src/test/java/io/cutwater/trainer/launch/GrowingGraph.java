package io.cutwater.trainer.launch;

import io.cutwater.format.input.VertexFiles;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.trainer.feature.FeatureScaling;
import io.cutwater.trainer.feature.ShapeOptions;
import io.cutwater.trainer.feature.VertexData;
import io.cutwater.trainer.shard.DataShape;
import io.cutwater.trainer.shard.RandomGraph;
import io.cutwater.trainer.shard.ShardBuilder;
import io.cutwater.trainer.shard.ShardCut;
import io.cutwater.trainer.shard.ShardInput;
import io.cutwater.trainer.shard.ShardSource;
import io.cutwater.trainer.shard.ShardStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A graph with 500 more edges at each cut, and a number of shards per cut. */
final class GrowingGraph implements ShardSource {
    static final int VERTICES = 400;
    static final int CLASSES = 4;

    private final int[] shards;
    private final VertexData data;
    /** The number of the newest cut. */
    int newest;
    /** The cut that interrupts the thread that requests it. */
    int last = Integer.MAX_VALUE;
    /** Whether there is one more cut each time it is asked for the latest. */
    private boolean growsWhenAsked;

    /** @param shards number of shards by cut, the last one for all later cuts; if negative, the last shard is empty */
    GrowingGraph(Path folder, int... shards) throws IOException {
        this(graph(0).data(folder, FeatureScaling.NONE), shards);
    }

    private GrowingGraph(VertexData data, int... shards) {
        this.shards = shards;
        this.data = data;
    }

    /** Creates a graph whose vertices have no features. */
    static GrowingGraph withoutFeatures(Path folder, int... shards) throws IOException {
        VertexFiles all = graph(0).files(folder);
        return new GrowingGraph(
                VertexData.of(
                        new VertexFiles(null, all.labels(), all.split()),
                        FeatureScaling.NONE,
                        ShapeOptions.FOUND.withEmbeddings(1)),
                shards);
    }

    /** Adds a cut each time this is asked for the latest one, after the answer. */
    GrowingGraph growingWhenAsked() {
        growsWhenAsked = true;
        return this;
    }

    /** Returns the graph at a cut; with the same seed a later graph begins with the edges of an earlier one. */
    static RandomGraph graph(int cut) {
        return new RandomGraph(1, VERTICES, 1000 + 500 * cut, 30, CLASSES, 0.3);
    }

    ShardCut cut(int number) {
        return new ShardCut(Math.abs(shards(number)), List.of((long) number), List.of());
    }

    private int shards(int cut) {
        return shards[Math.min(cut, shards.length - 1)];
    }

    @Override
    public DataShape shape() {
        return new DataShape(data.columns(), data.classCount());
    }

    @Override
    public PartitioningKind kind() {
        return PartitioningKind.VERTEX;
    }

    @Override
    public ShardCut latest() {
        if (newest == last) {
            Thread.currentThread().interrupt();
        }
        ShardCut now = cut(newest);
        newest += growsWhenAsked ? 1 : 0;
        return now;
    }

    @Override
    public ShardStore make(int shard, ShardCut cut, Path folder) throws IOException {
        int number = Math.toIntExact(cut.shardOffsets().get(0));
        boolean lastIsEmpty = shards(number) < 0;
        ShardInput input = lastIsEmpty && shard == cut.shards() - 1
                ? new NoVertices()
                : graph(number).input(shard, lastIsEmpty ? cut.shards() - 1 : cut.shards());
        return ShardBuilder.build(shard, input, data, folder);
    }

    private record NoVertices() implements ShardInput {
        @Override
        public void readVertices(VertexConsumer consumer) {}

        @Override
        public void readEdges(EdgeConsumer consumer) throws IOException {
            consumer.accept(new EdgeBatch());
        }
    }

    @Override
    public void close() {}
}
