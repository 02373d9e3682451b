package io.cutwater.format.parquet;

import com.github.luben.zstd.Zstd;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/** Zstandard for Parquet pages straight on zstd-jni: the codecs that come with Parquet need Hadoop's at run time. */
final class ZstdPages implements CompressionCodecFactory {
    private static final int LEVEL = 3;

    @Override
    public BytesInputCompressor getCompressor(CompressionCodecName codec) {
        check(codec);
        return new BytesInputCompressor() {
            @Override
            public BytesInput compress(BytesInput bytes) throws IOException {
                return BytesInput.from(Zstd.compress(array(bytes), LEVEL));
            }

            @Override
            public CompressionCodecName getCodecName() {
                return CompressionCodecName.ZSTD;
            }

            @Override
            public void release() {}
        };
    }

    @Override
    public BytesInputDecompressor getDecompressor(CompressionCodecName codec) {
        check(codec);
        return new BytesInputDecompressor() {
            @Override
            public BytesInput decompress(BytesInput bytes, int decompressedSize) throws IOException {
                return BytesInput.from(Zstd.decompress(array(bytes), decompressedSize));
            }

            @Override
            public void decompress(ByteBuffer in, int compressedSize, ByteBuffer out, int decompressedSize) {
                byte[] compressed = new byte[compressedSize];
                in.get(compressed);
                out.put(Zstd.decompress(compressed, decompressedSize));
            }

            @Override
            public void release() {}
        };
    }

    private static byte[] array(BytesInput bytes) throws IOException {
        return bytes.toInputStream().readNBytes(Math.toIntExact(bytes.size()));
    }

    private static void check(CompressionCodecName codec) {
        if (codec != CompressionCodecName.ZSTD) {
            throw new IllegalArgumentException("the output folder's Parquet files are of ZSTD pages: " + codec);
        }
    }

    @Override
    public void release() {}
}
