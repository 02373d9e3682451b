package io.cutwater.state.repartition;

import io.cutwater.state.disk.DiskGraphBuilder;
import io.cutwater.state.graph.EdgeBatch;
import io.cutwater.state.parts.Exchange;
import io.cutwater.state.repartition.RepartitionRun.PartOfRun;
import io.cutwater.state.scratch.ScratchFolder;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;

/** Edges to vertices of other parts, in a file until these parts get them: 16 bytes each. */
final class Mirrors implements Closeable {
    private static final String NAME = "mirrors";
    private static final int BUFFER_BYTES = 1 << 16;

    /** Edges that a part sends at a time. */
    private static final int MOST = 1 << 15;

    private final ScratchFolder files;
    private final PartOfRun part;
    private final DataOutputStream out;
    private long left;

    Mirrors(ScratchFolder files, PartOfRun part) throws IOException {
        this.files = files;
        this.part = part;
        out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(files.file(NAME)), BUFFER_BYTES));
    }

    /** Adds those of some own edges that other parts need. */
    void add(EdgeBatch edges) throws IOException {
        for (int i = 0; i < edges.size(); i++) {
            if (part.owner().applyAsInt(edges.target(i)) != part.exchange().part()) {
                out.writeLong(edges.source(i));
                out.writeLong(edges.target(i));
                left++;
            }
        }
    }

    /** Sends the edges to their parts, and adds those of other parts to the graph. */
    void exchange(DiskGraphBuilder graph) throws IOException {
        out.close();
        Exchange exchange = part.exchange();
        try (DataInputStream in =
                new DataInputStream(new BufferedInputStream(Files.newInputStream(files.file(NAME)), BUFFER_BYTES))) {
            boolean isOver = false;
            while (!isOver) {
                isOver = true;
                EdgeBatch received = new EdgeBatch();
                for (long[] message : exchange.exchange(messages(in))) {
                    isOver &= message[0] == 0;
                    for (int i = 1; i < message.length; i += 2) {
                        received.add(message[i], message[i + 1]);
                    }
                }
                graph.add(received);
            }
        }
        files.delete(NAME);
    }

    /** Returns the next edges to each part, after the number of those that are left. */
    private long[][] messages(DataInputStream in) throws IOException {
        int size = (int) Math.min(MOST, left);
        long[] sources = new long[size];
        long[] targets = new long[size];
        int[] ends = new int[part.exchange().parts()];
        for (int i = 0; i < size; i++) {
            sources[i] = in.readLong();
            targets[i] = in.readLong();
            ends[part.owner().applyAsInt(targets[i])] += 2;
        }
        left -= size;
        long[][] messages = new long[ends.length][];
        for (int to = 0; to < ends.length; to++) {
            messages[to] = new long[1 + ends[to]];
            messages[to][0] = left;
            ends[to] = 1;
        }
        for (int i = 0; i < size; i++) {
            int to = part.owner().applyAsInt(targets[i]);
            messages[to][ends[to]++] = sources[i];
            messages[to][ends[to]++] = targets[i];
        }
        return messages;
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
