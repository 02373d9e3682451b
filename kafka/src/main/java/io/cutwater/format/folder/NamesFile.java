package io.cutwater.format.folder;

import io.cutwater.format.file.HashedFile;
import io.cutwater.format.file.OutputFiles;
import io.cutwater.format.text.AsciiDigits;
import io.cutwater.format.text.VertexNames;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The file of names of vertices whose ids are text: {@code id,text} in the order of the ids, which are 0, 1, 2, … if
 * they are ranks. A name that contains a quotation mark, a comma or a line end is quoted, with its quotation marks
 * doubled (RFC 4180); all other bytes are those of the input.
 */
public final class NamesFile implements Closeable {
    static final String FILE = "ids.csv";

    private static final String HEADER = "id,text\n";

    private final HashedFile file;
    private final byte[] digits = new byte[AsciiDigits.MAX_BYTES];

    /** @param name of the file in the folder */
    NamesFile(OutputFiles out, String name) throws IOException {
        file = out.create(name);
        file.write(HEADER.getBytes(StandardCharsets.US_ASCII));
    }

    /**
     * Writes the file {@code ids.csv} of some vertices into a folder.
     *
     * @param vertices ascending
     * @param texts of all of them
     */
    public static void write(Path folder, long[] vertices, ShardOutput.VertexText texts) throws IOException {
        try (NamesFile file = new NamesFile(new OutputFiles(folder, "ids"), FILE)) {
            for (long vertex : vertices) {
                byte[] text = texts.of(vertex);
                file.add(vertex, text, 0, text.length);
            }
        }
    }

    static void write(OutputFiles out, VertexNames names) throws IOException {
        try (NamesFile file = new NamesFile(out, FILE)) {
            names.<IOException>forEach(file::add);
        }
    }

    /**
     * Appends a name.
     *
     * @param from its first byte
     * @param to the byte after its last one
     */
    void add(long id, byte[] text, int from, int to) throws IOException {
        file.write(digits, 0, AsciiDigits.put(digits, 0, id));
        file.write(',');
        boolean isQuoted = false;
        for (int i = from; i < to; i++) {
            isQuoted |= text[i] == '"' || text[i] == ',' || text[i] == '\n' || text[i] == '\r';
        }
        if (isQuoted) {
            writeQuoted(text, from, to);
        } else {
            file.write(text, from, to - from);
        }
        file.write('\n');
    }

    private void writeQuoted(byte[] text, int from, int to) throws IOException {
        file.write('"');
        for (int i = from; i < to; i++) {
            if (text[i] == '"') {
                file.write('"');
            }
            file.write(text[i]);
        }
        file.write('"');
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    /** @param areNumbers whether the ids are the numbers of the names, from 0 */
    static VertexNames read(Path root, boolean areNumbers) throws IOException {
        Path file = root.resolve(FILE);
        VertexNames names = new VertexNames();
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            byte[] header = in.readNBytes(HEADER.length());
            if (!Arrays.equals(header, HEADER.getBytes(StandardCharsets.US_ASCII))) {
                throw damaged(file, names.size());
            }
            byte[] line = new byte[1 << 10];
            int length = 0;
            boolean isQuoted = false;
            for (int next = in.read(); next >= 0; next = in.read()) {
                isQuoted ^= next == '"';
                if (next == '\n' && !isQuoted) {
                    add(names, areNumbers, line, length, file);
                    length = 0;
                } else {
                    line = length < line.length ? line : Arrays.copyOf(line, 2 * length);
                    line[length++] = (byte) next;
                }
            }
        }
        return names;
    }

    /** Ids that are the numbers of the names need no memory of their own. */
    private static void add(VertexNames names, boolean areNumbers, byte[] line, int length, Path file)
            throws IOException {
        int known = names.size();
        int comma = 0;
        while (comma < length && line[comma] != ',') {
            comma++;
        }
        int from = comma + 1;
        int to = length;
        if (from < to && line[from] == '"') {
            from++;
            to = from;
            for (int i = from; i < length - 1; i++) {
                line[to++] = line[i];
                i += line[i] == '"' ? 1 : 0;
            }
        }
        if (from >= to) {
            throw damaged(file, known);
        }
        if (!areNumbers) {
            names.add(id(line, comma, file, known), line, from, to);
        } else if (id(line, comma, file, known) != names.id(line, from, to)) {
            throw damaged(file, known);
        }
        if (names.size() != known + 1) {
            throw damaged(file, known);
        }
    }

    private static long id(byte[] line, int comma, Path file, int known) throws IOException {
        try {
            return Long.parseLong(new String(line, 0, comma, StandardCharsets.US_ASCII));
        } catch (NumberFormatException e) {
            throw new IOException(damaged(file, known).getMessage(), e);
        }
    }

    private static IOException damaged(Path file, int names) {
        return new IOException("%s is damaged after %d names; run the partitioning again".formatted(file, names));
    }
}
