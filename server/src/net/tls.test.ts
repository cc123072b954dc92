import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import { type AddressInfo, isIP } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { connect } from 'node:tls'
import { promisify } from 'node:util'
import { ensureCertificates } from './tls.ts'

const run = promisify(execFile)
const DAY = 86_400_000
const now = Date.now()

async function tempDir(t: TestContext): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'reforge-tls-'))
  t.after(() => rm(dir, { recursive: true }))
  return dir
}

const has = (tool: string) =>
  run(tool, ['--version']).then(
    () => true,
    (error) => error.code !== 'ENOENT',
  )

test('clients that trust ca.pem accept the server under all its names, and others under none', async (t) => {
  const { key, cert, caPath } = await ensureCertificates(await tempDir(t), ['files.example.org', '10.1.2.3'], now)
  const server = createServer({ key, cert }, (_, answer) => answer.end('hello')).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const ca = await readFile(caPath)
  const greet = async (name: string, trust?: Buffer) => {
    const socket = connect({
      port,
      host: '127.0.0.1',
      ca: trust,
      checkServerIdentity: (_, peer) => check(name, peer.raw),
    })
    try {
      await once(socket, 'secureConnect')
      return socket.authorized
    } finally {
      socket.destroy()
    }
  }
  const check = (name: string, raw: Buffer) => {
    const peer = new X509Certificate(raw)
    return (isIP(name) ? peer.checkIP(name) : peer.checkHost(name)) ? undefined : new Error(`not for ${name}`)
  }
  for (const name of ['localhost', '127.0.0.1', '::1', 'files.example.org', '10.1.2.3', hostname().toLowerCase()])
    assert.equal(await greet(name, ca), true, name)
  await assert.rejects(greet('other.example.org', ca), /not for other/)
  await assert.rejects(greet('localhost'), /unable to verify|self-signed/)
  if (await has('curl')) {
    const { stdout } = await run('curl', ['-sS', '--cacert', caPath, `https://localhost:${port}/`])
    assert.equal(stdout, 'hello')
    await assert.rejects(run('curl', ['-sS', `https://localhost:${port}/`]))
  }
})

test('keys are readable by their owner only, and nothing else is left behind', async (t) => {
  const dir = await tempDir(t)
  await ensureCertificates(dir, [], now)
  assert.deepEqual((await readdir(dir)).sort(), ['ca.key', 'ca.pem', 'server.key', 'server.pem'])
  for (const name of ['ca.key', 'server.key']) assert.equal((await stat(join(dir, name))).mode & 0o777, 0o600)
})

test('the authority holds for ten years and may only sign servers; a server certificate holds for 397 days', async (t) => {
  const dir = await tempDir(t)
  const { cert, caPath } = await ensureCertificates(dir, [], now)
  const server = new X509Certificate(cert)
  const ca = new X509Certificate(await readFile(caPath))
  const days = (one: X509Certificate) => (one.validToDate.getTime() - one.validFromDate.getTime()) / DAY
  assert.ok(days(server) > 390 && days(server) <= 397)
  assert.ok(days(ca) > 3640 && days(ca) <= 3650)
  assert.equal(ca.ca, true)
  assert.equal(server.ca, false)
  assert.ok(server.checkIssued(ca))
  assert.deepEqual(server.keyUsage, ['1.3.6.1.5.5.7.3.1'])
  if (await has('openssl')) await run('openssl', ['verify', '-x509_strict', '-CAfile', caPath, join(dir, 'server.pem')])
})

test('certificates are kept while they serve, and only the server one is renewed when it does not', async (t) => {
  const dir = await tempDir(t)
  const ca = () => readFile(join(dir, 'ca.pem'), 'utf8')
  const first = await ensureCertificates(dir, ['a.example.org'], now)
  const authority = await ca()
  assert.deepEqual(await ensureCertificates(dir, ['a.example.org'], now + 366 * DAY), first)
  assert.deepEqual(await ensureCertificates(dir, [], now), first)

  const renewed = await ensureCertificates(dir, ['a.example.org'], now + 368 * DAY)
  assert.notEqual(renewed.cert, first.cert)
  const wider = await ensureCertificates(
    dir,
    ['A.example.org.', 'bücher.example', '[fd00::5]', ' not a name ', ''],
    now + 368 * DAY,
  )
  assert.notEqual(wider.cert, renewed.cert)
  const { subjectAltName } = new X509Certificate(wider.cert)
  assert.match(subjectAltName ?? '', /DNS:a\.example\.org, DNS:xn--bcher-kva\.example, IP Address:FD00:0:0:0:0:0:0:5/)
  assert.equal(await ca(), authority)

  await ensureCertificates(dir, [], now + 3630 * DAY)
  assert.notEqual(await ca(), authority)
})

test('a server certificate near the end of its authority does not outlive it', async (t) => {
  const dir = await tempDir(t)
  await ensureCertificates(dir, [], now)
  const { cert, caPath } = await ensureCertificates(dir, [], now + 3600 * DAY)
  assert.ok(new X509Certificate(cert).validToDate <= new X509Certificate(await readFile(caPath)).validToDate)
})

test('a pair that does not fit, or a damaged file, is replaced by one that works', async (t) => {
  const dir = await tempDir(t)
  const other = await tempDir(t)
  const works = async () => {
    const { cert, key, caPath } = await ensureCertificates(dir, [], now)
    assert.deepEqual(await ensureCertificates(dir, [], now), { cert, key, caPath })
    assert.ok(new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
    assert.ok(new X509Certificate(cert).verify(new X509Certificate(await readFile(caPath)).publicKey))
  }
  await works()
  await ensureCertificates(other, [], now)
  for (const name of ['server.key', 'server.pem', 'ca.pem', 'ca.key']) {
    await writeFile(join(dir, name), await readFile(join(other, name)))
    await works()
    await writeFile(join(dir, name), 'damaged')
    await works()
    await rm(join(dir, name))
    await works()
  }
})
