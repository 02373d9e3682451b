package io.cutwater.trainer.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.format.VertexSplit;
import io.cutwater.format.vertex.VertexRecord;
import io.cutwater.kafka.shard.ShardRecordCodec.Header;
import io.cutwater.kafka.shard.ShardRecordCodec.Kind;
import io.cutwater.kafka.shard.ShardTopicReader.ChangeHandler;
import io.cutwater.state.graph.EdgeBatch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShardsTogetherTest {
    private static final int SHARDS = 5;
    private static final int RECORDS = 600;
    private static final int NOBODY = Integer.MAX_VALUE;

    @TempDir
    Path temp;

    private final int[] reads = new int[RECORDS];
    private int failsAt = NOBODY;

    @BeforeEach
    void countNothing() {
        IntStream.range(0, RECORDS).forEach(offset -> reads[offset] = 0);
    }

    /** Feeds a topic partition with records of all shards, and of some that are not requested. */
    private void read(long from, long to, ChangeHandler into) throws IOException {
        for (int offset = (int) from; offset < to; offset++) {
            if (offset == failsAt) {
                failsAt = NOBODY;
                throw new IOException("the broker has gone");
            }
            reads[offset]++;
            SplittableRandom random = new SplittableRandom(offset);
            int shard = random.nextInt(SHARDS + 2);
            if (!into.wants(shard)) {
                continue;
            }
            if (random.nextInt(4) == 0) {
                VertexRecord row = new VertexRecord(random.nextInt(9), new float[] {offset}, 1, VertexSplit.TEST);
                into.data(shard, row);
            } else if (random.nextInt(9) == 0) {
                into.gone(shard, random.nextInt(9));
            } else {
                EdgeBatch batch = new EdgeBatch();
                batch.add(random.nextInt(20), random.nextInt(20));
                into.edges(shard, new Header(Kind.ADD, 0), batch);
            }
        }
    }

    private ShardJournal open(String folder, int shard) throws IOException {
        return new ShardJournal(temp.resolve(folder + shard), shard, "shard " + shard, lost -> {});
    }

    private List<ShardJournal> openAll(String folder) throws IOException {
        List<ShardJournal> journals = new ArrayList<>();
        for (int shard = 0; shard < SHARDS; shard++) {
            journals.add(open(folder, shard));
        }
        return journals;
    }

    private void assertAreAt(List<ShardJournal> journals, long offset) throws Exception {
        for (int shard = 0; shard < SHARDS; shard++) {
            ShardJournal alone = open("alone-" + offset + "-", shard);
            alone.moveTo(offset, this::read);
            ShardJournal journal = journals.get(shard);
            assertThat(journal.hasCut(offset)).isTrue();
            journal.moveTo(offset, (from, to, into) -> {
                throw new IOException("it must not read again");
            });
            assertThat(JournalContents.of(journal)).isNotEmpty().isEqualTo(JournalContents.of(alone));
            assertThat(JournalContents.edges(journal)).isEqualTo(JournalContents.edges(alone));
        }
    }

    @Test
    void eachRecordIsReadOnceForAllShards() throws Exception {
        List<ShardJournal> journals = openAll("together");
        ShardJournal.moveAll(journals, RECORDS, this::read);
        assertThat(reads).containsOnly(1);
        assertAreAt(journals, RECORDS);
    }

    @Test
    void shardsThatHaveComeFurtherAreTakenFromWhereTheyAre() throws Exception {
        List<ShardJournal> journals = openAll("together");
        journals.get(1).moveTo(100, this::read);
        journals.get(3).moveTo(250, this::read);
        countNothing();
        ShardJournal.moveAll(journals, RECORDS, this::read);
        assertThat(reads).containsOnly(1);
        assertAreAt(journals, RECORDS);
        ShardJournal.moveAll(journals, RECORDS, (from, to, into) -> {
            throw new IOException("it must not read again");
        });
    }

    @Test
    void aReadThatFailsLeavesWhatWasThereBefore() throws Exception {
        List<ShardJournal> journals = openAll("together");
        ShardJournal.moveAll(journals, 200, this::read);
        failsAt = 400;
        assertThatThrownBy(() -> ShardJournal.moveAll(journals, RECORDS, this::read))
                .isInstanceOf(IOException.class);
        ShardJournal.moveAll(journals, RECORDS, this::read);
        assertAreAt(journals, RECORDS);
        assertAreAt(journals, 200);
    }
}
