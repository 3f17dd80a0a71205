/**
 * The memory of one scenario: which identifiers it has met, and the texts that the scenario itself contains
 * (those are facts of the contract and stay as they are).
 */
export class Names {
  #labels = new Map(); // identifier -> its number, as '<uuid:1>'
  #taken = new Set();
  #scenarioText;

  constructor(scenario, { base, realm }) {
    this.#scenarioText = JSON.stringify(scenario);
    this.base = base;
    this.realm = realm;
    /** the address of the directory, where there is one */
    this.directory = undefined;
  }

  /** Whether the scenario file itself has this text as a value (or as a value in JSON text). */
  isGiven(text) {
    const literal = JSON.stringify(text);
    return this.#scenarioText.includes(literal) || this.#scenarioText.includes(JSON.stringify(literal).slice(1, -1));
  }

  /** Whether the scenario file itself contains this text somewhere. */
  mentions(text) {
    return this.#scenarioText.includes(JSON.stringify(text).slice(1, -1));
  }

  label(identifier) {
    return this.#labels.get(identifier);
  }

  /** How many identifiers are tied. */
  count() {
    return this.#labels.size;
  }

  /** Ties an identifier to a number of the recording; false when either is already tied. */
  bind(identifier, label) {
    if (this.#labels.has(identifier) || this.#taken.has(label)) return false;
    this.#labels.set(identifier, label);
    this.#taken.add(label);
    return true;
  }
}
