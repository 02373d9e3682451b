package io.cutwater.trainer.mesh;

import java.security.cert.X509Certificate;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * The names that a certificate allows: its common name, and that name followed by a hyphen and anything. So a worker
 * cannot pose as one with another certificate.
 */
final class CertificateNames {
    private CertificateNames() {}

    static boolean allow(String name, SSLSession session) throws SSLPeerUnverifiedException {
        String common = commonName((X509Certificate) session.getPeerCertificates()[0]);
        return !common.isEmpty() && (name.equals(common) || name.startsWith(common + "-"));
    }

    /** Returns the common name of the subject; empty if there is none. */
    static String commonName(X509Certificate certificate) {
        try {
            for (Rdn part : new LdapName(certificate.getSubjectX500Principal().getName()).getRdns()) {
                if (part.getType().equalsIgnoreCase("CN")) {
                    return String.valueOf(part.getValue());
                }
            }
        } catch (InvalidNameException e) {
            return "";
        }
        return "";
    }
}
