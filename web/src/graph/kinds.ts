/** The operations of this server, as people call them, each with its sign. */
import {
  IconArrowsExchange,
  IconBrowser,
  IconCloudDown,
  IconCloudUp,
  IconCrop,
  IconCut,
  IconDownload,
  IconFileCode,
  IconFileZip,
  IconLink,
  IconServer,
  IconStack2,
  IconUpload,
} from '@tabler/icons-react'

const ICONS: Record<string, typeof IconLink> = {
  'import/upload': IconUpload,
  'import/url': IconLink,
  'import/base64': IconFileCode,
  'import/webpage': IconBrowser,
  'import/sftp': IconServer,
  'export/url': IconDownload,
  'export/sftp': IconServer,
  convert: IconArrowsExchange,
  compress: IconFileZip,
  merge: IconStack2,
  crop: IconCrop,
  trim: IconCut,
}

export type Kind = 'import' | 'process' | 'export'

export const kindOf = (operation: string): Kind =>
  operation.startsWith('import/') ? 'import' : operation.startsWith('export/') ? 'export' : 'process'

export const iconOf = (operation: string): typeof IconLink =>
  ICONS[operation] ?? (kindOf(operation) === 'export' ? IconCloudUp : IconCloudDown)
