import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isPublic, parseCidrs } from './addresses.ts'

test('ordinary internet addresses are public', () => {
  const addresses = ['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '172.15.0.1']
  const more = ['172.32.0.1', '168.63.129.15', '168.63.129.17', '192.167.255.255', '223.255.255.255', '198.20.0.0']
  const v6 = ['2606:4700:4700::1111', '2001:4860:4860::8888', '2001:200::1', '2a00:1450::1', '3ffe::1', '2003::1']
  for (const ip of [...addresses, ...more, ...v6]) assert.equal(isPublic(ip), true, ip)
})

test('loopback, private, shared, link-local, documentation, multicast and cloud-internal addresses are not', () => {
  const v4 = `0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.1 127.255.255.254 168.63.129.16
    169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.8 192.0.0.192 192.0.2.1 192.88.99.1 192.168.0.1 198.18.0.1
    198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255`
  const v6 = `:: ::1 ::127.0.0.1 ::8.8.8.8 fe80::1 fe80::1%eth0 fec0::1 fc00::1 fd00:ec2::254 ff02::1 100::1
    64:ff9b::8.8.8.8 64:ff9b::7f00:1 64:ff9b:1::1 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:db8::1 2001:10::1
    2001:20::1 2002:7f00:1::1 2002:0808:0808::1 3fff::1 3fff:fff::1 2620:4f:8000::1 5f00::1 4000::1 0:0:0:0:0:0:0:1`
  for (const ip of `${v4} ${v6}`.split(/\s+/)) assert.equal(isPublic(ip), false, ip)
})

test('an IPv6 address that carries an IPv4 address is never public, whatever it carries', () => {
  fc.assert(
    fc.property(fc.ipV4(), (ip) => {
      for (const form of [`::ffff:${ip}`, `::${ip}`, `64:ff9b::${ip}`, `::ffff:0:${ip}`])
        assert.equal(isPublic(form), false, form)
      const hex = Buffer.from(ip.split('.').map(Number)).toString('hex')
      assert.equal(isPublic(`2002:${hex.slice(0, 4)}:${hex.slice(4)}::1`), false)
    }),
  )
})

test('what is not a plain address is not public', () => {
  for (const text of [
    '',
    'localhost',
    '127.1',
    '2130706433',
    '0x7f.0.0.1',
    '8.8.8.8 ',
    '8.8.8.8%eth0',
    '[::1]',
    '8.8.8',
  ])
    assert.equal(isPublic(text), false, text)
  for (const zone of ['2606:4700::1%1', '2606:4700::1%eth0']) assert.equal(isPublic(zone), false, zone)
  fc.assert(fc.property(fc.string(), (text) => !isPublic(text) || /^[0-9a-f.:]+$/i.test(text)))
})

test('a list of blocks holds its members and nothing else', () => {
  const inside = parseCidrs('192.168.1.0/24, 10.1.2.3 ,fd00::/8,::1')
  for (const ip of [
    '192.168.1.0',
    '192.168.1.255',
    '10.1.2.3',
    'fd12::1',
    '::1',
    '::ffff:192.168.1.7',
    '::ffff:c0a8:107',
  ])
    assert.equal(inside(ip), true, ip)
  for (const ip of [
    '192.168.2.0',
    '10.1.2.4',
    'fe80::1',
    '::2',
    '::ffff:192.168.2.7',
    '8.8.8.8',
    'host',
    '',
    'fd00::1%1',
  ])
    assert.equal(inside(ip), false, ip)
})

test('an empty list holds nothing', () => {
  for (const text of ['', ' ', ',', ' , ']) assert.equal(parseCidrs(text)('127.0.0.1'), false)
})

test('an IPv4 block holds exactly the addresses that begin with its bits', () => {
  const number = (ip: string) => ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
  fc.assert(
    fc.property(fc.ipV4(), fc.ipV4(), fc.integer({ min: 0, max: 32 }), (base, ip, bits) => {
      const size = 2 ** (32 - bits)
      const same = Math.floor(number(base) / size) === Math.floor(number(ip) / size)
      assert.equal(parseCidrs(`${base}/${bits}`)(ip), same)
    }),
  )
})

test('a bad entry is refused by name, with what would be right', () => {
  for (const bad of [
    '10.0.0.0/33',
    '::/129',
    '10.0.0/8',
    'localhost',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0.0/-1',
    'fe80::1%1',
  ])
    assert.throws(
      () => parseCidrs(`192.168.0.0/16,${bad}`),
      (error: Error) => error.message.startsWith(`"${bad}"`) && error.message.includes('192.168.1.0/24'),
      bad,
    )
})
