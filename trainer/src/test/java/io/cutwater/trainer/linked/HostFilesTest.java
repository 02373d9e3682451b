package io.cutwater.trainer.linked;

import static org.assertj.core.api.Assertions.assertThat;

import io.cutwater.state.partition.PartitioningKind;
import io.cutwater.state.scratch.TemporaryFolder;
import io.cutwater.trainer.channel.FrameGroup;
import io.cutwater.trainer.channel.FrameGroup.Purpose;
import io.cutwater.trainer.fullgraph.TestShards;
import io.cutwater.trainer.sampler.Hop;
import io.cutwater.trainer.sampler.SamplingOptions;
import io.cutwater.trainer.shard.RandomGraph;
import io.cutwater.trainer.shard.ShardCut;
import io.cutwater.trainer.shard.ShardSource;
import io.cutwater.trainer.shard.ShardStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests shards that read each other's files, as if each were in a process of its own. */
@Timeout(60)
class HostFilesTest {
    private static final String LINKS = "links";
    private static final String STORE = "store";

    @TempDir
    private Path temp;

    private final List<TemporaryFolder> folders = new ArrayList<>();

    @AfterEach
    void deleteFolders() throws IOException {
        for (TemporaryFolder folder : folders) {
            folder.close();
        }
    }

    /** A group of one process, which has one shard. */
    private record Process(List<FrameGroup> all, int rank) implements FrameGroup.Transport {
        @Override
        public boolean isHere(int end) {
            return end == rank;
        }

        @Override
        public boolean send(int from, int to, Purpose purpose, int number, ByteBuffer frame) {
            if (isHere(to)) {
                return false;
            }
            if (purpose == Purpose.MESSAGE) {
                all.get(to).deliver(from, to, frame);
                return true;
            }
            try {
                all.get(from).deliverAnswer(to, number, all.get(to).answer(from, to, frame));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return true;
        }
    }

    private List<ShardStore> stores(PartitioningKind kind, double density, int shards) throws Exception {
        RandomGraph graph = new RandomGraph(3, 150, 500, 40, 4, density);
        ShardSource source = new TestShards(graph, kind, shards, temp).source();
        List<ShardStore> stores = new ArrayList<>();
        for (int shard = 0; shard < shards; shard++) {
            TemporaryFolder folder = TemporaryFolder.forMappedFiles(temp, "shard");
            folders.add(folder);
            folder.folder(LINKS);
            stores.add(source.make(shard, ShardCut.only(shards), folder.folder(STORE)));
        }
        return stores;
    }

    /** Links shards in processes on hosts. */
    private List<LinkedShard> link(List<ShardStore> stores, PartitioningKind kind, List<String> hosts)
            throws Exception {
        List<FrameGroup> groups = new ArrayList<>();
        for (int rank = 0; rank < stores.size(); rank++) {
            groups.add(new FrameGroup(stores.size(), 1, new Process(groups, rank)));
        }
        List<LinkedShard> linked = TestLinks.together(stores.size(), groups.get(0), shard -> {
            HostFiles files = new HostFiles(folders.get(shard), STORE, LINKS, hosts.get(shard));
            return LinkedShard.link(groups.get(shard).channel(shard), stores.get(shard), kind, 1, files);
        });
        for (LinkedShard shard : linked) {
            shard.continueIn(shard.channel(), new GraphAnswers(shard));
        }
        return linked;
    }

    /** What one shard read of another. */
    private record Read(List<List<Integer>> numbers, List<String> rows, long sent, long mapped) {
        private static Read of(LinkedShard asker, LinkedShard home) throws Exception {
            GraphReader reader = new GraphReader(asker);
            GraphSampler sampler = new GraphSampler(reader);
            List<List<Integer>> numbers = new ArrayList<>();
            List<String> rows = new ArrayList<>();
            for (int fanout : new int[] {SamplingOptions.ALL, 2}) {
                for (int local = 0; local < home.vertexCount(); local++) {
                    if (home.isHome(local)) {
                        sampler.begin();
                        sampler.target(home.address(local), home.degree(local));
                        Hop hop = sampler.hop(fanout, local);
                        numbers.add(Arrays.stream(hop.sources()).boxed().toList());
                        numbers.add(Arrays.stream(hop.degrees()).boxed().toList());
                        for (RemoteRow row : reader.features(sampler.vertices(), sampler.vertexCount())) {
                            rows.add(Arrays.toString(row.columns()) + Arrays.toString(row.values()));
                        }
                    }
                }
            }
            return new Read(numbers, rows, reader.takeBytes(), reader.takeMapped());
        }
    }

