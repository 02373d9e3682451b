package io.cutwater.trainer.journal;

import io.cutwater.format.VertexSplit;
import io.cutwater.format.vertex.VertexRecord;
import io.cutwater.kafka.shard.ShardRecordCodec.Header;
import io.cutwater.kafka.shard.ShardRecordCodec.Kind;
import io.cutwater.kafka.shard.ShardTopicReader.ChangeHandler;
import io.cutwater.state.graph.EdgeBatch;
import java.nio.file.Path;

/** A process that moves from cut to cut, prints each, and waits after the last to be killed. */
final class JournalProbe {
    static final int SHARD = 1;
    static final long STEP = 500;
    static final int CUTS = 100;

    private JournalProbe() {}

    public static void main(String[] arguments) throws Exception {
        ShardJournal journal = open(Path.of(arguments[0]));
        long from = Long.parseLong(arguments[1]);
        for (int cut = 1; cut <= CUTS; cut++) {
            journal.moveTo(from + cut * STEP, JournalProbe::read);
            System.out.println(from + cut * STEP);
        }
        System.in.read();
    }

    static ShardJournal open(Path folder) throws Exception {
        return new ShardJournal(folder, SHARD, "a probe", lost -> System.out.println("lost: " + lost), 64, 0);
    }

    /** Feeds an endless topic in which every fourth record removes an edge, and data change or go. */
    static void read(long from, long to, ChangeHandler into) {
        for (long offset = from; offset < to; offset++) {
            EdgeBatch edge = new EdgeBatch(1);
            boolean leaves = offset % 4 == 3;
            long number = leaves ? offset - 2 : offset;
            edge.add(number % 97, number % 89);
            into.edges(SHARD, new Header(leaves ? Kind.REMOVE : Kind.ADD, 0), edge);
            if (offset % 7 == 0) {
                into.gone(SHARD, offset % 31);
            } else {
                into.data(SHARD, new VertexRecord(offset % 31, new float[] {offset}, 0, VertexSplit.TEST));
            }
        }
    }
}
