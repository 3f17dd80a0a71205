import { catalogue } from '../text/text.js';

/** Texts of roles. */
export const texts = catalogue({
  notShown: ['{count} more roles are not in the picture.', '{count} weitere Rollen fehlen im Bild.'],
  search: ['Search roles', 'Rollen suchen'],
  ofRealm: ['Roles of the realm', 'Rollen des Realms'],
  composite: ['Composite', 'Zusammengesetzt'],
  none: ['No roles', 'Keine Rollen'],
  noneHint: [
    'A role is what applications ask for. Users and groups have roles, and roles may contain others.',
    'Eine Rolle ist, wonach Anwendungen fragen. Benutzer und Gruppen haben Rollen, und Rollen können andere enthalten.',
  ],
  create: ['Create role', 'Rolle anlegen'],
  removeQuestion: [
    'Takes the role from all users, groups, and roles that have it.',
    'Nimmt die Rolle allen Benutzern, Gruppen und Rollen, die sie haben.',
  ],
  composites: ['Contained roles', 'Enthaltene Rollen'],
  addComposite: ['Add role', 'Rolle hinzufügen'],
  noComposites: ['The role contains no other role.', 'Die Rolle enthält keine andere Rolle.'],
  graph: [
    'Roles that contain it, and roles that it contains',
    'Rollen, die sie enthalten, und Rollen, die sie enthält',
  ],
  origin: ['How', 'Woher'],
  noUsers: ['No user has it', 'Kein Benutzer hat sie'],
  noGroups: ['No group has it', 'Keine Gruppe hat sie'],
});
