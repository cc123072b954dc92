/** On phones the five most used pages under the thumb; all others are in the menu. */
import { UnstyledButton } from '@mantine/core'
import { Link, useLocation } from 'wouter'
import { useSession } from '../session/session.tsx'
import { useTexts } from '../texts/texts.tsx'
import classes from './bottom-bar.module.css'
import { hrefOf, mayVisit, PLACES } from './places.ts'

const FIRST = ['convert', 'compress', 'merge', 'crop', 'trim', 'jobs']

export function BottomBar({ onVisit }: { onVisit: () => void }) {
  const { shell } = useTexts()
  const session = useSession()
  const [location] = useLocation()
  const places = PLACES.filter((place) => FIRST.includes(place.id) && mayVisit(place, session))
  return (
    <nav className={classes.bar} aria-label={shell.groups.tools}>
      {places.map((place) => (
        <UnstyledButton
          key={place.id}
          component={Link}
          href={hrefOf(place)}
          className={classes.item}
          aria-current={location === hrefOf(place) ? 'page' : undefined}
          onClick={onVisit}
        >
          <place.icon size={20} stroke={1.7} />
          {shell.pages[place.id]}
        </UnstyledButton>
      ))}
    </nav>
  )
}
