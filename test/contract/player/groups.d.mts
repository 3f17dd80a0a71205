/** A step of a scenario: a request, and how its answer is compared. */
export interface Step {
  op?: string;
  url?: string;
}
/** The recorded answer to a step. */
export interface RecordedStep {
  step: string;
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body?: any;
}
export interface RecordedScenario {
  scenario: { name: string; steps: Step[] };
  recorded: RecordedStep[];
}

export function groupNames(): string[];
export function loadGroup(name: string): RecordedScenario[];
export function saveGroup(name: string, scenarios: object[], recordings: object[]): void;
