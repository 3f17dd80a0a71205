import { useStore } from '../session/store.js';
import { language, type Text, translated } from './text.js';

/** What values of the API's enums are called, where a form offers them or a list shows them. */
const names: Readonly<Record<string, Text>> = {
  REQUIRED: ['Required', 'Erforderlich'],
  ALTERNATIVE: ['Alternative', 'Alternativ'],
  CONDITIONAL: ['Conditional', 'Bedingt'],
  DISABLED: ['Disabled', 'Deaktiviert'],
  ALL: ['For all requests', 'Für alle Anfragen'],
  EXTERNAL: ['For external requests', 'Für externe Anfragen'],
  NONE: ['Not required', 'Nicht erforderlich'],
  READ_ONLY: ['Read-only', 'Nur lesen'],
  WRITABLE: ['Writable', 'Schreibbar'],
  UNSYNCED: ['Changes are stored locally', 'Änderungen lokal speichern'],
  IMPORT: ['At the first login only', 'Nur bei der ersten Anmeldung'],
  FORCE: ['At each login', 'Bei jeder Anmeldung'],
  LEGACY: ['As mappers did before (legacy)', 'Wie frühere Mapper (Legacy)'],
  POSITIVE: ['Positive', 'Positiv'],
  NEGATIVE: ['Negative', 'Negativ'],
  UNANIMOUS: ['Unanimous', 'Einstimmig'],
  AFFIRMATIVE: ['Affirmative', 'Eine genügt'],
  CONSENSUS: ['Consensus', 'Mehrheit'],
  PUBLIC: ['Public', 'Öffentlich'],
  CONFIDENTIAL: ['Confidential', 'Vertraulich'],
  BEARER_ONLY: ['Bearer-only', 'Nur Bearer-Tokens'],
  ACTIVE: ['Active', 'Aktiv'],
  PASSIVE: ['Passive', 'Passiv'],
};

/** Gives the name of a value of an enum in the present language; the value itself if it has none. */
export function useValueName(): (value: string) => string {
  const present = useStore(language);
  return (value) => {
    const name = names[value];
    return name ? translated(name, present) : value;
  };
}
