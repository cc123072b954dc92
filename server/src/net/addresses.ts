/**
 * Which addresses are public, and which private ones the operator allows. Pure: looks at an address, never at a name;
 * a name says nothing about where it leads.
 */
import { BlockList, isIP } from 'node:net'

/** Special-purpose IPv4 blocks (IANA registry), plus the host agent's address in one large cloud, public only in looks. */
const NOT_PUBLIC_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/**
 * IPv6 the other way round: only global unicast is public, minus the special blocks inside it. So every form that
 * carries an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo) is out without being taken apart.
 */
const GLOBAL_V6 = ['2000::/3']
const NOT_PUBLIC_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']

const privateV4 = blocks(NOT_PUBLIC_V4)
const globalV6 = blocks(GLOBAL_V6)
const specialV6 = blocks(NOT_PUBLIC_V6)

export function isPublic(ip: string): boolean {
  const family = isIP(ip)
  if (family === 4) return !privateV4.check(ip, 'ipv4')
  // A zone (`%eth0`) only means something on a local network.
  if (family === 6 && !ip.includes('%')) return globalV6.check(ip, 'ipv6') && !specialV6.check(ip, 'ipv6')
  return false
}

/** A comma-separated list of blocks or single addresses. An IPv4 block also holds the IPv4-mapped form of its members. */
export function parseCidrs(text: string): (ip: string) => boolean {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
  const list = blocks(entries)
  return (ip) => {
    const family = isIP(ip)
    return family !== 0 && !ip.includes('%') && list.check(ip, family === 4 ? 'ipv4' : 'ipv6')
  }
}

function blocks(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', length, ...rest] = entry.split('/')
    const family = address.includes('%') ? 0 : isIP(address)
    const most = family === 4 ? 32 : 128
    const bits = length === undefined ? most : /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN
    if (family === 0 || rest.length > 0 || !(bits <= most)) throw new Error(badEntry(entry))
    list.addSubnet(address, bits, family === 4 ? 'ipv4' : 'ipv6')
  }
  return list
}

const badEntry = (entry: string): string =>
  `"${entry}" is not an address block. Write an address and the number of fixed bits, as in 192.168.1.0/24 or fd00::/8, ` +
  'or a single address, as in 192.168.1.5; separate several with commas.'
