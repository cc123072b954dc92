/** What the parts of the page speak of among each other. */

/** The two pages that are made of these parts. */
export type Aim = 'convert' | 'compress'

/** What is shown over the list, and of which file. */
export type Opened = { what: 'preview' | 'settings' | 'code'; id: string } | null
