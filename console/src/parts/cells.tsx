import { Anchor, type AnchorProps, Badge } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormat, useText } from '../text/text.js';
import { partTexts } from './text.js';

/** The screens of single objects. */
export type ObjectRoute = `/$realm/${
  | 'users'
  | 'groups'
  | 'roles'
  | 'clients'
  | 'client-scopes'
  | 'identity-providers'
  | 'directories'
  | 'webhooks'}/$id`;

interface ObjectLinkProps extends AnchorProps {
  to: ObjectRoute;
  id: string;
  /** by default the realm of the address */
  realm?: string;
  children: ReactNode;
}

/** Leads to the screen of an object. */
export function ObjectLink({ to, id, realm, ...anchor }: ObjectLinkProps) {
  const here = useParams({ from: '/$realm' }).realm;
  return (
    <Anchor renderRoot={(props) => <Link to={to} params={{ realm: realm ?? here, id }} {...props} />} {...anchor} />
  );
}

/** Whether an object is enabled. */
export function Status({ isEnabled }: { isEnabled: boolean }) {
  const t = useText(partTexts);
  return <Badge color={isEnabled ? 'teal' : 'gray'}>{t(isEnabled ? 'enabled' : 'disabled')}</Badge>;
}

/** Whether a user has a role itself, or by something else that has it. */
export function Origin({ isDirect }: { isDirect: boolean }) {
  const t = useText(partTexts);
  return <Badge color={isDirect ? 'indigo' : 'gray'}>{t(isDirect ? 'direct' : 'inherited')}</Badge>;
}

/** A time in the language of the reader. */
export function Moment({ time }: { time: string | null | undefined }) {
  const { moment } = useFormat();
  return time && moment(time);
}
