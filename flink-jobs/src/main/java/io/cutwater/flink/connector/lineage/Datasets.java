package io.cutwater.flink.connector.lineage;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.streaming.api.lineage.DefaultLineageDataset;
import org.apache.flink.streaming.api.lineage.LineageDataset;
import org.apache.flink.streaming.api.lineage.LineageVertex;
import org.apache.flink.streaming.api.lineage.SourceLineageVertex;

/**
 * Datasets that a job reads or writes, for Flink's listeners of lineage (FLIP-314). Names and namespaces are those of
 * OpenLineage: {@code kafka://HOST:PORT} and the topic, {@code file} and the path.
 */
public record Datasets(List<LineageDataset> all) {
    public Datasets {
        all = List.copyOf(all);
    }

    /** @param bootstrapServers of which the first names the Kafka cluster */
    public static Datasets topic(String bootstrapServers, String name) {
        String server = bootstrapServers.split(",", 2)[0].strip();
        return new Datasets(List.of(new DefaultLineageDataset(name, "kafka://" + server, Map.of())));
    }

    public static Datasets files(Collection<String> paths) {
        return new Datasets(paths.stream()
                .<LineageDataset>map(path -> new DefaultLineageDataset(path, "file", Map.of()))
                .toList());
    }

    /** Returns what a source tells that reads them. */
    public SourceLineageVertex read(Boundedness boundedness) {
        return new Source(boundedness, all);
    }

    /** Returns what a sink tells that writes them. */
    public LineageVertex written() {
        return new Target(all);
    }

    private record Source(Boundedness boundedness, List<LineageDataset> datasets) implements SourceLineageVertex {}

    private record Target(List<LineageDataset> datasets) implements LineageVertex {}
}
