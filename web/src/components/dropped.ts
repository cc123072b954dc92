/** The files of a drop or a paste, folders opened. Nothing here knows what they are for. */

function entriesOf(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  return new Promise((resolve, reject) => reader.readEntries(resolve, reject))
}

async function filesOf(entry: FileSystemEntry): Promise<File[]> {
  if (entry instanceof FileSystemFileEntry)
    return [await new Promise<File>((resolve, reject) => entry.file(resolve, reject))]
  if (!(entry instanceof FileSystemDirectoryEntry)) return []
  const reader = entry.createReader()
  const found: File[] = []
  // A folder is told in portions; an empty one is the end.
  for (let some = await entriesOf(reader); some.length > 0; some = await entriesOf(reader))
    for (const each of some) found.push(...(await filesOf(each)))
  return found.filter(({ name }) => !name.startsWith('.'))
}

export async function filesIn({ items, files }: DataTransfer): Promise<File[]> {
  // Asked before anything is awaited: afterwards the browser has forgotten.
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry?.() ?? [])
  const plain = [...files]
  if (!entries.some(({ isDirectory }) => isDirectory)) return plain
  return (await Promise.all(entries.map(filesOf))).flat()
}
