/** A sentence of the document: what stands between back ticks is code. */
import { Code } from '@mantine/core'

export const Prose = ({ text }: { text: string }) =>
  text.split('`').map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of a fixed text have nothing else
      <Code key={index}>{part}</Code>
    ) : (
      part
    ),
  )
