package io.cutwater.flink.connector.report;

import io.cutwater.flink.types.OperatorId;
import io.cutwater.flink.types.quality.JobQuality;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.streaming.api.datastream.DataStream;

/** Writes the latest report to a file, see {@link LiveReport}. */
public final class LiveReportSink implements Sink<JobQuality> {
    private static final long serialVersionUID = 1;
    private static final double NANOS = 1e9;

    private final String file;
    private final RunIdentity identity;

    private LiveReportSink(Path file, RunIdentity identity) {
        this.file = file.toString();
        this.identity = identity;
    }

    public static void attach(DataStream<JobQuality> quality, Path file, RunIdentity identity) {
        quality.sinkTo(new LiveReportSink(file, identity))
                .name(OperatorId.LIVE_REPORT.name())
                .uid(OperatorId.LIVE_REPORT.uid())
                .setParallelism(1);
    }

    @Override
    public SinkWriter<JobQuality> createWriter(WriterInitContext context) {
        long start = System.nanoTime();
        return new SinkWriter<>() {
            @Override
            public void write(JobQuality quality, Context ignored) throws IOException {
                LiveReport.of(quality, identity, (System.nanoTime() - start) / NANOS)
                        .write(Path.of(file));
            }

            @Override
            public void flush(boolean endOfInput) {}

            @Override
            public void close() {}
        };
    }
}
