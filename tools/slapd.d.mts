export interface Slapd {
  url: string;
  secureUrl: string;
  pause(): void;
  resume(): void;
  start(): Promise<void>;
  kill(): Promise<void>;
  stop(): Promise<void>;
}
export interface PersonParts {
  firstName?: string;
  lastName?: string;
  email?: string | null;
  password?: string;
  dn?: string;
  more?: readonly string[];
}
export const hasSlapd: boolean;
export const suffix: string;
export const rootDn: string;
export const rootPassword: string;
export const top: string;
export function startSlapd(
  ldif: string,
  options?: { tls?: { key: string; cert: string }; schema?: string },
): Promise<Slapd>;
export function person(uid: string, parts?: PersonParts): string;
export function group(name: string, members: readonly string[]): string;
export function crowdName(at: number): string;
export function crowd(people: number, groups: number): string[];
export function personDn(uid: string): string;
export function groupDn(name: string): string;
export interface ComponentSettings {
  name: string;
  providerId: string;
  providerType: string;
  config: Record<string, string[]>;
}
export function storageComponent(name: string, url: string, config?: Record<string, string>): ComponentSettings;
export function mapperComponent(
  name: string,
  parentId: string,
  providerId: string,
  config: Record<string, string>,
): ComponentSettings & { parentId: string };
