package io.cutwater.deploy.page.query;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cutwater.deploy.page.PageRequest;
import io.cutwater.deploy.page.state.BookSample;
import io.cutwater.format.vertex.VertexRecord;
import io.cutwater.kafka.book.BookTopicReader;
import io.cutwater.kafka.book.PartitionBookEntry;
import io.cutwater.kafka.textid.TextLookup;
import io.cutwater.kafka.topic.TopicAdmin;
import io.cutwater.kafka.vertex.VertexTopicReader;
import io.cutwater.state.graph.RejectedRecord;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Looks up single vertices: in the sample if it has all of them, otherwise by reading the partition book. */
public final class VertexLookup {
    /** Records of topic {@code vertices}, which may be large, that are read at most from a topic partition. */
    private static final long NEWEST = 200_000;

    private final PageRequest request;
    private final BookSample sample;
    /** A look at a large book, or at the texts of ids, reads all of it, so there is one at a time. */
    private final Semaphore turn = new Semaphore(1);

    public VertexLookup(PageRequest request, BookSample sample) {
        this.request = request;
        this.sample = sample;
    }

    /**
     * Returns the place of a vertex; empty if the book does not have it.
     *
     * @throws io.cutwater.kafka.topic.BrokerException if the book cannot be read
     * @throws IllegalStateException if another vertex is being looked up; the message is meant for users
     */
    public Optional<PartitionBookEntry> find(long vertex) {
        Optional<PartitionBookEntry> known = sample.entry(vertex);
        if (known.isPresent() || sample.isWhole()) {
            return known;
        }
        return inTurn(() -> read(vertex));
    }

    private <T> T inTurn(Supplier<T> look) {
        if (!turn.tryAcquire()) {
            throw new IllegalStateException("another vertex is being looked up; try again");
        }
        try {
            return look.get();
        } finally {
            turn.release();
        }
    }

    /**
     * Returns the vertex that a user has typed: of a graph with text ids the one with this text, or else with this id.
     *
     * @return empty if there is no such text, and it is no id either
     * @throws io.cutwater.kafka.topic.BrokerException if topic {@code ids} cannot be read
     * @throws IllegalStateException if another vertex is being looked up; the message is meant for users
     */
    public OptionalLong vertex(String typed) {
        if (TextLookup.exists(request.bootstrapServers(), request.clientProperties(), request.topics())) {
            OptionalLong named = inTurn(() ->
                    TextLookup.vertex(request.bootstrapServers(), request.clientProperties(), request.topics(), typed));
            if (named.isPresent()) {
                return named;
            }
        }
        return id(typed);
    }

    /** Returns an id in digits; empty if it is none. */
    public static OptionalLong id(String digits) {
        try {
            return OptionalLong.of(Long.parseLong(digits));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    /**
     * Returns the class of a vertex, from its last record among the newest {@value #NEWEST} of topic {@code vertices}.
     *
     * @return empty if the graph has no such topic that the user may see, or none of these records has a class of the
     *     vertex
     * @throws io.cutwater.kafka.topic.BrokerException if the topic cannot be read
     * @throws IllegalStateException if another vertex is being looked up; the message is meant for users
     */
    public OptionalInt label(long vertex) {
        String topic = request.topics().vertices();
        try (TopicAdmin admin = TopicAdmin.connect(request.bootstrapServers(), request.clientProperties())) {
            if (!admin.exists(topic)) {
                return OptionalInt.empty();
            }
        }
        LastLabel last = new LastLabel(vertex);
        inTurn(() -> new VertexTopicReader(request.bootstrapServers(), request.clientProperties())
                .readTail(topic, NEWEST, last));
        return last.label == VertexRecord.NO_LABEL ? OptionalInt.empty() : OptionalInt.of(last.label);
    }

    /** The last class of one vertex. */
    private static final class LastLabel implements VertexTopicReader.VertexHandler {
        private final long vertex;
        private int label = VertexRecord.NO_LABEL;

        LastLabel(long vertex) {
            this.vertex = vertex;
        }

        @Override
        public void accept(VertexRecord next) {
            if (next.vertex() == vertex) {
                label = next.label();
            }
        }

        @Override
        public void gone(long removed) {
            if (removed == vertex) {
                label = VertexRecord.NO_LABEL;
            }
        }

        @Override
        public void rejected(RejectedRecord record) {
            // The job makes a dead letter of it, and goes on with the data before.
        }
    }

    private Optional<PartitionBookEntry> read(long vertex) {
        String topic = request.topics().partitionBook();
        Map<Integer, Long> begins;
        Map<Integer, Long> ends;
        try (TopicAdmin admin = TopicAdmin.connect(request.bootstrapServers(), request.clientProperties())) {
            begins = admin.offsets().beginnings(topic);
            ends = admin.offsets().ends(topic);
        }
        Last last = new Last(vertex);
        new BookTopicReader(request.bootstrapServers(), request.clientProperties()).read(topic, begins, ends, last);
        return Optional.ofNullable(last.entry);
    }

    /** The last entry of one vertex. */
    private static final class Last implements BookTopicReader.BookHandler {
        private final long vertex;
        private @Nullable PartitionBookEntry entry;

        Last(long vertex) {
            this.vertex = vertex;
        }

        @Override
        public void entry(PartitionBookEntry next) {
            if (next.vertex() == vertex) {
                entry = next;
            }
        }

        @Override
        public void gone(long removed) {
            if (removed == vertex) {
                entry = null;
            }
        }
    }

    /** Writes an entry into a tree. */
    public static ObjectNode put(PartitionBookEntry entry, ObjectNode tree) {
        tree.put("vertex", Long.toString(entry.vertex())).put("degree", entry.degree());
        if (entry.owner() != PartitionBookEntry.NO_OWNER) {
            tree.put("owner", entry.owner());
        }
        ArrayNode replicas = tree.putArray("replicas");
        for (int replica : entry.replicas()) {
            replicas.add(replica);
        }
        return tree;
    }
}
