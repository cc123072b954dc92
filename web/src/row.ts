/** One file of the list: its targets, its progress, its result. */
import { type Progress, type Reforge, ReforgeError } from '@reforge/sdk'

const UNITS = ['B', 'KB', 'MB', 'GB']

export function readableSize(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const value = bytes / 1000 ** power
  return `${value >= 100 || power === 0 ? Math.round(value) : value.toFixed(1)} ${UNITS[power]}`
}

const STAGES: Record<Progress['stage'], string> = {
  upload: 'Uploading',
  waiting: 'Waiting for a free worker',
  working: 'Converting',
}

export function addRow(reforge: Reforge, list: HTMLElement, file: File): void {
  const template = document.getElementById('row') as HTMLTemplateElement
  const row = (template.content.cloneNode(true) as DocumentFragment).querySelector('li')
  if (!row) return
  const part = <T extends HTMLElement>(selector: string) => row.querySelector(selector) as T
  const select = part<HTMLSelectElement>('select')
  const button = part<HTMLButtonElement>('.go')
  const bar = part<HTMLProgressElement>('progress')
  const state = part('.state')
  const result = document.createElement('a')
  result.className = 'result'
  part('.name').textContent = file.name
  part('.size').textContent = readableSize(file.size)
  list.prepend(row)

  const fail = (error: unknown) => {
    row.classList.add('failed')
    bar.hidden = true
    state.textContent = error instanceof ReforgeError ? error.message : 'The connection broke off. Try again.'
    button.disabled = false
  }
  const show = ({ stage, percent }: Progress) => {
    bar.hidden = false
    if (percent === undefined) bar.removeAttribute('value')
    else bar.value = percent
    state.textContent = percent === undefined ? STAGES[stage] : `${STAGES[stage]}, ${percent} %`
  }

  button.onclick = async () => {
    row.classList.remove('failed')
    button.disabled = true
    result.remove()
    try {
      const [made] = await reforge.convert(file, { to: select.value, onProgress: show })
      bar.hidden = true
      button.disabled = false
      if (!made) return
      state.textContent = `Done: ${readableSize(file.size)} → ${readableSize(made.size)}`
      result.href = made.url
      result.textContent = `Download ${made.filename}`
      row.append(result)
    } catch (error) {
      fail(error)
    }
  }
  void offerTargets(reforge, file.name, select).then((some) => {
    button.disabled = !some
    if (!some) state.textContent = 'This kind of file cannot be converted here.'
  }, fail)
}

/** The formats this installation can make of it, by the file's extension; the server looks at the content. */
async function offerTargets(reforge: Reforge, name: string, select: HTMLSelectElement): Promise<boolean> {
  const ext = name.split('.').at(-1) ?? ''
  const { formats } = await reforge.formats.convert({ input_format: ext })
  const others = formats.filter((format) => format.ext !== ext.toLowerCase())
  select.replaceChildren(...others.map((format) => new Option(format.ext, format.ext)))
  return others.length > 0
}
