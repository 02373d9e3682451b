package io.cutwater.trainer.mesh;

import java.nio.ByteBuffer;

/** The coordinator's side of the connections on which models travel, see {@link CoordinatorLink}. Thread-safe. */
public interface ModelServer {
    /** Returns a content; empty if another one has replaced it. */
    ByteBuffer content(long number);

    /**
     * Takes a message.
     *
     * @param sender name of the worker
     * @throws IllegalArgumentException if the message makes no sense; the connection ends
     */
    void told(String sender, ByteBuffer message);
}
