/**
 * Statements that fill tables of a database with one realm, on both databases, each with a row per number.
 * @param {string} numbers a table of numbers
 * @returns {Record<string, string>} by the table
 */
export const fills = (numbers) => {
  const rows = `FROM (SELECT "id" AS realm FROM "Realm" LIMIT 1) r CROSS JOIN ${numbers} AS numbers`;
  const name = `'user-' || n`;
  return {
    User: `INSERT INTO "User" ("id", "realmId", "username", "email", "uniqueEmail", "firstName", "lastName", "search")
      SELECT 'u-' || n, realm, ${name}, ${name} || '@example.org', ${name} || '@example.org', 'First' || n, 'Last' || n,
        ${name} || ' ' || ${name} || '@example.org first' || n || ' last' || n ${rows}`,
    AdminEvent: `INSERT INTO "AdminEvent"
      ("id", "realmId", "time", "operation", "operationType", "resourceType", "resourcePath", "resourceId", "representation")
      SELECT 'e-' || n, realm, n, 'user.update', 'UPDATE', 'USER', 'users/u-' || n, 'u-' || n, '{"firstName":"First"}' ${rows}`,
    LoginEvent: `INSERT INTO "LoginEvent" ("id", "realmId", "time", "type", "userId", "ipAddress")
      SELECT 'e-' || n, realm, n, 'LOGIN', 'u-' || n, '192.0.2.1' ${rows}`,
  };
};
