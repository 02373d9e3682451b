package io.cutwater.deploy.local;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Resources that a run has opened: clusters, brokers, folders. They are closed in reverse order at the end, also when
 * the process is told to end before that (Ctrl-C), so that nothing temporary stays.
 */
public final class RunResources implements AutoCloseable {
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final Thread hook = new Thread(this::closeAtShutdown, "close the run");
    private boolean isClosed;

    public RunResources() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Adds a resource, and returns it. */
    public synchronized <T extends AutoCloseable> T add(T resource) throws IOException {
        opened.push(resource);
        if (isClosed) {
            closeAll();
            throw new IOException("the process is ending");
        }
        return resource;
    }

    @Override
    public synchronized void close() throws IOException {
        isClosed = true;
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is ending; whoever comes first closes.
        }
        closeAll();
    }

    private void closeAll() throws IOException {
        IOException first = null;
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception e) {
                IOException failure = e instanceof IOException io ? io : new IOException(e.getMessage(), e);
                if (first == null) {
                    first = failure;
                } else {
                    first.addSuppressed(failure);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }

    private void closeAtShutdown() {
        try {
            close();
        } catch (IOException e) {
            System.err.println("cutwater: could not clean up: " + e.getMessage());
        }
    }
}
