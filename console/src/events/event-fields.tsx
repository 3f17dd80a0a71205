import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

/** Names and values of an event. Fields without a value are left out. */
export function EventFields({ fields }: { fields: [name: string, value: ReactNode][] }) {
  return (
    <Table layout="fixed">
      <Table.Tbody>
        {fields
          .filter(([, value]) => value !== null && value !== undefined && value !== '')
          .map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" w={150} style={{ overflowWrap: 'anywhere' }}>
                {name}
              </Table.Th>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
            </Table.Tr>
          ))}
      </Table.Tbody>
    </Table>
  );
}
