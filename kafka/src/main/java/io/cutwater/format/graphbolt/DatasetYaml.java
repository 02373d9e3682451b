package io.cutwater.format.graphbolt;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;

/**
 * The {@code metadata.yaml} of a dataset (DGL documentation, "YAML specification"). Paths must not contain {@code pt},
 * because GraphBolt's preprocessing replaces these letters by {@code npy}.
 */
final class DatasetYaml {
    private final String name;
    private final Map<String, Object> graph;
    private final List<Object> features = new ArrayList<>();
    private final List<Object> tasks = new ArrayList<>();

    /** @param edges path of an array int64 [2, m] of numbers below {@code vertices} */
    DatasetYaml(String name, long vertices, String edges) {
        this.name = name;
        graph = ordered(
                "nodes", List.of(Map.of("num", vertices)), "edges", List.of(ordered("format", "numpy", "path", edges)));
    }

    /** @param domain {@code node} or {@code edge} */
    DatasetYaml feature(String domain, String feature, String path) {
        features.add(ordered("domain", domain, "name", feature, "format", "numpy", "in_memory", false, "path", path));
        return this;
    }

    /** Adds the task of node classification with those sets that have vertices. */
    void task(int classes, List<NodeSets.NodeSet> sets) {
        Map<String, Object> task = ordered("name", "node_classification", "num_classes", classes);
        for (NodeSets.NodeSet set : sets) {
            List<Object> data = List.of(
                    ordered("name", "seeds", "format", "numpy", "path", set.nodes()),
                    ordered("name", "labels", "format", "numpy", "path", set.labels()));
            task.put(set.name(), List.of(Map.of("data", data)));
        }
        tasks.add(task);
    }

    private static Map<String, Object> ordered(Object... keysAndValues) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            map.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return map;
    }

    @Override
    public String toString() {
        Map<String, Object> metadata = ordered("dataset_name", name, "graph", graph, "feature_data", features);
        if (!tasks.isEmpty()) {
            metadata.put("tasks", tasks);
        }
        DumpSettings block =
                DumpSettings.builder().setDefaultFlowStyle(FlowStyle.BLOCK).build();
        return new Dump(block).dumpToString(metadata);
    }
}
