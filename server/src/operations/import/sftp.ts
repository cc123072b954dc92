/** import/sftp: a file on an SFTP server. */
import { Type } from 'typebox'
import { checkSftp, openSftpAccess, sftpAccess, sftpSecrets } from '../access/sftp.ts'
import { operation } from '../operation.ts'
import { filename } from '../params.ts'
import { bringOne } from './bring.ts'

export const importSftp = operation({
  name: 'import/sftp',
  summary: 'Import from an SFTP server.',
  lane: 'io',
  inputs: [0, 0],
  params: Type.Object({
    ...sftpAccess,
    file_string: Type.String({ minLength: 1, maxLength: 4096, description: 'File on the server, including path.' }),
    filename,
  }),
  secrets: sftpSecrets,
  check: checkSftp,
  run: async (context) => bringOne(context, openSftpAccess(context.params, context), context.params.file_string),
})
