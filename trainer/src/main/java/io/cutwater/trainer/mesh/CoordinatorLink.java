package io.cutwater.trainer.mesh;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A worker's connection to the coordinator, on which models travel. It is opened when it is needed, and anew after a
 * failure. Thread-safe.
 */
public final class CoordinatorLink implements AutoCloseable {
    private final Mesh mesh;
    private @Nullable PeerLink link;

    public CoordinatorLink(Mesh mesh) {
        this.mesh = mesh;
    }

    private synchronized PeerLink to(String name, PeerAddress address) {
        PeerLink known = link;
        if (known == null || !known.worker().equals(name) || !known.isOpenTo(address)) {
            close();
            known = PeerLink.toCoordinator(mesh, name, address);
            link = known;
        }
        return known;
    }

    /**
     * Fetches a content.
     *
     * @param name name of the coordinator's mesh
     * @return the content; empty if another one has replaced it
     * @throws IOException if the coordinator cannot be reached; the message is meant for users
     */
    public ByteBuffer fetch(String name, PeerAddress address, long number) throws IOException, InterruptedException {
        try {
            return to(name, address).fetch(number).get();
        } catch (ExecutionException e) {
            throw new IOException(
                    e.getCause() == null ? e.getMessage() : e.getCause().getMessage(), e);
        }
    }

    /**
     * Sends a message without waiting.
     *
     * @param name name of the coordinator's mesh
     * @param message from position to limit; the caller does not change it afterwards
     * @param ifLost called by any thread if the coordinator may not have got the message
     */
    public void tell(String name, PeerAddress address, ByteBuffer message, Runnable ifLost) {
        to(name, address).tell(message, ifLost);
    }

    @Override
    public synchronized void close() {
        if (link != null) {
            link.close();
            link = null;
        }
    }
}
