package io.cutwater.deploy.launch;

import java.util.Locale;

/** The form of the events of a log: a line of text, or one JSON document in a line. */
public enum LogFormat {
    TEXT,
    JSON;

    /** Name of the resource beside this class that says which fields an event in JSON has. */
    public static final String EVENT = "event.json";

    /** Read by the configurations of Log4j, which have an appender of each name. */
    private static final String PROPERTY = "cutwater.log.format";

    /**
     * Sets the form for this process; call it before the first event. Threads hand the context of their events, such as
     * the name of the graph, to the threads that they start, because a command works for one graph.
     */
    public void apply() {
        System.setProperty(PROPERTY, label());
        System.setProperty("log4j2.isThreadContextMapInheritable", "true");
    }

    /** Returns the option with which a process of its own is started. */
    public String option() {
        return "-D" + PROPERTY + "=" + label();
    }

    private String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
