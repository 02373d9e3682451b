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
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A TorchScript module, for functions of PyTorch that DJL does not offer. Its archive is written here: four stored zip
 * entries, as PyTorch's {@code torch.jit.save} writes them. Used by one thread.
 */
final class Script implements AutoCloseable {
    /** Pickle protocol 2: an object of class {@code __torch__.Module} without attributes. */
    private static final String OBJECT = "\u0080\u0002c__torch__\nModule\n)\u0081}b.";
    /** Pickle protocol 2: an empty tuple. */
    private static final String NO_CONSTANTS = "\u0080\u0002).";

    private final PtSymbolBlock module;

    /** @param code class {@code Module} with a method {@code forward} that takes and returns tensors */
    Script(NDManager manager, String code) {
        try {
            module = JniUtils.loadModule((PtNDManager) manager, new ByteArrayInputStream(archive(code)), false, false);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // of an array in memory
        }
    }

    /** Returns a file of code of this package. */
    static String resource(String name) {
        try (InputStream in = Script.class.getResourceAsStream(name + ".torchscript")) {
            if (in == null) {
                throw new IllegalStateException("there is no " + name + ".torchscript");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // of a class path that was read before
        }
    }

    private static byte[] archive(String code) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            zip.setMethod(ZipOutputStream.STORED); // PyTorch reads entries in place
            add(zip, "data.pkl", OBJECT.getBytes(StandardCharsets.ISO_8859_1));
            add(zip, "code/__torch__.py", code.getBytes(StandardCharsets.UTF_8));
            add(zip, "constants.pkl", NO_CONSTANTS.getBytes(StandardCharsets.ISO_8859_1));
            add(zip, "version", "10\n".getBytes(StandardCharsets.US_ASCII));
        }
        return bytes.toByteArray();
    }

    private static void add(ZipOutputStream zip, String name, byte[] content) throws IOException {
        CRC32 sum = new CRC32();
        sum.update(content);
        ZipEntry entry = new ZipEntry("module/" + name);
        entry.setSize(content.length);
        entry.setCrc(sum.getValue());
        zip.putNextEntry(entry);
        zip.write(content);
        zip.closeEntry();
    }

    /** Returns the result of {@code forward}; it belongs to the manager of the first array. */
    NDArray run(NDArray... arrays) {
        // This call, unlike those with an IValue, returns arrays that may be part of a gradient.
        return IValueUtils.forward(module, new NDList(arrays), true).get(0);
    }

    @Override
    public void close() {
        module.close();
    }
}
