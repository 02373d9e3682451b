package io.cutwater.deploy.evaluation;

import io.cutwater.format.folder.Manifest.ShardCounts;
import io.cutwater.format.folder.ShardFolder;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * The quotient graph of an output folder: a node for each shard, and an edge between two shards that share vertices,
 * weighted by the vertices that have their master (or owner) in one and a copy in the other. Training exchanges data of
 * these vertices. It takes 4 k² bytes of memory (64 MiB with 4,096 shards).
 */
public final class ShardGraph {
    private static final String NAMESPACE = "http://gexf.net/1.3";

    private final String name;
    private final List<ShardCounts> shards;
    private final long[] homes;
    private final long[][] shared;

    /** Counts the partition book of a folder. */
    public ShardGraph(ShardFolder folder) throws IOException {
        name = "%s, %s, k = %d"
                .formatted(
                        folder.kind().label() + " partitioning",
                        folder.manifest().run().algorithm(),
                        folder.shardCount());
        shards = folder.manifest().counts().shards();
        homes = new long[shards.size()];
        shared = new long[shards.size()][];
        for (int shard = 0; shard < shared.length; shard++) {
            shared[shard] = new long[shard];
        }
        folder.readBook((vertex, partition, replicas, replicaCount) -> {
            homes[partition]++;
            for (int i = 0; i < replicaCount; i++) {
                if (replicas[i] != partition) {
                    shared[Math.max(replicas[i], partition)][Math.min(replicas[i], partition)]++;
                }
            }
        });
    }

    /**
     * Writes the graph in GEXF 1.3, which Gephi and NetworkX read.
     *
     * @param file a new file
     * @throws java.nio.file.FileAlreadyExistsException if it exists
     */
    public void writeGexf(Path file) throws IOException {
        try (Writer text = Files.newBufferedWriter(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            XMLStreamWriter xml = XMLOutputFactory.newInstance().createXMLStreamWriter(text);
            xml.writeStartDocument("UTF-8", "1.0");
            start(xml, "gexf", "xmlns", NAMESPACE, "version", "1.3");
            start(xml, "meta");
            start(xml, "creator");
            xml.writeCharacters("Cutwater");
            xml.writeEndElement();
            start(xml, "description");
            xml.writeCharacters(name);
            xml.writeEndElement();
            xml.writeEndElement();
            start(xml, "graph", "mode", "static", "defaultedgetype", "undirected");
            writeNodes(xml);
            writeEdges(xml);
            xml.writeEndDocument();
            xml.close();
        } catch (XMLStreamException e) {
            throw new IOException("%s cannot be written: %s".formatted(file, e.getMessage()), e);
        }
    }

    private void writeNodes(XMLStreamWriter xml) throws XMLStreamException {
        start(xml, "attributes", "class", "node");
        String[] titles = {"edges", "vertices", "masters"};
        for (int i = 0; i < titles.length; i++) {
            xml.writeEmptyElement("attribute");
            attributes(xml, "id", Integer.toString(i), "title", titles[i], "type", "long");
        }
        xml.writeEndElement();
        start(xml, "nodes");
        for (int shard = 0; shard < shards.size(); shard++) {
            start(xml, "node", "id", Integer.toString(shard), "label", "shard " + shard);
            start(xml, "attvalues");
            ShardCounts counts = shards.get(shard);
            long[] values = {counts.edges(), counts.vertices(), homes[shard]};
            for (int i = 0; i < values.length; i++) {
                xml.writeEmptyElement("attvalue");
                attributes(xml, "for", Integer.toString(i), "value", Long.toString(values[i]));
            }
            xml.writeEndElement();
            xml.writeEndElement();
        }
        xml.writeEndElement();
    }

    private void writeEdges(XMLStreamWriter xml) throws XMLStreamException {
        start(xml, "edges");
        for (int target = 0; target < shared.length; target++) {
            for (int source = 0; source < target; source++) {
                if (shared[target][source] > 0) {
                    xml.writeEmptyElement("edge");
                    attributes(
                            xml,
                            "id",
                            source + "-" + target,
                            "source",
                            Integer.toString(source),
                            "target",
                            Integer.toString(target),
                            "weight",
                            Long.toString(shared[target][source]));
                }
            }
        }
        xml.writeEndElement();
    }

    private static void start(XMLStreamWriter xml, String element, String... attributes) throws XMLStreamException {
        xml.writeStartElement(element);
        attributes(xml, attributes);
    }

    private static void attributes(XMLStreamWriter xml, String... namesAndValues) throws XMLStreamException {
        for (int i = 0; i < namesAndValues.length; i += 2) {
            xml.writeAttribute(namesAndValues[i], namesAndValues[i + 1]);
        }
    }
}
