interface Positioned {
  findFirst(args: {
    where: { realmId: string };
    orderBy: { position: 'desc' };
    select: { position: true };
  }): Promise<{ position: number } | null>;
}

/** The place of something new in a list of a realm that is in the order of creation: after all that are there. */
export async function nextPosition(delegate: Positioned, realmId: string): Promise<number> {
  const last = await delegate.findFirst({
    where: { realmId },
    orderBy: { position: 'desc' },
    select: { position: true },
  });
  return (last?.position ?? 0) + 1;
}
