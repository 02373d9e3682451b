package io.cutwater.format.folder;

import io.cutwater.format.binary.FrameReader;
import io.cutwater.format.file.HashedFile;
import io.cutwater.format.file.OutputFiles;
import io.cutwater.format.table.RejectedRows;
import io.cutwater.state.graph.RejectedRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;

/**
 * The dead letters of a run as a CSV file (RFC 4180) in UTF-8:
 * {@code reason,origin,partition,offset,value,length,sha256}. The partition is the topic partition, empty for a file;
 * the offset of a file is its line. The value is cut after 64 KiB; length and SHA-256 are those of the whole value. A
 * value that is not UTF-8 is written as {@code base64:…}.
 */
final class DeadLetterTable {
    static final String FILE = "dead-letters.csv";

    private static final String HEADER = "reason,origin,partition,offset,value,length,sha256\r\n";

    private DeadLetterTable() {}

    /** Writes the staged dead letters, if there are any, and returns their number. */
    static long write(OutputFiles out, Path staged) throws IOException {
        try (FrameReader frames = new FrameReader(staged)) {
            if (!frames.next()) {
                return 0;
            }
            long count = 0;
            try (HashedFile file = out.create(FILE)) {
                file.write(HEADER.getBytes(StandardCharsets.UTF_8));
                do {
                    file.write(row(RejectedRows.read(frames.payload())).getBytes(StandardCharsets.UTF_8));
                    count++;
                } while (frames.next());
            }
            return count;
        }
    }

    static String row(RejectedRecord record) {
        String partition = record.topicPartition() < 0 ? "" : Integer.toString(record.topicPartition());
        return quoted(record.reason()) + ',' + quoted(record.origin()) + ',' + partition + ',' + record.offset() + ','
                + quoted(text(record.value())) + ',' + record.valueLength() + ','
                + HexFormat.of().formatHex(record.valueSha256()) + "\r\n";
    }

    private static String quoted(String field) {
        boolean isPlain = field.chars().noneMatch(c -> c == ',' || c == '"' || c == '\r' || c == '\n');
        return isPlain ? field : '"' + field.replace("\"", "\"\"") + '"';
    }

    private static String text(byte[] value) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(value))
                    .toString();
        } catch (CharacterCodingException e) {
            return "base64:" + Base64.getEncoder().encodeToString(value);
        }
    }
}
