/** Office documents through a whole server: by way of PDF to pictures, and from one office format to another. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import sharp from 'sharp'
import { sheetsOf, textOf } from '../support/flat-office.ts'
import { wordsOfPdf } from '../support/office-look.ts'
import { startServer } from '../support/server.ts'
import { stepsOn } from '../support/steps.ts'

const server = await startServer()
after(() => server[Symbol.asyncDispose]())
const { imported, done, run, download } = stepsOn(server)

async function converted(bytes: Buffer, filename: string, output_format: string, options = {}) {
  const { id: input } = await imported(bytes, filename)
  return done('convert', { input, output_format, options })
}

async function fetched(input: string): Promise<Buffer> {
  const { result } = await done('export/url', { input })
  return download(result.files?.[0]?.url ?? result.url)
}

describe('an office document', () => {
  test('becomes another, then PDF, then a picture of its page', async () => {
    const word = await converted(textOf(['A page of words']), 'letter.fodt', 'docx')
    const pdf = await done('convert', { input: word.id, output_format: 'pdf' })
    assert.match(await wordsOfPdf(await fetched(pdf.id)), /A page of words/)
    const picture = await done('convert', { input: word.id, output_format: 'jpg' })
    assert.deepEqual(
      picture.result.route.map(({ to }: { to: string }) => to),
      ['pdf', 'jpg'],
    )
    const { width = 0, height = 0 } = await sharp(await fetched(picture.id)).metadata()
    assert.ok(height > width && width > 500)
  })

  test('is protected, and says so to whoever opens it without the password', async () => {
    const { id } = await converted(sheetsOf({ A: [['secret figures', 1]] }), 'a.fods', 'ods', {
      document_new_password: 'sesame',
    })
    const refused = await run('convert', { input: id, output_format: 'csv' })
    assert.equal(refused.status, 'failed')
    assert.match(JSON.stringify(refused), /protected by a password. Add it as the option document_password/)
    const opened = await done('convert', { input: id, output_format: 'csv', options: { document_password: 'sesame' } })
    assert.match((await fetched(opened.id)).toString(), /^secret figures,1/)
    assert.doesNotMatch(JSON.stringify(opened), /sesame/)
  })
})
