package io.cutwater.flink.connector.report;

import io.cutwater.flink.types.quality.JobQuality;
import io.cutwater.format.json.ReportJson;
import io.cutwater.format.json.RunReport;
import io.cutwater.kafka.topic.Topics;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.jspecify.annotations.Nullable;

/**
 * Creates records from reports: from each a short one for topic {@code quality}, with the quality of the whole graph,
 * and from the last before a checkpoint a whole one for topic {@code report}, with all partitions. Whole reports of
 * 4,096 partitions every second would take 20 GB a day. Parallelism 1.
 *
 * <p>A runtime operator, because a report has to be emitted before a barrier. It has no state: reports after a restart
 * replace the earlier ones.
 */
public final class ReportRowsOperator extends AbstractStreamOperator<Tuple2<String, byte[]>>
        implements OneInputStreamOperator<Tuple2<Integer, JobQuality>, Tuple2<String, byte[]>>, BoundedOneInput {
    /** Topic and value. */
    public static final TypeInformation<Tuple2<String, byte[]>> TYPE =
            Types.TUPLE(Types.STRING, Types.PRIMITIVE_ARRAY(Types.BYTE));

    private static final long serialVersionUID = 1;
    private static final double NANOS = 1e9;

    private final String series;
    private final String newest;
    private final RunIdentity identity;
    private transient long start;
    private transient @Nullable RunReport last;

    public ReportRowsOperator(Topics topics, RunIdentity identity) {
        series = topics.quality();
        newest = topics.report();
        this.identity = identity;
    }

    @Override
    public void open() throws Exception {
        super.open();
        start = System.nanoTime();
    }

    @Override
    public void processElement(StreamRecord<Tuple2<Integer, JobQuality>> element) {
        Tuple2<Integer, JobQuality> report = element.getValue();
        RunReport now = LiveReport.of(report.f1, identity, (System.nanoTime() - start) / NANOS)
                .report()
                .withShardTopicPartitions(report.f0);
        last = now;
        write(series, ReportJson.toShortBytes(now));
    }

    private void write(String topic, byte[] value) {
        output.collect(new StreamRecord<>(Tuple2.of(topic, value)));
    }

    @Override
    public void prepareSnapshotPreBarrier(long checkpointId) {
        writeWhole();
    }

    @Override
    public void endInput() {
        writeWhole();
    }

    private void writeWhole() {
        if (last != null) {
            write(newest, ReportJson.toBytes(last));
            last = null;
        }
    }
}
