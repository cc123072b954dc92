/** A `fetch` for Node that trusts a certificate authority of one's own, in addition to the usual ones. */
import tls from 'node:tls'
import { ReforgeError } from './errors.ts'

/** Node before 22.15 cannot say what it trusts by default. */
const usual = (): readonly string[] => tls.getCACertificates?.('default') ?? tls.rootCertificates

async function load(ca: string): Promise<typeof fetch> {
  // Node's own fetch takes no certificates; the package it is made from does.
  const undici = await import('undici').catch((cause) => {
    throw new ReforgeError(
      'Trusting a certificate needs the package undici. Install it, or set NODE_EXTRA_CA_CERTS to the path of the certificate instead.',
      { code: 'no_fetch', cause },
    )
  })
  const dispatcher = new undici.Agent({ connect: { ca: [...usual(), ca] } })
  const trusting = (input: string, init: object) => undici.fetch(input, { ...init, dispatcher })
  // Two copies of the same types, Node's and the package's.
  return trusting as unknown as typeof fetch
}

export function nodeFetch({ ca }: { ca: string }): typeof fetch {
  let loading: Promise<typeof fetch> | undefined
  return async (input, init) => {
    loading ??= load(ca)
    return (await loading)(input, init)
  }
}
