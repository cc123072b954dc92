/** export/sftp: writes files to an SFTP server. */
import { Type } from 'typebox'
import { eitherOr, given, place } from '../access/fields.ts'
import { checkSftp, openSftpAccess, sftpAccess, sftpSecrets } from '../access/sftp.ts'
import { operation } from '../operation.ts'
import { filename } from '../params.ts'
import { send } from './send.ts'

export const exportSftp = operation({
  name: 'export/sftp',
  summary: 'Export to an SFTP server.',
  lane: 'io',
  inputs: [1, 1000],
  params: Type.Object({
    ...sftpAccess,
    file_string: place('File on the server, including path; several files are numbered.'),
    path: place('Instead of `file_string`: the folder to write to; it is made if it is not there.'),
    filename,
  }),
  secrets: sftpSecrets,
  check: (params) => [
    ...checkSftp(params),
    ...eitherOr(params, 'file_string', 'path'),
    ...(params.file_string?.endsWith('/') ? [{ path: 'file_string', message: 'must be a file; use path.' }] : []),
  ],
  run(context) {
    const { host, file_string, path } = context.params
    const prefix = given(path) && !path.endsWith('/') ? `${path}/` : path
    const tell = (name: string) => ({ host: String(host), file_string: name })
    return send(context, openSftpAccess(context.params, context), { name: file_string, prefix, tell })
  },
})
