import { sandboxContract } from '../../test/contract/sandbox.ts'
import { openUnsafe } from './unsafe.ts'

sandboxContract('no sandbox', (scratch) => openUnsafe({ scratch }), { isolates: false })
