export interface Pack {
  digest: string;
  entry: string;
  imports: string[];
  styles: string[];
  files: { name: string; content: Buffer }[];
}

export function readPack(): Pack;
export function writePack(pack: Pack): void;
export function digestOfSources(): string;
