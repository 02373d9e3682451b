package io.cutwater.flink.connector.file;

import io.cutwater.format.EdgeFilePosition;
import io.cutwater.format.input.EdgeFileFormat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/** Serializes splits in a checkpoint: a reader's split, and the enumerator's list of unassigned splits. */
final class EdgeFileSplitSerializer implements SimpleVersionedSerializer<EdgeFileSplit> {
    private static final int VERSION = 1;

    @Override
    public int getVersion() {
        return VERSION;
    }

    @Override
    public byte[] serialize(EdgeFileSplit split) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(128);
        write(split, out);
        return out.getCopyOfBuffer();
    }

    @Override
    public EdgeFileSplit deserialize(int version, byte[] bytes) throws IOException {
        checkVersion(version);
        return read(new DataInputDeserializer(bytes));
    }

    private static void write(EdgeFileSplit split, DataOutputSerializer out) throws IOException {
        out.writeInt(split.number());
        out.writeInt(split.pass());
        out.writeUTF(split.file());
        out.writeUTF(split.format().name());
        out.writeLong(split.position().offset());
        out.writeLong(split.position().row());
        out.writeLong(split.position().detail());
        out.writeLong(split.bytesBefore());
    }

    private static EdgeFileSplit read(DataInputDeserializer in) throws IOException {
        int number = in.readInt();
        int pass = in.readInt();
        String file = in.readUTF();
        EdgeFileFormat format = EdgeFileFormat.valueOf(in.readUTF());
        EdgeFilePosition position = new EdgeFilePosition(in.readLong(), in.readLong(), in.readLong());
        return new EdgeFileSplit(number, pass, file, format, position, in.readLong());
    }

    private static void checkVersion(int version) throws IOException {
        if (version != VERSION) {
            throw new IOException("file splits of version %d; this build reads %d".formatted(version, VERSION));
        }
    }

    /** Serializes the splits that are not assigned to a reader. */
    static final class Waiting implements SimpleVersionedSerializer<List<EdgeFileSplit>> {
        @Override
        public int getVersion() {
            return VERSION;
        }

        @Override
        public byte[] serialize(List<EdgeFileSplit> splits) throws IOException {
            DataOutputSerializer out = new DataOutputSerializer(128 * (splits.size() + 1));
            out.writeInt(splits.size());
            for (EdgeFileSplit split : splits) {
                write(split, out);
            }
            return out.getCopyOfBuffer();
        }

        @Override
        public List<EdgeFileSplit> deserialize(int version, byte[] bytes) throws IOException {
            checkVersion(version);
            DataInputDeserializer in = new DataInputDeserializer(bytes);
            int count = in.readInt();
            List<EdgeFileSplit> splits = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                splits.add(read(in));
            }
            return splits;
        }
    }
}
