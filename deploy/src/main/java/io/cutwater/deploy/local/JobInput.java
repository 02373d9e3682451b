package io.cutwater.deploy.local;

import io.cutwater.deploy.input.InputRequest;
import io.cutwater.flink.connector.file.EdgeFileSource.EdgeFile;
import io.cutwater.flink.connector.input.EdgeInput;
import io.cutwater.format.folder.RunInput;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.state.edges.DuplicateRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The input of a run with fixed ends.
 *
 * @param edges for the job
 * @param described for the manifest
 */
record JobInput(EdgeInput edges, List<RunInput> described) {
    /** Returns this input without its duplicates; unchanged if {@code rule} is null. */
    JobInput distinct(@Nullable DuplicateRule rule) {
        return rule == null ? this : new JobInput(new EdgeInput.Distinct(edges, rule), described);
    }

    /** Returns this input with its removals applied, if it is a topic. */
    JobInput net() {
        return edges instanceof EdgeInput.Topic topic ? new JobInput(new EdgeInput.Net(topic, true), described) : this;
    }

    static JobInput of(InputRequest request) throws IOException {
        return request instanceof InputRequest.Topic topic ? ofTopic(topic) : ofFiles((InputRequest.Files) request);
    }

    private static JobInput ofFiles(InputRequest.Files files) throws IOException {
        List<EdgeFile> edgeFiles = new ArrayList<>();
        List<RunInput> described = new ArrayList<>();
        for (Path path : files.paths()) {
            edgeFiles.add(new EdgeFile(path.toString(), files.formatOf(path), Files.size(path)));
            described.add(new RunInput.File(path.toString(), Files.size(path)));
        }
        return new JobInput(new EdgeInput.Files(edgeFiles), described);
    }

    private static JobInput ofTopic(InputRequest.Topic topic) {
        try (TopicAdmin admin = TopicAdmin.connect(topic.bootstrapServers(), topic.client())) {
            return ofTopic(
                    topic,
                    admin.offsets().beginnings(topic.topic()),
                    topic.until().offsets(admin, topic.topic()));
        }
    }

    /**
     * Creates the input of a topic between two offsets of each topic partition; the last ones may not be written yet.
     */
    static JobInput ofTopic(InputRequest.Topic topic, Map<Integer, Long> from, Map<Integer, Long> until) {
        EdgeInput.Topic edges = new EdgeInput.Topic(
                topic.bootstrapServers(), topic.topic(), topic.format(), from, until, topic.client());
        List<RunInput.Offsets> offsets = new ArrayList<>();
        new TreeMap<>(until)
                .forEach((topicPartition, end) ->
                        offsets.add(new RunInput.Offsets(topicPartition, from.getOrDefault(topicPartition, 0L), end)));
        return new JobInput(edges, List.of(new RunInput.Topic(topic.topic(), offsets)));
    }
}
