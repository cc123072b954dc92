/** Gives every component the texts of the chosen language. English is the one that is complete by definition. */
import { createContext, type ReactNode, useContext } from 'react'
import { en } from './en.ts'

/** A translation is an object of this shape. */
export type Texts = typeof en

const TextsContext = createContext<Texts>(en)

export const TextsProvider = ({ texts = en, children }: { texts?: Texts; children: ReactNode }) => (
  <TextsContext value={texts}>{children}</TextsContext>
)

export const useTexts = (): Texts => useContext(TextsContext)
