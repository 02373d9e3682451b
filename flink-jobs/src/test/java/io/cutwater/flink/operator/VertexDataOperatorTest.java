package io.cutwater.flink.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.flink.types.graph.VertexEvent;
import io.cutwater.flink.types.shard.ShardVertices;
import io.cutwater.flink.types.shard.VertexReplicas;
import io.cutwater.format.VertexSplit;
import io.cutwater.format.vertex.VertexRecord;
import io.cutwater.format.vertex.VertexRecordCodec;
import io.cutwater.kafka.shard.ShardVertexCodec;
import io.cutwater.state.graph.RejectedRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.state.rocksdb.EmbeddedRocksDBStateBackend;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedTwoInputStreamOperatorTestHarness;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests on RocksDB state, with a snapshot and a restore after some steps. */
final class VertexDataOperatorTest {
    static LongStream seeds() {
        return LongStream.rangeClosed(1, 4);
    }

    @Test
    void sendsDataToTheShardsOfTheVertexInEitherOrder() throws Exception {
        try (Scene scene = new Scene()) {
            scene.isAt(7, 1, 3);
            scene.knows(7, 50);
            scene.knows(8, 51);
            assertThat(scene.commit()).containsExactly("1: 7 is 50", "3: 7 is 50");
            scene.isAt(8, 2);
            assertThat(scene.commit()).containsExactly("2: 8 is 51");
        }
    }

    @Test
    void addsAndDeletesDataWithTheReplicas() throws Exception {
        try (Scene scene = new Scene()) {
            scene.knows(7, 50);
            scene.isAt(7, 1, 3);
            scene.commit();
            scene.isAt(7, 0, 1);
            assertThat(scene.commit()).containsExactly("0: 7 is 50", "3: 7 is gone");
            scene.isAt(7);
            assertThat(scene.commit()).containsExactly("0: 7 is gone", "1: 7 is gone");
            scene.isAt(7, 4095);
            assertThat(scene.commit()).as("they waited for it").containsExactly("4095: 7 is 50");
        }
    }

    @Test
    void newDataReplacesTheOldInEveryShardAndEqualDataIsDropped() throws Exception {
        try (Scene scene = new Scene()) {
            scene.isAt(7, 1, 3);
            scene.knows(7, 50);
            scene.commit();
            scene.knows(7, 50);
            scene.isAt(7, 1, 3);
            assertThat(scene.commit()).isEmpty();
            scene.knows(7, 51);
            assertThat(scene.commit()).containsExactly("1: 7 is 51", "3: 7 is 51");
        }
    }

    @Test
    void aDeletedVertexIsDeletedOnceInEachShard() throws Exception {
        try (Scene scene = new Scene()) {
            scene.isAt(7, 2);
            scene.forgets(7);
            assertThat(scene.commit()).as("nothing was known").isEmpty();
            scene.knows(7, 50);
            scene.forgets(7);
            scene.forgets(7);
            assertThat(scene.commit()).containsExactly("2: 7 is 50", "2: 7 is gone");
            scene.isAt(7, 2, 3);
            assertThat(scene.commit()).isEmpty();
        }
    }

    @Test
    void malformedRecordsAreEmittedToASideOutputAndCounted() throws Exception {
        try (Scene scene = new Scene()) {
            RejectedRecord rejected = new RejectedRecord("why", "vertices", 2, 9, null, new byte[] {1});
            scene.harness.processElement2(new StreamRecord<>(new VertexEvent(0, null, rejected)));
            assertThat(scene.harness.getSideOutput(VertexDataOperator.DEAD_LETTERS))
                    .extracting(StreamRecord::getValue)
                    .containsExactly(rejected);
            assertThat(scene.commit()).isEmpty();
        }
    }

    @Test
    void combinesVerticesIntoRecordsAndIsEmptyAtABarrier() throws Exception {
        try (Scene scene = new Scene()) {
            for (long vertex = 0; vertex < 20_000; vertex++) {
                scene.isAt(vertex, 1);
                scene.knows(vertex, (int) vertex);
            }
            assertThat(scene.commit()).hasSize(20_000);
            assertThat(scene.records).isBetween(2, 20);
        }
    }

