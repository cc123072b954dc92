/** The list of pages, by group, for whoever is here. */
import { NavLink, ScrollArea, Stack, Text } from '@mantine/core'
import { Link, useLocation } from 'wouter'
import { useSession } from '../session/session.tsx'
import { useTexts } from '../texts/texts.tsx'
import classes from './navigation.module.css'
import { type Group, hrefOf, mayVisit, PLACES, type Place } from './places.ts'

const GROUPS: readonly Group[] = ['tools', 'work', 'account', 'admin', 'help']

const isAt = (place: Place, location: string): boolean => {
  const href = hrefOf(place)
  return location === href || (href !== '/' && location.startsWith(`${href}/`))
}

export function Navigation({ onVisit }: { onVisit?: () => void }) {
  const { shell } = useTexts()
  const session = useSession()
  const [location] = useLocation()
  const places = PLACES.filter((place) => mayVisit(place, session))
  return (
    <ScrollArea className={classes.scroll} type="hover" scrollbarSize={6}>
      <Stack gap="md">
        {GROUPS.map((group) => {
          const own = places.filter((place) => place.group === group)
          return own.length === 0 ? null : (
            <div key={group}>
              <Text component="h2" className={classes.group}>
                {shell.groups[group]}
              </Text>
              {own.map((place) => (
                <NavLink
                  key={place.id}
                  component={Link}
                  href={hrefOf(place)}
                  className={classes.link}
                  active={isAt(place, location)}
                  aria-current={isAt(place, location) ? 'page' : undefined}
                  label={shell.pages[place.id]}
                  leftSection={<place.icon size={18} stroke={1.7} />}
                  onClick={onVisit}
                />
              ))}
            </div>
          )
        })}
        {(!session.user || session.user.role === 'guest') && <Text className={classes.note}>{shell.guestNote}</Text>}
      </Stack>
    </ScrollArea>
  )
}
