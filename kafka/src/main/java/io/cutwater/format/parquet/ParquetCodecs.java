package io.cutwater.format.parquet;

import com.github.luben.zstd.Zstd;
import io.airlift.compress.Decompressor;
import io.airlift.compress.lz4.Lz4Decompressor;
import io.airlift.compress.snappy.SnappyDecompressor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.GZIPInputStream;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/**
 * Compresses and decompresses Parquet pages. Output is compressed with Zstandard; input may use any codec listed in
 * {@link #getDecompressor}. Parquet's own factory loads its codecs through Hadoop's configuration, which would add 30
 * MB of libraries and a second to the start.
 */
final class ParquetCodecs implements CompressionCodecFactory {
    private static final int ZSTD_LEVEL = 3;

    @FunctionalInterface
    private interface Codec {
        /** @return exactly {@code size} bytes, unless the page is damaged */
        byte[] decompress(byte[] page, int size) throws IOException;
    }

    @Override
    public BytesInputDecompressor getDecompressor(CompressionCodecName name) {
        return new PageDecompressor(
                switch (name) {
                    case UNCOMPRESSED -> (page, size) -> page;
                    case ZSTD -> Zstd::decompress;
                    case GZIP -> ParquetCodecs::gunzip;
                    case SNAPPY -> block(new SnappyDecompressor());
                    case LZ4_RAW -> block(new Lz4Decompressor());
                    default ->
                        throw new UnsupportedOperationException(
                                "its pages are compressed with %s; write them with zstd, snappy, gzip or lz4_raw"
                                        .formatted(name));
                });
    }

    private static byte[] gunzip(byte[] page, int size) throws IOException {
        try (var in = new GZIPInputStream(new ByteArrayInputStream(page))) {
            return in.readNBytes(size);
        }
    }

    private static Codec block(Decompressor decompressor) {
        return (page, size) -> {
            byte[] bytes = new byte[size];
            int length = decompressor.decompress(page, 0, page.length, bytes, 0, size);
            return length == size ? bytes : new byte[length];
        };
    }

    @Override
    public BytesInputCompressor getCompressor(CompressionCodecName name) {
        if (name != CompressionCodecName.ZSTD) {
            throw new IllegalArgumentException("Parquet output must use the codec ZSTD, but was " + name);
        }
        return new ZstdCompressor();
    }

    @Override
    public void release() {}

    private static final class ZstdCompressor implements BytesInputCompressor {
        @Override
        public BytesInput compress(BytesInput page) throws IOException {
            return BytesInput.from(Zstd.compress(page.toByteArray(), ZSTD_LEVEL));
        }

        @Override
        public CompressionCodecName getCodecName() {
            return CompressionCodecName.ZSTD;
        }

        @Override
        public void release() {}
    }

    private record PageDecompressor(Codec codec) implements BytesInputDecompressor {
        @Override
        public BytesInput decompress(BytesInput page, int size) throws IOException {
            return BytesInput.from(decompress(page.toByteArray(), size));
        }

        @Override
        public void decompress(ByteBuffer page, int compressedSize, ByteBuffer into, int size) throws IOException {
            byte[] bytes = new byte[compressedSize];
            page.get(bytes);
            into.put(decompress(bytes, size));
        }

        private byte[] decompress(byte[] page, int size) throws IOException {
            byte[] bytes = codec.decompress(page, size);
            if (bytes.length != size) {
                throw new IOException("a page has %d bytes instead of %d".formatted(bytes.length, size));
            }
            return bytes;
        }

        @Override
        public void release() {}
    }
}
