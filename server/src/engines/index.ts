/** The engines of this house. Adding one is a file and a line here. */
import type { Engine } from '../catalog/engine.ts'
import { sharp } from './sharp.ts'

export const engines: readonly Engine[] = [sharp]
