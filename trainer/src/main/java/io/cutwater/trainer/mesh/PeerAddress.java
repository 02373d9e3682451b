package io.cutwater.trainer.mesh;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * The address of a worker's listener, as published on the topics of the training.
 *
 * @param host name or IP address
 * @param port 1 to 65535
 * @param token secret that a connection must present; whoever can read the topics knows it
 */
public record PeerAddress(String host, int port, String token) {
    private static final int MAX_PORT = 65_535;

    /** Writes the host (UTF), the port (4 bytes) and the token (UTF). */
    public void write(DataOutput out) throws IOException {
        out.writeUTF(host);
        out.writeInt(port);
        out.writeUTF(token);
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @throws IOException if the bytes are not an address
     */
    public static PeerAddress read(DataInput in) throws IOException {
        PeerAddress address = new PeerAddress(in.readUTF(), in.readInt(), in.readUTF());
        if (address.host.isEmpty() || address.port < 1 || address.port > MAX_PORT) {
            throw new IOException("a worker cannot have the address " + address);
        }
        return address;
    }

    /** Describes the address without the token. */
    @Override
    public String toString() {
        return "%s:%d".formatted(host, port);
    }
}
