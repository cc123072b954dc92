import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The server sends what is already compressed; it has better things to do than that. */
function compressed() {
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
  return {
    name: 'compressed',
    apply: 'build',
    /** @param {{ dir?: string }} options */
    writeBundle({ dir = 'dist' }) {
      const folder = join(dir, 'assets')
      for (const name of readdirSync(folder).filter((each) => /\.(js|css)$/.test(each))) {
        const bytes = readFileSync(join(folder, name))
        writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, quality))
        writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }))
      }
    },
  }
}

export default defineConfig({
  base: './',
  plugins: [react(), compressed()],
  // The server puts the nonce of each answer in its place.
  html: { cspNonce: '__NONCE__' },
  build: { target: 'es2023', assetsInlineLimit: 0, modulePreload: { polyfill: false }, reportCompressedSize: false },
})
