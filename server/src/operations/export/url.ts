/** export/url: a temporary download link. Nothing is copied: the link names the same bytes; only a ZIP is made anew. */
import { Type } from 'typebox'
import { extOf } from '../../catalog/formats.ts'
import { bareName, numbered, resultName } from '../../core/filename.ts'
import { operation } from '../operation.ts'
import { filename } from '../params.ts'
import { zip } from './zip.ts'

export const exportUrl = operation({
  name: 'export/url',
  summary: 'Create a temporary download URL for the files of tasks.',
  lane: 'io',
  inputs: [1, 1000],
  params: Type.Object({
    filename,
    archive_multiple_files: Type.Optional(
      Type.Boolean({ default: false, description: 'One ZIP for all files instead of a URL for each.' }),
    ),
  }),
  instant: {
    when: (params) => !params.archive_multiple_files,
    files: (params, inputs, share) =>
      inputs.map((file, index) => {
        if (params.filename === undefined) return share(file, bareName(file.filename))
        const name = resultName(file.filename, file.format, params.filename, extOf)
        return share(file, inputs.length > 1 ? numbered(name, index + 1) : name)
      }),
  },
  async run({ params, inputs, receive, read }) {
    const entries = inputs.map((file) => ({ name: file.filename, open: () => read(file) }))
    return { files: [await receive(zip(entries), resultName('files', 'zip', params.filename, extOf))] }
  },
})
