package io.cutwater.trainer.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cutwater.trainer.channel.FrameGroup;
import io.cutwater.trainer.reduce.AllReduce;
import io.cutwater.trainer.shard.ShardCut;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests connections with the keys of Kafka clients: alpha and beta are trusted, a stranger is not. */
@Timeout(60)
class MeshTlsTest {
    private static final String PASSWORD = "hush-hush";
    private static final List<String> NAMES = List.of("alpha", "beta", "stranger");

    @TempDir
    static Path keys;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Mesh> open = new ArrayList<>();

    @BeforeAll
    static void makeKeys() throws Exception {
        List<Process> made = new ArrayList<>();
        String tool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        for (String name : NAMES) {
            List<String> command = new ArrayList<>(List.of(tool, "-genkeypair", "-alias", name, "-keyalg", "EC"));
            command.addAll(List.of("-dname", "CN=" + name + ", O=test", "-ext", "san=ip:127.0.0.1"));
            command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD, "-keystore", path(name)));
            made.add(new ProcessBuilder(command).redirectErrorStream(true).start());
        }
        for (Process process : made) {
            assertThat(process.waitFor()).isZero();
        }
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        for (String name : List.of("alpha", "beta")) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(Path.of(path(name)))) {
                store.load(in, PASSWORD.toCharArray());
            }
            trusted.setCertificateEntry(name, store.getCertificate(name));
        }
        try (OutputStream out = Files.newOutputStream(Path.of(path("trusted")))) {
            trusted.store(out, PASSWORD.toCharArray());
        }
    }

    private static String path(String name) {
        return keys.resolve(name + ".p12").toString();
    }

    private static Map<String, String> properties(String certificate) {
        Map<String, String> properties = new HashMap<>();
        for (Map.Entry<String, String> store :
                Map.of("keystore", certificate, "truststore", "trusted").entrySet()) {
            properties.put("ssl.%s.location".formatted(store.getKey()), path(store.getValue()));
            properties.put("ssl.%s.type".formatted(store.getKey()), "PKCS12");
            properties.put("ssl.%s.password".formatted(store.getKey()), PASSWORD);
        }
        properties.put("ssl.key.password", PASSWORD);
        return properties;
    }

    @AfterEach
    void close() {
        open.forEach(Mesh::close);
        threads.shutdownNow();
    }

    private Mesh mesh(String name, Map<String, String> properties) throws Exception {
        Mesh mesh = new Mesh(name, MeshOptions.of("127.0.0.1:0", false, Duration.ofSeconds(10), properties), 100);
        open.add(mesh);
        return mesh;
    }

    private static Membership members(Mesh first, Mesh second) {
        return new Membership(
                new GroupKey(1, 1, 1),
                ShardCut.only(2),
                List.of(first.name(), second.name()),
                Map.of(first.name(), first.address(), second.name(), second.address()),
                1);
    }

    @Test
    void workersWithCertificatesAverage() throws Exception {
        Mesh alpha = mesh("alpha-1", properties("alpha"));
        Mesh beta = mesh("beta-1", properties("beta"));
        assertThat(alpha.options().certifiedName()).isEqualTo("alpha");
        FrameGroup first = alpha.join(members(alpha, beta));
        FrameGroup second = beta.join(members(alpha, beta));
        float[] some = {1, 2, 3};
        float[] others = {3, 4, 5};
        Future<?> other = threads.submit(() -> new AllReduce(second.channel(1)).mean(others, 1, false));
        new AllReduce(first.channel(0)).mean(some, 1, false);
        other.get();
        assertThat(some).containsExactly(2, 3, 4);
        assertThat(others).isEqualTo(some);
    }

    @Test
    void modelsTravelBetweenTrustedCertificatesOnly() throws Exception {
        Mesh coordinator = mesh("alpha-coordinator", properties("alpha"));
        coordinator.serve(new ModelServer() {
            @Override
            public ByteBuffer content(long number) {
                return ByteBuffer.wrap(new byte[] {1, 2});
            }

            @Override
            public void told(String sender, ByteBuffer message) {}
        });
        try (CoordinatorLink trusted = new CoordinatorLink(mesh("beta-1", properties("beta")));
                CoordinatorLink stranger = new CoordinatorLink(mesh("stranger-1", properties("stranger")));
                CoordinatorLink other = new CoordinatorLink(mesh("gamma-1", properties("beta")))) {
            assertThat(trusted.fetch(coordinator.name(), coordinator.address(), 1)
                            .remaining())
                    .isEqualTo(2);
            for (CoordinatorLink wrong : List.of(stranger, other)) {
                assertThatThrownBy(() -> wrong.fetch(coordinator.name(), coordinator.address(), 1))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("the coordinator at 127.0.0.1:");
            }
        }
    }

    @Test
    void aNameThatTheCertificateDoesNotAllowIsRefused() throws Exception {
        Mesh beta = mesh("beta-1", properties("beta"));
        fails(mesh("beta-2", properties("alpha")), beta, "the certificate does not allow the name beta-2");
        fails(mesh("alpha-1", properties("alpha")), mesh("alpha-2", properties("beta")), "certificate of another name");
    }

    @Test
    void aCertificateThatIsNotTrustedIsRefused() throws Exception {
        Mesh alpha = mesh("alpha-1", properties("alpha"));
        Mesh stranger = mesh("stranger-1", properties("stranger"));
        fails(stranger, alpha, "worker alpha-1 at 127.0.0.1:");
        fails(alpha, stranger, "worker stranger-1 at 127.0.0.1:");
    }

    @Test
    void aWorkerWithoutTlsIsRefused() throws Exception {
        Mesh alpha = mesh("alpha-1", properties("alpha"));
        fails(mesh("plain", Map.of()), alpha, "worker alpha-1 at 127.0.0.1:");
    }

    private static void fails(Mesh from, Mesh to, String sentence) {
        FrameGroup group = from.join(members(from, to));
        assertThatThrownBy(() -> new AllReduce(group.channel(0)).mean(new float[3], 1, false))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(sentence);
    }

    @Test
    void aKeyStoreWithoutALocationIsRefused() {
        MeshOptions options =
                MeshOptions.of("127.0.0.1:0", false, Duration.ofSeconds(10), Map.of("ssl.keystore.type", "PKCS12"));
        assertThatThrownBy(options::certifiedName)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("name another file with ssl.keystore.location");
    }

    @Test
    void keysThatCannotBeReadAreNamedWithoutTheirPassword() {
        Map<String, String> properties = properties("alpha");
        properties.put("ssl.keystore.password", "guess-what");
        assertThatThrownBy(() -> mesh("alpha-1", properties))
                .hasMessageStartingWith("cannot read the keys in --kafka-properties")
                .hasMessageNotContaining("guess-what");
    }
}
