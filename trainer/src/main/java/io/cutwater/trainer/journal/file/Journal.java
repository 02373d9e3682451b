package io.cutwater.trainer.journal.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Files of records in a folder, consistent with some offsets of topics. Files are append-only; {@code positions} says
 * how many bytes of each count, and is replaced after everything else is written. A killed process therefore leaves its
 * last position, and what it wrote after that is truncated. The last {@value #KEPT_CUTS} cuts remain readable.
 *
 * <p>A file that has doubled is compacted into a file of the next generation; the old one is deleted with the last
 * position that needs it. Not thread-safe.
 */
public final class Journal {
    public static final int KEPT_CUTS = 3;

    private static final String POSITIONS = "positions";
    /** Approximate number of offsets per topic partition between two positions, which a killed process reads again. */
    public static final long STEP = 50_000;

    private final Path folder;
    private final PositionsFile file;
    private final Position start;
    private final long slack;
    private final List<Position> positions = new ArrayList<>();
    private final BlockWriter[] writers;
    private boolean isDirty;

    /** Reads the records between two positions into the journal. */
    public interface Feed {
        void read(List<Long> from, List<Long> to) throws IOException, InterruptedException;
    }

    /** Writes the compacted contents of a file. */
    public interface Rewriter {
        void rewrite(Position position, int file, BlockWriter into) throws IOException;
    }

    /**
     * Opens or creates a journal.
     *
     * @param identity identity of the contents; a journal of other contents is discarded
     * @param slack file size in bytes below which a file is not compacted
     * @param lost receives a message for users if the contents of the folder are discarded
     */
    public Journal(Path folder, String identity, int topicPartitions, int files, long slack, Consumer<String> lost)
            throws IOException {
        this.folder = folder;
        this.slack = slack;
        file = new PositionsFile(folder.resolve(POSITIONS), identity);
        start = Position.start(topicPartitions, files);
        writers = new BlockWriter[files];
        Files.createDirectories(folder);
        List<Position> kept = file.read();
        if (kept != null && hasAll(kept)) {
            positions.addAll(kept);
        } else if (Files.exists(folder.resolve(POSITIONS))) {
            lost.accept("%s does not hold %s; its topic is read again".formatted(folder, identity));
        }
        goBack();
    }

    private boolean hasAll(List<Position> kept) throws IOException {
        for (Position position : kept) {
            for (int i = 0; i < position.files().size(); i++) {
                Extent extent = position.files().get(i);
                Path path = path(i, extent);
                if (extent.bytes() > 0 && (!Files.exists(path) || Files.size(path) < extent.bytes())) {
                    return false;
                }
            }
        }
        return true;
    }

    private Path path(int number, Extent extent) {
        return folder.resolve("%02d.%d".formatted(number, extent.generation()));
    }

    private Position newest() {
        return positions.isEmpty() ? start : positions.get(positions.size() - 1);
    }

    /** Discards all contents. */
    void restart() throws IOException {
        positions.clear();
        file.write(positions);
        goBack();
    }

    /** Truncates the files to the newest position. */
    private void goBack() throws IOException {
        List<Extent> files = newest().files();
        for (int i = 0; i < writers.length; i++) {
            writers[i] = new BlockWriter(path(i, files.get(i)), files.get(i).bytes());
        }
        deleteUnused();
        isDirty = false;
    }

    private void deleteUnused() throws IOException {
        Set<Path> used = new HashSet<>(Set.of(folder.resolve(POSITIONS)));
        for (Position position : positions) {
            for (int i = 0; i < writers.length; i++) {
                used.add(path(i, position.files().get(i)));
            }
        }
        List<Path> there;
        try (Stream<Path> all = Files.list(folder)) {
            there = all.toList();
        }
        for (Path path : there) {
            if (!used.contains(path)) {
                Files.delete(path);
            }
        }
    }

    /**
     * Moves to the given offsets: returns a kept position, or continues from the last one before them.
     *
     * @param feed appends the missing records
     */
    public Position moveTo(List<Long> offsets, Feed feed, Rewriter rewriter) throws IOException, InterruptedException {
        List<Long> from = prepare(offsets);
        while (from != null && !from.equals(offsets)) {
            List<Long> to = step(from, offsets);
            begin();
            feed.read(from, to);
            commit(to, to.equals(offsets), rewriter);
            from = to;
        }
        return at(offsets);
    }

    /** Returns whether the offsets are those of a kept cut. */
    public boolean hasCut(List<Long> offsets) {
        Position kept = isDirty ? null : find(offsets);
        return kept != null && kept.isCut();
    }

    /**
     * Prepares for reading up to some offsets, in parts between {@link #begin} and {@link #commit}.
     *
     * @return the offsets to continue from; null if the cut is kept
     */
    public @Nullable List<Long> prepare(List<Long> offsets) throws IOException {
        if (isDirty) {
            goBack(); // the last read failed
        }
        if (hasCut(offsets)) {
            return null;
        }
        while (!newest().isBefore(offsets)) {
            positions.remove(positions.size() - 1);
            isDirty = true;
        }
        if (isDirty) {
            file.write(positions);
            goBack();
        }
        return newest().offsets();
    }

    /** Begins a part: its records are kept by the next {@link #commit}, or discarded. */
    public void begin() {
        isDirty = true;
    }

    /** Returns the position of offsets that were reached, and keeps it as a cut. */
    Position at(List<Long> offsets) throws IOException {
        Position kept = find(offsets);
        if (kept != null && kept.isCut()) {
            return kept;
        }
        save(new Position(offsets, true, newest().files()));
        return newest();
    }

    private @Nullable Position find(List<Long> offsets) {
        return positions.stream()
                .filter(position -> position.offsets().equals(offsets))
                .findFirst()
                .orElse(null);
    }

    private static List<Long> step(List<Long> from, List<Long> to) {
        List<Long> next = new ArrayList<>();
        for (int i = 0; i < to.size(); i++) {
            next.add(Math.min(to.get(i), from.get(i) + STEP));
        }
        return next;
    }

    /** Returns the writer of a file. */
    public BlockWriter writer(int number) {
        return writers[number];
    }

    /**
     * Commits everything read up to some offsets.
     *
     * @param isCut whether the offsets were requested, rather than an intermediate step
     */
    public void commit(List<Long> offsets, boolean isCut, Rewriter rewriter) throws IOException {
        List<Extent> files = new ArrayList<>();
        for (int i = 0; i < writers.length; i++) {
            Extent before = newest().files().get(i);
            files.add(new Extent(before.generation(), writers[i].flush(), before.rewritten()));
        }
        Position read = new Position(offsets, isCut, files);
        for (int i = 0; i < writers.length; i++) {
            Extent extent = files.get(i);
            if (extent.bytes() > 2 * extent.rewritten() + slack) {
                Extent next = new Extent(extent.generation() + 1, 0, 0);
                writers[i] = new BlockWriter(path(i, next), 0);
                rewriter.rewrite(read, i, writers[i]);
                long bytes = writers[i].flush();
                files.set(i, new Extent(next.generation(), bytes, bytes));
            }
        }
        save(new Position(offsets, isCut, files));
        isDirty = false;
        for (BlockWriter writer : writers) {
            writer.release();
        }
    }

    private void save(Position position) throws IOException {
        if (!positions.isEmpty() && !newest().isCut()) {
            positions.remove(positions.size() - 1);
        }
        positions.add(position);
        while (positions.size() > KEPT_CUTS) {
            positions.remove(0);
        }
        file.write(positions);
        deleteUnused();
    }

    /** Reads a file at a position. */
    public void read(Position position, int number, Blocks.BlockConsumer consumer) throws IOException {
        Extent extent = position.files().get(number);
        try {
            Blocks.read(path(number, extent), extent.bytes(), consumer);
        } catch (DamagedJournalException e) {
            restart();
            throw e;
        }
    }
}
