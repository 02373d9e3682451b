package io.cutwater.trainer.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the connections of workers to their coordinator. */
@Timeout(60)
class CoordinatorLinkTest {
    private static final String COORDINATOR = "coordinator-1";

    private final List<Mesh> open = new ArrayList<>();
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();

    @AfterEach
    void close() {
        open.forEach(Mesh::close);
    }

    private Mesh mesh(String name) throws IOException {
        Mesh mesh = new Mesh(name, MeshOptions.of("127.0.0.1:0", false, Duration.ofSeconds(2), Map.of()), 1 << 20);
        open.add(mesh);
        return mesh;
    }

    private Mesh coordinator(byte[] model) throws IOException {
        Mesh mesh = mesh(COORDINATOR);
        mesh.serve(new ModelServer() {
            @Override
            public ByteBuffer content(long number) {
                return ByteBuffer.wrap(number == 7 ? model : new byte[0]);
            }

            @Override
            public void told(String sender, ByteBuffer message) {
                String text = StandardCharsets.UTF_8.decode(message).toString();
                if (text.equals("nonsense")) {
                    throw new IllegalArgumentException("it makes no sense");
                }
                told.add(sender + ": " + text);
            }
        });
        return mesh;
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void modelsAndAnswersTravelDirectly() throws Exception {
        byte[] model = new byte[5_000_000];
        model[4_999_999] = 1;
        Mesh coordinator = coordinator(model);
        try (CoordinatorLink link = new CoordinatorLink(mesh("a"))) {
            assertThat(link.fetch(COORDINATOR, coordinator.address(), 7)).isEqualTo(ByteBuffer.wrap(model));
            assertThat(link.fetch(COORDINATOR, coordinator.address(), 6).remaining())
                    .as("a model that was replaced")
                    .isZero();
            for (int i = 0; i < 100; i++) {
                link.tell(COORDINATOR, coordinator.address(), bytes("update " + i), () -> told.add("lost"));
            }
            for (int i = 0; i < 100; i++) {
                assertThat(told.take()).isEqualTo("a: update " + i);
            }
        }
    }

    @Test
    void aMessageThatTheCoordinatorDidNotTakeIsReported() throws Exception {
        Mesh coordinator = coordinator(new byte[0]);
        try (CoordinatorLink link = new CoordinatorLink(mesh("a"))) {
            link.tell(COORDINATOR, coordinator.address(), bytes("nonsense"), () -> told.add("lost"));
            assertThat(told.take()).isEqualTo("lost");
            link.tell(COORDINATOR, coordinator.address(), bytes("again"), () -> told.add("lost"));
            assertThat(told.take()).as("over a new connection").isEqualTo("a: again");
        }
    }

    @Test
    void aCoordinatorThatCannotBeReachedIsNamed() throws Exception {
        Mesh coordinator = coordinator(new byte[0]);
        PeerAddress address = coordinator.address();
        try (CoordinatorLink link = new CoordinatorLink(mesh("a"))) {
            assertThatThrownBy(() -> link.fetch("coordinator-2", address, 7))
                    .hasMessageContaining("the coordinator at 127.0.0.1:%d refuses the connection", address.port());
            coordinator.close();
            assertThatThrownBy(() -> link.fetch(COORDINATOR, address, 7))
                    .hasMessageContaining("the coordinator at 127.0.0.1:%d cannot be reached", address.port());
            link.tell(COORDINATOR, address, bytes("update"), () -> told.add("lost"));
            assertThat(told.take()).isEqualTo("lost");
            try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                PeerAddress hung = new PeerAddress("127.0.0.1", silent.getLocalPort(), "token");
                assertThatThrownBy(() -> link.fetch(COORDINATOR, hung, 7)).hasMessageContaining("was silent for 2 s");
            }
        }
    }
}
