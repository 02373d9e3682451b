package io.cutwater.kafka.field;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Paths of fields, arranged so that one pass over a record finds them all. */
public final class FieldTree {
    private final List<FieldPath> paths = new ArrayList<>();
    private final Node root = new Node(-1);

    /** The fields of an object that are wanted, or contain wanted ones. */
    public static final class Node {
        private final List<String> names = new ArrayList<>();
        private final List<Node> children = new ArrayList<>();
        private int index;

        private Node(int index) {
            this.index = index;
        }

        /** The number of the field in {@link FieldValues}; -1 if only fields inside it are wanted. */
        public int index() {
            return index;
        }

        boolean hasChildren() {
            return !children.isEmpty();
        }

        List<String> names() {
            return names;
        }

        List<Node> children() {
            return children;
        }

        /** Returns the field of this name inside; null if nothing of it is wanted. */
        public @Nullable Node child(String name) {
            for (int i = 0; i < names.size(); i++) {
                if (names.get(i).equals(name)) {
                    return children.get(i);
                }
            }
            return null;
        }
    }

    /** Adds a field, and returns its number, the same one for the same path. */
    public int add(FieldPath path) {
        Node node = root;
        for (String name : path.names()) {
            Node child = node.child(name);
            if (child == null) {
                child = new Node(-1);
                node.names.add(name);
                node.children.add(child);
            }
            node = child;
        }
        if (node.index < 0) {
            node.index = paths.size();
            paths.add(path);
        }
        return node.index;
    }

    /** Returns the path of a field by its number. */
    public FieldPath path(int index) {
        return paths.get(index);
    }

    /** Number of fields. */
    public int size() {
        return paths.size();
    }

    /** Returns the record. */
    public Node root() {
        return root;
    }
}
