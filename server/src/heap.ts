/**
 * How V8 keeps house; loaded by main.ts before anything else. Moving files makes many short-lived buffers, whose bytes lie
 * outside V8's heap but count towards its limits. As it comes, V8 lets them pile up by the hundred megabytes, or walks
 * the whole heap several times a second to find them, which costs more than converting a picture does.
 */
import { setFlagsFromString } from 'node:v8'

// A young generation that stays small is emptied often, and quickly, and the buffers go with it.
setFlagsFromString('--semi-space-growth-factor=1')
// The whole heap is walked when it has doubled, not after every few megabytes.
setFlagsFromString('--heap-growing-percent=100')
