import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { EXTS, extOf, formatOf } from './formats.ts'

describe('extOf', () => {
  it('takes an extension in any case, with a dot, with a name before it, or an alias', () => {
    for (const given of ['jpg', 'JPG', '.jpg', 'jpeg', '.JPEG', 'photo.jpeg', 'a.b.Jpe', ' jfif ']) {
      assert.equal(extOf(given), 'jpg', given)
    }
    assert.equal(extOf('tif'), 'tiff')
    assert.equal(extOf('index.htm'), 'html')
    assert.equal(extOf('heif'), 'heic')
    assert.equal(extOf('clip.3gpp'), '3gp')
  })

  it('knows nothing of what is no format, not even names every object has', () => {
    for (const given of ['', '.', 'nope', 'constructor', '__proto__', 'toString', 'a.jpg/b', 'jpg.']) {
      assert.equal(extOf(given), null, given)
    }
  })
})

describe('FORMATS', () => {
  it('gives every name and alias to one format only', () => {
    const names = EXTS.flatMap((ext) => [ext, ...(formatOf(ext).aliases ?? [])])
    assert.deepEqual(names, [...new Set(names)])
    for (const name of names) assert.match(name, /^[a-z0-9]+$/)
  })

  it('has a title and a media type for every format', () => {
    for (const ext of EXTS) {
      assert.ok(formatOf(ext).title.length > 0, ext)
      assert.match(formatOf(ext).mime, /^[a-z]+\/[\w.+-]+$/, ext)
    }
  })
})
