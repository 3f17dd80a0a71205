import { catalogue } from '../text/text.js';

/** Texts of client policies and profiles. */
export const texts = catalogue({
  policies: ['Policies', 'Policies'],
  addPolicy: ['Add policy', 'Policy anlegen'],
  noPolicies: ['No policies', 'Keine Policies'],
  noPoliciesHint: [
    'A policy applies profiles to the clients and requests that meet its conditions.',
    'Eine Policy wendet Profile auf die Clients und Anfragen an, die ihre Bedingungen erfüllen.',
  ],
  conditions: ['Conditions', 'Bedingungen'],
  profiles: ['Profiles', 'Profile'],
  addProfile: ['Add profile', 'Profil anlegen'],
  noProfiles: ['No profiles of the realm', 'Keine Profile des Realms'],
  noProfilesHint: [
    'A profile has rules for clients and requests. Policies can also use the global profiles: {names}.',
    'Ein Profil hat Regeln für Clients und Anfragen. Policies können auch die globalen Profile verwenden: {names}.',
  ],
  executors: ['Rules', 'Regeln'],
});
