package io.cutwater.deploy.faults.process;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A small file system under a folder, which can be filled or made read-only. Needs the right to mount. */
public final class Disk {
    private static final int CHUNK = 1 << 16;
    private static final String FILLER = "filler";

    private final Path folder;

    private Disk(Path folder) {
        this.folder = folder;
    }

    /** Returns whether this process may mount. */
    public static boolean isPossible() throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("cutwater-faults-mount-");
        boolean isPossible = call("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder.toString())
                && call("umount", folder.toString());
        Files.delete(folder);
        return isPossible;
    }

    /** Mounts an empty disk in memory. */
    static Disk mount(Path folder, int megabytes) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        if (!call("mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m,mode=700", "tmpfs", folder.toString())) {
            throw new IOException("cannot mount a disk of %d MB at %s".formatted(megabytes, folder));
        }
        return new Disk(folder);
    }

    /** Fills the disk to the last byte. */
    public void fill() throws IOException {
        byte[] zeros = new byte[CHUNK];
        try (OutputStream filler = Files.newOutputStream(folder.resolve(FILLER))) {
            while (true) {
                filler.write(zeros);
            }
        } catch (IOException e) {
            // The disk is full.
            if (Files.size(folder.resolve(FILLER)) == 0) {
                throw e;
            }
        }
    }

    public void free() throws IOException {
        Files.deleteIfExists(folder.resolve(FILLER));
    }

    /** Refuses every write from now on, also by root. */
    public void freeze() throws IOException, InterruptedException {
        // By a mount over the disk: remounting the disk itself is refused while a file on it is open for writing.
        if (!call("mount", "--bind", folder.toString(), folder.toString())
                || !call("mount", "-o", "remount,ro,bind", folder.toString())) {
            throw new IOException("cannot mount %s read-only".formatted(folder));
        }
    }

    public void thaw() throws IOException, InterruptedException {
        call("umount", "-l", folder.toString());
    }

    void unmount() throws IOException, InterruptedException {
        call("umount", "-l", folder.toString());
    }

    private static boolean call(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }
}
