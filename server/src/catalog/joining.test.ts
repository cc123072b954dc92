import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { joiningOf, unfitToJoin } from './joining.ts'
import { option, options } from './option.ts'

const set = options({
  loud: option.boolean({ hint: '', default: true }),
  replace: option.boolean({ hint: '', default: false, joins: ['mp3', 'wav'] }),
})

describe('inputs that are one piece of work', () => {
  it('are so only where the option is on', () => {
    assert.equal(joiningOf(set, { loud: true, replace: false }), null)
    assert.deepEqual(joiningOf(set, { loud: false, replace: true }), { name: 'replace', takes: ['mp3', 'wav'] })
  })

  it('are two, and the second is what the option takes', () => {
    const joining = { name: 'replace', takes: ['mp3', 'wav'] } as const
    assert.equal(unfitToJoin(joining, ['mp4', 'wav']), null)
    assert.match(unfitToJoin(joining, ['mp4']) ?? '', /^replace needs a second input/)
    assert.match(unfitToJoin(joining, ['mp4', 'wav', 'wav']) ?? '', /there are 3/)
    assert.match(unfitToJoin(joining, ['mp4', 'png']) ?? '', /of the format png\. Possible: mp3, wav\.$/)
  })
})
