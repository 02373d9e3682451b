package io.cutwater.deploy.page.server;

import com.sun.net.httpserver.HttpExchange;
import io.cutwater.deploy.page.state.PageState;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * The changes of a page as server-sent events: {@code rows}, the rows of the series that the viewer lacks, and
 * {@code state}, everything else. Nothing is queued: a slow viewer gets fewer and newer states. A viewer that comes
 * back names the last event that it has ({@code Last-Event-ID}), and gets what came after it.
 */
final class EventStream {
    /**
     * Time between two states at least, and between two signs of life at most, which show the age of the newest report.
     */
    private static final long SHORTEST_MILLIS = 500;

    private static final long LONGEST_MILLIS = 2_000;
    private static final String RETRY = "retry: 1000\n\n";

    private final PageState state;
    /** Tells the cursors of this server from those of an earlier one, whose rows may have had other numbers. */
    private final String server = Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);

    private volatile boolean isClosed;

    EventStream(PageState state) {
        this.state = state;
    }

    /** Sends events until the viewer goes away, or the stream is closed. */
    void send(HttpExchange exchange) throws IOException {
        PageState.Cursor cursor = cursor(exchange.getRequestHeaders().getFirst("Last-Event-ID"));
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
        exchange.getResponseHeaders().set("X-Accel-Buffering", "no"); // or nginx holds events back
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream out = exchange.getResponseBody()) {
            write(out, RETRY);
            while (!isClosed) {
                long version = state.version();
                PageState.Cursor next;
                String rows;
                synchronized (state) {
                    next = state.cursor();
                    rows = next.equals(cursor) ? "" : state.rows(cursor).toString();
                }
                if (!rows.isEmpty()) {
                    write(out, "event: rows\nid: %s-%s\ndata: %s\n\n".formatted(server, next, rows));
                    cursor = next;
                }
                write(out, "event: state\ndata: %s\n\n".formatted(state.tree(System.currentTimeMillis())));
                out.flush();
                Thread.sleep(SHORTEST_MILLIS);
                state.await(version, LONGEST_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the server closes
        }
    }

    private PageState.Cursor cursor(String lastEvent) {
        return lastEvent != null && lastEvent.startsWith(server + "-")
                ? PageState.Cursor.of(lastEvent.substring(server.length() + 1))
                : PageState.Cursor.BEGINNING;
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }

    void close() {
        isClosed = true;
    }
}
