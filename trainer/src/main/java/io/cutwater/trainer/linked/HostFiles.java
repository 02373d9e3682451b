package io.cutwater.trainer.linked;

import io.cutwater.state.scratch.TemporaryFolder;
import io.cutwater.trainer.feature.DenseFeatures;
import io.cutwater.trainer.feature.SparseFeatures;
import io.cutwater.trainer.mapped.MappedInts;
import io.cutwater.trainer.mapped.MappedLongs;
import io.cutwater.trainer.shard.ShardStore;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The files of a shard that other processes on the host may map, so that they read neighbours and features without the
 * network. Beside the store these are what linking has found, and a file that proves that both processes mean the same
 * folder: a version, a random token, which is announced over the mesh, and the boot of the host's kernel. A folder that
 * hosts share over a network has another boot, and might not show what was just written.
 *
 * @param folder folder of the shard
 * @param store subfolder of the store
 * @param links existing subfolder for what linking has found, without files of another instance
 * @param boot random number of the kernel's boot; empty if unknown
 */
public record HostFiles(TemporaryFolder folder, String store, String links, String boot) {
    private static final int VERSION = 1;
    private static final int TOKEN_BYTES = 16;
    private static final String PROOF = "proof";
    private static final String IDS = "ids";
    private static final String ADDRESSES = "addresses";
    private static final String DEGREES = "degrees";
    private static final String PARTS_BEGIN = "parts-begin";
    private static final String PARTS = "parts";
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    /** Creates the files of this host. */
    public static HostFiles of(TemporaryFolder folder, String store, String links) {
        String boot;
        try {
            boot = Files.readString(BOOT_ID).strip();
        } catch (IOException e) { // another system than Linux: all is read over the mesh
            boot = "";
        }
        return new HostFiles(folder, store, links, boot);
    }

    /**
     * Writes what others need beside the store.
     *
     * @param numbers number of known vertices
     * @param addresses addresses by number
     * @param degrees numbers of neighbours by number
     * @param partsBegin see {@link MappedHome}
     * @param parts see {@link MappedHome}
     * @return the announcement: the token and the path of the links; empty if the host is unknown
     */
    ByteBuffer write(
            ShardStore shard,
            int numbers,
            IntToLongFunction addresses,
            IntUnaryOperator degrees,
            int[] partsBegin,
            int[] parts)
            throws IOException {
        if (boot.isEmpty()) {
            return ByteBuffer.allocate(0);
        }
        folder.share();
        Path into = folder.path().resolve(links);
        MappedLongs ids = MappedLongs.create(into.resolve(IDS), shard.vertexCount());
        for (int local = 0; local < shard.vertexCount(); local++) {
            ids.put(local, shard.vertex(local));
        }
        MappedLongs homes = MappedLongs.create(into.resolve(ADDRESSES), numbers);
        MappedInts sizes = MappedInts.create(into.resolve(DEGREES), numbers);
        for (int number = 0; number < numbers; number++) {
            homes.put(number, addresses.applyAsLong(number));
            sizes.put(number, degrees.applyAsInt(number));
        }
        write(into.resolve(PARTS_BEGIN), partsBegin);
        write(into.resolve(PARTS), parts);
        byte[] token = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(token);
        try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(into.resolve(PROOF)))) {
            out.writeInt(VERSION);
            out.write(token);
            out.writeUTF(boot);
            out.writeUTF(folder.path().resolve(store).toAbsolutePath().toString());
            out.writeInt(shard.features().columns());
            out.writeBoolean(shard.features() instanceof SparseFeatures);
        }
        byte[] path = into.toAbsolutePath().toString().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(TOKEN_BYTES + path.length)
                .put(token)
                .put(path)
                .flip();
    }

    private static void write(Path file, int[] values) throws IOException {
        MappedInts into = MappedInts.create(file, values.length);
        for (int i = 0; i < values.length; i++) {
            into.put(i, values[i]);
        }
    }

    /** Opens the files that another shard has announced; null if they are not on this host or cannot be read. */
    @Nullable GraphAnswers open(ByteBuffer announced) {
        if (announced.remaining() <= TOKEN_BYTES) {
            return null;
        }
        byte[] token = new byte[TOKEN_BYTES];
        announced.get(token);
        try {
            Path from = Path.of(StandardCharsets.UTF_8.decode(announced).toString());
            try (DataInputStream in = new DataInputStream(Files.newInputStream(from.resolve(PROOF)))) {
                boolean isMeant = in.readInt() == VERSION
                        && ByteBuffer.wrap(in.readNBytes(TOKEN_BYTES)).equals(ByteBuffer.wrap(token))
                        && in.readUTF().equals(boot);
                return isMeant ? open(from, Path.of(in.readUTF()), in.readInt(), in.readBoolean()) : null;
            }
        } catch (IOException | InvalidPathException e) {
            return null; // the mesh serves
        }
    }

    private static GraphAnswers open(Path links, Path store, int columns, boolean isSparse) throws IOException {
        MappedHome home = new MappedHome(
                isSparse ? SparseFeatures.open(store, columns) : DenseFeatures.open(store.resolve("features"), columns),
                MappedLongs.open(store.resolve("offsets")),
                MappedInts.open(store.resolve("neighbours")),
                MappedLongs.open(links.resolve(IDS)),
                MappedLongs.open(links.resolve(ADDRESSES)),
                MappedInts.open(links.resolve(DEGREES)),
                MappedInts.open(links.resolve(PARTS_BEGIN)),
                MappedInts.open(links.resolve(PARTS)));
        return GraphAnswers.inFiles(home.checked(), links);
    }
}
