import { defineConfig } from 'vite'

// biome-ignore lint/style/noDefaultExport: the build asks for it
export default defineConfig({
  base: './',
  build: { target: 'es2023', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
})
