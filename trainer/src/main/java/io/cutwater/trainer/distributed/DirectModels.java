package io.cutwater.trainer.distributed;

import io.cutwater.kafka.training.ModelMessage;
import io.cutwater.kafka.training.ModelMessage.Kind;
import io.cutwater.trainer.mesh.Mesh;
import io.cutwater.trainer.mesh.ModelServer;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The coordinator's side of models that travel directly: workers fetch the model of the current request, and send their
 * answers. Requests stay on the topic. Thread-safe.
 */
final class DirectModels implements ModelServer {
    private static final byte[] NOTHING = {};

    private final Mesh mesh;
    private final Runnable wake;
    private final Queue<ModelMessage> inbox = new ConcurrentLinkedQueue<>();
    private WorkAssignment.@Nullable Rest current;
    private boolean isLinked;
    private byte[] content = NOTHING;
    private long number;
    private long bytes;

    /** @param wake called when a message has come */
    DirectModels(Mesh mesh, Runnable wake) {
        this.mesh = mesh;
        this.wake = wake;
        mesh.serve(this);
    }

    /** Offers the model of a request in place of that of the one before. */
    synchronized ModelPlace offer(WorkAssignment.Rest rest, boolean hasLinks) {
        if (rest != current || hasLinks != isLinked) { // another assignment of the same request has the same model
            content = Bodies.of(out -> rest.write(out, hasLinks));
            current = rest;
            isLinked = hasLinks;
            number++;
        }
        return new ModelPlace(mesh.name(), mesh.address(), number);
    }

    @Override
    public synchronized ByteBuffer content(long wanted) {
        byte[] found = wanted == number ? content : NOTHING;
        bytes += found.length;
        return ByteBuffer.wrap(found);
    }

    /** Encodes an answer: kind (1 byte), run (8), round (4), shard (4), weight (8), body. */
    static ByteBuffer encode(ModelMessage message) {
        return ByteBuffer.wrap(Bodies.of(out -> {
            out.writeByte(message.kind().ordinal());
            out.writeLong(message.run());
            out.writeInt(message.round());
            out.writeInt(message.shard());
            out.writeLong(message.weight());
            out.write(message.body());
        }));
    }

    @Override
    public void told(String sender, ByteBuffer message) {
        byte[] encoded = new byte[message.remaining()];
        message.get(encoded);
        try (DataInputStream in = Bodies.read(encoded)) {
            int kind = in.readUnsignedByte();
            if (kind >= Kind.values().length || !Answers.isAnswer(Kind.values()[kind])) {
                throw new IllegalArgumentException("a message of kind %d is not an answer".formatted(kind));
            }
            inbox.add(new ModelMessage(
                    Kind.values()[kind],
                    in.readLong(),
                    in.readInt(),
                    in.readInt(),
                    in.readLong(),
                    sender,
                    in.readAllBytes()));
        } catch (IOException e) {
            throw new IllegalArgumentException("a truncated answer of %d bytes".formatted(encoded.length), e);
        }
        synchronized (this) {
            bytes += encoded.length;
        }
        wake.run();
    }

    /** Returns the answers since the last call. */
    List<ModelMessage> take() {
        List<ModelMessage> taken = new ArrayList<>();
        for (ModelMessage message; (message = inbox.poll()) != null; ) {
            taken.add(message);
        }
        return taken;
    }

    /** Returns the bytes of all models and answers. */
    synchronized long bytes() {
        return bytes;
    }
}
