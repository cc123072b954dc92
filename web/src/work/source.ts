/** What is worked on: a file of this browser, or an address that the server fetches. */
export type Source = { kind: 'file'; file: File } | { kind: 'link'; url: string }

export const nameOf = (source: Source): string => {
  if (source.kind === 'file') return source.file.name
  const { pathname, hostname } = new URL(source.url)
  const last = pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(last) || hostname
  } catch {
    return last || hostname
  }
}

export const sizeOf = (source: Source): number | undefined => (source.kind === 'file' ? source.file.size : undefined)
