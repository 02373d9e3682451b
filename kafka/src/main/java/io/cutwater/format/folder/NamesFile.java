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
final class NamesFile implements Closeable {
    static final String FILE = "ids.csv";

    private static final String HEADER = "id,text\n";

    private final HashedFile file;
    private final byte[] digits = new byte[AsciiDigits.MAX_BYTES];

    /** @param name of the file in the folder */
    NamesFile(OutputFiles out, String name) throws IOException {
        file = out.create(name);
        file.write(HEADER.getBytes(StandardCharsets.US_ASCII));
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

    static VertexNames read(Path root) throws IOException {
        Path file = root.resolve(FILE);
        VertexNames names = new VertexNames();
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            byte[] header = in.readNBytes(HEADER.length());
            if (!Arrays.equals(header, HEADER.getBytes(StandardCharsets.US_ASCII))) {
                throw damaged(file, names.size());
            }
            byte[] line = new byte[1 << 10];
            int length = 0;
            for (int next = in.read(); next >= 0; next = in.read()) {
                if (next == '\n') {
                    add(names, line, length, file);
                    length = 0;
                } else {
                    line = length < line.length ? line : Arrays.copyOf(line, 2 * length);
                    line[length++] = (byte) next;
                }
            }
        }
        return names;
    }

    private static void add(VertexNames names, byte[] line, int length, Path file) throws IOException {
        int from = Integer.toString(names.size()).length() + 1;
        int to = length;
        if (from < to && line[from] == '"') {
            from++;
            to = from;
            for (int i = from; i < length - 1; i++) {
                line[to++] = line[i];
                i += line[i] == '"' ? 1 : 0;
            }
        }
        int expected = names.size();
        if (from >= to || names.id(line, from, to) != expected) {
            throw damaged(file, expected);
        }
    }

    private static IOException damaged(Path file, int names) {
        return new IOException("%s is damaged after %d names; run the partitioning again".formatted(file, names));
    }
}
