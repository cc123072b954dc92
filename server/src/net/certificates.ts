/**
 * Makes certificates: a local authority and server certificates signed by it. Pure but for the random keys; files and
 * the question whether new ones are due belong to `tls.ts`.
 */
import 'reflect-metadata'
import { isIP } from 'node:net'
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'

export interface Certified {
  key: string
  cert: string
}

const DAY = 86_400_000
const AUTHORITY_DAYS = 3650
/** Browsers refuse server certificates that are valid for longer than 398 days. */
const SERVER_DAYS = 397
/** Begins a little earlier, for clients whose clock is behind. */
const EARLIER = 3_600_000

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const newKeys = () => crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])

export async function makeAuthority(now: number): Promise<Certified> {
  const keys = await newKeys()
  const cert = await X509CertificateGenerator.createSelfSigned({
    // Each authority its own name: clients mix up two that are called the same.
    name: `CN=Reforge local authority ${new Date(now).toISOString().slice(0, 19)}Z`,
    keys,
    signingAlgorithm: ALGORITHM,
    notBefore: new Date(now - EARLIER),
    notAfter: new Date(now - EARLIER + AUTHORITY_DAYS * DAY),
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return { cert: pem(cert), key: await privatePem(keys) }
}

export async function makeServer(authority: Certified, hosts: readonly string[], now: number): Promise<Certified> {
  const issuer = new X509Certificate(authority.cert)
  const der = PemConverter.decodeFirst(authority.key)
  const signingKey = await crypto.subtle.importKey('pkcs8', der, ALGORITHM, false, ['sign'])
  const keys = await newKeys()
  const end = Math.min(now - EARLIER + SERVER_DAYS * DAY, issuer.notAfter.getTime())
  const cert = await X509CertificateGenerator.create({
    subject: 'CN=Reforge',
    issuer: issuer.subject,
    publicKey: keys.publicKey,
    signingKey,
    signingAlgorithm: ALGORITHM,
    notBefore: new Date(now - EARLIER),
    notAfter: new Date(end),
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(hosts.map((value) => ({ type: isIP(value) ? 'ip' : 'dns', value }))),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
      await AuthorityKeyIdentifierExtension.create(issuer),
    ],
  })
  return { cert: pem(cert), key: await privatePem(keys) }
}

const pem = (cert: X509Certificate): string => `${cert.toString('pem')}\n`

async function privatePem({ privateKey }: Awaited<ReturnType<typeof newKeys>>): Promise<string> {
  const der = await crypto.subtle.exportKey('pkcs8', privateKey)
  return `${PemConverter.encode(der, PemConverter.PrivateKeyTag)}\n`
}
