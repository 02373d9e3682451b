package io.cutwater.trainer.distributed;

import io.cutwater.trainer.mesh.PeerAddress;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * Where workers get the model of a request directly, and send their answers.
 *
 * @param coordinator name of the coordinator's mesh
 * @param address address of the coordinator's mesh
 * @param number number of the content
 */
record ModelPlace(String coordinator, PeerAddress address, long number) {
    /** Writes the name (UTF), the address and the number (8 bytes). */
    void write(DataOutput out) throws IOException {
        out.writeUTF(coordinator);
        address.write(out);
        out.writeLong(number);
    }

    /** Reads what {@link #write} wrote. */
    static ModelPlace read(DataInput in) throws IOException {
        return new ModelPlace(in.readUTF(), PeerAddress.read(in), in.readLong());
    }
}
