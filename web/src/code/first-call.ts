/** The first thing to try with a fresh key: a picture becomes a JPEG, with nothing but a shell and curl. Pure. */
import { quoted } from './as-code.ts'

export function firstCall(url: string, key: string): string {
  const auth = '-H "Authorization: Bearer $KEY"'
  return [
    `KEY=${quoted(key)}`,
    '',
    '# Take photo.png in, convert it, make a link.',
    `JOB=$(printf '{"tasks":{`,
    '  "photo": {"operation":"import/base64","filename":"photo.png","file":"data:image/png;base64,%s"},',
    '  "jpg":   {"operation":"convert","input":"photo","output_format":"jpg"},',
    `  "link":  {"operation":"export/url","input":"jpg"}}}' "$(base64 -w0 photo.png)" |`,
    `  curl -sSk ${url}/v1/process/jobs ${auth} \\`,
    `    -H 'Content-Type: application/json' -d @- | grep -o '"id":"[^"]*"' | head -1 | cut -d'"' -f4)`,
    '',
    '# Wait until it has ended, and fetch the result; without one, the job says why.',
    `curl -sSk -o job.json ${url}/v1/process/jobs/$JOB/wait ${auth}`,
    `LINK=$(grep -o 'http[^"]*/photo.jpg[^"]*' job.json | tail -1)`,
    'if [ "$LINK" ]; then curl -sSk -o photo.jpg "$LINK"; else cat job.json; fi',
  ].join('\n')
}
