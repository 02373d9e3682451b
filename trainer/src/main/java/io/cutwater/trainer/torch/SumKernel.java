package io.cutwater.trainer.torch;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.engine.PtSymbolBlock;
import ai.djl.pytorch.jni.IValueUtils;
import ai.djl.pytorch.jni.JniUtils;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * PyTorch's {@code embedding_bag}, which DJL does not offer: weighted sums of rows, without a sort of the indices and,
 * on a GPU too, in a fixed order. It is called through a TorchScript module, whose archive is written here: four stored
 * zip entries, as PyTorch's {@code torch.jit.save} writes them. Used by one thread.
 */
final class SumKernel implements AutoCloseable {
    private static final String CODE = """
            class Module(Module):
              __parameters__ = []
              __buffers__ = []
              def forward(self: __torch__.Module,
                rows: Tensor,
                indices: Tensor,
                offsets: Tensor,
                weights: Tensor) -> Tensor:
                _0, _1, _2, _3 = torch.embedding_bag(rows, indices, offsets, False, 0, False, weights, True)
                return _0
            """;
    /** Pickle protocol 2: an object of class {@code __torch__.Module} without attributes. */
    private static final String OBJECT = "\u0080\u0002c__torch__\nModule\n)\u0081}b.";
    /** Pickle protocol 2: an empty tuple. */
    private static final String NO_CONSTANTS = "\u0080\u0002).";

    private final PtSymbolBlock module;

    SumKernel(NDManager manager) {
        try {
            module = JniUtils.loadModule((PtNDManager) manager, new ByteArrayInputStream(archive()), false, false);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // of an array in memory
        }
    }

    private static byte[] archive() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            zip.setMethod(ZipOutputStream.STORED); // PyTorch reads entries in place
            add(zip, "data.pkl", OBJECT.getBytes(StandardCharsets.ISO_8859_1));
            add(zip, "code/__torch__.py", CODE.getBytes(StandardCharsets.UTF_8));
            add(zip, "constants.pkl", NO_CONSTANTS.getBytes(StandardCharsets.ISO_8859_1));
            add(zip, "version", "3\n".getBytes(StandardCharsets.US_ASCII));
        }
        return bytes.toByteArray();
    }

    private static void add(ZipOutputStream zip, String name, byte[] content) throws IOException {
        CRC32 sum = new CRC32();
        sum.update(content);
        ZipEntry entry = new ZipEntry("sum/" + name);
        entry.setSize(content.length);
        entry.setCrc(sum.getValue());
        zip.putNextEntry(entry);
        zip.write(content);
        zip.closeEntry();
    }

    /**
     * Returns the weighted sums of rows. Its gradient must not be asked of PyTorch, which would sort the indices.
     *
     * @param indices row of each term, 32-bit
     * @param offsets first term of each sum, 32-bit, and the number of terms
     * @param weights weight of each term
     */
    NDArray sum(NDArray rows, NDArray indices, NDArray offsets, NDArray weights) {
        // This call, unlike those with an IValue, returns arrays that may be part of a gradient.
        return IValueUtils.forward(module, new NDList(rows, indices, offsets, weights), true)
                .get(0);
    }

    @Override
    public void close() {
        module.close();
    }
}
