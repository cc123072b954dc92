/** An engine that declares something and does nothing. */
import type { Capability, Engine } from '../../src/catalog/engine.ts'

type Block = Partial<Capability> & Pick<Capability, 'from' | 'to'>

export const engine = (id: string, ...can: Block[]): Engine => ({
  id,
  title: id,
  tools: [],
  can: can.map((block) => ({ does: 'convert', cost: 1, options: {}, run: async () => [], ...block })),
})
