package io.cutwater.format.folder;

import com.fasterxml.jackson.annotation.JsonValue;
import io.cutwater.format.csv.CsvTables;
import io.cutwater.format.dgl.DglFiles;
import io.cutwater.format.dgl.DglNodeData;
import io.cutwater.format.file.OutputFiles;
import io.cutwater.format.graphbolt.GraphBoltFiles;
import io.cutwater.format.input.VertexShape;
import io.cutwater.format.metis.MetisFiles;
import io.cutwater.format.npy.NpyTables;
import io.cutwater.format.parquet.ParquetTables;
import io.cutwater.format.table.ShardTables;
import io.cutwater.format.table.StagedShard;
import io.cutwater.format.table.VertexRoles;
import io.cutwater.format.vertex.VertexDataFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The formats of the tables of an output folder. */
public enum TableFormat {
    CSV,
    PARQUET,
    /** NumPy arrays. */
    NPY,
    /** The tables as CSV, and the input of DGL's distributed preprocessing: {@link DglFiles}. */
    DGL,
    /** The tables as CSV, and the graph and its owners for METIS and KaHIP: {@link MetisFiles}. */
    METIS,
    /** NumPy arrays, and datasets of them for GraphBolt: {@link GraphBoltFiles}. */
    GRAPHBOLT;

    /**
     * Returns the format with this name.
     *
     * @throws IllegalArgumentException if the name is unknown; the message lists the names
     */
    public static TableFormat of(String name) {
        for (TableFormat format : values()) {
            if (format.label().equals(name)) {
                return format;
            }
        }
        String others = Arrays.stream(values()).map(TableFormat::label).collect(Collectors.joining(", "));
        throw new IllegalArgumentException("unknown output format '%s'; it must be one of %s".formatted(name, others));
    }

    /** The name on the command line. */
    @JsonValue
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    ShardTables tables(VertexRoles roles) {
        return switch (this) {
            case CSV, DGL, METIS -> new CsvTables(roles);
            case PARQUET -> new ParquetTables(roles);
            case NPY, GRAPHBOLT -> new NpyTables();
        };
    }

    /** Opens what takes the data of all vertices in the order of their ids; null if the format has no such files. */
    VertexDataFiles.@Nullable RowConsumer nodeData(OutputFiles out, int shards, long vertexCount, VertexShape shape)
            throws IOException {
        return switch (this) {
            case DGL -> new DglNodeData(out, shards, vertexCount, shape);
            case GRAPHBOLT -> GraphBoltFiles.nodeData(out, vertexCount, shape);
            case CSV, PARQUET, NPY, METIS -> null;
        };
    }

    /**
     * Writes the files of the format that are neither tables nor vertex data.
     *
     * @param vertexCount vertices with at least one edge
     * @param shape of the vertex data; null for none
     * @param scratch a folder for spill files
     */
    void writeBeside(
            OutputFiles out, List<StagedShard> shards, long vertexCount, @Nullable VertexShape shape, Path scratch)
            throws IOException {
        switch (this) {
            case DGL -> new DglFiles(out, shards, vertexCount, shape).write(scratch);
            case METIS -> new MetisFiles(out, shards).write(scratch);
            case GRAPHBOLT -> new GraphBoltFiles(out, shards, vertexCount, shape).write(scratch);
            case CSV, PARQUET, NPY -> {}
        }
    }
}
