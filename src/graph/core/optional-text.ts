/** Options of a field with a text of a row. An empty text counts as null: the contract stores both. */
export const optionalText = <C extends string>(column: C, description: string) => ({
  nullable: true as const,
  description,
  select: { [column]: true } as { readonly [K in C]: true },
  resolve: (row: { readonly [K in C]: string | null }): string | null => row[column] || null,
});
