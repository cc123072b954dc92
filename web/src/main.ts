/** The first page: drop files, choose a target, get them back. Talks to the server through the SDK alone. */
import { createReforge, type Reforge, ReforgeError } from '@reforge/sdk'
import { addRow } from './row.ts'
import './style.css'

function find<T extends HTMLElement>(id: string): T {
  const element = document.getElementById(id)
  if (!element) throw new Error(`The page has no #${id}.`)
  return element as T
}

const url = new URL('.', location.href).href.replace(/\/$/, '')
const KEPT = 'reforge-key'

async function enter(key: string): Promise<void> {
  const reforge = createReforge({ url, key })
  await reforge.account.me()
  sessionStorage.setItem(KEPT, key)
  find('key-form').hidden = true
  find('work').hidden = false
  takeFiles(reforge)
}

function askForKey(message = ''): void {
  const form = find<HTMLFormElement>('key-form')
  form.hidden = false
  find('key-error').textContent = message
  find<HTMLInputElement>('key').focus()
  form.onsubmit = (event) => {
    event.preventDefault()
    enter(find<HTMLInputElement>('key').value.trim()).catch((error) => askForKey(words(error)))
  }
}

function takeFiles(reforge: Reforge): void {
  const drop = find<HTMLButtonElement>('drop')
  const input = find<HTMLInputElement>('files')
  const list = find<HTMLUListElement>('list')
  const take = (files: Iterable<File>) => {
    for (const file of files) addRow(reforge, list, file)
  }
  input.onchange = () => {
    take(input.files ?? [])
    input.value = ''
  }
  drop.onclick = () => input.click()
  document.ondragover = (event) => {
    event.preventDefault()
    drop.classList.add('over')
  }
  document.ondragleave = () => drop.classList.remove('over')
  document.ondrop = (event) => {
    event.preventDefault()
    drop.classList.remove('over')
    take(event.dataTransfer?.files ?? [])
  }
}

const words = (error: unknown): string =>
  error instanceof ReforgeError ? error.message : 'The server cannot be reached. Is it running?'

const kept = sessionStorage.getItem(KEPT)
if (kept) enter(kept).catch((error) => askForKey(words(error)))
else askForKey()
