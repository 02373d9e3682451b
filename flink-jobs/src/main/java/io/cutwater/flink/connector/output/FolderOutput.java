package io.cutwater.flink.connector.output;

import io.cutwater.flink.types.OperatorId;
import io.cutwater.flink.types.shard.FolderRecord;
import java.nio.file.Path;
import org.apache.flink.streaming.api.datastream.DataStream;

/** Writes a partitioning to the staging area of an output folder. */
public final class FolderOutput {
    private FolderOutput() {}

    public static void attach(PartitionStreams streams, Path staging, int shards) {
        DataStream<FolderRecord> edges = streams.shards()
                .map(batch -> (FolderRecord) new FolderRecord.Edges(batch))
                .returns(FolderRecord.TYPE)
                .setParallelism(streams.shards().getParallelism()); // else edges would go through a task more
        DataStream<FolderRecord> vertices = streams.finalBook()
                .map(batch -> (FolderRecord) new FolderRecord.Vertices(batch))
                .returns(FolderRecord.TYPE)
                .setParallelism(1);
        DataStream<FolderRecord> rejected = streams.deadLetters()
                .map(record -> (FolderRecord) new FolderRecord.Rejected(record))
                .returns(FolderRecord.TYPE)
                .setParallelism(1);
        edges.union(vertices, rejected)
                .sinkTo(new FolderSink(staging, shards))
                .name(OperatorId.FOLDER.name())
                .uid(OperatorId.FOLDER.uid())
                .setParallelism(1);
    }
}
