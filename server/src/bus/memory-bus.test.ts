import { busContract } from '../../test/contract/bus.ts'
import { createMemoryBus } from './memory-bus.ts'

busContract('memory', async () => {
  const bus = createMemoryBus()
  return { bus, elsewhere: bus, close: async () => {} }
})
