package io.cutwater.flink.job.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.format.json.ReportJson;
import io.cutwater.format.json.RunReport;
import io.cutwater.kafka.book.PartitionBookCodec;
import io.cutwater.kafka.reader.TopicReader;
import io.cutwater.kafka.shard.ShardTopicReader;
import io.cutwater.kafka.topic.Topics;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reader of the topics that a job has written.
 *
 * @param servers addresses of the broker
 * @param partitions number of shards
 * @param topicPartitions number of topic partitions of topic {@code shards}
 */
record OutputTopics(String servers, Topics topics, int partitions, int topicPartitions) {
    /** Returns the edges of each shard, in their order. */
    List<List<String>> shards() {
        List<List<String>> shards = new ArrayList<>();
        for (int shard = 0; shard < partitions; shard++) {
            shards.add(new ArrayList<>());
        }
        new ShardTopicReader(servers, Map.of()).readAll(topics.shards(), (shard, edges) -> {
            for (int i = 0; i < edges.size(); i++) {
                shards.get(shard).add(PlainLoop.edge(edges, i));
            }
        });
        return shards;
    }

    /** Returns owner and replicas by vertex. */
    Map<Long, String> book() {
        Map<Long, String> book = new TreeMap<>();
        PartitionBookCodec codec = new PartitionBookCodec();
        reader().readAll(topics.partitionBook(), record -> {
            var entry = codec.decode(record.key(), record.value());
            book.put(entry.vertex(), entry.owner() + " " + Arrays.toString(entry.replicas()));
        });
        return book;
    }

    /** Returns the last report, and checks those before. */
    RunReport lastReport() {
        List<RunReport> reports = new ArrayList<>();
        reader().readAll(topics.report(), record -> reports.add(ReportJson.read(record.value())));
        assertThat(reports)
                .allSatisfy(report -> assertThat(report.shardTopicPartitions()).isEqualTo(topicPartitions));
        List<String> series = new ArrayList<>();
        reader().readAll(topics.quality(), record -> series.add(new String(record.value(), StandardCharsets.UTF_8)));
        assertThat(series)
                .hasSizeGreaterThanOrEqualTo(reports.size())
                .noneMatch(report -> report.contains("perPartition"));
        return reports.get(reports.size() - 1);
    }

    private TopicReader reader() {
        return new TopicReader(servers, Map.of());
    }
}
