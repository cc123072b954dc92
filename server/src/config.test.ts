import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bucketOrigin, ConfigError, readConfig, unknownSettings } from './config.ts'

describe('settings', () => {
  test('without any, the defaults hold', () => {
    const config = readConfig({})
    assert.equal(config.port, 8443)
    assert.equal(config.host, '127.0.0.1')
    assert.equal(config.unsafeNoSandbox, false)
    assert.match(config.data, /^\/.*\/data$/)
  })

  for (const [text, bytes] of [
    ['1000', 1000],
    ['2GB', 2 * 1024 ** 3],
    ['1.5 mb', 1.5 * 1024 ** 2],
    ['3g', 3 * 1024 ** 3],
  ] as const)
    test(`a file size may be written ${text}`, () => {
      assert.equal(readConfig({ REFORGE_MAX_FILE_SIZE: text }).maxFileSize, bytes)
    })

  for (const [text, seconds] of [
    ['90', 90],
    ['90m', 5400],
    ['1.5 H', 5400],
  ] as const)
    test(`a duration may be written ${text}`, () => {
      assert.equal(readConfig({ REFORGE_MAX_MEDIA_DURATION: text }).maxMediaDuration, seconds)
    })

  test('pixels may be counted in millions', () => {
    assert.equal(readConfig({ REFORGE_MAX_MEDIA_PIXELS: '2073600' }).maxMediaPixels, 2_073_600)
    assert.equal(readConfig({ REFORGE_MAX_MEDIA_PIXELS: '8.3MP' }).maxMediaPixels, 8_300_000)
  })

  for (const [name, value, expected] of [
    ['REFORGE_PORT', 'https', /REFORGE_PORT must be a whole number from 0 to 65535/],
    ['REFORGE_PORT', '70000', /REFORGE_PORT/],
    ['REFORGE_RATE_LIMIT', '-1', /REFORGE_RATE_LIMIT/],
    ['REFORGE_MAX_FILE_SIZE', 'big', /REFORGE_MAX_FILE_SIZE .*2GB/],
    ['REFORGE_MAX_FILE_SIZE', '0', /REFORGE_MAX_FILE_SIZE/],
    ['REFORGE_MAX_MEDIA_DURATION', '2 days', /REFORGE_MAX_MEDIA_DURATION must be .*10h/],
    ['REFORGE_MAX_MEDIA_DURATION', '0', /REFORGE_MAX_MEDIA_DURATION/],
    ['REFORGE_MAX_MEDIA_PIXELS', '4K', /REFORGE_MAX_MEDIA_PIXELS must be .*33MP/],
    ['REFORGE_MAX_MEDIA_PIXELS', '9999MP', /REFORGE_MAX_MEDIA_PIXELS/],
    ['REFORGE_PUBLIC_URL', 'http://example.org', /REFORGE_PUBLIC_URL must be an https/],
    ['REFORGE_API_KEY', 'short', /REFORGE_API_KEY must have at least 32/],
    ['REFORGE_ALLOW_PRIVATE_CIDRS', '10.0.0.0/8, home', /"home" is none/],
    ['REFORGE_UNSAFE_NO_SANDBOX', 'maybe', /REFORGE_UNSAFE_NO_SANDBOX must be 0 or 1/],
  ] as const)
    test(`${name}=${value} stops the start and says what is allowed`, () => {
      assert.throws(
        () => readConfig({ [name]: value }),
        (error) => error instanceof ConfigError && expected.test(error.message),
      )
    })

  test('every wrong setting is named at once', () => {
    assert.throws(
      () => readConfig({ REFORGE_PORT: 'x', REFORGE_HOST: 'h', REFORGE_RATE_LIMIT: 'y' }),
      /PORT[\s\S]*RATE_LIMIT/,
    )
  })

  test('a film is not to be shared by one machine', () => {
    assert.throws(() => readConfig({ REFORGE_SPLIT_VIDEO: '60' }), /REFORGE_SPLIT_VIDEO needs REFORGE_DATABASE_URL/)
    const shared = { REFORGE_SPLIT_VIDEO: '60', REFORGE_DATABASE_URL: 'postgres://host/reforge' }
    assert.equal(readConfig(shared).splitVideo, 60)
    assert.equal(readConfig({ ...shared, REFORGE_SPLIT_VIDEO: '0' }).splitVideo, 0)
    assert.equal(readConfig({ REFORGE_SPLIT_VIDEO: '0' }).splitVideo, 0)
  })

  test('a name that is no setting is found', () => {
    assert.deepEqual(unknownSettings({ REFORGE_PORTS: '1', REFORGE_PORT: '1', PATH: '' }), ['REFORGE_PORTS'])
  })
})

test('pages may meet the bucket where clients do, and only there', () => {
  const at = (env: Record<string, string>) => bucketOrigin(readConfig({ REFORGE_S3_BUCKET: 'files', ...KEYS, ...env }))
  assert.equal(bucketOrigin(readConfig({})), null)
  assert.equal(at({}), null)
  assert.equal(at({ REFORGE_S3_DOWNLOADS: 'redirect' }), 'https://files.s3.us-east-1.amazonaws.com')
  const own = { REFORGE_S3_UPLOADS: 'direct', REFORGE_S3_ENDPOINT: 'http://minio:9000' }
  assert.equal(at({ ...own, REFORGE_S3_FORCE_PATH_STYLE: '1' }), 'http://minio:9000')
  assert.equal(at({ ...own, REFORGE_S3_PUBLIC_ENDPOINT: 'https://s3.example.org' }), 'https://files.s3.example.org')
})

const KEYS = { REFORGE_S3_ACCESS_KEY: 'a', REFORGE_S3_SECRET_KEY: 'b' }
