package io.cutwater.deploy.processes;

import io.cutwater.kafka.client.ClientSettings;
import io.cutwater.kafka.reader.TopicReader;
import io.cutwater.kafka.vertex.VertexUpdateCodec;
import io.cutwater.state.feedback.VertexUpdate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Writes onto the topic of a job's loop what should not be there. */
final class LoopPollution implements AutoCloseable {
    private static final String TOPIC = "vertex-updates";
    private static final String MARK = "not of the job";
    private static final int AT_MOST = 8_000;

    private final String servers;
    private final Random random;
    private final KafkaProducer<byte[], byte[]> producer;

    LoopPollution(String servers, long seed) {
        this.servers = servers;
        random = new Random(seed);
        producer = new KafkaProducer<>(ClientSettings.producer(servers, Map.of()));
    }

    @Override
    public void close() {
        producer.close();
    }

    /**
     * Copies updates of this run and of those before it, back to where they were and elsewhere, in no order; has some
     * say that they are of a run that never was; and adds what is no update to every topic partition.
     *
     * @return records that are no updates
     */
    int pollute() {
        List<ConsumerRecord<byte[], byte[]>> originals = originals();
        int topicPartitions = producer.partitionsFor(TOPIC).size();
        for (int round = 0; round < 2; round++) {
            Collections.shuffle(originals, random);
            for (ConsumerRecord<byte[], byte[]> record : originals) {
                send(record.partition(), record.value());
                send(random.nextInt(topicPartitions), record.value());
                send(record.partition(), VertexUpdateCodec.encode(ofNoRun(VertexUpdateCodec.decode(record.value()))));
            }
        }
        byte[] update = originals.get(0).value();
        byte[] noise = new byte[100];
        for (int topicPartition = 0; topicPartition < topicPartitions; topicPartition++) {
            random.nextBytes(noise);
            noise[0] = 0;
            send(topicPartition, noise.clone());
            send(topicPartition, Arrays.copyOf(update, update.length - 1));
            send(topicPartition, null);
        }
        producer.flush();
        return 3 * topicPartitions;
    }

    /** The latest of them, and some of those before. */
    private List<ConsumerRecord<byte[], byte[]>> originals() {
        List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
        new TopicReader(servers, Map.of()).readAll(TOPIC, record -> {
            if (record.headers().lastHeader(MARK) == null) {
                all.add(record);
            }
        });
        all.sort((a, b) -> Long.compare(b.timestamp(), a.timestamp()));
        int latest = Math.min(all.size(), AT_MOST / 2);
        List<ConsumerRecord<byte[], byte[]>> some = new ArrayList<>(all.subList(0, latest));
        List<ConsumerRecord<byte[], byte[]>> rest = all.subList(latest, all.size());
        Collections.shuffle(rest, random);
        some.addAll(rest.subList(0, Math.min(rest.size(), AT_MOST / 2)));
        return some;
    }

    private VertexUpdate ofNoRun(VertexUpdate update) {
        long sequence = update.sequence() < 1 ? update.sequence() : update.sequence() + random.nextInt(3);
        return new VertexUpdate(
                random.nextLong(), update.assigner(), update.lineage(), update.bucket(), sequence, update.added());
    }

    private void send(int topicPartition, byte[] value) {
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(TOPIC, topicPartition, null, value);
        record.headers().add(MARK, new byte[0]);
        producer.send(record);
    }
}
