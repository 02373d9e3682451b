package io.cutwater.flink.operator.local;

import io.cutwater.flink.operator.assigner.AssignerOperator;
import io.cutwater.flink.types.quality.JobQuality;
import io.cutwater.flink.types.shard.ShardBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/** Output of the operator over all attempts. */
final class Outcome {
    final NetShards shards;
    /** Replicas of each vertex according to the changes. */
    final Map<Long, List<Integer>> book = new TreeMap<>();

    final Map<Long, Integer> masters = new TreeMap<>();
    /** Degree of each vertex according to the changes. */
    final Map<Long, Long> degrees = new TreeMap<>();
    /** Degrees of all vertices at the end. */
    final Map<Long, Long> finalBook = new TreeMap<>();

    JobQuality quality;

    /** @param partitions number of partitions */
    Outcome(int partitions) {
        shards = new NetShards(partitions);
    }

    void takeFrom(AssignerHarness harness) {
        for (Object element : harness.getOutput()) {
            shards.apply((ShardBatch) ((StreamRecord<?>) element).getValue());
        }
        harness.getOutput().clear();
        harness.drain(AssignerOperator.BOOK_CHANGES).forEach(rows -> {
            for (int i = 0; i < rows.size(); i++) {
                List<Integer> replicas = new ArrayList<>();
                for (int r = rows.replicasFrom(i); r < rows.replicasFrom(i + 1); r++) {
                    replicas.add(rows.replicas()[r]);
                }
                if (replicas.isEmpty()) {
                    book.remove(rows.vertex(i));
                    masters.remove(rows.vertex(i));
                    degrees.remove(rows.vertex(i));
                } else {
                    book.put(rows.vertex(i), replicas);
                    masters.put(rows.vertex(i), rows.master(i));
                    degrees.put(rows.vertex(i), rows.degree(i));
                }
            }
        });
        harness.drain(AssignerOperator.FINAL_BOOK).forEach(rows -> {
            for (int i = 0; i < rows.size(); i++) {
                finalBook.put(rows.vertex(i), rows.degree(i));
            }
        });
        var reports = harness.getSideOutput(AssignerOperator.QUALITY);
        if (reports != null) {
            reports.forEach(report -> quality = report.getValue());
        }
    }
}
