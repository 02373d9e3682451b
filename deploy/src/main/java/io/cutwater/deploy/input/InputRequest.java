package io.cutwater.deploy.input;

import io.cutwater.format.input.EdgeFileFormat;
import io.cutwater.kafka.event.EdgeEventFormat;
import io.cutwater.kafka.event.RecordFormat;
import io.cutwater.kafka.topic.Topics;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The edges of a run, as the command line names them. */
public sealed interface InputRequest {
    /** Returns the topic, or the name of the first file, for titles. */
    String name();

    /** Returns a file or folder with the folder that it is in, which often has the name of the graph. */
    static String name(Path path) {
        Path whole = path.toAbsolutePath().normalize();
        int names = whole.getNameCount();
        return (names < 2 ? whole : whole.subpath(names - 2, names)).toString();
    }

    /**
     * Files, read in this order.
     *
     * @param format null to tell it from each file's name
     */
    record Files(List<Path> paths, @Nullable EdgeFileFormat format) implements InputRequest {
        public Files {
            if (paths.isEmpty()) {
                throw new IllegalArgumentException("there must be a file");
            }
            paths = List.copyOf(paths);
        }

        @Override
        public String name() {
            return InputRequest.name(paths.get(0))
                    + (paths.size() == 1 ? "" : " and %d more".formatted(paths.size() - 1));
        }

        /** Returns the format of one of the files. */
        public EdgeFileFormat formatOf(Path file) {
            return format == null ? EdgeFileFormat.ofName(file) : format;
        }
    }

    /**
     * A topic.
     *
     * @param topics the names of the graph's topics
     * @param topic the full name of the one with the edges
     * @param until how far it is read
     * @param client further settings of the Kafka client, with references instead of secrets
     */
    record Topic(
            String bootstrapServers,
            Topics topics,
            String topic,
            RecordFormat format,
            TopicMoment until,
            Map<String, String> client)
            implements InputRequest {
        public Topic {
            client = Map.copyOf(client);
        }

        @Override
        public String name() {
            return "topic " + topic;
        }

        /** Creates a topic that is read up to its ends when the run starts, on a broker without authentication. */
        public Topic(String bootstrapServers, Topics topics, String topic, EdgeEventFormat format) {
            this(bootstrapServers, topics, topic, new RecordFormat.Own(format), new TopicMoment.Now(), Map.of());
        }
    }
}
