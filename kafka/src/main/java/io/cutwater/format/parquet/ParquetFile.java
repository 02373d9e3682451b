package io.cutwater.format.parquet;

import io.cutwater.format.file.HashedFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.impl.ColumnReadStoreImpl;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.MessageType;
import org.jspecify.annotations.Nullable;

/** A Parquet file of a flat table, written row by row and read column by column without one object per row. */
final class ParquetFile implements Closeable {
    private static final String RUN = "cutwater.run";
    private static final long ROW_GROUP_BYTES = 32L << 20;

    private final Path file;
    private final MessageType schema;
    private final ParquetFileReader reader;
    private @Nullable ColumnReadStoreImpl columns;

    /** Opens a file for reading. */
    ParquetFile(Path file) throws IOException {
        this.file = file;
        ParquetReadOptions options = new ParquetReadOptions.Builder(new PlainParquetConfiguration())
                .withCodecFactory(new ParquetCodecs())
                .build();
        reader = ParquetFileReader.open(new LocalInputFile(file), options);
        schema = reader.getFileMetaData().getSchema();
    }

    boolean hasColumn(String name) {
        return schema.containsField(name);
    }

    /** Advances to the next row group; returns its number of rows, or −1 at the end. */
    long nextRows() throws IOException {
        PageReadStore pages = reader.readNextRowGroup();
        if (pages == null) {
            return -1;
        }
        columns = new ColumnReadStoreImpl(
                pages, new Unconverted(), schema, reader.getFileMetaData().getCreatedBy());
        return pages.getRowCount();
    }

    /** Returns the values of a column in the current row group. */
    ColumnReader column(String name) throws IOException {
        if (columns == null || !schema.containsField(name)) {
            throw new IOException("%s has no column '%s'".formatted(file, name));
        }
        return columns.getColumnReader(schema.getColumnDescription(new String[] {name}));
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }

    /** A row to write; the same object stands for one row after the other. */
    interface Row {
        void write(RecordConsumer fields);
    }

    /** Creates a writer that does not close the given file. */
    static ParquetWriter<Row> writer(HashedFile file, MessageType schema, String runId) throws IOException {
        return new Builder(file, schema, Map.of(RUN, runId))
                .withConf(new PlainParquetConfiguration())
                .withCodecFactory(new ParquetCodecs())
                .withCompressionCodec(CompressionCodecName.ZSTD)
                .withRowGroupSize(ROW_GROUP_BYTES)
                .build();
    }

    private static final class Builder extends ParquetWriter.Builder<Row, Builder> {
        private final MessageType schema;
        private final Map<String, String> metadata;

        Builder(HashedFile file, MessageType schema, Map<String, String> metadata) {
            super(new Output(file));
            this.schema = schema;
            this.metadata = metadata;
        }

        @Override
        protected Builder self() {
            return this;
        }

        @Override
        @SuppressWarnings("deprecation") // deprecated, but abstract
        protected WriteSupport<Row> getWriteSupport(Configuration configuration) {
            return new Rows(schema, metadata);
        }

        @Override
        protected WriteSupport<Row> getWriteSupport(ParquetConfiguration configuration) {
            return new Rows(schema, metadata);
        }
    }

    private static final class Rows extends WriteSupport<Row> {
        private final WriteContext context;
        private @Nullable RecordConsumer fields;

        Rows(MessageType schema, Map<String, String> metadata) {
            context = new WriteContext(schema, metadata);
        }

        @Override
        @SuppressWarnings("deprecation") // deprecated, but abstract
        public WriteContext init(Configuration configuration) {
            return context;
        }

        @Override
        public WriteContext init(ParquetConfiguration configuration) {
            return context;
        }

        @Override
        public void prepareForWrite(RecordConsumer consumer) {
            fields = consumer;
        }

        @Override
        public void write(Row row) {
            RecordConsumer fields = this.fields;
            if (fields == null) {
                throw new IllegalStateException("prepareForWrite comes first");
            }
            fields.startMessage();
            row.write(fields);
            fields.endMessage();
        }
    }

    private record Output(HashedFile file) implements OutputFile {
        @Override
        public PositionOutputStream create(long blockSizeHint) {
            return new PositionOutputStream() {
                @Override
                public long getPos() {
                    return file.position();
                }

                @Override
                public void write(int value) throws IOException {
                    file.write(value);
                }

                @Override
                public void write(byte[] bytes, int from, int length) throws IOException {
                    file.write(bytes, from, length);
                }
            };
        }

        @Override
        public PositionOutputStream createOrOverwrite(long blockSizeHint) {
            return create(blockSizeHint);
        }

        @Override
        public boolean supportsBlockSize() {
            return false;
        }

        @Override
        public long defaultBlockSize() {
            return 0;
        }
    }

    /** The converter of records that column readers require and never use here. */
    private static final class Unconverted extends GroupConverter {
        @Override
        public Converter getConverter(int field) {
            return new PrimitiveConverter() {};
        }

        @Override
        public void start() {}

        @Override
        public void end() {}
    }
}
