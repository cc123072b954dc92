/** The first start, seen once by few: its code is fetched only then. */
import { lazy } from 'react'

export const WelcomePage = lazy(async () => ({ default: (await import('./pages/welcome/page.tsx')).WelcomePage }))
