import java.util.List;
import java.util.Map;
import javax.ws.rs.core.MediaType;
import org.jboss.resteasy.plugins.providers.multipart.MultipartFormDataOutput;
import org.keycloak.admin.client.resource.ClientAttributeCertificateResource;
import org.keycloak.admin.client.resource.ClientResource;
import org.keycloak.admin.client.resource.ClientsResource;
import org.keycloak.admin.client.resource.ProtocolMappersResource;
import org.keycloak.admin.client.resource.RealmResource;
import org.keycloak.representations.KeyStoreConfig;
import org.keycloak.representations.idm.CertificateRepresentation;
import org.keycloak.representations.idm.ClientRepresentation;
import org.keycloak.representations.idm.ManagementPermissionRepresentation;
import org.keycloak.representations.idm.ProtocolMapperRepresentation;

/** Clients, their secrets, certificates and protocol mappers. */
final class Clients {
  private Clients() {}

  static void cases(RealmResource realm) {
    Check.run("clients", () -> cycle(realm.clients()));
    Check.run("secrets of a client", () -> secrets(realm.clients()));
    Check.run("certificates of a client", () -> certificates(realm.clients()));
    Check.run("protocol mappers of a client", () -> {
      String id = create(realm.clients(), "mapped");
      protocolMappers(realm.clients().get(id).getProtocolMappers());
      realm.clients().get(id).remove();
    });
    Check.run("description of a client", () -> {
      ClientRepresentation read = realm.convertClientDescription("{\"client_name\":\"described\",\"redirect_uris\":[\"https://app.example/\"]}");
      Check.equal(List.of("https://app.example/"), read.getRedirectUris());
    });
  }

  static String create(ClientsResource clients, String clientId) {
    ClientRepresentation client = new ClientRepresentation();
    client.setClientId(clientId);
    client.setRedirectUris(List.of("https://app.example/*"));
    return Check.created(clients.create(client));
  }

  private static void cycle(ClientsResource clients) throws Exception {
    ClientResource client = clients.get(create(clients, "shop"));
    ClientRepresentation found = client.toRepresentation();
    found.setName("Shop");
    found.setAttributes(Map.of("team", "sales"));
    found.setServiceAccountsEnabled(true);
    client.update(found);
    Check.equal("Shop", client.toRepresentation().getName());
    Check.equal("service-account-shop", client.getServiceAccountUser().getUsername());
    Check.contains(clients.findAll(), ClientRepresentation::getClientId, "shop");
    Check.contains(clients.findAll(true), ClientRepresentation::getClientId, "shop");
    Check.equal(1, clients.findAll("sho", false, true, 0, 5).size());
    Check.equal(1, clients.findByClientId("shop").size());
    Check.contains(clients.query("team:sales"), ClientRepresentation::getClientId, "shop");
    Check.isTrue(client.getInstallationProvider("keycloak-oidc-keycloak-json").contains("\"resource\""), "no adapter file");
    Check.equal(true, client.setPermissions(new ManagementPermissionRepresentation(true)).isEnabled());
    Check.equal(true, client.getPermissions().isEnabled());
    client.setPermissions(new ManagementPermissionRepresentation(false));
    client.remove();
    Check.refused(404, client::toRepresentation);
  }

  private static void secrets(ClientsResource clients) {
    ClientResource client = clients.get(create(clients, "confidential"));
    String first = client.getSecret().getValue();
    String second = client.generateNewSecret().getValue();
    Check.isTrue(second != null && !second.equals(first), "the secret is the old one");
    Check.equal(second, client.getSecret().getValue());
    Check.isTrue(client.regenerateRegistrationAccessToken().getRegistrationAccessToken() != null, "no registration access token");
    client.remove();
  }

  private static void certificates(ClientsResource clients) {
    ClientResource client = clients.get(create(clients, "certified"));
    ClientAttributeCertificateResource keys = client.getCertficateResource("jwt.credential");
    CertificateRepresentation made = keys.generate();
    Check.isTrue(made.getPrivateKey() != null, "no private key");
    Check.equal(made.getCertificate(), keys.getKeyInfo().getCertificate());
    KeyStoreConfig store = new KeyStoreConfig();
    store.setFormat("PKCS12");
    store.setKeyAlias("key");
    store.setKeyPassword("key-secret");
    store.setStorePassword("store-secret");
    store.setRealmCertificate(true);
    byte[] file = keys.generateAndGetKeystore(store);
    Check.isTrue(file.length > 0, "no key store");
    Check.isTrue(keys.getKeystore(store).length > 0, "no key store of the certificate");
    MultipartFormDataOutput form = new MultipartFormDataOutput();
    form.addFormData("keystoreFormat", "PKCS12", MediaType.TEXT_PLAIN_TYPE);
    form.addFormData("keyAlias", "key", MediaType.TEXT_PLAIN_TYPE);
    form.addFormData("keyPassword", "key-secret", MediaType.TEXT_PLAIN_TYPE);
    form.addFormData("storePassword", "store-secret", MediaType.TEXT_PLAIN_TYPE);
    form.addFormData("file", file, MediaType.APPLICATION_OCTET_STREAM_TYPE);
    Check.isTrue(keys.uploadJks(form).getPrivateKey() != null, "no private key of the file");
    MultipartFormDataOutput certificate = new MultipartFormDataOutput();
    certificate.addFormData("keystoreFormat", "Certificate PEM", MediaType.TEXT_PLAIN_TYPE);
    String pem = "-----BEGIN CERTIFICATE-----\n" + made.getCertificate() + "\n-----END CERTIFICATE-----\n";
    certificate.addFormData("file", pem, MediaType.APPLICATION_OCTET_STREAM_TYPE);
    Check.equal(made.getCertificate(), keys.uploadJksCertificate(certificate).getCertificate());
    client.remove();
  }

  static void protocolMappers(ProtocolMappersResource mappers) throws Exception {
    String id = Check.created(mappers.createMapper(mapper("badge")));
    mappers.createMapper(List.of(mapper("desk"), mapper("floor")));
    ProtocolMapperRepresentation found = mappers.getMapperById(id);
    found.setConfig(Map.of("claim.name", "number", "user.attribute", "badge", "jsonType.label", "String"));
    mappers.update(id, found);
    Check.equal("number", mappers.getMapperById(id).getConfig().get("claim.name"));
    Check.contains(mappers.getMappers(), ProtocolMapperRepresentation::getName, "desk");
    Check.contains(mappers.getMappersPerProtocol("openid-connect"), ProtocolMapperRepresentation::getName, "floor");
    mappers.delete(id);
    Check.refused(404, () -> mappers.getMapperById(id));
  }

  private static ProtocolMapperRepresentation mapper(String name) {
    ProtocolMapperRepresentation mapper = new ProtocolMapperRepresentation();
    mapper.setName(name);
    mapper.setProtocol("openid-connect");
    mapper.setProtocolMapper("oidc-usermodel-attribute-mapper");
    mapper.setConfig(Map.of("claim.name", name, "user.attribute", name, "access.token.claim", "true"));
    return mapper;
  }
}
