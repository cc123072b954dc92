/** Documents of Word, Excel and PowerPoint whose macros start by themselves: they are converted, and nothing else happens. */
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { openListener } from '../../test/contract/sandbox-yard.ts'
import { bench } from '../../test/support/bench.ts'
import { sheetsOf, slidesOf, textOf } from '../../test/support/flat-office.ts'
import { partsOf, wordsOfPdf } from '../../test/support/office-look.ts'
import { saved } from '../../test/support/office-samples.ts'
import { tempDir } from '../../test/support/temp-dir.ts'
import { withMacros } from '../../test/support/vba-project.ts'
import type { Ext } from '../catalog/formats.ts'
import { sniff } from '../catalog/sniff.ts'
import { office } from './office.ts'

const { path: dir, remove } = await tempDir()
const { path: reached, remove: removeReached } = await tempDir()
after(async () => {
  await remove()
  await removeReached()
})
const { make, residents } = await bench(office)
await using listener = await openListener()

/** Changes what is seen, writes a file, starts a program and calls somebody, each as well as it can. */
const macro = (name: string, change: string): string => `Sub ${name}()
  On Error Resume Next
  ${change} = "Changed by a macro"
  Open "${join(reached, name)}" For Output As #1
  Print #1, "ran"
  Close #1
  Shell "/usr/bin/touch ${join(reached, `${name}-by-shell`)}"
  CreateObject("com.sun.star.ucb.SimpleFileAccess").openFileRead("http://127.0.0.1:${listener.port}/x")
End Sub`

interface Kind {
  flat: readonly [ext: Ext, bytes: Buffer, filter: string]
  main: string
  /** The part that has events, the event of opening, and the name that starts by itself. */
  names: readonly [part: string, event: string, auto: string]
  change: string
  open: Ext
}

const KINDS: Partial<Record<Ext, Kind>> = {
  docm: {
    flat: ['fodt', textOf(['Still here']), 'MS Word 2007 XML VBA'],
    main: 'word/document.xml',
    names: ['ThisDocument', 'Document_Open', 'AutoOpen'],
    change: 'ThisComponent.Text.String',
    open: 'odt',
  },
  xlsm: {
    flat: ['fods', sheetsOf({ A: [['Still here']] }), 'Calc MS Excel 2007 VBA XML'],
    main: 'xl/workbook.xml',
    names: ['ThisWorkbook', 'Workbook_Open', 'Auto_Open'],
    change: 'ThisComponent.Sheets.getByIndex(0).getCellByPosition(0, 0).String',
    open: 'ods',
  },
  pptm: {
    flat: ['fodp', slidesOf([{ words: 'Still here' }]), 'Impress MS PowerPoint 2007 XML VBA'],
    main: 'ppt/presentation.xml',
    names: ['ThisPresentation', 'Presentation_Open', 'Auto_Open'],
    change: 'ThisComponent.DrawPages.getByIndex(0).getByIndex(0).String',
    open: 'odp',
  },
}

describe('a document whose macros start by themselves', () => {
  for (const [ext, kind] of Object.entries(KINDS) as [Ext, Kind][])
    it(`is converted without them: ${ext}`, async () => {
      const [from, plain, filter] = kind.flat
      const [part, event, auto] = kind.names
      const bytes = withMacros(await saved(residents, dir, { ext: from, bytes: plain }, filter, ext), kind.main, [
        { name: part, document: true, source: macro(event, kind.change) },
        { name: 'Module1', source: macro(auto, kind.change) },
      ])
      assert.deepEqual(sniff(bytes, `x.${ext}`), { format: ext, sure: true })
      const { files } = await make('convert', { ext, bytes }, 'pdf')
      const words = await wordsOfPdf(files[0] ?? Buffer.alloc(0))
      assert.match(words, /Still here/)
      assert.doesNotMatch(words, /Changed/)
      assert.equal(listener.hits(), 0)
      assert.deepEqual(await readdir(reached), [])
      // LibreOffice has understood them: else this would show nothing.
      const open = (await make('convert', { ext, bytes }, kind.open)).files[0] ?? Buffer.alloc(0)
      for (const name of [part, 'Module1'])
        assert.match(partsOf(open)[`Basic/VBAProject/${name}.xml`] ?? '', /Changed by a macro/)
    })
})
