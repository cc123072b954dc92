/** What people mostly want of a family of files, in the order they want it. The server knows what is possible. */
const COMMON: Record<string, readonly string[]> = {
  image: ['jpg', 'png', 'webp', 'avif', 'pdf', 'gif', 'heic', 'svg'],
  video: ['mp4', 'webm', 'mov', 'gif', 'mkv', 'mp3'],
  audio: ['mp3', 'wav', 'm4a', 'flac', 'ogg', 'opus'],
  document: ['pdf', 'docx', 'html', 'txt', 'md', 'jpg', 'epub'],
  spreadsheet: ['xlsx', 'pdf', 'csv', 'ods', 'html', 'json'],
  presentation: ['pdf', 'pptx', 'odp', 'jpg', 'png'],
  ebook: ['epub', 'pdf', 'mobi', 'azw3', 'txt'],
  subtitle: ['srt', 'vtt', 'ass'],
  data: ['csv', 'json', 'xlsx', 'yaml', 'xml'],
  archive: ['zip', '7z', 'tar.gz'],
}

export interface FormatInfo {
  ext: string
  title: string
  family: string
}

/** The common ones first, then each family; the source's own family leads. */
export function grouped(formats: readonly FormatInfo[], family: string | undefined) {
  const common = (COMMON[family ?? ''] ?? []).flatMap((ext) => formats.find((format) => format.ext === ext) ?? [])
  const families = [...Map.groupBy(formats, (format) => format.family)]
  families.sort(([a], [b]) => Number(b === family) - Number(a === family))
  return { common, families }
}

/** What a file of this family most likely is to become. */
export const likely = (formats: readonly FormatInfo[], family: string | undefined, ext: string): string | undefined => {
  const others = formats.filter((format) => format.ext !== ext)
  return grouped(others, family).common[0]?.ext ?? others[0]?.ext
}

/** The extension by which the server is asked; the server looks at the content afterwards. */
export function extensionOf(name: string): string {
  const [, tar] = /\.(tar\.\w+)$/i.exec(name) ?? []
  return (tar ?? name.split('.').slice(1).at(-1) ?? '').toLowerCase()
}
