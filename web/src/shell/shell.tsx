/** The frame around every page: header, navigation (a drawer on phones), the banner of a lost connection, the content. */
import { AppShell, Burger, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link, useLocation } from 'wouter'
import { useTexts } from '../texts/texts.tsx'
import { AccountMenu } from './account-menu.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { ConnectionBanner } from './connection-banner.tsx'
import { Logo } from './logo.tsx'
import { Navigation } from './navigation.tsx'
import classes from './shell.module.css'

/** Who follows a link with the keyboard or a screen reader must arrive at the new page, not stay in the old menu. */
function useFocusOnArrival() {
  const main = useRef<HTMLElement>(null)
  const [location] = useLocation()
  const last = useRef(location)
  useEffect(() => {
    if (last.current === location) return
    last.current = location
    main.current?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [location])
  return main
}

export function Shell({ children }: { children: ReactNode }) {
  const { shell } = useTexts()
  const [opened, { toggle, close }] = useDisclosure()
  const main = useFocusOnArrival()
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 228, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      footer={{ height: { base: 60, sm: 0 } }}
      padding={{ base: 'md', sm: 'xl' }}
      transitionDuration={0}
    >
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        {shell.skip}
      </button>
      <AppShell.Header className={classes.header}>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={opened ? shell.closeMenu : shell.openMenu}
              aria-expanded={opened}
            />
            <Link href="/" className={classes.brand} onClick={close}>
              <Logo />
              <Text component="span" fw={700} fz="lg">
                Reforge
              </Text>
            </Link>
          </Group>
          <AccountMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" className={classes.navbar} aria-label={shell.navigation}>
        <Navigation onVisit={close} />
      </AppShell.Navbar>
      <AppShell.Main ref={main} id="main" tabIndex={-1} className={classes.main}>
        <ConnectionBanner />
        {children}
      </AppShell.Main>
      <AppShell.Footer hiddenFrom="sm" className={classes.footer}>
        <BottomBar onVisit={close} />
      </AppShell.Footer>
    </AppShell>
  )
}
