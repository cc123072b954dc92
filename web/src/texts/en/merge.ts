/** English texts of the page Merge. */
const files = (count: number) => (count === 1 ? '1 file' : `${count.toLocaleString('en')} files`)

export const merge = {
  title: 'Merge',
  lead: 'Put pictures and PDFs into one file, in the order you like.',
  drop: 'Drop pictures and PDFs to merge',
  dropHint: 'They become one PDF, or one moving picture.',
  run: (count: number) => `Merge ${files(count)}`,
  working: 'Merging',
  target: 'Merge into',
  targets: { pdf: 'PDF', gif: 'GIF', webp: 'WebP' } as Record<string, string>,
  list: 'Files in their order',
  order: 'Drag a file, or press Space on it and use the arrow keys.',
  sort: 'Sort by name',
  reverse: 'Reverse',
  clear: 'Remove all',
  count: (count: number, size: string) => `${files(count)} · ${size}`,
  needTwo: 'Add at least one more file.',
  impossible: 'These files cannot be merged into one.',
  handle: (name: string, at: number) => `Move ${name}, now at ${at}`,
  rotate: (name: string) => `Rotate ${name}`,
  rotated: (degrees: number) => `rotated by ${degrees}°`,
  remove: (name: string) => `Remove ${name}`,
  removed: (count: number) => `${files(count)} removed.`,
  pages: (name: string) => `Pages of ${name}`,
  pagesHint: 'All pages',
  pagesBad: 'Like 1-3, 5',
  moving: {
    roledescription: 'file that can be moved',
    instructions:
      'To move a file, press Space. While it is lifted, use the arrow keys. Press Space again to put it down, or Escape to leave it where it was.',
    lifted: (name: string, at: number, count: number) => `${name} is lifted from place ${at} of ${count}.`,
    over: (name: string, at: number, count: number) => `${name} is over place ${at} of ${count}.`,
    dropped: (name: string, at: number, count: number) => `${name} is now at place ${at} of ${count}.`,
    left: (name: string) => `${name} stays where it was.`,
  },
}
