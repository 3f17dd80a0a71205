import { catalogue } from '../text/text.js';

/** Texts of roles. */
export const texts = catalogue({
  title: ['Roles', 'Rollen'],
  role: ['Role', 'Rolle'],
  search: ['Search roles', 'Rollen suchen'],
  client: ['Client', 'Client'],
  ofRealm: ['Roles of the realm', 'Rollen des Realms'],
  name: ['Name', 'Name'],
  description: ['Description', 'Beschreibung'],
  composite: ['Composite', 'Zusammengesetzt'],
  none: ['No roles', 'Keine Rollen'],
  noneHint: [
    'A role is what applications ask for. Users and groups have roles, and roles may contain others.',
    'Eine Rolle ist, wonach Anwendungen fragen. Benutzer und Gruppen haben Rollen, und Rollen können andere enthalten.',
  ],
  create: ['Create role', 'Rolle anlegen'],
  removeQuestion: [
    'Takes the role from all users, groups, and roles that have it. This cannot be undone.',
    'Nimmt die Rolle allen Benutzern, Gruppen und Rollen, die sie haben. Das kann nicht rückgängig gemacht werden.',
  ],
  details: ['Details', 'Details'],
  composites: ['Contained roles', 'Enthaltene Rollen'],
  users: ['Users', 'Benutzer'],
  groups: ['Groups', 'Gruppen'],
  addComposite: ['Add role', 'Rolle hinzufügen'],
  noComposites: ['The role contains no other role.', 'Die Rolle enthält keine andere Rolle.'],
  graph: [
    'Roles that contain it, and roles that it contains',
    'Rollen, die sie enthalten, und Rollen, die sie enthält',
  ],
  more: ['{count} more roles are not in the picture.', '{count} weitere Rollen fehlen im Bild.'],
  username: ['Username', 'Benutzername'],
  email: ['Email', 'E-Mail'],
  origin: ['How', 'Woher'],
  direct: ['direct', 'direkt'],
  inherited: ['inherited', 'geerbt'],
  path: ['Path', 'Pfad'],
  noUsers: ['No user has it', 'Kein Benutzer hat sie'],
  noGroups: ['No group has it', 'Keine Gruppe hat sie'],
});
