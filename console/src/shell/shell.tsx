import {
  Anchor,
  AppShell,
  Burger,
  Button,
  Group,
  Kbd,
  NavLink,
  ScrollArea,
  Stack,
  Text,
  Title,
  VisuallyHidden,
} from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { Link, Navigate, Outlet, useParams, useRouter, useRouterState } from '@tanstack/react-router';
import { Suspense, useEffect, useRef } from 'react';
import { Empty, Logo } from '../parts/display.js';
import { IconLock, IconSearch } from '../parts/icons.js';
import { restoreFocus } from '../parts/kept-focus.js';
import { home } from '../session/sign-in.js';
import { lazyPart } from '../text/lazy.js';
import { useText, useTranslated } from '../text/text.js';
import { sections, useAreas, useShell } from './areas.js';
import { AccountMenu, RealmSwitcher } from './header.js';
import { Failure, Placeholder } from './screen.js';
import { Notices } from './session-gate.js';
import { texts } from './texts.js';
import { useTypeAhead } from './type-ahead.js';
import { Unsaved } from './unsaved.js';

const Palette = lazyPart(() => import('./palette.js'), 'Palette');

/** The frame around all screens of a realm: realms, navigation, palette, and account. */
export function Shell() {
  const t = useText(texts);
  const { realm } = useParams({ from: '/$realm' });
  const [isOpen, menu] = useDisclosure();
  const [isSearching, search] = useDisclosure();
  const typed = useRef('');
  const router = useRouter();
  // the row or button that led to another screen is gone with the screen before
  useEffect(() => router.subscribe('onRendered', ({ pathChanged }) => pathChanged && restoreFocus()), [router]);
  useHotkeys([['mod+K', search.toggle]], []);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <a className="skip" href="#content">
        {t('skip')}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" gap="sm" wrap="nowrap" justify="space-between">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={isOpen} onClick={menu.toggle} hiddenFrom="sm" size="sm" aria-label={t('navigation')} />
            <Group gap="xs" wrap="nowrap" visibleFrom="sm">
              <Logo size={28} />
              <Text size="md" fw={700}>
                Realmgate
              </Text>
            </Group>
            <RealmSwitcher realm={realm} />
          </Group>
          <Group gap="xs" wrap="nowrap">
            <Button variant="default" onClick={search.open} px="sm">
              <Group gap="xs" wrap="nowrap">
                <IconSearch size={16} aria-hidden />
                <Text span visibleFrom="md">
                  {t('search')}
                </Text>
                <Kbd visibleFrom="md">Ctrl K</Kbd>
              </Group>
              <VisuallyHidden hiddenFrom="md">{t('search')}</VisuallyHidden>
            </Button>
            <AccountMenu realm={realm} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" aria-label={t('navigation')}>
        <ScrollArea>
          <Navigation realm={realm} onChoose={menu.close} />
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <div className="screen">
          <Notices />
          {/* another realm is another screen: nothing that was loaded for the one before is shown or decides */}
          <Content key={realm} realm={realm} />
        </div>
      </AppShell.Main>
      <Unsaved />
      <Suspense fallback={<TypeAhead onType={(key) => (typed.current += key)} />}>
        {isSearching && <Palette realm={realm} typed={typed} onClose={search.close} />}
      </Suspense>
    </AppShell>
  );
}

/** Takes the keys that are typed while the palette is loaded. */
function TypeAhead({ onType }: { onType(key: string): void }) {
  useTypeAhead(onType);
  return null;
}

/** The screen, once it is known what the caller may do, so that it asks for nothing that would be refused. */
function Content({ realm }: { realm: string }) {
  const t = useText(texts);
  const loaded = useShell(realm);
  if (loaded.error && !loaded.data) return <Failure loaded={loaded} />;
  if (!loaded.data) return <Placeholder />;
  if (loaded.data.viewer.permissions.length > 0) return <Outlet />;
  const others = loaded.data.realms?.nodes.filter(({ name }) => name !== realm) ?? [];
  const [first] = others;
  if (!first) return <Empty icon={IconLock} title={t('nothingAllowed', { realm })} hint={t('nothingAllowedHint')} />;
  // everybody arrives at the realm of the login, also those who administer another one
  if (others.length === 1 && realm === home) return <Navigate to="/$realm" params={{ realm: first.name }} replace />;
  return (
    <Stack>
      <Title order={1}>{t('chooseRealm')}</Title>
      <Text>{t('chooseRealmHint', { realm })}</Text>
      {others.map(({ id, name, displayName }) => (
        <Anchor key={id} renderRoot={(props) => <Link to="/$realm" params={{ realm: name }} {...props} />}>
          {displayName ? `${name} · ${displayName}` : name}
        </Anchor>
      ))}
    </Stack>
  );
}

function Navigation({ realm, onChoose }: { realm: string; onChoose(): void }) {
  const t = useText(texts);
  const translate = useTranslated();
  const here = useRouterState({ select: ({ matches }) => matches.at(-1)?.fullPath ?? '' });
  const areas = useAreas(realm);
  return sections.map((section) => {
    const entries = areas.filter((entry) => entry.section === section);
    if (entries.length === 0) return null;
    return (
      <div key={section}>
        <Text size="xs" c="dimmed" fw={600} px="xs" pt="sm" pb={4}>
          {t(section)}
        </Text>
        {entries.map(({ path, title, icon: Icon }) => {
          const isHere = here === path || (path !== '/$realm/' && here.startsWith(`${path}/`));
          return (
            <NavLink
              key={path}
              renderRoot={(link) => (
                <Link to={path} params={{ realm }} activeOptions={{ exact: path === '/$realm/' }} {...link} />
              )}
              label={translate(title)}
              leftSection={<Icon size={18} aria-hidden />}
              active={isHere}
              onClick={onChoose}
            />
          );
        })}
      </div>
    );
  });
}
