package io.cutwater.format.parquet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.function.BiConsumer;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageTypeParser;

/** Writes uncompressed Parquet files row by row: without Hadoop's configuration Parquet has no codecs to write with. */
public final class ParquetFixture {
    private ParquetFixture() {}

    /** @param fill sets the fields of the row with the given number */
    public static Path write(Path file, String columns, int rows, BiConsumer<Group, Integer> fill) {
        var schema = MessageTypeParser.parseMessageType("message edges { " + columns + " }");
        try (var writer = ExampleParquetWriter.builder(new LocalOutputFile(file))
                .withConf(new PlainParquetConfiguration())
                .withType(schema)
                .withCompressionCodec(CompressionCodecName.UNCOMPRESSED)
                .withRowGroupSize(1L << 16)
                .withPageSize(1 << 12)
                .build()) {
            for (int row = 0; row < rows; row++) {
                Group group = new SimpleGroup(schema);
                fill.accept(group, row);
                writer.write(group);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return file;
    }
}