    /** Compares the data of each shard with a plain map at every commit, with crashes in between. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void everyShardHasTheLastDataOfExactlyItsVertices(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        Map<Long, TreeSet<Integer>> places = new HashMap<>();
        Map<Long, Integer> known = new HashMap<>();
        Map<String, Integer> shards = new TreeMap<>();
        try (Scene scene = new Scene()) {
            for (int step = 0; step < 30; step++) {
                for (int i = random.nextInt(1, 30); i > 0; i--) {
                    long vertex = random.nextInt(-20, 20);
                    if (random.nextBoolean()) {
                        TreeSet<Integer> at = new TreeSet<>();
                        IntStream.range(0, random.nextInt(4)).forEach(any -> at.add(random.nextInt(6)));
                        places.put(vertex, at);
                        scene.isAt(vertex, at.stream().mapToInt(p -> p).toArray());
                    } else if (random.nextInt(4) > 0) {
                        int label = random.nextInt(3);
                        known.put(vertex, label);
                        scene.knows(vertex, label);
                    } else {
                        known.remove(vertex);
                        scene.forgets(vertex);
                    }
                }
                apply(scene.commit(), shards);
                assertThat(shards).as("seed %d, step %d", seed, step).isEqualTo(expected(places, known));
                if (random.nextInt(5) == 0) {
                    // What comes behind the barrier is lost with the attempt.
                    scene.isAt(random.nextInt(-20, 20), 5);
                    scene.knows(random.nextInt(-20, 20), 9);
                    scene.restore();
                }
            }
        }
    }

    private static Map<String, Integer> expected(Map<Long, TreeSet<Integer>> places, Map<Long, Integer> known) {
        Map<String, Integer> expected = new TreeMap<>();
        places.forEach((vertex, at) -> {
            Integer label = known.get(vertex);
            if (label != null) {
                at.forEach(shard -> expected.put(shard + ": " + vertex, label));
            }
        });
        return expected;
    }

    private static void apply(List<String> changes, Map<String, Integer> shards) {
        for (String change : changes) {
            String[] parts = change.split(" is ");
            if (parts[1].equals("gone")) {
                assertThat(shards.remove(parts[0])).as(change).isNotNull();
            } else {
                shards.put(parts[0], Integer.valueOf(parts[1]));
            }
        }
    }

    /** Attempts of the operator, one after the other; the data of a vertex is its label. */
    private static final class Scene implements AutoCloseable {
        int records;
        private KeyedTwoInputStreamOperatorTestHarness<Long, VertexReplicas, VertexEvent, ShardVertices> harness;
        private @Nullable OperatorSubtaskState snapshot;
        private int checkpoints;

        Scene() throws Exception {
            harness = open();
        }

        private KeyedTwoInputStreamOperatorTestHarness<Long, VertexReplicas, VertexEvent, ShardVertices> open()
                throws Exception {
            var opened = new KeyedTwoInputStreamOperatorTestHarness<>(
                    new VertexDataOperator(), VertexReplicas::vertex, VertexEvent::vertex, Types.LONG);
            opened.setStateBackend(new EmbeddedRocksDBStateBackend());
            opened.setup(ShardVertices.TYPE.serializer());
            if (snapshot != null) {
                opened.initializeState(snapshot);
            }
            opened.open();
            return opened;
        }

        void isAt(long vertex, int... partitions) throws Exception {
            harness.processElement1(new StreamRecord<>(new VertexReplicas(vertex, partitions)));
        }

        void knows(long vertex, int label) throws Exception {
            byte[] data = VertexRecordCodec.value(new float[] {1}, 1, label, VertexSplit.VAL);
            harness.processElement2(new StreamRecord<>(new VertexEvent(vertex, data, null)));
        }

        void forgets(long vertex) throws Exception {
            harness.processElement2(new StreamRecord<>(new VertexEvent(vertex, null, null)));
        }

        /** A checkpoint, and what the shards have learnt by it, in the order of each shard. */
        List<String> commit() throws Exception {
            harness.prepareSnapshotPreBarrier(++checkpoints);
            snapshot = harness.snapshot(checkpoints, checkpoints);
            List<String> learnt = new ArrayList<>();
            harness.extractOutputValues().forEach(vertices -> {
                records++;
                ShardVertexCodec.decode(vertices.record(), new ShardVertexCodec.Handler() {
                    @Override
                    public void data(VertexRecord vertex) {
                        learnt.add("%d: %d is %d".formatted(vertices.shard(), vertex.vertex(), vertex.label()));
                    }

                    @Override
                    public void gone(long vertex) {
                        learnt.add("%d: %d is gone".formatted(vertices.shard(), vertex));
                    }
                });
            });
            harness.getOutput().clear();
            return learnt;
        }

        void restore() throws Exception {
            harness.close();
            harness = open();
        }

        @Override
        public void close() throws Exception {
            harness.close();
        }
    }
}
