/** How a browser can show a file, by its format. */
export type Showing = 'image' | 'audio' | 'video' | 'pdf' | 'text'

const FORMATS: Record<Showing, readonly string[]> = {
  image: ['jpg', 'jpeg', 'png', 'webp', 'avif', 'gif', 'svg', 'bmp', 'ico'],
  audio: ['mp3', 'wav', 'm4a', 'ogg', 'oga', 'opus', 'flac', 'aac'],
  video: ['mp4', 'webm', 'ogv', 'm4v', 'mov'],
  pdf: ['pdf'],
  text: ['txt', 'md', 'csv', 'tsv', 'json', 'xml', 'yaml', 'srt', 'vtt', 'html', 'rst', 'tex'],
}

export const showingOf = (format: string): Showing | null =>
  (Object.keys(FORMATS) as Showing[]).find((kind) => FORMATS[kind].includes(format)) ?? null
