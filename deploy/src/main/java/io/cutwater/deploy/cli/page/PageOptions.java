package io.cutwater.deploy.cli.page;

import io.cutwater.deploy.cli.help.Heading;
import io.cutwater.deploy.cli.option.ListenAddress;
import io.cutwater.deploy.page.PageRequest;
import io.cutwater.deploy.page.server.PageAccess;
import io.cutwater.deploy.page.server.PageServer;
import io.cutwater.kafka.client.TlsEngines;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Where a page listens, and who may see it. */
@Heading("Page")
@SuppressWarnings("NullAway.Init") // picocli sets the command and options
public final class PageOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--listen",
            paramLabel = "[HOST:]PORT",
            defaultValue = "8090",
            description =
                    "Address of the page; without HOST on this machine only; port 0 for any free one. Default: ${DEFAULT-VALUE}")
    private String listen;

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            description = "File of lines USER:PASSWORD; the page asks for one of them.")
    private @Nullable Path passwords;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "File with a bearer token that a request may carry instead of a password.")
    private @Nullable Path token;

    @Option(
            names = "--tls",
            paramLabel = "FILE",
            description = "File of NAME=VALUE lines with the ssl.keystore properties of Kafka clients, for HTTPS.")
    private @Nullable Path tls;

    @Option(
            names = "--insecure",
            description = "Allow a --listen address of a network without TLS or without credentials.")
    private boolean isInsecure;

    @Option(
            names = "--allow-commands",
            description = "Let viewers re-partition the job, and abort that. By default the page only reads.")
    private boolean allowsCommands;

    /** @throws ParameterException if an option is given: there is no page */
    public void refuse() {
        for (String option :
                List.of("--listen", "--password-file", "--token-file", "--tls", "--insecure", "--allow-commands")) {
            if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
                throw wrong("%1$s needs --serve; add it, or leave %1$s out".formatted(option));
            }
        }
    }

    /**
     * Starts the page.
     *
     * @throws IOException if the address cannot be bound, or a file of credentials cannot be used; the message is meant
     *     for users
     * @throws ParameterException if the options do not fit together
     */
    public PageServer serve(PageRequest request) throws IOException {
        InetSocketAddress address = address();
        PageAccess access = PageAccess.of(passwords, token);
        if (!address.getAddress().isLoopbackAddress() && allowsCommands && !access.isRestricted()) {
            throw wrong(
                    "--allow-commands on %s, an address of a network, needs --password-file or --token-file, also with --insecure"
                            .formatted(listen));
        }
        if (!address.getAddress().isLoopbackAddress() && !isInsecure) {
            if (!access.isRestricted()) {
                throw wrong(
                        "--listen %s is an address of a network; give --password-file or --token-file, or --insecure"
                                .formatted(listen));
            }
            if (tls == null) {
                throw wrong(
                        "--listen %s is an address of a network, where passwords need TLS; give --tls, or --insecure behind a proxy with TLS"
                                .formatted(listen));
            }
        }
        return new PageServer(request, address, allowsCommands ? access.withCommands() : access, context());
    }

    private InetSocketAddress address() {
        try {
            return ListenAddress.of("--listen", listen);
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    private @Nullable SSLContext context() {
        try {
            return tls == null ? null : TlsEngines.serverContext("--tls", tls);
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
