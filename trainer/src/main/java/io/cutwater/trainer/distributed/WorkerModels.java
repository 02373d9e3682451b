package io.cutwater.trainer.distributed;

import io.cutwater.kafka.training.ModelMessage;
import io.cutwater.trainer.mesh.CoordinatorLink;
import io.cutwater.trainer.mesh.Mesh;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A worker's side of models that travel directly, see {@link DirectModels}. Thread-safe. */
final class WorkerModels implements AutoCloseable {
    private final @Nullable CoordinatorLink link;
    private volatile @Nullable ModelPlace current;

    /** @param mesh connections of the worker; null if all travels on the topics */
    WorkerModels(@Nullable Mesh mesh) {
        link = mesh == null ? null : new CoordinatorLink(mesh);
    }

    /** Answers from now on at the place of a request; null for the topic. */
    void moveTo(@Nullable ModelPlace place) {
        current = place;
    }

    /**
     * Fetches the model of a request.
     *
     * @throws UncheckedIOException if that is not possible; the message is meant for users
     */
    DataInputStream fetch(ModelPlace place) throws InterruptedException {
        try {
            if (link == null) {
                throw new IOException("it has no direct connections; start it with --transport mesh");
            }
            ByteBuffer body = link.fetch(place.coordinator(), place.address(), place.number());
            byte[] bytes = new byte[body.remaining()];
            body.get(bytes);
            return Bodies.read(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    /** Sends an answer, or passes it to the topic if there is no direct way; possibly later and from another thread. */
    void tell(ModelMessage answer, Runnable onTopic) {
        ModelPlace to = current;
        if (link == null || to == null) {
            onTopic.run();
        } else {
            link.tell(to.coordinator(), to.address(), DirectModels.encode(answer), onTopic);
        }
    }

    @Override
    public void close() {
        if (link != null) {
            link.close();
        }
    }
}
