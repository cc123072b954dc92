/**
 * HTTPS without being asked: "on first start a local CA and certificate are made". Keeps both in one directory, reuses
 * them as long as they serve, and replaces the server's certificate without a new authority whenever it can, since
 * clients were told to trust that one.
 */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { domainToASCII } from 'node:url'
import type { Certified } from './certificates.ts'
import { readIfThere, replaceFile } from './safe-file.ts'

const LEAST_LEFT = 30 * 86_400_000

export interface Certificates {
  key: string
  cert: string
  /** For `curl --cacert`. */
  caPath: string
}

export async function ensureCertificates(dir: string, hosts: readonly string[], now: number): Promise<Certificates> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const caPath = join(dir, 'ca.pem')
  const names = namesFor(hosts)
  const ca = await readIfThere(caPath)
  const server = await load(dir, 'server')
  if (ca && server && serves(server, ca, names, now)) return { ...server, caPath }

  // Loaded at the first start, and once a year: it is large.
  const { makeAuthority, makeServer } = await import('./certificates.ts')
  const known = await load(dir, 'ca')
  const usable = known !== null && belong(known) && lasts(new X509Certificate(known.cert), now)
  const authority = usable ? known : await makeAuthority(now)
  if (!usable) await keep(dir, 'ca', authority)
  const fresh = await makeServer(authority, names, now)
  await keep(dir, 'server', fresh)
  return { ...fresh, caPath }
}

function namesFor(hosts: readonly string[]): string[] {
  const given = [...hosts, hostname()].map((host) => {
    const bare = host.trim().replace(/^\[(.*)\]$/, '$1')
    return isIP(bare) ? bare : domainToASCII(bare.replace(/\.$/, ''))
  })
  // Such as `my_host`: it cannot be asked for in a URL either, but must not keep the server from starting.
  const usable = given.filter((name) => isIP(name) || /^(\*\.)?[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/.test(name))
  return [...new Set(['localhost', '127.0.0.1', '::1', ...usable])]
}

function serves(server: Certified, ca: string, names: readonly string[], now: number): boolean {
  const authority = parse(ca)
  const cert = parse(server.cert)
  if (!authority || !cert || !belong(server) || !lasts(authority, now) || !lasts(cert, now)) return false
  const written = new Set((cert.subjectAltName ?? '').split(', '))
  const covered = (name: string) => (isIP(name) ? cert.checkIP(name) !== undefined : written.has(`DNS:${name}`))
  return cert.verify(authority.publicKey) && names.every(covered)
}

/** Key and certificate are two files: a crash between them leaves a pair that does not fit. */
function belong({ key, cert }: Certified): boolean {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))
  } catch {
    return false
  }
}

const lasts = (cert: X509Certificate, now: number): boolean =>
  cert.validFromDate.getTime() <= now && cert.validToDate.getTime() > now + LEAST_LEFT

function parse(pem: string): X509Certificate | null {
  try {
    return new X509Certificate(pem)
  } catch {
    return null
  }
}

async function load(dir: string, name: 'ca' | 'server'): Promise<Certified | null> {
  const cert = await readIfThere(join(dir, `${name}.pem`))
  const key = await readIfThere(join(dir, `${name}.key`))
  return cert !== null && key !== null ? { cert, key } : null
}

async function keep(dir: string, name: 'ca' | 'server', { cert, key }: Certified): Promise<void> {
  await replaceFile(join(dir, `${name}.key`), key, 0o600)
  await replaceFile(join(dir, `${name}.pem`), cert, 0o644)
}
