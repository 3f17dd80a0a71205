import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.ws.rs.core.Response;
import org.keycloak.admin.client.resource.RealmResource;
import org.keycloak.representations.idm.RoleRepresentation;

/** The client's pool of ten connections: answers without a body give their connection back by themselves. */
final class Pool {
  private static final int CREATIONS = 1000;

  private Pool() {}

  static void cases(RealmResource realm) {
    Check.run(CREATIONS + " creations one after the other, whose answers nobody closes", () -> within(() -> {
      for (int at = 0; at < CREATIONS; at++) {
        Response answer = realm.groups().add(Groups.named("crowd-" + at));
        Check.equal(201, answer.getStatus());
      }
      return null;
    }));
    Check.run("creations by eight threads", () -> {
      ExecutorService threads = Executors.newFixedThreadPool(8);
      var creations = IntStream.range(0, 80).<Callable<Void>>mapToObj(at -> () -> {
        realm.roles().create(new RoleRepresentation("crowd-" + at, "one of many", false));
        realm.roles().get("crowd-" + at).remove();
        return null;
      }).toList();
      for (var creation : threads.invokeAll(creations, 60, TimeUnit.SECONDS)) creation.get();
      threads.shutdown();
    });
  }

  private static void within(Callable<Void> body) throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor(run -> {
      Thread made = new Thread(run);
      made.setDaemon(true);
      return made;
    });
    thread.submit(body).get(120, TimeUnit.SECONDS);
    thread.shutdown();
  }
}
