/** A MIDI file written by hand: one track, one instrument, notes one after another. */

const four = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** "Variable-length quantity": seven bits a byte, the last without the eighth. */
function length(value: number): number[] {
  const bytes = [value & 127]
  for (let rest = value >> 7; rest > 0; rest >>= 7) bytes.unshift((rest & 127) | 128)
  return bytes
}

const BEAT = 96

/** @param notes as MIDI counts them (69 is 440 Hz), each half a second long */
export function midiOf(notes: readonly number[], instrument = 80, ticks = BEAT): Buffer {
  const events = [
    ...[0, 0xff, 0x51, 3, 0x07, 0xa1, 0x20],
    // With as much chorus as there is.
    ...[0, 0xc0, instrument, 0, 0xb0, 93, 127],
    ...notes.flatMap((note) => [0, 0x90, note, 100, ...length(ticks), 0x80, note, 0]),
    ...[0, 0xff, 0x2f, 0],
  ]
  const head = Buffer.from([0, 0, 0, 1, 0, BEAT])
  return Buffer.concat([
    Buffer.from('MThd'),
    four(6),
    head,
    Buffer.from('MTrk'),
    four(events.length),
    Buffer.from(events),
  ])
}