    @ParameterizedTest
    @CsvSource({"VERTEX, 0.9", "EDGE, 0.9", "VERTEX, 0.1", "EDGE, 0.1"})
    void aProcessOnTheHostReadsTheSameInFilesAndOthersOverTheMesh(PartitioningKind kind, double density)
            throws Exception {
        List<ShardStore> stores = stores(kind, density, 4);
        List<LinkedShard> apart = TestLinks.link(stores, kind);
        List<LinkedShard> linked = link(stores, kind, List.of("a", "a", "b", ""));
        for (int asker = 0; asker < 4; asker++) {
            for (int home = 0; home < 4; home++) {
                Read expected = Read.of(apart.get(asker), apart.get(home));
                Read read = Read.of(linked.get(asker), linked.get(home));
                assertThat(read.numbers()).isEqualTo(expected.numbers());
                assertThat(read.rows()).isEqualTo(expected.rows());
                assertThat(expected.mapped()).isZero();
                assertThat(read.sent() + read.mapped()).isEqualTo(expected.sent());
                boolean isOnHost = asker != home && asker < 2 && home < 2;
                assertThat(linked.get(asker).onHost(home) != null)
                        .as("%d reads the files of %d", asker, home)
                        .isEqualTo(isOnHost);
                assertThat(read.mapped()).isBetween(isOnHost ? 1L : 0L, asker < 2 ? expected.sent() : 0L);
            }
        }
    }

    @Test
    void filesThatAreDeletedCanStillBeRead() throws Exception {
        List<ShardStore> stores = stores(PartitioningKind.EDGE, 0.9, 2);
        List<LinkedShard> linked = link(stores, PartitioningKind.EDGE, List.of("a", "a"));
        Read before = Read.of(linked.get(0), linked.get(1));
        Path folder = folders.get(1).path();
        folders.remove(1).close();
        assertThat(folder).doesNotExist();
        // In memory, the shard that was deleted has all but its mapped arrays, which are those of the files.
        assertThat(Read.of(linked.get(0), linked.get(1))).isEqualTo(before);
        assertThat(before.mapped()).isPositive();
    }

    @Test
    void otherFilesThanThoseAnnouncedAreNotRead() throws Exception {
        List<ShardStore> stores = stores(PartitioningKind.EDGE, 0.9, 2);
        HostFiles files = new HostFiles(folders.get(0), STORE, LINKS, "a");
        ByteBuffer announced =
                files.write(stores.get(0), stores.get(0).vertexCount(), n -> n, n -> n, new int[] {}, new int[] {});
        assertThat(files.open(announced.duplicate())).isNotNull();
        assertThat(new HostFiles(folders.get(1), STORE, LINKS, "b").open(announced.duplicate()))
                .as("a folder shared over a network")
                .isNull();
        ByteBuffer otherToken = ByteBuffer.allocate(announced.remaining())
                .put(announced.duplicate())
                .flip();
        otherToken.put(3, (byte) ~otherToken.get(3));
        assertThat(files.open(otherToken)).isNull();
        ByteBuffer otherPath = ByteBuffer.allocate(announced.remaining())
                .put(announced.duplicate())
                .flip();
        otherPath.put(otherPath.limit() - 1, (byte) 0);
        assertThat(files.open(otherPath)).isNull();
        assertThat(files.open(announced.duplicate().limit(5))).isNull();
        Path degrees = folders.get(0).path().resolve(LINKS).resolve("degrees");
        byte[] whole = Files.readAllBytes(degrees);
        Files.delete(degrees); // not truncated, because it is mapped
        Files.write(degrees, Arrays.copyOf(whole, whole.length - 4));
        assertThat(files.open(announced.duplicate()))
                .as("files that do not belong together")
                .isNull();
        Files.delete(degrees);
        assertThat(files.open(announced.duplicate())).isNull();
    }
}
