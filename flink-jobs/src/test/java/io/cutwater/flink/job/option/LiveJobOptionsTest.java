package io.cutwater.flink.job.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.flink.connector.restore.LostRecords;
import io.cutwater.flink.job.LivePartitionJob;
import io.cutwater.flink.operator.distributed.SpreadOptions;
import io.cutwater.kafka.event.EdgeEventFormat;
import io.cutwater.kafka.event.RecordFormat;
import io.cutwater.kafka.event.mapped.OnTruncate;
import io.cutwater.kafka.event.mapped.Tombstones;
import io.cutwater.kafka.field.FieldMapping;
import io.cutwater.kafka.field.FieldPath;
import io.cutwater.kafka.field.JsonEncoding;
import io.cutwater.state.algorithm.Algorithms;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.partition.PassMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LiveJobOptionsTest {
    @Test
    void usageExample() {
        LiveJobOptions options = LiveJobOptions.parse("--bootstrap-servers", "a:1,b:2", "--partitions", "8");

        assertThat(options.bootstrapServers()).isEqualTo("a:1,b:2");
        assertThat(options.topics().edges()).isEqualTo("edges");
        assertThat(options.eventFormat()).isEqualTo(new RecordFormat.Own(EdgeEventFormat.CSV));
        assertThat(options.startOffsets()).isEmpty();
        assertThat(options.partitioner())
                .isEqualTo(PartitionerOptions.ofEdges("cutwater", 8, Algorithms.DEFAULT_SEED, PassMode.LIVE, Map.of()));
        assertThat(options.bootstraps()).isFalse();
        assertThat(options.keepsEdges()).isFalse();
        assertThat(options.cacheBytes()).isEqualTo(256L << 20);
        assertThat(options.waitLimit()).isEqualTo(Duration.ofSeconds(10));
        assertThat(options.checkpointInterval()).isEqualTo(Duration.ofSeconds(10));
        assertThat(options.transactionTimeout()).isNull();
        assertThat(options.lostRecords()).isEqualTo(LostRecords.REFUSE);
        assertThat(options.maxParallelism()).isEqualTo(128);
        assertThat(options.readsVertices()).isFalse();
    }

    @Test
    void everyOptionIsRead() {
        LiveJobOptions options = parse("--topic-prefix g- --event-format batch --start-offsets 0:5,3:7 --algorithm hdrf"
                + " --seed -4 --set lambda=2 --set epsilon=0.5 --cache-size 64k --wait-limit 3s --checkpoint-interval 500ms --checkpoint-dir s3://bucket/c"
                + " --transaction-timeout 1h --max-parallelism 32768 --parallelism 1"
                + " --vertex-data true --keep-edges true");

        assertThat(options.topics().shards()).isEqualTo("g-shards");
        assertThat(options.eventFormat()).isEqualTo(new RecordFormat.Own(EdgeEventFormat.BATCH));
        assertThat(options.startOffsets()).isEqualTo(Map.of(0, 5L, 3, 7L));
        assertThat(options.partitioner().seed()).isEqualTo(-4);
        assertThat(options.partitioner().settings()).isEqualTo(Map.of("lambda", "2", "epsilon", "0.5"));
        assertThat(options.keepsEdges()).isTrue();
        assertThat(options.cacheBytes()).isEqualTo(64 << 10);
        assertThat(options.waitLimit()).isEqualTo(Duration.ofSeconds(3));
        assertThat(options.checkpointInterval()).isEqualTo(Duration.ofMillis(500));
        assertThat(options.checkpointFolder()).isEqualTo("s3://bucket/c");
        assertThat(options.transactionTimeout()).isEqualTo(Duration.ofHours(1));
        assertThat(options.maxParallelism()).isEqualTo(1 << 15);
        assertThat(options.readsVertices()).isTrue();
    }

    @Test
    void theParallelismChoosesTheTopologyUnlessItIsGiven() {
        assertThat(parse("--parallelism 1").spread()).isNull();
        assertThat(parse("--topology fused").spread()).isNull();
        assertThat(parse("--topology distributed").spread()).isEqualTo(new SpreadOptions(128, 1, 1));
        assertThat(parse("--parallelism 3").spread()).isEqualTo(new SpreadOptions(128, 3, 1));
        assertThat(parse("--assigners 4 --max-parallelism 256").spread()).isEqualTo(new SpreadOptions(256, 1, 4));
    }

    @Test
    void theAlgorithmChoosesTheKindUnlessItIsGiven() {
        assertThat(parse("--algorithm hdrf").partitioner().kind()).isEqualTo(PartitioningKind.EDGE);
        assertThat(parse("--algorithm fennel").partitioner().kind()).isEqualTo(PartitioningKind.VERTEX);
        assertThat(parse("--algorithm cutwater").partitioner().kind()).isEqualTo(PartitioningKind.EDGE);
        assertThat(parse("--algorithm cutwater --kind vertex").partitioner().kind())
                .isEqualTo(PartitioningKind.VERTEX);
        LiveJobOptions vertices = parse("--kind vertex");
        assertThat(vertices.partitioner().algorithm()).isEqualTo("cutwater");
        assertThat(LiveJobOptions.of(vertices.arguments())).isEqualTo(vertices);
    }

    @Test
    void theDefaultAlgorithmSupportsTheParallelism() {
        assertThat(parse("--parallelism 2").partitioner().algorithm()).isEqualTo("cutwater");
        assertThat(parse("--assigners 2").partitioner().algorithm()).isEqualTo("cutwater");
    }

    @Test
    void theDescriptionSaysWhichTopologyAndWhy() {
        assertThat(LivePartitionJob.description(parse("--seed 3")))
                .contains("fused in one task because --parallelism and --assigners are 1");
        assertThat(LivePartitionJob.description(parse("--parallelism 3 --algorithm sigma-edge --set clustering=none")))
                .contains("vertices in 3 tasks (--parallelism) and one assigner because the algorithm needs one");
        assertThat(LivePartitionJob.description(parse("--parallelism 3 --algorithm hdrf")))
                .contains("one assigner (--assigners), so the output is that of one task");
        assertThat(LivePartitionJob.description(parse("--assigners 2 --algorithm sigma-edge")))
                .contains("vertices in 1 task (--parallelism) and 2 assigners");
        assertThat(LivePartitionJob.description(parse("--assigners 2")))
                .contains("vertices in 1 task (--parallelism) and 2 assigners (--assigners), so the output is not");
    }

    @Test
    void aBootstrapGetsItsHistoryFromTheBroker() {
        LiveJobOptions asked = parse("--bootstrap now");
        assertThat(asked.bootstraps()).isTrue();
        assertThat(asked.history()).isNull();

        History history = new History(Map.of(0, 5L, 12, 0L), Map.of(0, 70L, 12, 0L));
        LiveJobOptions fixed = asked.withHistory(history);
        assertThat(fixed.history()).isEqualTo(history);
        assertThat(fixed.arguments()).containsEntry("bootstrap", "0:5-70,12:0-0");
        assertThat(LiveJobOptions.of(fixed.arguments())).isEqualTo(fixed);
    }

    @Test
    void aDistributedJobPlacesItsHistoryInAsManyTasksAsTables() {
        History history = new History(Map.of(0, 0L), Map.of(0, 9L));
        LiveJobOptions three = parse("--bootstrap now --parallelism 3 --assigners 2");
        assertThat(three.bootstrapTasks()).isEqualTo(3);
        LiveJobOptions fixed = three.withHistory(history);
        assertThat(LivePartitionJob.description(fixed)).endsWith("--bootstrap 0:0-9 in 3 tasks (--bootstrap-tasks)");
        Map<String, String> resumed = new HashMap<>(fixed.arguments());
        resumed.put("parallelism", "2");
        assertThat(LiveJobOptions.of(resumed).bootstrapTasks()).isEqualTo(3);

        // Jobs of before have a history and no number of tasks.
        assertThat(parse("--bootstrap 0:0-9 --parallelism 3").bootstrapTasks()).isEqualTo(1);
        for (String one : List.of(
                "--bootstrap now",
                "--parallelism 3",
                "--bootstrap now --parallelism 3 --bootstrap-threads 2",
                "--bootstrap now --parallelism 3 --ids text",
                "--bootstrap now --parallelism 3 --keep-edges true --ttl 30d",
                "--bootstrap now --parallelism 3 --keep-edges true --remove-vertices true",
                "--bootstrap now --parallelism 3 --start-from /a",
                "--bootstrap now --parallelism 3 --algorithm fennel")) {
            assertThat(parse(one).bootstrapTasks()).as(one).isEqualTo(1);
        }
    }

    @Test
    void aHistoryIsPlacedInSeveralThreadsOnlyIfThatIsAskedFor() {
        assertThat(parse("--bootstrap now --parallelism 2").bootstrapThreads()).isEqualTo(1);
        LiveJobOptions four =
                parse("--bootstrap now --bootstrap-threads 4").withHistory(new History(Map.of(0, 0L), Map.of(0, 9L)));
        assertThat(four.bootstrapThreads()).isEqualTo(4);
        assertThat(LivePartitionJob.description(four)).endsWith("--bootstrap 0:0-9 in 4 threads (--bootstrap-threads)");
    }

    @Test
    void anAlgorithmOfSingleEdgesNeedsNoBulkPasses() {
        LiveJobOptions hdrf = parse("--algorithm hdrf --bootstrap now");
        assertThat(hdrf.bootstraps()).isFalse();
        assertThat(hdrf.history()).isNull();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "1000000, 1000000",
        "1m, 8192",
        "128m, 1048576",
        "300b, 2",
        "1000000 --kind vertex, 1000000",
        "192m --kind vertex, 1048576",
        "300b --kind vertex, 1"
    })
    void theSizeOfABufferIsInEdgesOrInMemory(String size, String edges) {
        LiveJobOptions options = parse("--buffer-size " + size);

        assertThat(options.partitioner().settings()).isEqualTo(Map.of("buffer", edges));
        assertThat(LiveJobOptions.of(options.arguments())).isEqualTo(options);
    }

    @Test
    void aJobThatKeepsEdgesRefinesByDefaultWhereItCan() {
        assertThat(parse("--seed 3").refinement()).isZero();
        assertThat(parse("--keep-edges true").refinement()).isEqualTo(0.1);
        assertThat(parse("--keep-edges true --kind vertex").refinement()).isEqualTo(1);
        assertThat(parse("--keep-edges true --buffer-size 5").refinement()).isEqualTo(1);
        assertThat(parse("--keep-edges true --set buffer=5").refinement()).isEqualTo(1);
        assertThat(parse("--keep-edges true --set buffer=0").refinement()).isEqualTo(0.1);
        assertThat(parse("--keep-edges true --buffer-size 5 --assigners 2").refinement())
                .isZero();
        assertThat(parse("--keep-edges true --refine 2%").refinement()).isEqualTo(0.02);
        assertThat(parse("--keep-edges true --refine 0").refinement()).isZero();
        assertThat(parse("--keep-edges true --algorithm hdrf").refinement()).isZero();
        assertThat(parse("--keep-edges true --parallelism 2").refinement()).isZero();
        assertThat(parse("--keep-edges true --parallelism 2 --refine 5%").refinement())
                .isEqualTo(0.05);
    }

    @Test
    void theArgumentsOfAJobParseToTheSameOptions() {
        LiveJobOptions options = parse("--algorithm hdrf --set lambda=1.5 --set epsilon=2 --topic-prefix g-");

        assertThat(LiveJobOptions.of(options.arguments())).isEqualTo(options);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "--seed | --seed has no value; write --seed VALUE",
                "partitions 3 | options are written --name value: 'partitions'",
                "--seed 1 --seed 2 | --seed is given twice",
                "--colour red | there is no option --colour; there are --accept-loss",
                "--algorithm metis | --algorithm: there is no edge partitioner named 'metis'",
                "--bootstrap yes | --bootstrap: it must be TOPICPARTITION:FROM-UNTIL",
                "--bootstrap 0:5-4 | --bootstrap: it must be TOPICPARTITION:FROM-UNTIL",
                "--bootstrap now --algorithm sigma-edge | --bootstrap: sigma-edge cannot continue live after",
                "--bootstrap now --algorithm 2ps-l | --algorithm: 2ps-l reads its whole input",
                "--set colour=1 | --algorithm: cutwater has no setting named 'colour'",
                "--set lambda | --set must be NAME=VALUE",
                "--seed many | --seed must be a whole number",
                "--event-format xml | --event-format must be csv, json, binary, batch, avro, protobuf, debezium-json or debezium-avro: 'xml'",
                "--topic-prefix g/ | --topic-prefix must be at most 200 letters",
                "--start-offsets 0 | --start-offsets must be TOPICPARTITION:OFFSET",
                "--vertex-data maybe | --vertex-data must be true or false: 'maybe'",
                "--auto-repartition 5% | --auto-repartition needs --keep-edges",
                "--keep-edges true --auto-repartition 2 | --auto-repartition must be a share such as 5% or 0.05",
                "--keep-edges yes | --keep-edges must be true or false: 'yes'",
                "--refine 5% | --refine needs --keep-edges",
                "--keep-edges true --refine much | --refine must be a share such as 5% or 0.05",
                "--keep-edges true --refine 5% --algorithm hdrf | --refine needs an algorithm whose edges may move later",
                "--cache-size 0 | --cache-size must be a size of at least 1 byte",
                "--cache-size 99999999999999g | --cache-size must be a size",
                "--buffer-size 0 | --buffer-size must be 1 to 100000000 edges, or their memory with k, m or g at 128 bytes",
                "--buffer-size 100b | --buffer-size must be 1 to 100000000 edges",
                "--buffer-size 1t | --buffer-size must be 1 to 100000000 edges",
                "--buffer-size many | --buffer-size must be 1 to 100000000 edges",
                "--buffer-size 5 --set buffer=5 | --buffer-size and --set buffer exclude each other: '5'",
                "--buffer-size 5 --algorithm hdrf | --buffer-size needs an algorithm that places edges together, such as",
                "--buffer-size 5 --algorithm ldg | --buffer-size needs an algorithm that places edges together, such as",
                "--wait-limit 99ms | --wait-limit must be at least 100ms: '99ms'",
                "--checkpoint-interval 1y | --checkpoint-interval must be a time",
                "--checkpoint-interval 99ms | --checkpoint-interval must be at least 100ms: '99ms'",
                "--checkpoint-dir here | --checkpoint-dir: it must be a folder that every process",
                "--transaction-timeout 19s | --transaction-timeout must be at least twice --checkpoint-interval",
                "--max-parallelism 0 | --max-parallelism must be a whole number, 1 to 32768: '0'",
                "--max-parallelism 32769 | --max-parallelism must be a whole number, 1 to 32768: '32769'",
                "--parallelism 0 | --parallelism must be a whole number, 1 to 32768: '0'",
                "--parallelism 129 | --parallelism 129 is more than the 128 key groups of the state; give at most 128",
                "--assigners 0 | --assigners must be a whole number, 1 to 32768: '0'",
                "--bootstrap now --bootstrap-threads 0 | --bootstrap-threads must be a whole number, 1 to 64: '0'",
                "--bootstrap now --bootstrap-threads 65 | --bootstrap-threads must be a whole number, 1 to 64: '65'",
                "--bootstrap now --bootstrap-tasks 65 | --bootstrap-tasks must be a whole number, 1 to 64: '65'",
                "--bootstrap now --bootstrap-tasks 2 | --bootstrap-tasks is for the distributed topology",
                "--bootstrap now --parallelism 2 --ids text --bootstrap-tasks 2 | --bootstrap-tasks is not for text ids",
                "--bootstrap now --parallelism 2 --bootstrap-threads 2 --bootstrap-tasks 2 | --bootstrap-tasks is not for several",
                "--parallelism 2 --bootstrap-tasks 2 | --bootstrap-tasks is for bulk passes over the history; give --bootstrap",
                "--algorithm fennel --bootstrap now --bootstrap-tasks 2 | --bootstrap-tasks is for --algorithm cutwater",
                "--bootstrap-threads 2 | --bootstrap-threads is for bulk passes over the history; give --bootstrap",
                "--start-from /a --bootstrap-threads 2 | --bootstrap-threads is not for --start-from",
                "--algorithm fennel --bootstrap now --bootstrap-threads 2 | --bootstrap-threads is for --algorithm cutwater",
                "--topology ring | --topology must be auto, fused or distributed: 'ring'",
                "--topology fused --parallelism 2 | --topology fused uses one task",
                "--kind both | --kind must be edge or vertex, but was 'both'",
                "--kind vertex --algorithm hdrf | --algorithm: there is no vertex partitioner named 'hdrf'; there are",
                "--kind edge --algorithm ldg | --algorithm: there is no edge partitioner named 'ldg'; there are",
                "--algorithm spring | --algorithm: spring reads its whole input before it places anything",
                "--algorithm ldg --set grain=1 | --algorithm: ldg has no setting named 'grain'; there are window",
                "--algorithm sigma-edge --set clustering=none --assigners 3 | --algorithm sigma-edge of kind edge decides in one task, but --assigners is 3",
                "--ttl 30d | --ttl needs --keep-edges",
                "--ttl 999ms --keep-edges true | --ttl must be 1s to 36500d: '999ms'",
                "--ttl 1h --ttl-from min --keep-edges true | --ttl-from must be arrival, s, ms, us or ns: 'min'",
                "--ttl-from ms | --ttl-from needs --ttl",
                "--remove-vertices true | --remove-vertices needs --keep-edges",
                "--event-format json --source a --target b --edge-key :key | --edge-key needs --keep-edges",
                "--event-format json --source a --target b --edge-key id --keep-edges true --bootstrap now | --edge-key is for topics that are read live",
            })
    void errorsNameTheOption(String wrong, String sentence) {
        assertThatThrownBy(() -> parse(wrong))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(sentence);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "--partitions 8 | --bootstrap-servers is missing",
                "--bootstrap-servers host --partitions 8 | --bootstrap-servers must be HOST:PORT",
                "--bootstrap-servers a:1 | --partitions is missing",
                "--bootstrap-servers a:1 --partitions 0 | --partitions must be a whole number, 1 to 4096: '0'",
                "--bootstrap-servers a:1 --partitions 4097 | --partitions must be a whole number, 1 to 4096: '4097'",
            })
    void brokersAndPartitionsMustBeGiven(String wrong, String sentence) {
        assertThatThrownBy(() -> LiveJobOptions.parse(wrong.split(" ", -1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(sentence);
    }

    private static LiveJobOptions parse(String more) {
        return LiveJobOptions.parse(("--bootstrap-servers localhost:9092 --partitions 8 " + more).split(" ", -1));
    }

    @Test
    void theSchemaOfAFileIsAmongTheArguments(@TempDir Path folder) throws IOException {
        String schema =
                "{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"a\",\"type\":\"long\"},{\"name\":\"b\",\"type\":\"int\"}]}";
        Path file = Files.writeString(folder.resolve("r.avsc"), schema.replace(",", ", "));
        LiveJobOptions options = parse("--event-format avro --source a --target b --avro-schema " + file);
        assertThat(options.arguments()).containsEntry("avro-schema", schema);
        Files.delete(file);
        assertThat(LiveJobOptions.of(options.arguments())).isEqualTo(options);
    }

    @Test
    void fieldsOfForeignRecordsAreMapped() {
        LiveJobOptions options = LiveJobOptions.parse(
                "--bootstrap-servers",
                "h:1",
                "--partitions",
                "4",
                "--event-format",
                "debezium-json",
                "--source",
                "after.payer",
                "--target",
                "after.payee",
                "--on-truncate",
                "ignore");
        assertThat(options.eventFormat())
                .isEqualTo(new RecordFormat.Changes(
                        new FieldMapping(
                                FieldPath.parse("after.payer"), FieldPath.parse("after.payee"), null, null, null),
                        new JsonEncoding(true),
                        OnTruncate.IGNORE,
                        Tombstones.REJECT));
        assertThatThrownBy(() -> LiveJobOptions.parse(
                        "--bootstrap-servers", "h:1", "--partitions", "4", "--source", "a", "--target", "b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "--source and --target are for --event-format json, avro, protobuf, debezium-json or debezium-avro, not csv; leave them out");
    }
}
