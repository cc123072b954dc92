/** Web pages written by hand, to know exactly what is in them. */

/** A page kept as one file, as browsers write it: the page itself, then what belongs to it, by address. */
export function archiveOf(
  html: string,
  parts: Readonly<Record<string, [type: string, bytes: Uint8Array]>> = {},
): Buffer {
  const all = [['https://example.org/', ['text/html', Buffer.from(html)]] as const, ...Object.entries(parts)]
  const written = all.map(
    ([address, [type, bytes]]) =>
      `--edge\r\nContent-Type: ${type}\r\nContent-Transfer-Encoding: base64\r\nContent-Location: ${address}\r\n\r\n${Buffer.from(bytes).toString('base64')}\r\n`,
  )
  const head = [
    'From: <Saved by hand>',
    'Snapshot-Content-Location: https://example.org/',
    'Subject: A page',
    'Date: Sun, 1 Mar 2026 00:00:00 GMT',
    'MIME-Version: 1.0',
    'Content-Type: multipart/related; type="text/html"; boundary="edge"',
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${written.join('')}--edge--\r\n`)
}

/** Shows by its words and colours how it was looked at. It is two sheets of A4 long. */
export const SHOWY = `<!doctype html>
<html><head><meta charset="utf-8"><title>Showy page</title><style>
  body { margin: 0; font: 20px sans-serif }
  #block { height: 60px; background: #00f }
  #media::after { content: "screen-styles" }
  #width::after { content: "narrow" }
  @media print { #media::after { content: "paper-styles" } #block { background: #0f0 } }
  @media (min-width: 1000px) { #width::after { content: "wide" } }
  @keyframes late { from { background: #f0f } to { background: #f80 } }
  #late { height: 60px; animation: late 1ms linear 3s both }
  #cookie-banner { position: absolute; z-index: 9999; top: 200px; left: 0; right: 0; height: 60px; background: #f00 }
</style></head><body>
  <div id="block"></div><div id="late"></div>
  <h1>Heading</h1><p id="media"></p><p id="width"></p><p id="script">without script</p>
  <div id="cookie-banner">We use cookies. <button>Accept</button></div>
  <div style="height: 1400px"></div><h2>The end</h2>
  <script>document.getElementById('script').textContent = 'with script'</script>
</body></html>`
