package io.cutwater.deploy.local;

import io.cutwater.deploy.input.InputRequest;
import io.cutwater.flink.operator.distributed.SpreadOptions;
import io.cutwater.format.folder.RunDescription;
import io.cutwater.format.folder.RunInput;
import io.cutwater.format.folder.TableFormat;
import io.cutwater.format.input.VertexFiles;
import io.cutwater.state.edges.DuplicateRule;
import io.cutwater.state.partition.PartitionerOptions;
import io.cutwater.state.partition.TrainingVertices;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The request for one bounded run, in the groups of the command line. */
public record RunRequest(Input input, VertexData vertexData, Algorithm algorithm, Output output, Resources resources) {
    /**
     * The edges.
     *
     * @param ids the type of vertex ids; text is for files only
     * @param dedupe which edges count as duplicates and are dropped; null: duplicates stay
     * @param maxMalformed share of malformed records above which the run fails, 0 to 1
     * @param viaKafka whether files go through an embedded broker first
     */
    public record Input(
            InputRequest from, IdKind ids, @Nullable DuplicateRule dedupe, double maxMalformed, boolean viaKafka) {}

    /**
     * The features, labels and split of vertices that go into the shards.
     *
     * @param files null for none, or those of a topic
     * @param topic null for none, or those of files
     * @param allowsMissingFeatures whether some vertices may have no features while others have them
     */
    public record VertexData(
            @Nullable VertexFiles files, @Nullable VertexTopic topic, boolean allowsMissingFeatures) {}

    /**
     * The algorithm.
     *
     * @param imbalance allowed excess of the largest partition over the average, 0.05 for 5 %
     */
    public record Algorithm(PartitionerOptions partitioner, double imbalance) {}

    /**
     * Where the shards go.
     *
     * @param folder the output folder
     * @param overwrite whether a complete folder there is replaced
     * @param publishes whether the result goes to topics beside the input's, too
     */
    public record Output(Path folder, boolean overwrite, TableFormat format, boolean publishes) {}

    /**
     * Memory and tasks.
     *
     * @param cacheBytes bound of the vertex table's memory, at least 1
     * @param spread over how many tasks; null for the fused path
     * @param bulkParts parts of the graph that bulk passes place at the same time
     */
    public record Resources(
            long cacheBytes,
            Duration checkpointInterval,
            @Nullable SpreadOptions spread,
            int bulkParts) {}

    /**
     * The same request with vertex data that were read from a topic.
     *
     * @param training the vertices that are to be balanced; null for none
     */
    RunRequest withVertices(VertexFiles files, @Nullable TrainingVertices training) {
        return new RunRequest(
                input,
                new VertexData(files, null, vertexData.allowsMissingFeatures()),
                new Algorithm(algorithm.partitioner().withTraining(training), algorithm.imbalance()),
                output,
                resources);
    }

    /**
     * Returns the description of this run for the manifest.
     *
     * @param version of cutwater
     * @param from what was read, with its ends
     */
    RunDescription description(String version, List<RunInput> from) {
        PartitionerOptions partitioner = algorithm().partitioner();
        Map<String, String> parameters = new TreeMap<>(partitioner.settings());
        parameters.put("imbalance", Double.toString(algorithm().imbalance()));
        parameters.put("passes", partitioner.passMode().name().toLowerCase(Locale.ROOT));
        if (resources().bulkParts() > 1) {
            parameters.put("parallelism", Integer.toString(resources().bulkParts()));
        }
        if (input().ids() == IdKind.TEXT) {
            parameters.put("ids", "text");
            if (input().from() instanceof InputRequest.Topic topic
                    && topic.format().textIds() != null) {
                parameters.put(
                        RunDescription.IDS_SEED,
                        Long.toString(topic.format().textIds().seed()));
            }
        }
        if (input().dedupe() != null) {
            parameters.put(RunDescription.DEDUPE, input().dedupe().label());
        }
        if (vertexData().files() != null) {
            String names = vertexData().files().paths().stream()
                    .map(path -> String.valueOf(path.getFileName()))
                    .collect(Collectors.joining(", "));
            parameters.put("vertexData", names);
        }
        return new RunDescription(
                version, partitioner.algorithm(), parameters, partitioner.seed(), partitioner.partitionCount(), from);
    }
}
