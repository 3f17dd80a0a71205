import java.util.Map;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.jboss.resteasy.plugins.providers.multipart.MultipartFormDataOutput;
import org.keycloak.admin.client.resource.IdentityProviderResource;
import org.keycloak.admin.client.resource.RealmResource;
import org.keycloak.representations.idm.IdentityProviderMapperRepresentation;
import org.keycloak.representations.idm.IdentityProviderRepresentation;

/** Identity providers, their mappers, and their settings from files. */
final class IdentityProviders {
  private static final String METADATA = """
      <EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://partner.example/saml">
        <IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
          <SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://partner.example/sso"/>
        </IDPSSODescriptor>
      </EntityDescriptor>
      """;

  private IdentityProviders() {}

  static void cases(RealmResource realm) {
    Check.run("identity providers", () -> {
      Check.status(201, realm.identityProviders().create(provider("company", "keycloak-oidc")));
      IdentityProviderResource company = realm.identityProviders().get("company");
      IdentityProviderRepresentation found = company.toRepresentation();
      found.setDisplayName("Company");
      company.update(found);
      Check.equal("Company", company.toRepresentation().getDisplayName());
      Check.contains(realm.identityProviders().findAll(), IdentityProviderRepresentation::getAlias, "company");
      Check.status(200, realm.identityProviders().getIdentityProviders("keycloak-oidc"));
      mappers(company);
      company.remove();
      Check.refused(404, company::toRepresentation);
    });

    Check.run("SAML identity providers", () -> {
      MultipartFormDataOutput form = new MultipartFormDataOutput();
      form.addFormData("providerId", "saml", MediaType.TEXT_PLAIN_TYPE);
      form.addFormData("file", METADATA.getBytes(), MediaType.APPLICATION_XML_TYPE);
      Map<String, String> config = realm.identityProviders().importFrom(form);
      Check.equal("https://partner.example/sso", config.get("singleSignOnServiceUrl"));
      IdentityProviderRepresentation provider = provider("partner-saml", "saml");
      provider.setConfig(config);
      Check.status(201, realm.identityProviders().create(provider));
      try (Response exported = realm.identityProviders().get("partner-saml").export("saml-idp-descriptor")) {
        Check.equal(200, exported.getStatus());
        Check.isTrue(exported.readEntity(String.class).contains("SPSSODescriptor"), "no description");
      }
      realm.identityProviders().get("partner-saml").remove();
    });

    Check.run("settings of an identity provider from an address that does not answer", () ->
        Check.refused(400, () -> realm.identityProviders().importFrom(
            Map.<String, Object>of("providerId", "oidc", "fromUrl", "http://127.0.0.1:1/.well-known/openid-configuration"))));
  }

  private static void mappers(IdentityProviderResource provider) throws Exception {
    Check.isTrue(provider.getMapperTypes().containsKey("hardcoded-attribute-idp-mapper"), "no mapper types");
    IdentityProviderMapperRepresentation mapper = new IdentityProviderMapperRepresentation();
    mapper.setName("origin");
    mapper.setIdentityProviderAlias("company");
    mapper.setIdentityProviderMapper("hardcoded-attribute-idp-mapper");
    mapper.setConfig(Map.of("attribute", "origin", "attribute.value", "company"));
    String id = Check.created(provider.addMapper(mapper));
    IdentityProviderMapperRepresentation found = provider.getMapperById(id);
    found.setConfig(Map.of("attribute", "origin", "attribute.value", "group"));
    provider.update(id, found);
    Check.equal("group", provider.getMapperById(id).getConfig().get("attribute.value"));
    Check.equal(1, provider.getMappers().size());
    provider.delete(id);
    Check.refused(404, () -> provider.getMapperById(id));
  }

  private static IdentityProviderRepresentation provider(String alias, String type) {
    IdentityProviderRepresentation provider = new IdentityProviderRepresentation();
    provider.setAlias(alias);
    provider.setProviderId(type);
    provider.setConfig(Map.of("clientId", "us", "clientSecret", "secret", "authorizationUrl", "https://company.example/auth",
        "tokenUrl", "https://company.example/token"));
    return provider;
  }
}
