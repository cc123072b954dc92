/** Starts the dashboard: styles, the nonce for styles made later, and the first drawing. */
import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './style.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { styleNonce } from './nonce.ts'

// What locks scrolling under a dialog makes a style of its own and looks for its nonce here.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() })

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root.')
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
