import { catalogue } from '../text/text.js';

/** Texts of groups. */
export const texts = catalogue({
  search: ['Search groups', 'Gruppen suchen'],
  defaults: ['Default groups only', 'Nur Standardgruppen'],
  none: ['No groups', 'Keine Gruppen'],
  noneHint: [
    'A group gives its members roles and attributes, and may contain other groups.',
    'Eine Gruppe gibt ihren Mitgliedern Rollen und Attribute und kann weitere Gruppen enthalten.',
  ],
  keys: [
    'Arrow keys open and close, Enter shows a group. Drag a group to move it.',
    'Pfeiltasten öffnen und schließen, Enter zeigt eine Gruppe. Ziehen Sie eine Gruppe, um sie zu verschieben.',
  ],
  create: ['Create group', 'Gruppe anlegen'],
  createBelow: ['Create subgroup', 'Untergruppe anlegen'],
  move: ['Move', 'Verschieben'],
  moveHint: ['Without a group, it moves to the top level.', 'Ohne Gruppe kommt sie auf die oberste Ebene.'],
  topLevel: ['Drop here for the top level', 'Für die oberste Ebene hier ablegen'],
  removeQuestion: [
    'Deletes the group with all groups in it. The users stay.',
    'Löscht die Gruppe mit allen Gruppen darin. Die Benutzer bleiben.',
  ],
  isDefault: ['Default group', 'Standardgruppe'],
  isDefaultHint: ['New users join it.', 'Neue Benutzer treten ihr bei.'],
  addDefault: ['Make default', 'Zum Standard machen'],
  removeDefault: ['No longer default', 'Nicht mehr Standard'],
  members: ['Members', 'Mitglieder'],
  memberCount: ['{count} members', '{count} Mitglieder'],
  addRole: ['Add role', 'Rolle geben'],
  noRoles: ['The group has no roles.', 'Die Gruppe hat keine Rollen.'],
  addMember: ['Add member', 'Mitglied hinzufügen'],
  removeMembers: ['Remove {count} members', '{count} Mitglieder entfernen'],
  membersRemoved: ['{count} members are removed.', '{count} Mitglieder sind entfernt.'],
  noMembers: ['No members', 'Keine Mitglieder'],
});
