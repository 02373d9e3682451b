package io.cutwater.deploy.input;

import io.cutwater.deploy.view.Progress;
import io.cutwater.format.input.VertexFileReader;
import io.cutwater.format.input.VertexFiles;
import io.cutwater.format.input.VertexShape;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.text.Counted;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Checks that files with features have a row for each vertex of the edge files, with 8 bytes for each row with an id.
 */
public final class FeatureCheck {
    private long rows;
    private long[] ids = {};
    private long edges;
    private long edgesWithout;
    private long example;

    private FeatureCheck() {}

    /**
     * Reads the files before they are written anywhere; without features there is nothing to check.
     *
     * @throws IOException if an edge has a vertex without a row; the message is meant for users
     */
    public static void require(InputRequest.Files edges, List<VertexFiles> vertices, Progress.Display display)
            throws IOException {
        FeatureCheck check = new FeatureCheck();
        boolean hasFeatures = false;
        for (VertexFiles files : vertices) {
            VertexShape shape = files.measure();
            if (shape.featureCount() > 0) {
                hasFeatures = true;
                check.add(files, shape);
            }
        }
        if (hasFeatures) {
            Arrays.sort(check.ids);
            check.read(edges, vertices, display);
        }
    }

    private void add(VertexFiles files, VertexShape shape) throws IOException {
        if (!shape.hasIds()) {
            rows = Math.max(rows, shape.rows());
            return;
        }
        int next = ids.length;
        ids = Arrays.copyOf(ids, Math.toIntExact(next + shape.rows()));
        try (VertexFileReader reader = files.open(shape)) {
            while (reader.next()) {
                ids[next++] = reader.vertex();
            }
        }
    }

    private void read(InputRequest.Files files, List<VertexFiles> vertices, Progress.Display display)
            throws IOException {
        EdgeBatch batch = new EdgeBatch();
        try (EdgeFileSupplier supplier = new EdgeFileSupplier(files);
                Progress progress = display.begin("compare edges and features")) {
            while (supplier.next(batch)) {
                for (int i = 0; i < batch.size(); i++) {
                    look(batch.source(i), batch.target(i));
                }
                batch.clear();
                progress.update(edges, supplier.share(), "");
            }
        }
        if (edgesWithout > 0) {
            throw new IOException(String.format(
                    Locale.ROOT,
                    "%,d of %s %s a vertex without a row of features, vertex %d for one, in %s; give a row for"
                            + " each vertex of this graph, or --allow-missing-features",
                    edgesWithout,
                    Counted.of(edges, "edge"),
                    edgesWithout == 1 ? "has" : "have",
                    example,
                    vertices.stream().flatMap(of -> of.paths().stream()).toList()));
        }
    }

    private void look(long source, long target) {
        edges++;
        if (!isKnown(source) || !isKnown(target)) {
            edgesWithout++;
            example = isKnown(source) ? target : source;
        }
    }

    private boolean isKnown(long vertex) {
        return vertex >= 0 && vertex < rows || Arrays.binarySearch(ids, vertex) >= 0;
    }
}
