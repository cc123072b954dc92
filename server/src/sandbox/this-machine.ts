/** What every closing of a box has to know of the machine. */
import type { SeccompArch } from './seccomp.ts'

export function thisArch(): SeccompArch {
  if (process.arch === 'x64' || process.arch === 'arm64') return process.arch
  throw new Error(`There is no system call filter for ${process.arch}; Reforge runs on x64 and arm64.`)
}

/** Programs, fonts and the settings of engines, where present. Nothing that tells who uses this machine or what for. */
export const SYSTEM_PATHS: readonly string[] = [
  '/usr',
  '/etc/alternatives',
  '/etc/fonts',
  '/etc/ghostscript',
  '/etc/ImageMagick-6',
  '/etc/ImageMagick-7',
  '/etc/inkscape',
  '/etc/ld.so.cache',
  '/etc/libreoffice',
  '/etc/localtime',
  '/etc/mime.types',
  '/etc/papersize',
  '/etc/texmf',
  '/var/cache/fontconfig',
  '/var/lib/ghostscript',
  '/var/lib/libreoffice',
  '/var/lib/texmf',
  // LibreOffice may find nothing there, but will not start when refused.
  '/var/spool/libreoffice',
]
