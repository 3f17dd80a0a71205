interface Positioned {
  findFirst(args: {
    where: { realmId: string };
    orderBy: { position: 'desc' };
    select: { position: true };
  }): Promise<{ position: number } | null>;
}

/** The position of a new object in a list of a realm by order of creation: after all existing ones. */
export async function nextPosition(delegate: Positioned, realmId: string): Promise<number> {
  const last = await delegate.findFirst({
    where: { realmId },
    orderBy: { position: 'desc' },
    select: { position: true },
  });
  return (last?.position ?? 0) + 1;
}
